/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The clock by which one process wrote a log, counted on where that clock was set back: a log's records are in the
 * order of time. All times are µs since the epoch. */
typedef struct
{
  gint64 last, before; /* steady times of the last two records; 0 if there are none */
  gint64 suspect;      /* the time of the last record, as written, if it may be the first after the clock was set back;
                          else 0 */
  GArray *offsets;     /* of gint64: what to add, each since the clock was set back once more; NULL if it was not */
} VineClock;

void vine_clock_clear (VineClock *self);
/* The steady time of the next record. */
gint64 vine_clock_take (VineClock *self, gint64 written);
/* The steady time of what that record tells about, which was not later than the record. */
gint64 vine_clock_correct (const VineClock *self, gint64 written);
/* How often the clock was set back, and by how much in all. */
guint vine_clock_get_n_steps (const VineClock *self, gint64 *sum);

G_END_DECLS
