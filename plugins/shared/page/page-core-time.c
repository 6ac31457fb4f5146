/* SPDX-License-Identifier: BSD-3-Clause */

/* Bars that show where the offered core time went. Each bar is the sum of one part over all stretches and executors.
 * The largest part comes first. */

#include "core-parts.h"
#include "page-metric.h"
#include "page.h"

#include <string.h>

#define PAGE_CORE_TIME_LEAST_SHARE 0.005 /* share of the core time below which parts are merged into one bar */

static int
compare_parts (gconstpointer a, gconstpointer b, gpointer data)
{
  const CoreParts *parts = data;
  guint first = *(const guint *) a;
  guint second = *(const guint *) b;

  if (parts->parts[first] != parts->parts[second])
    return parts->parts[first] < parts->parts[second] ? 1 : -1;

  return strcmp (roast_core_part_words[first], roast_core_part_words[second]);
}

static void
add_bar (PageSection *section, const PageSource *source, const char *words, double seconds,
         RoastCompleteness completeness, double offered)
{
  g_autofree char *duration = roast_format_number (seconds, "duration");
  g_autofree char *text = g_strconcat (page_completeness_mark (completeness), duration, NULL);
  PageItem *bar = page_section_add (section, source, PAGE_BAR, words, text);

  bar->share = seconds / offered;
  bar->seconds = seconds;
  bar->completeness = completeness;
}

static void
add_bars (PageSection *section, const PageSource *source, CoreParts *parts)
{
  /* Use the labels of this version of roast, because an older run file has other labels. */
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  guint order[ROAST_CORE_PART_N_WORDS];
  double rest = 0;
  RoastCompleteness rest_complete = ROAST_COMPLETENESS_COMPLETE;

  for (guint i = 0; i < ROAST_CORE_PART_N_WORDS; i++)
    order[i] = i;
  g_qsort_with_data (order, ROAST_CORE_PART_N_WORDS, sizeof *order, compare_parts, parts);
  for (guint i = 0; i < ROAST_CORE_PART_N_WORDS && parts->parts[order[i]] > 0; i++)
    {
      guint part = order[i];
      double seconds = parts->parts[part];

      if (seconds >= PAGE_CORE_TIME_LEAST_SHARE * parts->offered)
        {
          add_bar (section, source, core_part_get_words (schema, roast_core_part_words[part], parts->is_tree), seconds,
                   parts->parts_complete[part], parts->offered);
          continue;
        }
      rest += seconds;
      rest_complete = core_parts_combine (rest_complete, parts->parts_complete[part]);
    }
  if (rest >= PAGE_CORE_TIME_LEAST_SHARE * parts->offered)
    add_bar (section, source, PAGE_REST, rest, rest_complete, parts->offered);
}

/* Give the sum the mark (“≥ ” or “~ ”) of the key number worker_core_seconds, so that both look equally exact. */
static char *
make_title (const PageSource *source, const CoreParts *parts)
{
  RoastMetric *metric = page_get_metric (source, "worker_core_seconds");
  const char *mark = metric != NULL ? page_metric_mark (metric) : "";
  g_autofree char *offered = roast_format_number (parts->offered, "duration");
  guint n = g_hash_table_size (parts->sources);

  if (n > 1)
    return g_strdup_printf ("Core time: %s%s offered by %u sources", mark, offered, n);

  return g_strdup_printf ("Core time: %s%s offered %s", mark, offered,
                          parts->is_tree ? "to the program" : "by the workers");
}

PageSection *
page_make_core_time (const PageSource *source)
{
  g_auto (CoreParts) parts;
  g_autofree char *title = NULL;
  PageSection *section = NULL;

  core_parts_init (&parts, source->recording, source->report);
  if (parts.offered <= 0)
    return NULL;
  title = make_title (source, &parts);
  section = page_section_new (ROAST_TABLE_CORE_TIME, title, 3);
  add_bars (section, source, &parts);

  return section;
}
