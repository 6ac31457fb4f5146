/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-attempt.h"

G_BEGIN_DECLS

/* Seconds and bytes of attempts, summed per worker, category and span: rows of activities. */
typedef struct _VineTotals VineTotals;

VineTotals *vine_totals_new (RoastRecording *recording, const char *source);
void vine_totals_free (VineTotals *self);
/* Adds an attempt that is over. */
void vine_totals_add (VineTotals *self, const VineAttempt *attempt);
/* Adds the files that were moved to and from the worker since the last call, and forgets them. */
void vine_totals_add_moved (VineTotals *self, VineWorker *worker, const VineCategory *category, const char *span);
/* Writes the sums that have changed. */
void vine_totals_write (VineTotals *self, gint64 time);
/* Adds the sums so far to @totals, a table of span_totals_totals_new(). */
void vine_totals_add_to (VineTotals *self, GHashTable *totals);

G_END_DECLS
