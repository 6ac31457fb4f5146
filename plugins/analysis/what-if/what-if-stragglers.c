/* SPDX-License-Identifier: BSD-3-Clause */

/* Find attempts that took much longer than other attempts of their category. */

#include "what-if.h"

#include <math.h>

#include "percentile.h"

#define WHAT_IF_STRAGGLERS_LONG 4        /* minimum run time of a straggler, as a multiple of its category's median */
#define WHAT_IF_STRAGGLERS_LEAST_TASKS 4 /* minimum number of tasks for the median of a category */
#define LEAST_SHARE 0.01                 /* minimum run time of a straggler, as a share of the run */
#define WHAT_IF_STRAGGLERS_MOST_NAMES 3

/* Return the median run time of each category; NaN for a category with too few tasks. */
static GArray *
get_medians (const Run *run)
{
  g_autoptr (GPtrArray) times = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  GArray *medians = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < run->attempts->len; i++)
    {
      const Attempt *attempt = &g_array_index (run->attempts, Attempt, i);
      double seconds = run->seconds[i];

      while (times->len <= attempt->category)
        g_ptr_array_add (times, g_array_new (FALSE, FALSE, sizeof (double)));
      g_array_append_val ((GArray *) g_ptr_array_index (times, attempt->category), seconds);
    }
  FOR_EACH_POINTER (GArray, of_category, times)
    {
      double median = of_category->len >= WHAT_IF_STRAGGLERS_LEAST_TASKS
                          ? percentile_get ((double *) (gpointer) of_category->data, of_category->len, 0.5)
                          : NAN;

      g_array_append_val (medians, median);
    }

  return medians;
}

/* Return a text such as "without “x” (12 s), “y” (9 s) and 3 more". */
char *
run_name_stragglers (const Run *run, const GArray *stragglers)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (run->recording);
  g_autoptr (GString) text = g_string_new ("without ");

  for (guint i = 0; i < MIN (stragglers->len, WHAT_IF_STRAGGLERS_MOST_NAMES); i++)
    {
      guint32 straggler = g_array_index (stragglers, guint32, i);
      g_autofree char *time = roast_format_number (run->seconds[straggler], "duration");

      roast_table_reader_seek (tasks, g_array_index (run->attempts, Attempt, straggler).row);
      g_string_append_printf (text, "%s“%s” (%s)", i == 0 ? "" : ", ",
                              roast_table_reader_get_string (tasks, ROAST_TASKS_TASK), time);
    }
  if (stragglers->len > WHAT_IF_STRAGGLERS_MOST_NAMES)
    g_string_append_printf (text, " and %u more", stragglers->len - WHAT_IF_STRAGGLERS_MOST_NAMES);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

static int
what_if_stragglers_compare_lengths (const guint32 *a, const guint32 *b, gpointer data)
{
  const Run *run = data;

  return (run->seconds[*a] < run->seconds[*b]) - (run->seconds[*a] > run->seconds[*b]);
}

GArray *
run_find_stragglers (const Run *run, float *seconds)
{
  g_autoptr (GArray) medians = get_medians (run);
  GArray *stragglers = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < run->attempts->len; i++)
    {
      const Attempt *attempt = &g_array_index (run->attempts, Attempt, i);
      double median = g_array_index (medians, double, attempt->category);
      gboolean is_long =
          run->seconds[i] > WHAT_IF_STRAGGLERS_LONG * median && run->seconds[i] > LEAST_SHARE * run->elapsed;

      if (is_long)
        g_array_append_val (stragglers, i);
      seconds[i] = is_long ? (float) median : run->seconds[i];
    }
  g_array_sort_with_data (stragglers, (GCompareDataFunc) what_if_stragglers_compare_lengths, (gpointer) run);

  return stragglers;
}
