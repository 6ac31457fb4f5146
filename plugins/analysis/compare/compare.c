/* SPDX-License-Identifier: BSD-3-Clause */

/* Compare runs. Of each run, the recording has only a few numbers, in the tables compared_runs and compared_values. */

#include "compare.h"

#include <math.h>

#include "order.h"

static void
measure_free (gpointer data)
{
  Measure *self = data;

  g_free (self->name);
  for (guint i = 0; i < N_SIDES; i++)
    {
      g_array_unref (self->values[i]);
      g_array_unref (self->runs[i]);
      g_ptr_array_unref (self->texts[i]);
    }
  g_free (self);
}

Measure *
compare_find (Compare *self, int kind, const char *name)
{
  FOR_EACH_POINTER (Measure, measure, self->measures)
    if (measure->kind == kind && g_strcmp0 (measure->name, name) == 0)
      return measure;

  return NULL;
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
      measure->runs[i] = g_array_new (FALSE, FALSE, sizeof (gint64));
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

int
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static void
note_incomplete (Compare *self, GHashTable *notes, int kind, const char *name, int complete)
{
  gboolean is_bound = complete == ROAST_COMPLETENESS_PARTIAL;
  RoastMetricInfo *info = roast_schema_lookup_metric (roast_report_get_schema (self->report), name, NULL);
  g_autofree char *label = kind == ROAST_COMPARED_KIND_METRIC && info != NULL
                               ? g_strdup (roast_metric_info_get_label (info))
                               : g_strdup_printf ("the time of “%s”", *name != '\0' ? name : "(no name)");

  if (kind == ROAST_COMPARED_KIND_PART)
    g_hash_table_add (notes, g_strdup ("the causes are estimates, because parts of the core time of at least one run "
                                       "are estimates"));
  else if (kind != ROAST_COMPARED_KIND_METRIC || compare_is_judged (name))
    g_hash_table_add (notes, g_strdup_printf ("%s of at least one run is %s", label,
                                              is_bound ? "only a lower bound and is left out" : "an estimate"));
}

/* Add the distinct notes in sorted order. */
static void
add_notes (Compare *self, GHashTable *notes)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer note = NULL;

  g_hash_table_iter_init (&iter, notes);
  while (g_hash_table_iter_next (&iter, &note, NULL))
    g_ptr_array_add (sorted, note);
  g_ptr_array_sort (sorted, compare_texts);
  for (guint i = 0; i < sorted->len; i++)
    roast_report_add_note (self->report, g_ptr_array_index (sorted, i));
}

/* Add the value of the current row to its measure. Leave out a value that is only a lower bound, unless it is a
 * part of the core time: all parts must add up. */
static void
take_value (Compare *self, RoastTableReader *table, GHashTable *notes)
{
  int side = get_side (table, ROAST_COMPARED_VALUES_SOURCE);
  int kind = roast_table_reader_get_word (table, ROAST_COMPARED_VALUES_KIND);
  int complete = roast_table_reader_get_word (table, ROAST_COMPARED_VALUES_COMPLETE);
  gint64 run = roast_table_reader_get_int64 (table, ROAST_COMPARED_VALUES_RUN, 0);
  const char *known = roast_table_reader_get_string (table, ROAST_COMPARED_VALUES_NAME);
  const char *name = known != NULL ? known : "";
  const char *text = roast_table_reader_get_string (table, ROAST_COMPARED_VALUES_TEXT);
  double value = roast_table_reader_get_double (table, ROAST_COMPARED_VALUES_VALUE);
  Measure *measure = compare_find (self, kind, name);

  if (measure == NULL)
    measure = add_measure (self, kind, name);
  if (complete == ROAST_COMPLETENESS_PARTIAL && kind != ROAST_COMPARED_KIND_PART)
    measure->is_left_out = TRUE;
  else if (!isnan (value))
    {
      g_array_append_val (measure->values[side], value);
      g_array_append_val (measure->runs[side], run);
    }
  if (text != NULL)
    g_ptr_array_add (measure->texts[side], g_strdup (text));
  /* Without a reference, add no note about parts: scaling does not divide the elapsed time into parts. */
  if (complete > ROAST_COMPLETENESS_COMPLETE && (kind != ROAST_COMPARED_KIND_PART || self->n[REFERENCE] > 0))
    note_incomplete (self, notes, kind, name, complete);
}

