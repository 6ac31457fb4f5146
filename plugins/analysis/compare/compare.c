/* SPDX-License-Identifier: BSD-3-Clause */

/* A comparison of runs, of which the recording has a few numbers each. */

#include "compare.h"

#include <math.h>

static void
measure_free (gpointer data)
{
  Measure *self = data;

  g_free (self->name);
  for (guint i = 0; i < N_SIDES; i++)
    {
      g_array_unref (self->values[i]);
      g_ptr_array_unref (self->texts[i]);
    }
  g_free (self);
}

static Measure *
find (Compare *self, int kind, const char *name)
{
  for (guint i = 0; i < self->measures->len; i++)
    {
      Measure *measure = g_ptr_array_index (self->measures, i);

      if (measure->kind == kind && g_strcmp0 (measure->name, name) == 0)
        return measure;
    }

  return NULL;
}

const Measure *
compare_find (Compare *self, int kind, const char *name)
{
  return find (self, kind, name);
}

static Measure *
add_measure (Compare *self, int kind, const char *name)
{
  Measure *measure = g_new0 (Measure, 1);

  measure->kind = kind;
  measure->name = g_strdup (name);
  for (guint i = 0; i < N_SIDES; i++)
    {
      measure->values[i] = g_array_new (FALSE, FALSE, sizeof (double));
      measure->texts[i] = g_ptr_array_new_with_free_func (g_free);
    }
  g_ptr_array_add (self->measures, measure);

  return measure;
}

static int
get_side (RoastTableReader *table, guint slot)
{
  return g_strcmp0 (roast_table_reader_get_string (table, slot), "new") == 0 ? NEW : REFERENCE;
}

static void
read_values (Compare *self)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_COMPARED_VALUES, roast_compared_values_columns,
                                           NULL);

  while (roast_table_reader_next (table))
    {
      int side = get_side (table, ROAST_COMPARED_VALUES_SOURCE);
      int kind = roast_table_reader_get_word (table, ROAST_COMPARED_VALUES_KIND);
      const char *name = roast_table_reader_get_string (table, ROAST_COMPARED_VALUES_NAME);
      const char *text = roast_table_reader_get_string (table, ROAST_COMPARED_VALUES_TEXT);
      double value = roast_table_reader_get_double (table, ROAST_COMPARED_VALUES_VALUE);
      Measure *measure = find (self, kind, name != NULL ? name : "");

      if (measure == NULL)
        measure = add_measure (self, kind, name != NULL ? name : "");
      if (!isnan (value))
        g_array_append_val (measure->values[side], value);
      if (text != NULL)
        g_ptr_array_add (measure->texts[side], g_strdup (text));
    }
}

static void
count_runs (Compare *self)
{
  g_autoptr (RoastTableReader) table = roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_COMPARED_RUNS,
                                                                            roast_compared_runs_columns, NULL);

  while (roast_table_reader_next (table))
    self->n[get_side (table, ROAST_COMPARED_RUNS_SOURCE)]++;
}

double
compare_get_mean (Compare *self, const Measure *measure, int side)
{
  double sum = 0;

  for (guint i = 0; measure != NULL && i < measure->values[side]->len; i++)
    sum += g_array_index (measure->values[side], double, i);

  return sum / self->n[side];
}

static int
compare_doubles (const double *a, const double *b)
{
  return (*a > *b) - (*a < *b);
}

double
compare_get_median (const GArray *values)
{
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = values->len;

  if (n == 0)
    return NAN;
  g_array_append_vals (sorted, values->data, n);
  g_array_sort (sorted, (GCompareFunc) compare_doubles);

  return (g_array_index (sorted, double, (n - 1) / 2) + g_array_index (sorted, double, n / 2)) / 2;
}

static gboolean
compare_aggregate (RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  g_autoptr (GPtrArray) measures = g_ptr_array_new_with_free_func (measure_free);
  g_autoptr (GArray) verdicts = g_array_new (FALSE, FALSE, sizeof (Verdict));
  Compare self = { recording, report, measures, { 0 }, verdicts };

  count_runs (&self);
  if (self.n[NEW] == 0 || self.n[REFERENCE] == 0)
    return TRUE;
  read_values (&self);
  compare_judge (&self);
  compare_divide (&self);
  compare_list_properties (&self);
  compare_say (&self);

  return TRUE;
}

const Analysis analysis_compare = { "compare", compare_aggregate, NULL, NULL };
