/* SPDX-License-Identifier: BSD-3-Clause */

/* The run over time as lines of block characters, and the progress of the work. */

#include "page.h"
#include "partial-sum.h"

#include <math.h>

#define N_SERIES 4

static const struct
{
  guint slot;
  const char *word, *format;
} series[N_SERIES] = {
  { ROAST_OVER_TIME_RUNNING, "running", "number" },
  { ROAST_OVER_TIME_WAITING, "waiting", "number" },
  { ROAST_OVER_TIME_WORKERS, "workers", "number" },
  { ROAST_OVER_TIME_EVENT_RATE, "events", "rate" },
};

/* Values at one time, as in the charts. Each value is the sum over executors that have an interval which begins at this
 * time; NaN if unknown. */
typedef struct
{
  double time;
  double values[N_SERIES];
} Moment;

static gboolean
is_of_executor (const PageSource *source, RoastTableReader *table)
{
  const char *name = roast_table_reader_get_string (table, ROAST_PROGRESS_SOURCE);
  const char *backend = name != NULL ? g_hash_table_lookup (source->backends, name) : NULL;

  return source->backend == NULL || g_strcmp0 (backend, source->backend) == 0;
}

static int
compare_moments (gconstpointer a, gconstpointer b)
{
  double first = ((const Moment *) a)->time;
  double second = ((const Moment *) b)->time;

  return (first > second) - (first < second);
}

static GArray *
read_moments (const PageSource *source)
{
  static const guint key[] = { ROAST_OVER_TIME_STARTED };
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_OVER_TIME, roast_over_time_columns);
  GArray *moments = g_array_new (FALSE, FALSE, sizeof (Moment));

  if (table != NULL)
    roast_table_reader_group_by (table, key, G_N_ELEMENTS (key));
  while (table != NULL && roast_table_reader_next (table))
    {
      Moment moment = { roast_table_reader_get_double (table, ROAST_OVER_TIME_STARTED), { NAN, NAN, NAN, NAN } };
      guint place = roast_table_reader_get_group (table);

      if (place == moments->len)
        g_array_append_val (moments, moment);
      for (guint i = 0; i < N_SERIES; i++)
        partial_sum_add (&g_array_index (moments, Moment, place).values[i],
                         roast_table_reader_get_double (table, series[i].slot));
    }
  g_array_sort (moments, compare_moments);

  return moments;
}

/* Add the line of one series. Skip it if all its values are 0. */
static void
add_series (PageSection *section, const PageSource *source, guint which, const GArray *moments)
{
  g_autoptr (GArray) values = g_array_sized_new (FALSE, FALSE, sizeof (double), moments->len);
  g_autofree char *most = NULL;
  g_autofree char *text = NULL;
  double max = 0;

  for (guint i = 0; i < moments->len; i++)
    {
      double value = g_array_index (moments, Moment, i).values[which];

      max = fmax (max, value);
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
  g_autoptr (GArray) moments = read_moments (source);

  for (guint i = 0; i < N_SERIES; i++)
    add_series (section, source, i, moments);
  add_progress (section, source);

  return section;
}
