/* SPDX-License-Identifier: BSD-3-Clause */

/* Describes three data rates, because each of them answers a different question. The rate during processing shows what
 * workers and storage deliver; the notebooks of the 200 Gbps challenge measure this rate. The rate over the whole run
 * shows what the analyst gets, because it includes start-up, preparation of files and merging. The rate in the best
 * interval shows what the system can reach, without ramp-up and tail. */

#include "plots-figures.h"

#include <math.h>

#define TARGET 200e9 /* bit/s */
#define TO_REACH "to reach 200 Gbps"

static char *
describe (const char *what, double rate, RoastCompleteness completeness)
{
  g_autofree char *text = roast_format_number (rate, "bits-rate");
  g_autofree char *factor = rate > 0 ? roast_format_number (TARGET / rate, "number") : NULL;
  gboolean is_least = completeness == ROAST_COMPLETENESS_PARTIAL;
  const char *about = is_least ? "at least " : completeness == ROAST_COMPLETENESS_ESTIMATED ? "about " : "";

  if (factor == NULL)
    return g_strdup_printf ("%s: %s; no factor reaches 200 Gbps", what, text);
  if (rate >= TARGET)
    return g_strdup_printf ("%s: %s%s, 200 Gbps are reached", what, about, text);

  return g_strdup_printf ("%s: %s%s, %s×%s " TO_REACH, what, about, text, is_least ? "at most " : about, factor);
}

/* Describe a rate that is a metric of the report. Return NULL if the metric is not available. */
static char *
describe_metric (RoastReport *report, const char *name, const char *what)
{
  RoastMetric *metric = roast_report_lookup (report, name);

  if (metric == NULL || !roast_metric_is_available (metric))
    return NULL;

  return describe (what, roast_metric_get_double (metric), roast_metric_get_completeness (metric));
}

typedef struct
{
  double rate, seconds;
} Best;

/* Return the highest data rate in an interval, and the length of this interval. If several sources have rows for the
 * same interval, add up their rates, as in the chart data_rate, because these sources ran at the same time. */
static Best
find_best (RoastReport *report)
{
  static const guint key[] = { ROAST_OVER_TIME_STARTED };
  g_autoptr (RoastTableReader) table = roast_over_time_read (report);
  g_autoptr (GArray) sums = g_array_new (FALSE, TRUE, sizeof (double)); /* elements are double, by group */
  Best best = { 0, 0 };

  if (table != NULL)
    roast_table_reader_group_by (table, key, G_N_ELEMENTS (key));
  while (table != NULL && roast_table_reader_next (table))
    {
      double seconds = (roast_table_reader_get_double (table, ROAST_OVER_TIME_ENDED) -
                        roast_table_reader_get_double (table, ROAST_OVER_TIME_STARTED)) /
                       G_USEC_PER_SEC;
      double rate = roast_table_reader_get_double (table, ROAST_OVER_TIME_DATA_RATE);
      guint group = roast_table_reader_get_group (table);

      if (isnan (rate) || isnan (seconds))
        continue;
      g_array_set_size (sums, MAX (sums->len, group + 1));
      g_array_index (sums, double, group) += rate;
      if (8 * g_array_index (sums, double, group) > best.rate)
        best = (Best) { 8 * g_array_index (sums, double, group), seconds };
    }

  return best;
}

/* Describe the rate in the best interval. Mark this rate as an estimate, because it assumes that each chunk reads at a
 * constant rate. */
static char *
describe_best (RoastReport *report)
{
  Best best = find_best (report);
  RoastMetric *rate = roast_report_lookup (report, "data_rate_bits_per_second");
  gboolean is_least = rate != NULL && roast_metric_get_completeness (rate) == ROAST_COMPLETENESS_PARTIAL;
  g_autofree char *length = NULL;
  g_autofree char *what = NULL;

  if (best.rate <= 0 || best.seconds <= 0)
    return NULL;
  length = roast_format_number (best.seconds, "duration");
  what = g_strdup_printf ("Best %s", length);

  return describe (what, best.rate, is_least ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_ESTIMATED);
}

static char *
explain (RoastReport *report)
{
  RoastMetric *metric = roast_report_lookup (report, "data_rate_bits_per_second");
  const char *reason = metric != NULL ? roast_metric_get_reason (metric) : NULL;

  return g_strdup_printf ("The factor " TO_REACH " is not available: %s",
                          reason != NULL ? reason : "the report has no data rate");
}

static void
plots_rate_add (GPtrArray *lines, char *line)
{
  if (line != NULL)
    g_ptr_array_add (lines, line);
}

char **
plots_rate_dup_lines (RoastReport *report)
{
  GPtrArray *lines = g_ptr_array_new ();

  plots_rate_add (lines, describe_metric (report, "data_rate_processing_bits_per_second", "While processing"));
  plots_rate_add (lines, describe_metric (report, "data_rate_bits_per_second", "Whole run"));
  if (lines->len > 0)
    plots_rate_add (lines, describe_best (report));
  else
    plots_rate_add (lines, explain (report));
  g_ptr_array_add (lines, NULL);

  return (char **) g_ptr_array_free (lines, FALSE);
}
