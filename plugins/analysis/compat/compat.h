/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Metrics of chunks, from what was reported of each. */
void compat_add_chunks (RoastRecordingSnapshot *recording, RoastReport *report);

/* Metrics of the workers of executors, from their samples. */
void compat_add_workers (RoastRecordingSnapshot *recording, RoastReport *report);

G_END_DECLS
