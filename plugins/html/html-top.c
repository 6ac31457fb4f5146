/* SPDX-License-Identifier: BSD-3-Clause */

#include "html-top.h"

#include <math.h>

/* What makes a row worth seeing, the best reason first. A table that has none of these is in an order that means
 * something, as is one over time. */
static const char *const costs[] = {
  "core_seconds", "busy",   "processing_time", "duration",   "total", "time",  "lifetime",
  "process_cpu",  "cpu",    "cpu_user",        "thread_cpu", "max",   "bytes", "memory_peak",
  "tasks",        "events", "chunks",
};

typedef struct
{
  guint64 row;
  double cost;
} Entry;

/* In descending order of their cost; of equal ones, the first row first. */
static int
compare_entries (const Entry *a, const Entry *b)
{
  if (a->cost != b->cost)
    return a->cost < b->cost ? 1 : -1;

  return a->row < b->row ? -1 : a->row > b->row;
}

static gboolean
is_cheaper (const Entry *a, const Entry *b)
{
  return compare_entries (a, b) > 0;
}

static void
swap (GArray *heap, guint i, guint j)
{
  Entry moved = g_array_index (heap, Entry, i);

  g_array_index (heap, Entry, i) = g_array_index (heap, Entry, j);
  g_array_index (heap, Entry, j) = moved;
}

static gboolean
is_cheaper_at (GArray *heap, guint i, guint j)
{
  return is_cheaper (&g_array_index (heap, Entry, i), &g_array_index (heap, Entry, j));
}

static void
sift_up (GArray *heap, guint i)
{
  for (; i > 0 && is_cheaper_at (heap, i, (i - 1) / 2); i = (i - 1) / 2)
    swap (heap, i, (i - 1) / 2);
}

static void
sift_down (GArray *heap, guint i)
{
  for (;;)
    {
      guint least = i;

      for (guint child = 2 * i + 1; child <= 2 * i + 2 && child < heap->len; child++)
        if (is_cheaper_at (heap, child, least))
          least = child;
      if (least == i)
        return;
      swap (heap, i, least);
      i = least;
    }
}

/* `heap` has the cheapest entry first. */
static void
take (GArray *heap, guint64 n, Entry entry)
{
  if (heap->len < n)
    {
      g_array_append_val (heap, entry);
      sift_up (heap, heap->len - 1);
    }
  else if (n > 0 && is_cheaper (&g_array_index (heap, Entry, 0), &entry))
    {
      g_array_index (heap, Entry, 0) = entry;
      sift_down (heap, 0);
    }
}

/* Of a reader of one column. */
enum
{
  COST,
};

/* NULL if the column has no values. */
static GArray *
choose_largest (RoastTableReader *table, const char *column, guint64 n)
{
  const char *columns[] = { column, NULL };
  g_autoptr (RoastTableReader) narrow = roast_table_reader_narrow (table, columns, NULL);
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (Entry));
  gboolean has_values = FALSE;

  while (narrow != NULL && roast_table_reader_next (narrow))
    {
      double value = roast_table_reader_get_double (narrow, COST);
      Entry entry = { roast_table_reader_get_row (narrow), isnan (value) ? -INFINITY : value };

      has_values = has_values || !isnan (value);
      take (heap, n, entry);
    }
  g_array_sort (heap, (GCompareFunc) compare_entries);

  return has_values ? g_steal_pointer (&heap) : NULL;
}

static gboolean
is_number (RoastTableReader *table, const char *name)
{
  guint slot = 0;
  RoastColumn *column = NULL;

  if (!roast_table_info_find_column (roast_table_reader_get_info (table), name, &slot))
    return FALSE;
  column = roast_table_info_get_column (roast_table_reader_get_info (table), slot);

  return g_strcmp0 (roast_column_get_unit (column), "us") != 0 &&
         (roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_DOUBLE ||
          roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_INT64);
}

void
html_top_init (HtmlTop *self, RoastTableReader *table, guint64 n)
{
  guint64 n_rows = roast_table_reader_get_n_rows (table);
  g_autoptr (GArray) chosen = NULL;

  *self = (HtmlTop) { .rows = g_array_new (FALSE, FALSE, sizeof (guint64)) };
  for (guint i = 0; n_rows > n && chosen == NULL && i < G_N_ELEMENTS (costs); i++)
    {
      chosen = is_number (table, costs[i]) ? choose_largest (table, costs[i], n) : NULL;
      if (chosen != NULL)
        self->column = g_strdup (costs[i]);
    }
  if (chosen == NULL)
    for (guint64 i = 0; i < MIN (n, n_rows); i++)
      g_array_append_val (self->rows, i);
  else
    for (guint i = 0; i < chosen->len; i++)
      g_array_append_val (self->rows, g_array_index (chosen, Entry, i).row);
}

void
html_top_clear (HtmlTop *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->column, g_free);
}
