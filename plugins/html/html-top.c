/* SPDX-License-Identifier: BSD-3-Clause */

#include "html-page.h"

#include <math.h>

/* Columns with costs, most important first. If a table is too long, the first of these columns that it contains decides
 * which rows are shown. If it contains none of them, its first rows are shown. */
static const char *const costs[] = {
  "core_seconds", "busy",   "processing_time", "duration",   "total", "time",  "lifetime",
  "process_cpu",  "cpu",    "cpu_user",        "thread_cpu", "max",   "bytes", "memory_peak",
  "tasks",        "events", "chunks",
};

#define LEAST_SORTED 1000 /* minimum number of rows that are collected before they are sorted again */

typedef struct
{
  guint64 row;
  double cost;
} Entry;

/* Sort by cost, largest first. Sort equal costs by row number. */
static int
compare_entries (const Entry *a, const Entry *b)
{
  if (a->cost != b->cost)
    return a->cost < b->cost ? 1 : -1;

  return a->row < b->row ? -1 : a->row > b->row;
}

/* Keep only the @n costliest entries. */
static void
keep_costliest (GArray *entries, guint64 n)
{
  g_array_sort (entries, (GCompareFunc) compare_entries);
  if (entries->len > n)
    g_array_set_size (entries, (guint) n);
}

/* Slot of the only column that the reader in choose_largest () has. */
enum
{
  COST,
};

/* Return the @n rows with the largest values in @column. Return NULL if no row has a value in this column. */
static GArray *
choose_largest (RoastTableReader *table, const char *column, guint64 n)
{
  const char *columns[] = { column, NULL };
  g_autoptr (RoastTableReader) narrow = roast_table_reader_narrow (table, columns, NULL);
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  gboolean has_values = FALSE;

  while (narrow != NULL && roast_table_reader_next (narrow))
    {
      double value = roast_table_reader_get_double (narrow, COST);
      Entry entry = { roast_table_reader_get_row (narrow), isnan (value) ? -INFINITY : value };

      has_values = has_values || !isnan (value);
      g_array_append_val (entries, entry);
      if (entries->len >= 2 * n + LEAST_SORTED)
        keep_costliest (entries, n);
    }
  keep_costliest (entries, n);

  return has_values ? g_steal_pointer (&entries) : NULL;
}

static gboolean
top_is_number (RoastTableReader *table, const char *name)
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
      chosen = top_is_number (table, costs[i]) ? choose_largest (table, costs[i], n) : NULL;
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
