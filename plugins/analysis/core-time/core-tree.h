/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "core-time.h"

G_BEGIN_DECLS

/* The program's process tree as a source: its slots are the cores that it may use. NULL if it was not measured. */
CoreSource *core_tree_new (RoastRecordingSnapshot *recording, RoastReport *report);

G_END_DECLS
