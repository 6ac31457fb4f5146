/* SPDX-License-Identifier: BSD-3-Clause */

/* The run over time, as lines of blocks, and when most of the work was done. */

#include "page.h"

#include <math.h>

static const char *const series_columns[] = { "source", "running", "waiting", "workers", "event_rate", NULL };

enum
{
  SOURCE,
  FIRST,
};

static const char *const series_words[] = { "running", "waiting", "workers", "events" };
static const char *const series_formats[] = { "number", "number", "number", "rate" };

static const char *const progress_columns[] = { "source", "share", "elapsed", NULL };

enum
{
  SHARE = FIRST,
  ELAPSED,
};

static gboolean
is_of_executor (const PageSource *source, RoastTableReader *table)
{
  const char *name = roast_table_reader_get_string (table, SOURCE);
  const char *backend = name != NULL ? g_hash_table_lookup (source->backends, name) : NULL;

  return source->backend == NULL || g_strcmp0 (backend, source->backend) == 0;
}

/* One source, since intervals of several would stand one behind another. */
static void
add_series (PageSection *section, const PageSource *source, RoastTableReader *table, guint slot)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *chosen = NULL;
  g_autofree char *most = NULL;
  g_autofree char *text = NULL;
  PageItem *item = NULL;
  double max = 0;

  for (roast_table_reader_rewind (table); roast_table_reader_next (table);)
    {
      double value = roast_table_reader_get_double (table, slot);
      const char *name = roast_table_reader_get_string (table, SOURCE);

      if (!is_of_executor (source, table) || (chosen != NULL && g_strcmp0 (name, chosen) != 0))
        continue;
      if (chosen == NULL)
        chosen = g_strdup (name);
      max = isnan (value) ? max : MAX (max, value);
      g_array_append_val (values, value);
    }
  if (max <= 0)
    return;
  most = roast_format_number (max, series_formats[slot - FIRST]);
  text = g_strdup_printf ("max %s", most);
  item = page_section_add (section, source, PAGE_SERIES, page_word (source, series_words[slot - FIRST]), text);
  item->values = g_steal_pointer (&values);
}

static void
add_progress (PageSection *section, const PageSource *source)
{
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_PROGRESS, progress_columns);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *chosen = NULL;

  while (table != NULL && roast_table_reader_next (table))
    {
      g_autofree char *share = roast_format_number (roast_table_reader_get_double (table, SHARE), "percent");
      g_autofree char *elapsed = roast_format_number (roast_table_reader_get_double (table, ELAPSED), "duration");
      const char *name = roast_table_reader_get_string (table, SOURCE);

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
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_OVER_TIME, series_columns);

  for (guint i = 0; table != NULL && i < G_N_ELEMENTS (series_words); i++)
    add_series (section, source, table, FIRST + i);
  add_progress (section, source);

  return section;
}
