/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "vine-tokenizer.h"

G_BEGIN_DECLS

/* What the performance log of a manager says of the whole: columns go by their names, which differ between versions. */
typedef struct _VinePerformance VinePerformance;

/* @interval: of rows that are kept, µs */
VinePerformance *vine_performance_new (RoastRecording *recording, const char *source, gint64 interval);
void vine_performance_free (VinePerformance *self);
void vine_performance_take_line (VinePerformance *self, const char *line, gsize length);
/* Writes the last row, whenever it was. */
void vine_performance_finish (VinePerformance *self);

/* The last value of a column; NaN if there is none of that name. */
double vine_performance_get (VinePerformance *self, const char *column);
/* Which versions of TaskVine write such columns; NULL if none was read. */
const char *vine_performance_get_version (VinePerformance *self);
guint64 vine_performance_get_n_bad (VinePerformance *self);

G_END_DECLS
