/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-clock.h"

#define LEAST (G_USEC_PER_SEC / 10) /* µs; smaller steps may come from another thread's record or a slewed clock */
#define MAX_STEPS 1000

void
vine_clock_clear (VineClock *self)
{
  g_clear_pointer (&self->offsets, g_array_unref);
}

static gint64
get_offset (const VineClock *self)
{
  return self->offsets != NULL ? g_array_index (self->offsets, gint64, self->offsets->len - 1) : 0;
}

static gint64
go_on (VineClock *self, gint64 time)
{
  self->before = self->last;
  self->last = time;

  return time;
}

static void
add_step (VineClock *self, gint64 suspect)
{
  gint64 offset = self->last - suspect;

  if (self->offsets == NULL)
    self->offsets = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (self->offsets->len < MAX_STEPS)
    g_array_append_val (self->offsets, offset);
}

/* Convert a time, and detect a clock that was set back. It was set back if two consecutive records are earlier than the
 * two records before them. A single earlier record may merely be damaged. */
gint64
vine_clock_take (VineClock *self, gint64 written)
{
  gint64 time = written + get_offset (self);
  gint64 suspect = self->suspect;

  self->suspect = 0;
  if (suspect != 0 && written >= suspect && time < self->before)
    {
      add_step (self, suspect);
      return go_on (self, MAX (written + get_offset (self), self->last));
    }
  if (suspect == 0 && time < self->last - LEAST && time < self->before)
    {
      self->suspect = written;
      return self->last;
    }

  return go_on (self, time);
}

gint64
vine_clock_correct (const VineClock *self, gint64 written)
{
  gint64 time = written + get_offset (self);

  /* If the time is later than the last record, the clock was read before it was set back, so use an earlier offset. */
  for (guint i = self->offsets != NULL ? self->offsets->len : 0; i > 0 && time > self->last; i--)
    time = written + (i > 1 ? g_array_index (self->offsets, gint64, i - 2) : 0);

  return time;
}

guint
vine_clock_get_n_steps (const VineClock *self, gint64 *sum)
{
  *sum = get_offset (self);

  return self->offsets != NULL ? self->offsets->len : 0;
}
