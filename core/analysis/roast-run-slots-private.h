/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Counts slots that were there at the same time. */

typedef struct
{
  double most;        /* at the same time; NaN if there are none */
  double first, last; /* µs: when the first slot appeared and the last slot left; NaN if unknown */
} RoastRunSlots;

GArray *roast_run_slots_new (void);
/* Add slots that were there between two times in µs. @to: NaN if they never left. Slots that appeared at an unknown
 * time are ignored. */
void roast_run_slots_add (GArray *self, double from, double to, double slots);
RoastRunSlots roast_run_slots_count (GArray *self);
