/* SPDX-License-Identifier: BSD-3-Clause */

/* Shows the predicted elapsed times with another number of slots, without stragglers, and with merged tasks. */

#include "page.h"

#include <math.h>

#define LEAST_SECONDS 5 /* s; a run with a shorter elapsed time gets no section */
#define WORTH_IT 1.15   /* show twice as many slots only if the speed-up is at least this */
#define WIDEST 2        /* do not show a prediction if `high` / `low` is larger than this */
#define LEAST_GAIN 0.1  /* show the time without stragglers only if it saves this share of the elapsed time */

/* A row of the table what_if. */
typedef struct
{
  double slots, elapsed, low, high;
  gint64 workers, merged; /* -1 if unknown */
} Row;

/* Find the row of a scenario. If @slots is not NaN, find the row with this number of slots. @table stays at the row
 * that was found. */
static gboolean
find_row (RoastTableReader *table, int scenario, double slots, Row *row)
{
  roast_table_reader_rewind (table);
  while (roast_table_reader_next (table))
    {
      row->slots = roast_table_reader_get_double (table, ROAST_WHAT_IF_SLOTS);
      if (roast_table_reader_get_word (table, ROAST_WHAT_IF_SCENARIO) != scenario ||
          (!isnan (slots) && row->slots != slots))
        continue;
      row->workers = roast_table_reader_get_int64 (table, ROAST_WHAT_IF_WORKERS, -1);
      row->merged = roast_table_reader_get_int64 (table, ROAST_WHAT_IF_MERGED, -1);
      row->elapsed = roast_table_reader_get_double (table, ROAST_WHAT_IF_ELAPSED);
      row->low = roast_table_reader_get_double (table, ROAST_WHAT_IF_ELAPSED_LOW);
      row->high = roast_table_reader_get_double (table, ROAST_WHAT_IF_ELAPSED_HIGH);
      return !isnan (row->elapsed);
    }

  return FALSE;
}

/* Return a text such as "16 workers instead of 8". */
static char *
format_size (const Row *row, const Row *recorded)
{
  if (row->workers > 0 && recorded->workers > 0)
    return g_strdup_printf ("%" G_GINT64_FORMAT " worker%s instead of %" G_GINT64_FORMAT, row->workers,
                            row->workers == 1 ? "" : "s", recorded->workers);

  return g_strdup_printf ("%g slot%s instead of %g", row->slots, row->slots == 1 ? "" : "s", recorded->slots);
}

static void
add_line (PageSection *section, const PageSource *source, const char *what, const Row *row, const Row *recorded)
{
  g_autofree char *time = roast_format_number (row->elapsed, "duration");
  g_autofree char *low = roast_format_number (row->low, "duration");
  g_autofree char *high = roast_format_number (row->high, "duration");
  g_autofree char *before = roast_format_number (recorded->elapsed, "duration");
  g_autofree char *text =
      row->elapsed == recorded->elapsed
          ? g_strdup_printf ("tasks would take about as long (%s to %s), if each task takes as long as recorded", low,
                             high)
          : g_strdup_printf ("tasks would take %s (%s to %s) instead of %s, if each task takes as long as recorded",
                             time, low, high, before);
  g_autofree char *label = g_strconcat (what, ": ", NULL);

  label[0] = g_ascii_toupper (label[0]);
  page_section_add (section, source, PAGE_PARAGRAPH, label, text);
}

/* Show twice as many slots if they would help. Otherwise show the smallest number of slots that would be enough. */
static void
add_sizes (PageSection *section, const PageSource *source, RoastTableReader *table, const Row *recorded)
{
  Row doubled = { 0 }, enough = { 0 };
  gboolean has_doubled = find_row (table, ROAST_WHAT_IF_SCENARIO_SLOTS, 2 * recorded->slots, &doubled);
  gboolean has_enough = find_row (table, ROAST_WHAT_IF_SCENARIO_ENOUGH, NAN, &enough);
  gboolean helps = has_doubled && doubled.elapsed * WORTH_IT <= recorded->elapsed;
  const Row *row = helps || !has_enough || enough.slots >= recorded->slots ? &doubled : &enough;
  g_autofree char *size = format_size (row, recorded);

  if ((row == &enough || has_doubled) && row->high <= WIDEST * row->low)
    add_line (section, source, size, row, recorded);
}

static void
add_merged (PageSection *section, const PageSource *source, const Row *merged, const Row *recorded)
{
  g_autofree char *label = g_strdup_printf ("%" G_GINT64_FORMAT " neighbouring tasks in one", merged->merged);

  add_line (section, source, label, merged, recorded);
}

PageSection *
page_make_what_if (const PageSource *source)
{
  g_autoptr (RoastTableReader) table = page_read_table (source, ROAST_TABLE_WHAT_IF, roast_what_if_columns);
  PageSection *section = NULL;
  Row recorded = { 0 }, calm = { 0 }, merged = { 0 };

  if (table == NULL || !find_row (table, ROAST_WHAT_IF_SCENARIO_RECORDED, NAN, &recorded) ||
      recorded.elapsed < LEAST_SECONDS)
    return NULL;
  section = page_section_new (ROAST_TABLE_WHAT_IF, "What if", 1);
  add_sizes (section, source, table, &recorded);
  if (find_row (table, ROAST_WHAT_IF_SCENARIO_NO_STRAGGLERS, NAN, &calm) &&
      calm.elapsed < (1 - LEAST_GAIN) * recorded.elapsed)
    add_line (section, source, roast_table_reader_get_string (table, ROAST_WHAT_IF_REASON), &calm, &recorded);
  if (find_row (table, ROAST_WHAT_IF_SCENARIO_MERGED, NAN, &merged) && merged.high < recorded.elapsed)
    add_merged (section, source, &merged, &recorded);
  if (section->items->len == 0)
    g_clear_pointer (&section, page_section_free);

  return section;
}
