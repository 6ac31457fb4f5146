/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Add metrics of chunks, from the report of each chunk. */
void compat_add_chunks (RoastRecordingSnapshot *recording, RoastReport *report);

/* Add metrics of the executors' workers, from their samples. */
void compat_add_workers (RoastRecordingSnapshot *recording, RoastReport *report);

G_END_DECLS
