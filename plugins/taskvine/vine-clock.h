/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Converts the times in the log of one process to times of a steady clock. The records of a log are in time order. So
 * if the original clock was set back, the steady clock continues from the previous record. All times are µs since the
 * epoch. */
typedef struct
{
  gint64 last, before; /* steady times of the last two records; 0 if there are none */
  gint64 suspect;      /* written time of the last record, if the clock may have been set back just before it; else 0 */
  GArray *offsets; /* gint64 elements: offset that is added to times after each step back; NULL if there was no step */
} VineClock;

void vine_clock_clear (VineClock *self);
/* Convert the time of the next record to a steady time. */
gint64 vine_clock_take (VineClock *self, gint64 written);
/* Convert the time of an event that the last record mentions to a steady time. The event was not later than the
 * record. */
gint64 vine_clock_correct (const VineClock *self, gint64 written);
/* Return how often the clock was set back. @sum: set to the sum of these steps, µs */
guint vine_clock_get_n_steps (const VineClock *self, gint64 *sum);
