/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The highest resident memory of one of several processes, of some of which only a bound is known: it lies between the
 * two. */
typedef struct
{
  gint64 least, most; /* bytes; most is G_MAXINT64 if it is unknown */
} ProcessPeak;

#define PROCESS_PEAK_NONE ((ProcessPeak) { -1, -1 })

/* Adds the row of processes at which the reader is. */
void process_peak_add (ProcessPeak *self, RoastTableReader *processes);
/* Of two bounds the upper one, if there is one; FALSE if nothing is known. */
gboolean process_peak_get (const ProcessPeak *self, gint64 *peak, guint *bound);

G_END_DECLS
