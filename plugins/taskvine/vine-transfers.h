/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-clock.h"
#include "vine-tokenizer.h"
#include "vine-workers.h"

G_BEGIN_DECLS

/* Files that a manager and its workers moved, in the table transfers. */
typedef struct _VineTransfers VineTransfers;

/* @keep: whether to write rows; records are checked in any case */
VineTransfers *vine_transfers_new (RoastRecording *recording, const char *source, const VineClock *clock,
                                   gboolean keep);
void vine_transfers_free (VineTransfers *self);
/* Take the rest of a WORKER record. @worker may be NULL; files that the manager moved are added to it. Returns FALSE if
 * the record is malformed. */
gboolean vine_transfers_take_transfer (VineTransfers *self, VineWorker *worker, VineToken rest);
gboolean vine_transfers_take_cache_update (VineTransfers *self, VineWorker *worker, VineToken rest);
/* Return the number of files that entered a worker's cache and were not made there by a task for the manager. Workers
 * may have copied them from each other; the log does not record when. */
guint64 vine_transfers_get_n_copied (VineTransfers *self);

G_END_DECLS
