/* SPDX-License-Identifier: BSD-3-Clause */

/* The run over time, drawn as lines of block characters, and the progress of the work. */

#include "page.h"

#include <math.h>

/* Lines are taken from charts, so that the page shows the same numbers as the pictures. */
static const struct
{
  const char *chart, *column, *word, *format;
} series[] = {
  { "task_concurrency", "running", "running", "number" },
  { "task_concurrency", "waiting", "waiting", "number" },
  { "task_concurrency", "workers", "workers", "number" },
  { "event_rate", "event_rate", "events", "rate" },
};

typedef struct
{
  double *xy; /* x and y alternate; NULL if not available */
  guint n_xy;
} Line;

static gboolean
is_of_executor (const PageSource *source, RoastTableReader *table)
{
  const char *name = roast_table_reader_get_string (table, ROAST_PROGRESS_SOURCE);
  const char *backend = name != NULL ? g_hash_table_lookup (source->backends, name) : NULL;

  return source->backend == NULL || g_strcmp0 (backend, source->backend) == 0;
}

static Line
read_line (const PageSource *source, const char *chart, const char *column)
{
  RoastChartInfo *info = roast_schema_get_chart (source->schema, chart);
  Line line = { 0 };

  if (info != NULL)
    line.xy = roast_chart_dup_points (info, source->recording, source->report, column, &line.n_xy, NULL);

  return line;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a;
  double second = *(const double *) b;

  return (first > second) - (first < second);
}

/* Merge the times of all lines, so that values of the same time align vertically. */
static GArray *
list_times (const Line *lines)
{
  GArray *times = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (series); i++)
    for (guint k = 0; k < lines[i].n_xy; k += 2)
      g_array_append_val (times, lines[i].xy[k]);
  g_array_sort (times, compare_numbers);
  for (guint i = 0; i < times->len; i++)
    if (n == 0 || g_array_index (times, double, i) != g_array_index (times, double, n - 1))
      g_array_index (times, double, n++) = g_array_index (times, double, i);
  g_array_set_size (times, n);

  return times;
}

/* Skip a line that is zero throughout. */
static void
add_series (PageSection *section, const PageSource *source, guint which, const Line *line, const GArray *times)
{
  g_autoptr (GArray) values = g_array_sized_new (FALSE, FALSE, sizeof (double), times->len);
  g_autofree char *most = NULL;
  g_autofree char *text = NULL;
  double max = 0;

  for (guint i = 0, k = 0; i < times->len; i++)
    {
      double value = NAN;

      for (; k < line->n_xy && line->xy[k] <= g_array_index (times, double, i); k += 2)
        {
          value = line->xy[k + 1];
          max = MAX (max, value);
        }
      g_array_append_val (values, value);
    }
  if (max <= 0)
    return;
  most = roast_format_number (max, series[which].format);
  text = g_strdup_printf ("max %s", most);
  page_section_add (section, source, PAGE_SERIES, page_word (source, series[which].word), text)->values =
      g_steal_pointer (&values);
}

static void
add_lines (PageSection *section, const PageSource *source)
{
  Line lines[G_N_ELEMENTS (series)];
  g_autoptr (GArray) times = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (series); i++)
    lines[i] = read_line (source, series[i].chart, series[i].column);
  times = list_times (lines);
  for (guint i = 0; i < G_N_ELEMENTS (series); i++)
    {
      add_series (section, source, i, &lines[i], times);
      g_free (lines[i].xy);
    }
}

static void
add_progress (PageSection *section, const PageSource *source)
{
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_PROGRESS, roast_progress_columns);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *chosen = NULL;

  while (table != NULL && roast_table_reader_next (table))
    {
      g_autofree char *share =
          roast_format_number (roast_table_reader_get_double (table, ROAST_PROGRESS_SHARE), "percent");
      g_autofree char *elapsed =
          roast_format_number (roast_table_reader_get_double (table, ROAST_PROGRESS_ELAPSED), "duration");
      const char *name = roast_table_reader_get_string (table, ROAST_PROGRESS_SOURCE);

      if (!is_of_executor (source, table) || (chosen != NULL && g_strcmp0 (name, chosen) != 0))
        continue;
      if (chosen == NULL)
        chosen = g_strdup (name);
      g_string_append_printf (text, "%s%s after %s", text->len > 0 ? ", " : "Work done: ", share, elapsed);
    }
  if (text->len > 0)
    page_section_add (section, source, PAGE_LINE, "", text->str);
}

PageSection *
page_make_timeline (const PageSource *source)
{
  PageSection *section = page_section_new ("timeline", "Over time", 1);

  add_lines (section, source);
  add_progress (section, source);

  return section;
}
