/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the difference of the elapsed times as steps that lead from the reference to the new runs. */

#include "compare.h"

#include <math.h>

#define WATERFALL_MATTERS 0.01 /* differences below this share of the longer elapsed time are merged into one step */
#define MOST_STEPS 10

typedef struct
{
  char *name;
  double difference;
} WaterfallStep;

static void
step_clear (gpointer data)
{
  g_free (((WaterfallStep *) data)->name);
}

static int
waterfall_compare_steps (const WaterfallStep *a, const WaterfallStep *b)
{
  double left = fabs (a->difference), right = fabs (b->difference);

  return (left < right) - (left > right);
}

static char *
dup_name (Compare *self, RoastTableReader *table)
{
  static const char *const causes[] = { "number of tasks", "time of each task", "single tasks", "slots", NULL };
  const char *part = roast_table_reader_get_string (table, ROAST_DIFFERENCES_PART);
  const char *category = roast_table_reader_get_string (table, ROAST_DIFFERENCES_CATEGORY);
  int cause = roast_table_reader_get_word (table, ROAST_DIFFERENCES_CAUSE);
  const char *label = roast_schema_get_label (roast_report_get_schema (self->report), "core_part", part);

  if (category != NULL)
    return g_strdup_printf ("%s: %s", *category != '\0' ? category : "(no name)", causes[cause]);

  return g_strdup (cause == ROAST_DIFFERENCE_CAUSE_SLOTS ? "number of slots" : label);
}

/* Return the largest steps in descending order, followed by one step for the sum of the other differences. */
static GArray *
read_steps (Compare *self, double least)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (WaterfallStep));
  g_autoptr (RoastTableReader) table =
      roast_report_read_table (self->report, ROAST_TABLE_DIFFERENCES, roast_differences_columns, NULL);
  WaterfallStep rest = { g_strdup ("other differences"), 0 };

  g_array_set_clear_func (steps, step_clear);
  while (table != NULL && roast_table_reader_next (table))
    {
      WaterfallStep step = { dup_name (self, table),
                             roast_table_reader_get_double (table, ROAST_DIFFERENCES_DIFFERENCE) };

      g_array_append_val (steps, step);
    }
  g_array_sort (steps, (GCompareFunc) waterfall_compare_steps);
  while (steps->len > 0 &&
         (steps->len > MOST_STEPS || fabs (g_array_index (steps, WaterfallStep, steps->len - 1).difference) < least))
    {
      rest.difference += g_array_index (steps, WaterfallStep, steps->len - 1).difference;
      g_array_set_size (steps, steps->len - 1);
    }
  g_array_append_val (steps, rest);

  return steps;
}

/* Write one step. Put a number before its name, because charts sort the steps by name. */
static void
waterfall_put (RoastTableWriter *table, guint *n, const char *name, int kind, double from, double to)
{
  g_autofree char *numbered = g_strdup_printf ("%02u %s", ++*n, name);

  roast_table_writer_set_string (table, ROAST_WATERFALL_STEP, numbered);
  roast_table_writer_set_word (table, ROAST_WATERFALL_KIND, kind);
  roast_table_writer_set_double (table, ROAST_WATERFALL_FROM, fmin (from, to));
  roast_table_writer_set_double (table, ROAST_WATERFALL_TO, fmax (from, to));
  roast_table_writer_end (table, NULL);
}

void
compare_draw_waterfall (Compare *self)
{
  const Measure *elapsed = compare_find (self, ROAST_COMPARED_KIND_METRIC, "elapsed_time_seconds");
  double at = elapsed != NULL ? compare_get_mean (self, elapsed, REFERENCE) : 0;
  double ended = elapsed != NULL ? compare_get_mean (self, elapsed, NEW) : 0;
  g_autoptr (GArray) steps = read_steps (self, WATERFALL_MATTERS * fmax (at, ended));
  g_autoptr (RoastTableWriter) table = NULL;
  guint n = 0;

  /* Write no table if no single difference is large enough: the only step would be “other differences”. */
  if (steps->len < 2)
    return;
  table = roast_report_write_table (self->report, ROAST_TABLE_WATERFALL, roast_waterfall_columns, NULL);
  waterfall_put (table, &n, "reference", ROAST_WATERFALL_KIND_TOTAL, 0, at);
  for (guint i = 0; i < steps->len; i++)
    {
      const WaterfallStep *step = &g_array_index (steps, WaterfallStep, i);

      waterfall_put (table, &n, step->name,
                     step->difference < 0 ? ROAST_WATERFALL_KIND_SHORTER : ROAST_WATERFALL_KIND_LONGER, at,
                     at + step->difference);
      at += step->difference;
    }
  waterfall_put (table, &n, "new", ROAST_WATERFALL_KIND_TOTAL, 0, ended);
}
