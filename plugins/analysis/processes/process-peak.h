/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Bounds of the highest resident memory of several processes, some of which have only a bound. */
typedef struct
{
  gint64 least, most; /* bytes; most is G_MAXINT64 if unknown */
} ProcessPeak;

#define PROCESS_PEAK_NONE ((ProcessPeak) { -1, -1 })

/* Add the current row of @processes. */
void process_peak_add (ProcessPeak *self, RoastTableReader *processes);
/* Get the upper bound if there is one, else the lower bound. Return FALSE if nothing is known. */
gboolean process_peak_get (const ProcessPeak *self, gint64 *peak, guint *bound);

G_END_DECLS
