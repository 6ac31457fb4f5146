/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-run-slots-private.h"

#include <math.h>

typedef struct
{
  double time; /* time of the change in µs */
  double slots;
} RunSlotsChange;

/* Sort changes by time. At equal times, subtract before adding, because a worker that joins when another worker leaves
 * replaces that worker. */
static int
run_slots_compare (const RunSlotsChange *a, const RunSlotsChange *b)
{
  return a->time != b->time ? (a->time > b->time) - (a->time < b->time) : (a->slots > b->slots) - (a->slots < b->slots);
}

GArray *
roast_run_slots_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (RunSlotsChange));
}

void
roast_run_slots_add (GArray *self, double from, double to, double slots)
{
  RunSlotsChange begins = { from, slots }, ends = { to, -slots };

  if (isnan (from))
    return;
  g_array_append_val (self, begins);
  if (!isnan (to))
    g_array_append_val (self, ends);
}

RoastRunSlots
roast_run_slots_count (GArray *self)
{
  RoastRunSlots slots = { NAN, NAN, NAN };
  double now = 0;

  g_array_sort (self, (GCompareFunc) run_slots_compare);
  for (guint i = 0; i < self->len; i++)
    {
      const RunSlotsChange *change = &g_array_index (self, RunSlotsChange, i);

      now += change->slots;
      slots.most = fmax (slots.most, now);
      slots.first = i == 0 ? change->time : slots.first;
      slots.last = now > 0 ? NAN : change->time;
    }

  return slots;
}
