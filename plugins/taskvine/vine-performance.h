/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-tokenizer.h"

/* Reads the performance log of a manager. Columns are looked up by name, because versions of TaskVine have different
 * columns. */
typedef struct _VinePerformance VinePerformance;

/* Create a reader of a performance log. @interval: µs between two rows that are kept */
VinePerformance *vine_performance_new (RoastRecording *recording, const char *source, gint64 interval);
void vine_performance_free (VinePerformance *self);
void vine_performance_take_line (VinePerformance *self, const char *line, gsize length);
/* Write the last row, unless it was already written. */
void vine_performance_finish (VinePerformance *self);

/* Return the value of a column in the last row; NaN if there is no such column. */
double vine_performance_get (VinePerformance *self, const char *column);
/* Return which versions of TaskVine write the columns of this log; NULL if the log has no header. */
const char *vine_performance_get_version (VinePerformance *self);
/* Return the number of lines that were left out because they are malformed. */
guint64 vine_performance_get_n_bad (VinePerformance *self);
