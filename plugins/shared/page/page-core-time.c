/* SPDX-License-Identifier: BSD-3-Clause */

/* Where the offered core time went, as bars. Each bar sums one part over all stretches and executors. The largest
 * part comes first. */

#include "core-parts.h"
#include "page-metric.h"
#include "page.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.005 /* share of the core time; smaller parts are merged into one bar */

typedef struct
{
  char *part;
  double seconds;
  RoastCompleteness completeness;
} Sum;

/* Sums over all counted sources. */
typedef struct
{
  GPtrArray *sums;
  GHashTable *sources;
  double offered;
} Total;

static void
total_clear (Total *total)
{
  g_clear_pointer (&total->sums, g_ptr_array_unref);
  g_clear_pointer (&total->sources, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Total, total_clear)

static void
sum_free (Sum *sum)
{
  g_free (sum->part);
  g_free (sum);
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
  return (*a)->seconds<(*b)->seconds ? 1 : (*a)->seconds> (*b)->seconds ? -1 : strcmp ((*a)->part, (*b)->part);
}

/* A lower bound plus an estimate is an estimate. */
static RoastCompleteness
combine (RoastCompleteness a, RoastCompleteness b)
{
  if (a == ROAST_COMPLETENESS_ESTIMATED || b == ROAST_COMPLETENESS_ESTIMATED)
    return ROAST_COMPLETENESS_ESTIMATED;

  return a == ROAST_COMPLETENESS_COMPLETE ? b : a;
}

static RoastCompleteness
get_completeness (RoastTableReader *table, gboolean of_processes)
{
  int completeness = roast_table_reader_get_word (table, ROAST_CORE_TIME_COMPLETE);
  int part = roast_table_reader_get_word (table, ROAST_CORE_TIME_PART);

  if (completeness == ROAST_COMPLETENESS_PARTIAL)
    return core_part_is_of_attempts (part) ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_ESTIMATED;

  return completeness == ROAST_COMPLETENESS_ESTIMATED && (of_processes || core_part_is_guessed (part))
             ? ROAST_COMPLETENESS_ESTIMATED
             : ROAST_COMPLETENESS_COMPLETE;
}

/* Sum the rows of the process tree or those of the executors, never both: workers are processes too and would count
 * twice. */
static Total
add_up (RoastTableReader *table, RoastRunModel *model, gboolean of_processes)
{
  Total total = { g_ptr_array_new_with_free_func ((GDestroyNotify) sum_free),
                  g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), 0 };

  for (roast_table_reader_rewind (table); roast_table_reader_next (table);)
    {
      const char *part = roast_table_reader_get_string (table, ROAST_CORE_TIME_PART);
      const char *name = roast_table_reader_get_string (table, ROAST_CORE_TIME_SOURCE);
      double seconds = roast_table_reader_get_double (table, ROAST_CORE_TIME_CORE_SECONDS);
      Sum *sum = NULL;

      if (part == NULL || name == NULL || !(seconds > 0) ||
          g_strcmp0 (roast_table_reader_get_string (table, ROAST_CORE_TIME_WINDOW), "run") != 0 ||
          roast_run_model_is_process_tree (model, name) != of_processes)
        continue;
      sum = find_sum (total.sums, part);
      sum->seconds += seconds;
      sum->completeness = combine (sum->completeness, get_completeness (table, of_processes));
      total.offered += seconds;
      g_hash_table_add (total.sources, g_strdup (name));
    }
  g_ptr_array_sort (total.sums, (GCompareFunc) compare_sums);

  return total;
}

static void
add_bar (PageSection *section, const PageSource *source, const char *words, const Sum *sum, double offered)
{
  g_autofree char *duration = roast_format_number (sum->seconds, "duration");
  g_autofree char *text = g_strconcat (page_completeness_mark (sum->completeness), duration, NULL);
  PageItem *bar = page_section_add (section, source, PAGE_BAR, words, text);

  bar->share = sum->seconds / offered;
  bar->seconds = sum->seconds;
  bar->completeness = sum->completeness;
}

static void
add_bars (PageSection *section, const PageSource *source, const Total *total, gboolean of_processes)
{
  /* Use the labels of this roast version: an older run file has other labels. */
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  Sum rest = { .completeness = ROAST_COMPLETENESS_COMPLETE };

  for (guint i = 0; i < total->sums->len; i++)
    {
      const Sum *sum = g_ptr_array_index (total->sums, i);

      if (sum->seconds >= LEAST_SHARE * total->offered)
        {
          add_bar (section, source, core_part_get_words (schema, sum->part, of_processes), sum, total->offered);
          continue;
        }
      rest.seconds += sum->seconds;
      rest.completeness = combine (rest.completeness, sum->completeness);
    }
  if (rest.seconds >= LEAST_SHARE * total->offered)
    add_bar (section, source, PAGE_REST, &rest, total->offered);
}

/* Mark the sum like the key number worker_core_seconds, so that both look equally exact. */
static char *
make_title (const PageSource *source, const Total *total)
{
  RoastMetric *metric = page_get_metric (source, "worker_core_seconds");
  const char *mark = metric != NULL ? page_metric_mark (metric) : "";
  g_autofree char *offered = roast_format_number (total->offered, "duration");
  guint n = g_hash_table_size (total->sources);

  return n > 1 ? g_strdup_printf ("Core time: %s%s offered by %u sources", mark, offered, n)
               : g_strdup_printf ("Core time: %s%s offered", mark, offered);
}

PageSection *
page_make_core_time (const PageSource *source)
{
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_CORE_TIME, roast_core_time_columns);
  RoastRunModel *model = roast_run_model_get (source->recording);
  g_auto (Total) total = { 0 };
  g_autofree char *title = NULL;
  PageSection *section = NULL;
  gboolean of_processes = FALSE;

  if (table == NULL)
    return NULL;
  total = add_up (table, model, FALSE);
  if (total.offered <= 0)
    {
      total_clear (&total);
      total = add_up (table, model, TRUE);
      of_processes = TRUE;
    }
  if (total.offered <= 0)
    return NULL;
  title = make_title (source, &total);
  section = page_section_new (ROAST_TABLE_CORE_TIME, title, 3);
  add_bars (section, source, &total, of_processes);
  section->least = MIN (section->least, section->items->len);

  return section;
}
