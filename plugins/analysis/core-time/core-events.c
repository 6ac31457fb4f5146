/* SPDX-License-Identifier: BSD-3-Clause */
#include "core-events.h"

#define DIGIT_BITS 11
#define N_DIGITS (1 << DIGIT_BITS)
#define FEW 32 /* sort at most this many events by insertion */

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

static guint
get_digit (const CoreEvent *event, gint64 first, guint shift)
{
  return ((guint64) (event->time - first) >> shift) % N_DIGITS;
}

static void
sort_by_insertion (CoreEvent *items, gsize n)
{
  for (gsize i = 1; i < n; i++)
    {
      CoreEvent event = items[i];
      gsize place = i;

      for (; place > 0 && items[place - 1].time > event.time; place--)
        items[place] = items[place - 1];
      items[place] = event;
    }
}

/* Sort in place by the digit that begins at bit @shift, and then the events of each digit by the lower digits. The
 * events of one digit fit into the processor's cache, because the first digit is the highest. */
static void
sort_by_digit (CoreEvent *items, gsize n, gint64 first, guint shift)
{
  gsize ends[N_DIGITS] = { 0 };
  gsize places[N_DIGITS];
  gsize place = 0;

  for (gsize i = 0; i < n; i++)
    ends[get_digit (&items[i], first, shift)]++;
  for (guint digit = 0; digit < N_DIGITS; digit++)
    {
      places[digit] = place;
      ends[digit] = place += ends[digit];
    }
  for (guint digit = 0; digit < N_DIGITS; digit++)
    while (places[digit] < ends[digit])
      {
        CoreEvent event = items[places[digit]];
        guint other;

        while ((other = get_digit (&event, first, shift)) != digit)
          {
            CoreEvent next = items[places[other]];

            items[places[other]++] = event;
            event = next;
          }
        items[places[digit]++] = event;
      }
  for (guint digit = 0; shift > 0 && digit < N_DIGITS; digit++)
    {
      gsize start = digit > 0 ? ends[digit - 1] : 0;

      if (ends[digit] - start <= FEW)
        sort_by_insertion (items + start, ends[digit] - start);
      else
        sort_by_digit (items + start, ends[digit] - start, first, shift - DIGIT_BITS);
    }
}

void
core_events_sort (CoreEvents *self)
{
  gint64 first = G_MAXINT64;
  gint64 last = G_MININT64;
  guint shift = 0;

  for (gsize i = 0; i < self->n; i++)
    {
      first = MIN (first, self->items[i].time);
      last = MAX (last, self->items[i].time);
    }
  while (self->n > 0 && shift + DIGIT_BITS < 64 && ((guint64) (last - first) >> (shift + DIGIT_BITS)) > 0)
    shift += DIGIT_BITS;
  sort_by_digit (self->items, self->n, first, shift);
}
