/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the differences other than times: versions, machines, input and findings. */

#include "compare.h"

#include <math.h>

#define PROPERTIES_MATTERS 0.01 /* smallest relative difference of a number that is listed */
#define UNKNOWN "not available"

static const char *const numbers[] = {
  "slots",
  "workers_peak",
  "events_total",
  "bytes_read_total",
  "chunks_total",
  "tasks_submitted_total",
  "tasks_failed_total",
  "attempts_lost_total",
  "worker_memory_peak_bytes",
  "exit_status",
};

/* Join the distinct texts in sorted order. */
static char *
join (const GPtrArray *texts)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < texts->len; i++)
    g_ptr_array_add (sorted, g_ptr_array_index (texts, i));
  g_ptr_array_sort (sorted, compare_texts);
  for (guint i = 0; i < sorted->len; i++)
    if (i == 0 || g_strcmp0 (g_ptr_array_index (sorted, i), g_ptr_array_index (sorted, i - 1)) != 0)
      g_string_append_printf (all, "%s%s", all->len > 0 ? "; " : "", (const char *) g_ptr_array_index (sorted, i));

  return g_string_free (g_steal_pointer (&all), FALSE);
}

static void
properties_put (RoastTableWriter *table, const char *name, const char *value, const char *reference)
{
  roast_table_writer_set_string (table, ROAST_COMPARED_PROPERTIES_PROPERTY, name);
  roast_table_writer_set_string (table, ROAST_COMPARED_PROPERTIES_NEW, value);
  roast_table_writer_set_string (table, ROAST_COMPARED_PROPERTIES_REFERENCE, reference);
  roast_table_writer_end (table, NULL);
}

/* Join the values of a property in the runs of a side. An environment variable that a run does not have is not set, if
 * the run has other settings. */
static char *
join_values (Compare *self, const Measure *measure, int side)
{
  const Measure *nice = compare_find (self, ROAST_COMPARED_KIND_PROPERTY, "nice value");
  guint n_known = nice != NULL ? nice->texts[side]->len : 0;
  g_autofree char *values = join (measure->texts[side]);

  if (g_str_has_prefix (measure->name, "environment ") && n_known > measure->texts[side]->len)
    return g_strconcat (values, *values != '\0' ? "; " : "", "not set", NULL);

  return *values != '\0' ? g_steal_pointer (&values) : g_strdup (UNKNOWN);
}

static void
put_texts (Compare *self, RoastTableWriter *table, const Measure *measure)
{
  g_autofree char *value = join_values (self, measure, NEW);
  g_autofree char *reference = join_values (self, measure, REFERENCE);

  if (!g_str_equal (value, reference))
    properties_put (table, measure->name, value, reference);
}

static void
put_number (Compare *self, RoastTableWriter *table, const char *name)
{
  RoastMetricInfo *info = roast_schema_lookup_metric (roast_report_get_schema (self->report), name, NULL);
  const char *format = info != NULL ? roast_metric_info_get_format (info) : "count";
  double value = compare_find_median (self, ROAST_COMPARED_KIND_METRIC, name, NEW);
  double reference = compare_find_median (self, ROAST_COMPARED_KIND_METRIC, name, REFERENCE);
  g_autofree char *text = isnan (value) ? NULL : roast_format_number (value, format);
  g_autofree char *text_reference = isnan (reference) ? NULL : roast_format_number (reference, format);

  if ((isnan (value) && isnan (reference)) ||
      fabs (value - reference) <= PROPERTIES_MATTERS * fmax (fabs (value), fabs (reference)))
    return;
  properties_put (table, name, text != NULL ? text : UNKNOWN, text_reference != NULL ? text_reference : UNKNOWN);
}

/* Return a text such as "in 5 of 5 runs"; "yes" or "no" for a single run. */
static char *
dup_runs (Compare *self, const Measure *finding, int side)
{
  return self->n[side] == 1 ? g_strdup (finding->texts[side]->len > 0 ? "yes" : "no")
                            : g_strdup_printf ("in %u of %u runs", finding->texts[side]->len, self->n[side]);
}

static void
put_finding (Compare *self, RoastTableWriter *table, const Measure *finding)
{
  g_autofree char *name = g_strconcat ("finding ", finding->name, NULL);
  g_autofree char *value = dup_runs (self, finding, NEW);
  g_autofree char *reference = dup_runs (self, finding, REFERENCE);

  if (compare_is_only_in (self, finding, NEW) || compare_is_only_in (self, finding, REFERENCE))
    properties_put (table, name, value, reference);
}

/* List the categories that only one side has: the functions may have been renamed. List none if rows of a run are
 * missing, because they may be of any category. */
static void
put_categories (Compare *self, RoastTableWriter *table)
{
  g_autofree char *value = compare_dup_categories_of (self, NEW);
  g_autofree char *reference = compare_dup_categories_of (self, REFERENCE);

  for (guint i = 0; i < self->measures->len; i++)
    {
      const Measure *measure = g_ptr_array_index (self->measures, i);

      if (measure->kind == ROAST_COMPARED_KIND_COUNT && measure->is_left_out)
        return;
    }
  if (value != NULL || reference != NULL)
    properties_put (table, "categories of one side only", value != NULL ? value : "none",
                    reference != NULL ? reference : "none");
}

void
compare_list_properties (Compare *self)
{
  g_autoptr (RoastTableWriter) table = roast_compared_properties_write (self->report);

  FOR_EACH_POINTER (const Measure, measure, self->measures)
    if (measure->kind == ROAST_COMPARED_KIND_PROPERTY)
      put_texts (self, table, measure);
  put_categories (self, table);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    put_number (self, table, numbers[i]);
  FOR_EACH_POINTER (const Measure, measure, self->measures)
    if (measure->kind == ROAST_COMPARED_KIND_FINDING)
      put_finding (self, table, measure);
}
