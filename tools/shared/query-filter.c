/* SPDX-License-Identifier: BSD-3-Clause */
#include "query-filter.h"

#include <math.h>

/* Range of the cells of a slot that may match. Integers beyond 2^53 are rounded, in queries as in the file. The range
 * includes its bounds, so the filter never drops a row that SQLite would find equal. */
typedef struct
{
  guint slot;
  gboolean is_category;
  GHashTable *codes; /* for a category: code + 1 by text; created on first use */
  double min;
  double max;
} Range;

struct _QueryFilter
{
  const QueryPlan *plan;
  RoastTableReader *reader;
  Range ranges[QUERY_PLAN_MAX_TERMS];
  guint n_ranges;
  guint range_of[QUERY_PLAN_MAX_TERMS]; /* index in ranges, by comparison */
};

QueryFilter *
query_filter_new (const QueryPlan *plan, RoastTableReader *reader, const guint *slots)
{
  QueryFilter *self = g_new0 (QueryFilter, 1);

  self->plan = plan;
  self->reader = g_object_ref (reader);
  for (guint i = 0; i < plan->n_terms; i++)
    {
      guint slot = slots[plan->terms[i].column];
      guint j = 0;

      while (j < self->n_ranges && self->ranges[j].slot != slot)
        j++;
      self->range_of[i] = j;
      self->ranges[j].slot = slot;
      self->ranges[j].is_category =
          roast_column_get_column_type (roast_table_reader_get_column (reader, slot)) == ROAST_COLUMN_TYPE_CATEGORY;
      self->n_ranges = MAX (self->n_ranges, j + 1);
    }

  return self;
}

void
query_filter_free (QueryFilter *self)
{
  for (guint i = 0; i < self->n_ranges; i++)
    g_clear_pointer (&self->ranges[i].codes, g_hash_table_unref);
  g_object_unref (self->reader);
  g_free (self);
}

/* Returns the code of a text. If the column lacks the text, returns -2, which no cell has. */
static double
find_code (QueryFilter *self, Range *range, const char *text)
{
  if (range->codes == NULL)
    {
      g_auto (GStrv) texts = roast_table_reader_dup_dictionary (self->reader, range->slot);

      range->codes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      for (guint i = 0; texts[i] != NULL; i++)
        g_hash_table_insert (range->codes, g_strdup (texts[i]), GUINT_TO_POINTER (i + 1));
    }

  return text != NULL && g_hash_table_contains (range->codes, text)
             ? GPOINTER_TO_UINT (g_hash_table_lookup (range->codes, text)) - 1.0
             : -2;
}

/* Narrows the range by a comparison. Leaves it unchanged if the value has another type than the column, because SQLite
 * compares such values by its own rules. */
static void
narrow (QueryFilter *self, Range *range, char comparison, sqlite3_value *value)
{
  int type = sqlite3_value_type (value);
  double bound;

  if (range->is_category ? type != SQLITE_TEXT : type != SQLITE_INTEGER && type != SQLITE_FLOAT)
    return;
  bound = range->is_category ? find_code (self, range, (const char *) sqlite3_value_text (value))
                             : sqlite3_value_double (value);
  if (comparison != '<')
    range->min = MAX (range->min, bound);
  if (comparison != '>')
    range->max = MIN (range->max, bound);
}

void
query_filter_start (QueryFilter *self, sqlite3_value **values)
{
  for (guint i = 0; i < self->n_ranges; i++)
    {
      self->ranges[i].min = -INFINITY;
      self->ranges[i].max = INFINITY;
    }
  for (guint i = 0; i < self->plan->n_terms; i++)
    narrow (self, &self->ranges[self->range_of[i]], self->plan->terms[i].comparison, values[i]);
  roast_table_reader_rewind (self->reader);
  for (guint i = 0; i < self->n_ranges; i++)
    roast_table_reader_skip_outside (self->reader, self->ranges[i].slot, self->ranges[i].min, self->ranges[i].max);
}

static inline gboolean
query_filter_is_wanted (QueryFilter *self)
{
  for (guint i = 0; i < self->n_ranges; i++)
    {
      const Range *range = &self->ranges[i];
      double cell;

      if (range->min == -INFINITY && range->max == INFINITY)
        continue;
      cell = range->is_category ? roast_table_reader_get_code (self->reader, range->slot)
                                : roast_table_reader_get_double (self->reader, range->slot);
      /* Missing cells are NaN or -1 and never match. */
      if (!(cell >= range->min && cell <= range->max))
        return FALSE;
    }

  return TRUE;
}

gboolean
query_filter_next (QueryFilter *self)
{
  while (roast_table_reader_next (self->reader))
    if (query_filter_is_wanted (self))
      return TRUE;

  return FALSE;
}
