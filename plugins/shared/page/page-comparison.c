/* SPDX-License-Identifier: BSD-3-Clause */

/* Sections of a comparison of runs: verdicts, scaling, differences in elapsed time, and properties. */

#include "page.h"

#include <math.h>
#include <string.h>

/* A difference gets no row if it is smaller than this share of the sum of all differences. */
#define PAGE_COMPARISON_LEAST_SHARE 0.005

static char *
format (double value, const char *kind)
{
  return isnan (value) ? g_strdup ("") : roast_format_number (value, kind);
}

static char *
format_change (double change)
{
  return isnan (change) ? g_strdup ("") : g_strdup_printf ("%+.1f %%", 100 * change);
}

guint
page_count_compared (const PageSource *source, const char *side)
{
  g_autoptr (RoastTableReader) runs = roast_compared_runs_read (source->recording);
  guint n = 0;

  while (roast_table_reader_next (runs))
    n += g_strcmp0 (roast_table_reader_get_string (runs, ROAST_COMPARED_RUNS_SOURCE), side) == 0;

  return n;
}

/* ---- verdicts ---- */

static char *
dup_measure (const PageSource *source, const char *measure, const char *name)
{
  RoastMetricInfo *info = roast_schema_lookup_metric (source->schema, measure, NULL);
  g_autofree char *printable = page_printable (source, name != NULL ? name : "");

  if (name != NULL)
    return g_strdup_printf ("%s: %s", *printable != '\0' ? printable : "(no name)",
                            g_str_equal (measure, "cpu") ? "CPU time" : "time");
  if (info != NULL)
    return g_strdup (roast_metric_info_get_label (info));

  return g_strdup (g_str_equal (measure, "start_up_seconds")             ? "Start-up"
                   : g_str_equal (measure, "without_stragglers_seconds") ? "Without stragglers"
                                                                         : measure);
}

static char *
dup_interval (double low, double high)
{
  return isnan (low) ? g_strdup ("") : g_strdup_printf ("%+.1f to %+.1f %%", 100 * low, 100 * high);
}

static void
add_verdict (PageSection *section, const PageSource *source, RoastTableReader *table, const char *verdict)
{
  const char *measure = roast_table_reader_get_string (table, ROAST_VERDICTS_MEASURE);
  const char *unit = strstr (measure, "_rate_") != NULL ? "rate" : "duration";
  double detectable = roast_table_reader_get_double (table, ROAST_VERDICTS_DETECTABLE);
  char **cells = g_new0 (char *, g_strv_length ((char **) section->headings) + 1);

  cells[0] = dup_measure (source, measure, roast_table_reader_get_string (table, ROAST_VERDICTS_NAME));
  cells[1] = format (roast_table_reader_get_double (table, ROAST_VERDICTS_NEW), unit);
  cells[2] = format (roast_table_reader_get_double (table, ROAST_VERDICTS_REFERENCE), unit);
  cells[3] = format_change (roast_table_reader_get_double (table, ROAST_VERDICTS_CHANGE));
  cells[4] = dup_interval (roast_table_reader_get_double (table, ROAST_VERDICTS_CHANGE_LOW),
                           roast_table_reader_get_double (table, ROAST_VERDICTS_CHANGE_HIGH));
  if (g_strcmp0 (verdict, "unknown") != 0)
    cells[5] = g_strdup (verdict);
  else
    cells[5] =
        isnan (detectable) ? g_strdup ("cannot tell") : g_strdup_printf ("cannot tell below %.0f %%", 100 * detectable);
  page_section_add_row (section, cells);
}

/* Put the elapsed time first, then the measures that differ, because a short page leaves out the last rows. */
PageSection *
page_make_verdicts (const PageSource *source)
{
  static const char *const headings[] = { "", "new", "reference", "change", "95 %", "verdict", NULL };
  static const guint ranks[] = { 9, 5, 4, 8, 3, 7 };
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_VERDICTS, roast_verdicts_columns);
  PageSection *section = NULL;

  if (table == NULL)
    return NULL;
  section = page_section_new ("verdicts", "Whether the runs differ", 3);
  section->headings = headings;
  section->ranks = ranks;
  section->n_texts = 1;
  section->is_open = TRUE;
  for (int pass = 0; pass < 2; pass++)
    {
      for (gboolean is_first = TRUE; roast_table_reader_next (table); is_first = FALSE)
        {
          const char *verdict = roast_table_reader_get_string (table, ROAST_VERDICTS_VERDICT);
          gboolean differs = g_strcmp0 (verdict, "worse") == 0 || g_strcmp0 (verdict, "better") == 0;

          if ((is_first || differs) == (pass == 0))
            add_verdict (section, source, table, verdict);
        }
      roast_table_reader_rewind (table);
    }

  return section;
}

/* ---- scaling ---- */

