/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "core-time.h"

/* Return the program's process tree as a source whose slots are the cores that the program may use; NULL if the tree
 * was not measured. */
CoreSource *core_tree_new (RoastRecordingSnapshot *recording, RoastReport *report);
