/* SPDX-License-Identifier: BSD-3-Clause */

/* Find slots that may be held by attempts which are under way at the end of the run and have no row. Such an attempt
 * holds its slot until the end. It must have begun after the last time at which all slots of its worker were held by
 * other attempts. */

#include "core-claims.h"
#include "each.h"

/* If a scheduler is lost, all its workers leave within this time (µs). */
#define TOGETHER G_USEC_PER_SEC

/* Slots of a worker at one time, in millionths of cores. */
typedef struct
{
  gint64 since, left;
  gint64 capacity, hold, calls, claims;
  GArray *full; /* Element i (gint64) is the last time at which at most i slots were free. */
} OpenSlots;

static void
clear_slots (gpointer data)
{
  g_array_unref (((OpenSlots *) data)->full);
}

static GArray *
make_slots (const CoreSource *self)
{
  GArray *all = g_array_sized_new (FALSE, TRUE, sizeof (OpenSlots), self->workers->len);

  g_array_set_clear_func (all, clear_slots);
  g_array_set_size (all, self->workers->len);
  FOR_EACH (OpenSlots, one, all)
    {
      one->since = one->left = (gint64) self->started;
      one->full = g_array_new (FALSE, TRUE, sizeof (gint64));
    }

  return all;
}

static void
account (OpenSlots *self, gint64 time)
{
  gint64 taken = self->claims + MAX (self->hold - self->calls, 0);
  guint free = (guint) (MAX (self->capacity - taken, 0) / CORE_EVENTS_PER_CORE);

  if (time <= self->since)
    return;
  self->since = time;
  if (self->capacity <= 0)
    return;
  self->left = time;
  for (guint i = free; i < self->full->len; i++)
    g_array_index (self->full, gint64, i) = time;
}

static void
open_apply (OpenSlots *self, const CoreEvent *event)
{
  guint n;

  switch (event->what)
    {
    case CHANGE_CAPACITY:
      self->capacity += event->amount;
      n = (guint) (MAX (self->capacity, 0) / CORE_EVENTS_PER_CORE);
      while (self->full->len < n)
        g_array_append_val (self->full, event->time);
      break;
    case CHANGE_HOLD:
      self->hold += event->amount;
      break;
    case CHANGE_CALLS:
      self->calls += event->amount;
      break;
    default:
      if (event->what < CLAIM_N)
        self->claims += event->amount;
      break;
    }
}

void
core_source_find_open (CoreSource *self)
{
  g_autoptr (GArray) all = NULL;
  const gsize n = self->events->n;
  gint64 last = 0;

  if (self->n_unfinished <= 0)
    return;
  all = make_slots (self);
  for (gsize i = 0; i < n; i++)
    {
      CoreEvent event = self->events->items[i];

      if (event.what == CHANGE_READY || event.what == CHANGE_BLOCKED)
        continue;
      event.time = CLAMP (event.time, (gint64) self->started, (gint64) self->ended);
      account (&g_array_index (all, OpenSlots, event.where), event.time);
      open_apply (&g_array_index (all, OpenSlots, event.where), &event);
    }
  for (guint i = 0; i < all->len; i++)
    {
      account (&g_array_index (all, OpenSlots, i), (gint64) self->ended);
      last = MAX (last, g_array_index (all, OpenSlots, i).left);
    }
  for (guint i = 0; i < all->len; i++)
    {
      const OpenSlots *one = &g_array_index (all, OpenSlots, i);

      for (guint k = 0; one->left >= last - TOGETHER && k < one->full->len; k++)
        core_events_add (self->events, g_array_index (one->full, gint64, k), CHANGE_OPEN, i, CORE_EVENTS_PER_CORE);
    }
  core_events_sort (self->events);
}