/* The table must have the predicted rows before the measured rows. */
PageSection *
page_make_scaling (const PageSource *source)
{
  static const char *const headings[] = { "slots", "time", "rate", "of the ideal", "expected rate", NULL };
  static const guint ranks[] = { 9, 8, 7, 6, 5 };
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_SCALING, roast_scaling_columns);
  g_autoptr (GHashTable) expected = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  PageSection *section = NULL;

  if (table == NULL)
    return NULL;
  section = page_section_new ("scaling", "Speed by number of slots", 3);
  section->headings = headings;
  section->ranks = ranks;
  while (roast_table_reader_next (table))
    {
      int kind = roast_table_reader_get_word (table, ROAST_SCALING_KIND);
      g_autofree char *slots = g_strdup_printf ("%.4g", roast_table_reader_get_double (table, ROAST_SCALING_SLOTS));
      g_autofree char *time = format (roast_table_reader_get_double (table, ROAST_SCALING_ELAPSED), "duration");
      double rate = roast_table_reader_get_double (table, ROAST_SCALING_RATE);
      double amount = rate * roast_table_reader_get_double (table, ROAST_SCALING_ELAPSED);
      g_autofree char *low =
          format (amount / roast_table_reader_get_double (table, ROAST_SCALING_ELAPSED_HIGH), "rate");
      g_autofree char *high =
          format (amount / roast_table_reader_get_double (table, ROAST_SCALING_ELAPSED_LOW), "rate");
      char **cells = NULL;

      if (kind == ROAST_SCALING_KIND_PREDICTED)
        g_hash_table_insert (expected, g_strdup (slots), g_strdup_printf ("%s to %s", low, high));
      if (kind != ROAST_SCALING_KIND_MEASURED)
        continue;
      cells = g_new0 (char *, G_N_ELEMENTS (headings));
      cells[4] = g_strdup (g_hash_table_lookup (expected, slots));
      cells[4] = cells[4] != NULL ? cells[4] : g_strdup ("");
      cells[0] = g_steal_pointer (&slots);
      cells[1] = g_steal_pointer (&time);
      cells[2] = format (rate, "rate");
      cells[3] = format (roast_table_reader_get_double (table, ROAST_SCALING_EFFICIENCY), "percent");
      page_section_add_row (section, cells);
    }

  return section;
}

/* ---- differences ---- */

static double
sum_differences (RoastTableReader *table)
{
  double sum = 0;

  while (roast_table_reader_next (table))
    sum += fabs (roast_table_reader_get_double (table, ROAST_DIFFERENCES_DIFFERENCE));

  return sum;
}

static char *
dup_signed (double seconds)
{
  g_autofree char *text = roast_format_number (fabs (seconds), "duration");

  return g_strconcat (seconds < 0 ? "-" : "+", text, NULL);
}

/* Sort items by their seconds, in descending order. */
static int
compare_items (const PageItem *const *a, const PageItem *const *b)
{
  return ((*a)->seconds < (*b)->seconds) - ((*a)->seconds > (*b)->seconds);
}

PageSection *
page_make_differences (const PageSource *source)
{
  static const char *const headings[] = { "", "why", "new", "reference", "difference", NULL };
  static const char *const causes[] = { "number", "time of each", "single tasks", "slots", "" };
  static const guint ranks[] = { 9, 8, 3, 2, 7 };
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_DIFFERENCES, roast_differences_columns);
  PageSection *section = NULL;
  double all = 0;

  if (table == NULL)
    return NULL;
  section = page_section_new ("differences", "Causes of the difference in elapsed time", 2);
  section->headings = headings;
  section->ranks = ranks;
  section->n_texts = 2;
  section->is_open = TRUE;
  all = sum_differences (table);
  while (roast_table_reader_next (table))
    {
      const char *category = roast_table_reader_get_string (table, ROAST_DIFFERENCES_CATEGORY);
      double difference = roast_table_reader_get_double (table, ROAST_DIFFERENCES_DIFFERENCE);
      int cause = roast_table_reader_get_word (table, ROAST_DIFFERENCES_CAUSE);
      char **cells = NULL;

      if (fabs (difference) <= PAGE_COMPARISON_LEAST_SHARE * all)
        continue;
      cells = g_new0 (char *, G_N_ELEMENTS (headings));
      cells[0] =
          category != NULL
              ? page_printable (source, category)
              : g_strdup (roast_schema_get_label (source->schema, "core_part",
                                                  roast_table_reader_get_string (table, ROAST_DIFFERENCES_PART)));
      cells[1] = g_strdup (cause >= 0 && cause < (int) G_N_ELEMENTS (causes) ? causes[cause] : "");
      cells[2] = format (roast_table_reader_get_double (table, ROAST_DIFFERENCES_NEW), "duration");
      cells[3] = format (roast_table_reader_get_double (table, ROAST_DIFFERENCES_REFERENCE), "duration");
      cells[4] = dup_signed (difference);
      page_section_add_row (section, cells)->seconds = fabs (difference);
    }
  g_ptr_array_sort (section->items, (GCompareFunc) compare_items);

  return section;
}

/* ---- properties ---- */

PageSection *
page_make_properties (const PageSource *source)
{
  g_autoptr (RoastTableReader) table =
      page_read_table (source, ROAST_TABLE_COMPARED_PROPERTIES, roast_compared_properties_columns);
  PageSection *section = NULL;

  if (table == NULL)
    return NULL;
  section = page_section_new ("properties", "What else differs", 1);
  while (roast_table_reader_next (table))
    {
      const char *value = roast_table_reader_get_string (table, ROAST_COMPARED_PROPERTIES_NEW);
      const char *reference = roast_table_reader_get_string (table, ROAST_COMPARED_PROPERTIES_REFERENCE);
      RoastMetricInfo *info =
          roast_schema_lookup_metric (source->schema,
                                      roast_table_reader_get_string (table, ROAST_COMPARED_PROPERTIES_PROPERTY), NULL);
      g_autofree char *label =
          g_strconcat (info != NULL ? roast_metric_info_get_label (info)
                                    : roast_table_reader_get_string (table, ROAST_COMPARED_PROPERTIES_PROPERTY),
                       ": ", NULL);
      g_autofree char *text = g_strdup_printf ("%s instead of %s", value != NULL && *value != '\0' ? value : "none",
                                               reference != NULL && *reference != '\0' ? reference : "none");

      page_section_add (section, source, PAGE_PARAGRAPH, label, text);
    }

  return section;
}
