/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Bounds of the highest peak of resident memory among several processes, because for some processes only a bound of the
 * peak is known. */
typedef struct
{
  gint64 least, most; /* bytes; most is G_MAXINT64 if unknown */
} ProcessPeak;

#define PROCESS_PEAK_NONE ((ProcessPeak) { -1, -1 })

/* Add the peak of the process in the current row of @processes. */
void process_peak_add (ProcessPeak *self, RoastTableReader *processes);
/* Set @peak to the upper bound if it is known, else to the lower bound. Return FALSE if both are unknown. */
gboolean process_peak_get (const ProcessPeak *self, gint64 *peak, guint *bound);
