/* SPDX-License-Identifier: BSD-3-Clause */
#include "core-events.h"

#define DIGIT_BITS 11
#define N_DIGITS (1 << DIGIT_BITS)

CoreEvents *
core_events_new (void)
{
  return g_new0 (CoreEvents, 1);
}

void
core_events_free (CoreEvents *self)
{
  g_free (self->items);
  g_free (self);
}

void
core_events_add (CoreEvents *self, gint64 time, guint what, guint where, gint32 amount)
{
  if (self->n == self->size)
    {
      self->size = self->size > 0 ? 2 * self->size : 1024;
      self->items = g_renew (CoreEvent, self->items, self->size);
    }
  self->items[self->n++] = (CoreEvent) { time, amount, what & 31, where & 0x7ffffff };
}

void
core_events_add_between (CoreEvents *self, gint64 from, gint64 to, guint what, guint where, gint32 amount)
{
  if (from < 0 || to <= from)
    return;
  core_events_add (self, from, what, where, amount);
  core_events_add (self, to, what, where, -amount);
}

/* Run one pass of a radix sort. The sort key is the digit of the time that begins at bit @shift. */
static void
sort_by_digit (const CoreEvent *from, CoreEvent *to, gsize n, gint64 first, guint shift)
{
  gsize places[N_DIGITS] = { 0 };
  gsize place = 0;

  for (gsize i = 0; i < n; i++)
    places[((guint64) (from[i].time - first) >> shift) % N_DIGITS]++;
  for (guint digit = 0; digit < N_DIGITS; digit++)
    {
      gsize count = places[digit];

      places[digit] = place;
      place += count;
    }
  for (gsize i = 0; i < n; i++)
    to[places[((guint64) (from[i].time - first) >> shift) % N_DIGITS]++] = from[i];
}

/* Use a radix sort: for millions of events from an hour's run, three passes suffice. */
void
core_events_sort (CoreEvents *self)
{
  gint64 first = G_MAXINT64;
  gint64 last = G_MININT64;
  g_autofree CoreEvent *other = NULL;

  for (gsize i = 0; i < self->n; i++)
    {
      first = MIN (first, self->items[i].time);
      last = MAX (last, self->items[i].time);
    }
  if (self->n < 2)
    return;
  other = g_new (CoreEvent, self->size);
  for (guint shift = 0; shift < 64 && ((guint64) (last - first) >> shift) > 0; shift += DIGIT_BITS)
    {
      CoreEvent *sorted = other;

      sort_by_digit (self->items, sorted, self->n, first, shift);
      other = self->items;
      self->items = sorted;
    }
}
