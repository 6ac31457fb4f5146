/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the difference of the elapsed times as steps that lead from the reference to the new runs. */

#include "compare.h"

#include <math.h>

#define WATERFALL_MATTERS 0.01 /* differences below this share of the longer elapsed time are merged into one step */
#define MOST_STEPS 10

static char *
dup_name (Compare *self, const Difference *difference)
{
  static const char *const causes[] = { "number of tasks", "time of each task", "single tasks", "slots", NULL };
  const char *category = difference->category;

  if (category != NULL)
    return g_strdup_printf ("%s: %s", *category != '\0' ? category : "(no name)", causes[difference->cause]);
  if (difference->cause == ROAST_DIFFERENCE_CAUSE_SLOTS)
    return g_strdup ("number of slots");

  return g_strdup (roast_schema_get_label (roast_report_get_schema (self->report), "core_part", difference->part));
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

/* Put a step that changes the time @at by @difference. */
static void
put_step (RoastTableWriter *table, guint *n, const char *name, double *at, double difference)
{
  waterfall_put (table, n, name, difference < 0 ? ROAST_WATERFALL_KIND_SHORTER : ROAST_WATERFALL_KIND_LONGER, *at,
                 *at + difference);
  *at += difference;
}

void
compare_draw_waterfall (Compare *self)
{
  const Measure *elapsed = compare_find (self, ROAST_COMPARED_KIND_METRIC, "elapsed_time_seconds");
  double at = elapsed != NULL ? compare_get_mean (self, elapsed, REFERENCE) : 0;
  double ended = elapsed != NULL ? compare_get_mean (self, elapsed, NEW) : 0, others = 0;
  const Difference *all = (const Difference *) (gpointer) self->differences->data;
  guint n = 0, shown = self->differences->len;
  g_autoptr (RoastTableWriter) table = NULL;

  for (; shown > 0 && (shown > MOST_STEPS || fabs (all[shown - 1].seconds) < WATERFALL_MATTERS * fmax (at, ended));
       shown--)
    others += all[shown - 1].seconds;
  if (shown == 0)
    return;
  table = roast_waterfall_write (self->report);
  waterfall_put (table, &n, "reference", ROAST_WATERFALL_KIND_TOTAL, 0, at);
  for (guint i = 0; i < shown; i++)
    {
      g_autofree char *name = dup_name (self, &all[i]);

      put_step (table, &n, name, &at, all[i].seconds);
    }
  put_step (table, &n, "other differences", &at, others);
  waterfall_put (table, &n, "new", ROAST_WATERFALL_KIND_TOTAL, 0, ended);
}
