/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Turns the clock of one process's log into a steady clock, which keeps increasing where the original was set back: the
 * records of a log are in time order. All times are µs since the epoch. */
typedef struct
{
  gint64 last, before; /* steady times of the last two records; 0 if there are none */
  gint64
      suspect; /* written time of the last record, if it may be the first record after the clock was set back; else 0 */
  GArray *offsets; /* of gint64: offset to add after each time the clock was set back; NULL if it never was */
} VineClock;

void vine_clock_clear (VineClock *self);
/* Return the steady time of the next record. */
gint64 vine_clock_take (VineClock *self, gint64 written);
/* Return the steady time of an event mentioned in that record. The event was not later than the record. */
gint64 vine_clock_correct (const VineClock *self, gint64 written);
/* Return how often the clock was set back, and get the total in µs. */
guint vine_clock_get_n_steps (const VineClock *self, gint64 *sum);

G_END_DECLS
