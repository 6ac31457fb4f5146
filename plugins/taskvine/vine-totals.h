/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-attempt.h"

G_BEGIN_DECLS

/* Seconds and bytes of attempts, summed per worker, category and span, in the table activities. */
typedef struct _VineTotals VineTotals;

VineTotals *vine_totals_new (RoastRecording *recording, const char *source);
void vine_totals_free (VineTotals *self);
/* Add an attempt that has ended. */
void vine_totals_add (VineTotals *self, const VineAttempt *attempt);
/* Add the files moved to and from the worker since the last call, and reset the worker's sums. */
void vine_totals_add_moved (VineTotals *self, VineWorker *worker, const VineCategory *category, const char *span);
/* Write the sums that have changed. */
void vine_totals_write (VineTotals *self, gint64 time);
/* Add the sums so far to @totals, a table from span_totals_totals_new(). */
void vine_totals_add_to (VineTotals *self, GHashTable *totals);

G_END_DECLS
