/* SPDX-License-Identifier: BSD-3-Clause */
#include "perfetto-lanes.h"

#include "each.h"
#include <string.h>

/* The start or end of an interval. */
typedef struct
{
  gint64 time;
  guint32 group, number; /* group and number of the interval */
  gboolean is_end;
} Change;

struct _Lanes
{
  GArray *changes;
  guint32 *lanes; /* for each interval, the number of its lane; set by lanes_pack () */
  gsize n;
  guint n_groups;
};

Lanes *
lanes_new (void)
{
  Lanes *self = g_new0 (Lanes, 1);

  self->changes = g_array_new (FALSE, FALSE, sizeof (Change));

  return self;
}

void
lanes_free (Lanes *self)
{
  g_clear_pointer (&self->changes, g_array_unref);
  g_free (self->lanes);
  g_free (self);
}

void
lanes_add (Lanes *self, guint group, gint64 started, gint64 ended)
{
  guint32 number = (guint32) self->n++;
  const Change changes[] = { { started, group, number, FALSE }, { ended, group, number, TRUE } };

  if (group == LANES_NONE)
    return;
  self->n_groups = MAX (self->n_groups, group + 1);
  g_array_append_vals (self->changes, changes, G_N_ELEMENTS (changes));
}

/* Sort by time. Perfetto processes events with the same time in the order of the file. So a slice may begin at the time
 * at which another slice ends only if its events come later in the file. */
static int
compare_changes (gconstpointer a, gconstpointer b)
{
  const Change *x = a, *y = b;

  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;

  return x->is_end - y->is_end;
}

/* Take the first free lane. If none is free, add a lane. Return the number of the lane. @lanes has a byte for each
 * lane: whether the lane is free. */
static guint32
take_lane (GByteArray *lanes)
{
  const guint8 *first = lanes->len > 0 ? memchr (lanes->data, TRUE, lanes->len) : NULL;
  guint32 lane = first != NULL ? (guint32) (first - lanes->data) : lanes->len;

  if (lane == lanes->len)
    g_byte_array_set_size (lanes, lane + 1);
  lanes->data[lane] = FALSE;

  return lane;
}

void
lanes_pack (Lanes *self)
{
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);

  for (guint i = 0; i < self->n_groups; i++)
    g_ptr_array_add (groups, g_byte_array_new ());
  self->lanes = g_new (guint32, MAX (self->n, 1));
  for (gsize i = 0; i < self->n; i++)
    self->lanes[i] = LANES_NONE;
  g_array_sort (self->changes, compare_changes);
  FOR_EACH (const Change, change, self->changes)
    {
      GByteArray *lanes = g_ptr_array_index (groups, change->group);

      if (change->is_end)
        lanes->data[self->lanes[change->number]] = TRUE;
      else
        self->lanes[change->number] = take_lane (lanes);
    }
  g_clear_pointer (&self->changes, g_array_unref);
}

guint
lanes_get (const Lanes *self, gsize interval)
{
  return interval < self->n ? self->lanes[interval] : LANES_NONE;
}
