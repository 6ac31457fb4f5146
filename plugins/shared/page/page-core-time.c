/* SPDX-License-Identifier: BSD-3-Clause */

/* Where the offered core time went, as bars: all stretches of the run together, the largest part first. */

#include "page.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.005 /* what rounds to 0 % or 1 % of a bar is added up */

static const char *const core_time_columns[] = { "source", "window", "part", "core_seconds", "share", NULL };

enum
{
  SOURCE,
  WINDOW,
  PART,
  CORE_SECONDS,
  SHARE,
};

/* A tree of processes has no tasks. */
static const struct
{
  const char *part, *words;
} words_for_processes[] = {
  { "task.cpu", "computing" },
  { "task.wait", "ready, but without a core" },
  { "idle.no_work", "idle" },
};

typedef struct
{
  char *part;
  double seconds, share;
} Sum;

static void
sum_free (Sum *sum)
{
  g_free (sum->part);
  g_free (sum);
}

/* Few words for a line, as in charts; the schema also has the definitions. */
static const char *
words_of (RoastSchema *schema, const char *part, gboolean of_processes)
{
  for (guint i = 0; of_processes && i < G_N_ELEMENTS (words_for_processes); i++)
    if (g_str_equal (words_for_processes[i].part, part))
      return words_for_processes[i].words;

  return roast_schema_get_label (schema, "core_part", part);
}

static Sum *
find_sum (GPtrArray *sums, const char *part)
{
  Sum *sum = NULL;

  for (guint i = 0; i < sums->len; i++)
    if (g_str_equal (((Sum *) g_ptr_array_index (sums, i))->part, part))
      return g_ptr_array_index (sums, i);
  sum = g_new0 (Sum, 1);
  sum->part = g_strdup (part);
  g_ptr_array_add (sums, sum);

  return sum;
}

static int
compare_sums (const Sum *const *a, const Sum *const *b)
{
  return (*a)->share<(*b)->share ? 1 : (*a)->share> (*b)->share ? -1 : strcmp ((*a)->part, (*b)->part);
}

static GPtrArray *
add_up (RoastTableReader *table, const char *source)
{
  GPtrArray *sums = g_ptr_array_new_with_free_func ((GDestroyNotify) sum_free);

  for (roast_table_reader_rewind (table); roast_table_reader_next (table);)
    {
      const char *part = roast_table_reader_get_string (table, PART);
      double seconds = roast_table_reader_get_double (table, CORE_SECONDS);
      double share = roast_table_reader_get_double (table, SHARE);
      Sum *sum = NULL;

      if (part == NULL || g_strcmp0 (roast_table_reader_get_string (table, WINDOW), "run") != 0 ||
          g_strcmp0 (roast_table_reader_get_string (table, SOURCE), source) != 0)
        continue;
      sum = find_sum (sums, part);
      sum->seconds += isnan (seconds) ? 0 : seconds;
      sum->share += isnan (share) ? 0 : share;
    }
  g_ptr_array_sort (sums, (GCompareFunc) compare_sums);

  return sums;
}

static void
add_bar (PageSection *section, const PageSource *source, const char *words, double seconds, double share)
{
  g_autofree char *duration = roast_format_number (seconds, "duration");

  page_section_add (section, source, PAGE_BAR, words, duration)->share = share;
}

static void
add_bars (PageSection *section, const PageSource *source, GPtrArray *sums, gboolean of_processes)
{
  /* Of this roast: a run file of an earlier one has other labels. */
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  Sum rest = { 0 };
  guint n_rest = 0;

  for (guint i = 0; i < sums->len; i++)
    {
      const Sum *sum = g_ptr_array_index (sums, i);

      if (sum->share >= LEAST_SHARE)
        {
          add_bar (section, source, words_of (schema, sum->part, of_processes), sum->seconds, sum->share);
          continue;
        }
      rest.seconds += sum->seconds;
      rest.share += sum->share;
      n_rest += sum->share > 0;
    }
  if (n_rest > 0 && rest.share >= LEAST_SHARE)
    add_bar (section, source, "the rest", rest.seconds, rest.share);
}

/* Of an executor, if there is one; its workers are processes, too. */
static char *
choose_source (const PageSource *source, RoastTableReader *table)
{
  char *chosen = NULL;
  gboolean is_executor = FALSE;

  for (roast_table_reader_rewind (table); roast_table_reader_next (table);)
    {
      const char *next = roast_table_reader_get_string (table, SOURCE);
      const char *backend = next != NULL ? g_hash_table_lookup (source->backends, next) : NULL;
      gboolean is_next_executor = backend != NULL && g_strcmp0 (backend, source->backend) == 0;

      if (chosen != NULL && (is_executor || !is_next_executor))
        continue;
      g_free (chosen);
      chosen = g_strdup (next);
      is_executor = is_next_executor;
    }

  return chosen;
}

static gboolean
has_processes (const PageSource *source, const char *name)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_snapshot_read_table (source->recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);

  while (sources != NULL && roast_table_reader_next (sources))
    if (g_strcmp0 (roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE), name) == 0)
      return roast_table_reader_get_word (sources, ROAST_SOURCES_WORKER_KIND) == ROAST_WORKER_KIND_PROCESS;

  return FALSE;
}

static double
sum_of (GPtrArray *sums)
{
  double seconds = 0;

  for (guint i = 0; i < sums->len; i++)
    seconds += ((Sum *) g_ptr_array_index (sums, i))->seconds;

  return seconds;
}

PageSection *
page_make_core_time (const PageSource *source)
{
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_CORE_TIME, core_time_columns);
  g_autofree char *chosen = table != NULL ? choose_source (source, table) : NULL;
  g_autoptr (GPtrArray) sums = chosen != NULL ? add_up (table, chosen) : NULL;
  g_autofree char *offered = NULL;
  g_autofree char *title = NULL;
  PageSection *section = NULL;

  if (sums == NULL || sums->len == 0)
    return NULL;
  offered = roast_format_number (sum_of (sums), "duration");
  title = g_strdup_printf ("Core time: %s offered", offered);
  section = page_section_new (ROAST_TABLE_CORE_TIME, title, 3);
  add_bars (section, source, sums, has_processes (source, chosen));
  section->least = MIN (section->least, section->items->len);

  return section;
}
