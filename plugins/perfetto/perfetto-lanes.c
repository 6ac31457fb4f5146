/* SPDX-License-Identifier: BSD-3-Clause */
#include "perfetto-lanes.h"

#include <stdlib.h>

typedef struct
{
  gint64 started, ended;
  guint32 group, number;
} Interval;

/* A lane in a heap. A busy lane is sorted by the end of its interval, then by the interval's number. A free lane is
 * sorted by its own number. */
typedef struct
{
  gint64 key;
  guint32 lane, last;
} Lane;

/* The heaps of busy and free lanes of one group. */
typedef struct
{
  GArray *busy, *free;
  guint32 n_lanes;
} Group;

struct _Lanes
{
  GArray *intervals;
  guint32 *lanes; /* by interval number, once packed */
  gsize n;
  guint n_groups;
};

Lanes *
lanes_new (void)
{
  Lanes *self = g_new0 (Lanes, 1);

  self->intervals = g_array_new (FALSE, FALSE, sizeof (Interval));

  return self;
}

void
lanes_free (Lanes *self)
{
  g_clear_pointer (&self->intervals, g_array_unref);
  g_free (self->lanes);
  g_free (self);
}

void
lanes_add (Lanes *self, guint group, gint64 started, gint64 ended)
{
  Interval interval = { started, ended, group, (guint32) self->n++ };

  if (group == LANES_NONE)
    return;
  self->n_groups = MAX (self->n_groups, group + 1);
  g_array_append_val (self->intervals, interval);
}

/* ---- heaps ---- */

static gboolean
is_before (const Lane *a, const Lane *b)
{
  return a->key != b->key ? a->key < b->key : a->last < b->last;
}

static void
push_lane (GArray *heap, Lane value)
{
  guint i = heap->len;

  g_array_append_val (heap, value);
  for (Lane *all = (Lane *) (gpointer) heap->data; i > 0 && is_before (&value, &all[(i - 1) / 2]); i = (i - 1) / 2)
    {
      all[i] = all[(i - 1) / 2];
      all[(i - 1) / 2] = value;
    }
}

static Lane
pop_lane (GArray *heap)
{
  Lane *all = (Lane *) (gpointer) heap->data;
  Lane first = all[0], last = all[heap->len - 1];
  guint i = 0, n = heap->len - 1;

  g_array_set_size (heap, n);
  for (guint child = 1; child < n; i = child, child = 2 * i + 1)
    {
      if (child + 1 < n && is_before (&all[child + 1], &all[child]))
        child++;
      if (!is_before (&all[child], &last))
        break;
      all[i] = all[child];
    }
  if (n > 0)
    all[i] = last;

  return first;
}

/* ---- packing ---- */

static int
compare_intervals (gconstpointer a, gconstpointer b)
{
  const Interval *x = a, *y = b;

  if (x->started != y->started)
    return x->started < y->started ? -1 : 1;

  return x->number < y->number ? -1 : x->number > y->number;
}

/* Perfetto processes events with equal times in file order. Therefore a slice may begin at the end of another only if
 * it is written later. */
static gboolean
is_over (const Lane *busy, const Interval *interval)
{
  return busy->key < interval->started || (busy->key == interval->started && busy->last < interval->number);
}

static guint32
find_lane (Group *group, const Interval *interval)
{
  Lane lane = { .key = interval->ended, .last = interval->number };

  while (group->busy->len > 0 && is_over (&g_array_index (group->busy, Lane, 0), interval))
    {
      Lane freed = pop_lane (group->busy);

      push_lane (group->free, (Lane) { .key = freed.lane, .lane = freed.lane });
    }
  lane.lane = group->free->len > 0 ? pop_lane (group->free).lane : group->n_lanes++;
  push_lane (group->busy, lane);

  return lane.lane;
}

void
lanes_pack (Lanes *self)
{
  g_autofree Group *groups = g_new0 (Group, MAX (self->n_groups, 1));
  const Interval *intervals = (const Interval *) (gpointer) self->intervals->data;

  self->lanes = g_new (guint32, MAX (self->n, 1));
  for (gsize i = 0; i < self->n; i++)
    self->lanes[i] = LANES_NONE;
  g_array_sort (self->intervals, compare_intervals);
  for (guint i = 0; i < self->intervals->len; i++)
    {
      Group *group = &groups[intervals[i].group];

      if (group->busy == NULL)
        {
          group->busy = g_array_new (FALSE, FALSE, sizeof (Lane));
          group->free = g_array_new (FALSE, FALSE, sizeof (Lane));
        }
      self->lanes[intervals[i].number] = find_lane (group, &intervals[i]);
    }
  for (guint i = 0; i < self->n_groups; i++)
    {
      g_clear_pointer (&groups[i].busy, g_array_unref);
      g_clear_pointer (&groups[i].free, g_array_unref);
    }
  g_clear_pointer (&self->intervals, g_array_unref);
}

guint
lanes_get (const Lanes *self, gsize interval)
{
  return interval < self->n ? self->lanes[interval] : LANES_NONE;
}
