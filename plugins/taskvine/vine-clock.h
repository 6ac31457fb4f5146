/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Turns the times in the log of one process into times of a steady clock. The steady clock keeps increasing where the
 * original clock was set back, because the records of a log are in time order. All times are µs since the epoch. */
typedef struct
{
  gint64 last, before; /* steady times of the last two records; 0 if there are none */
  gint64
      suspect; /* written time of the last record, if it may be the first record after the clock was set back; else 0 */
  GArray *offsets; /* gint64 elements: offset to add to times after each step back of the clock; NULL without steps */
} VineClock;

void vine_clock_clear (VineClock *self);
/* Return the steady time of the next record. */
gint64 vine_clock_take (VineClock *self, gint64 written);
/* Return the steady time of an event that the last record mentions. The event was not later than the record. */
gint64 vine_clock_correct (const VineClock *self, gint64 written);
/* Return how often the clock was set back. @sum: by how much in total, µs */
guint vine_clock_get_n_steps (const VineClock *self, gint64 *sum);

G_END_DECLS
