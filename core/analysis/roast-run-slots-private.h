/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Counts slots that existed at the same time. */

typedef struct
{
  double most;        /* largest number of slots at one time; NaN if there are no slots */
  double first, last; /* times when the first slot appeared and the last slot left, in µs; NaN if unknown */
} RoastRunSlots;

GArray *roast_run_slots_new (void);
/* Add slots that existed from the time @from to the time @to, in µs. @to: NaN if the slots never left. If @from is NaN,
 * the slots are ignored. */
void roast_run_slots_add (GArray *self, double from, double to, double slots);
RoastRunSlots roast_run_slots_count (GArray *self);