static void
read_values (Compare *self)
{
  g_autoptr (RoastTableReader) table = roast_compared_values_read (self->recording);
  g_autoptr (GHashTable) notes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (table))
    take_value (self, table, notes);
  add_notes (self, notes);
}

static void
count_runs (Compare *self)
{
  g_autoptr (RoastTableReader) table = roast_compared_runs_read (self->recording);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (table))
    {
      const char *id = roast_table_reader_get_string (table, ROAST_COMPARED_RUNS_ID);
      g_autofree char *text = g_strdup_printf ("Run %s was given more than once. Copies of one run show neither a "
                                               "difference nor how much runs vary.",
                                               id != NULL ? id : "");

      self->n[get_side (table, ROAST_COMPARED_RUNS_SOURCE)]++;
      if (id != NULL && !g_hash_table_add (ids, g_strdup (id)))
        compare_add_finding (self, "compare-repeated", TRUE, text);
    }
}

double
compare_get_mean (Compare *self, const Measure *measure, int side)
{
  double sum = 0;

  for (guint i = 0; measure != NULL && i < measure->values[side]->len; i++)
    sum += g_array_index (measure->values[side], double, i);

  return sum / self->n[side];
}

double
compare_get_median (const GArray *values)
{
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = values->len;

  if (n == 0)
    return NAN;
  g_array_append_vals (sorted, values->data, n);
  g_array_sort (sorted, order_doubles);

  return (g_array_index (sorted, double, (n - 1) / 2) + g_array_index (sorted, double, n / 2)) / 2;
}

double
compare_find_median (Compare *self, int kind, const char *name, int side)
{
  const Measure *measure = compare_find (self, kind, name);

  return measure != NULL ? compare_get_median (measure->values[side]) : NAN;
}

double
compare_get_of_run (const Measure *measure, int side, gint64 run)
{
  for (guint i = 0; measure != NULL && i < measure->values[side]->len; i++)
    if (g_array_index (measure->runs[side], gint64, i) == run)
      return g_array_index (measure->values[side], double, i);

  return NAN;
}

guint
compare_count_failed (Compare *self, int side)
{
  const Measure *statuses = compare_find (self, ROAST_COMPARED_KIND_METRIC, "exit_status");
  guint n = 0;

  for (guint i = 0; statuses != NULL && i < statuses->values[side]->len; i++)
    n += g_array_index (statuses->values[side], double, i) != 0;

  return n;
}

gboolean
compare_is_only_in (Compare *self, const Measure *finding, int side)
{
  int other = side == NEW ? REFERENCE : NEW;

  return 2 * finding->texts[side]->len > self->n[side] && 2 * finding->texts[other]->len <= self->n[other];
}

static void
compare_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GPtrArray) measures = g_ptr_array_new_with_free_func (measure_free);
  g_autoptr (GArray) verdicts = g_array_new (FALSE, FALSE, sizeof (Verdict));
  g_autoptr (GArray) differences = g_array_new (FALSE, FALSE, sizeof (Difference));
  Compare self = { recording, report, measures, { 0 }, verdicts, differences };

  count_runs (&self);
  if (self.n[NEW] == 0)
    return;
  read_values (&self);
  if (self.n[REFERENCE] == 0)
    {
      compare_scale (&self);
      return;
    }
  compare_judge (&self);
  compare_divide (&self);
  compare_draw_waterfall (&self);
  compare_list_properties (&self);
  compare_say (&self);
  compare_say_sharing (&self);
}

const Analysis analysis_compare = { "compare", compare_aggregate, NULL, NULL };
