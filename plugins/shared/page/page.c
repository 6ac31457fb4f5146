/* SPDX-License-Identifier: BSD-3-Clause */

#include "page.h"
#include "page-metric.h"

#include <math.h>

static const struct
{
  const char *name;
  PageSection *(*make) (const PageSource *source);
  gboolean is_on_page;
} makers[] = {
  { "outcome", page_make_outcome, TRUE },       { "findings", page_make_findings, TRUE },
  { "what_if", page_make_what_if, TRUE },       { "verdicts", page_make_verdicts, TRUE },
  { "scaling", page_make_scaling, TRUE },       { "differences", page_make_differences, TRUE },
  { "properties", page_make_properties, TRUE }, { "numbers", page_make_numbers, TRUE },
  { "core_time", page_make_core_time, TRUE },   { "timeline", page_make_timeline, TRUE },
  { "costliest", page_make_costliest, TRUE },   { "notes", page_make_notes, TRUE },
  { "missing", page_make_missing, TRUE },       { "rules", page_make_rules, FALSE },
};

static void
page_item_free (PageItem *item)
{
  g_free (item->label);
  g_free (item->text);
  g_clear_pointer (&item->values, g_array_unref);
  g_strfreev (item->cells);
  g_clear_object (&item->finding);
  g_clear_object (&item->metric);
  g_free (item);
}

PageSection *
page_section_new (const char *name, const char *title, guint least)
{
  PageSection *self = g_new0 (PageSection, 1);

  self->name = name;
  self->title = g_strdup (title);
  self->least = least;
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) page_item_free);

  return self;
}

void
page_section_free (PageSection *self)
{
  g_free (self->title);
  g_ptr_array_unref (self->items);
  g_free (self);
}

PageItem *
page_section_add (PageSection *self, const PageSource *source, PageItemKind kind, const char *label, const char *text)
{
  PageItem *item = g_new0 (PageItem, 1);

  item->kind = kind;
  item->label = page_printable (source, label);
  item->text = page_printable (source, text);
  g_ptr_array_add (self->items, item);

  return item;
}

/* Adds a row to the section. Takes ownership of @cells. The texts in @cells must be printable. */
PageItem *
page_section_add_row (PageSection *self, char **cells)
{
  PageItem *item = g_new0 (PageItem, 1);

  item->kind = PAGE_ROW;
  item->cells = cells;
  g_ptr_array_add (self->items, item);

  return item;
}

static int
compare_rows (const PageItem *const *a, const PageItem *const *b)
{
  return (int) (*a)->order - (int) (*b)->order;
}

GPtrArray *
page_section_list_rows (const PageSection *self, guint n)
{
  GPtrArray *rows = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (rows, g_ptr_array_index (self->items, i));
  g_ptr_array_sort (rows, (GCompareFunc) compare_rows);

  return rows;
}

/* ---- series ---- */

double
page_find_largest (const GArray *values)
{
  double largest = 0;

  for (guint i = 0; i < values->len; i++)
    largest = fmax (largest, g_array_index (values, double, i));

  return largest;
}

double
page_find_mean (const GArray *values, guint part, guint n)
{
  guint end = (guint) ((guint64) (part + 1) * values->len / n);
  double sum = 0;
  guint known = 0;

  for (guint i = (guint) ((guint64) part * values->len / n); i < end; i++)
    if (!isnan (g_array_index (values, double, i)))
      {
        sum += g_array_index (values, double, i);
        known++;
      }

  return known > 0 ? sum / known : NAN;
}

/* ---- inputs of sections ---- */

char *
page_printable (const PageSource *source, const char *text)
{
  return source->printable (source->printable_data, text);
}

const char *
page_word (const PageSource *source, const char *word)
{
  return source->backend != NULL ? roast_schema_get_label (source->schema, source->backend, word) : word;
}

/* Read a table of the report. If the table is missing or empty, return NULL without an error. */
RoastTableReader *
page_read_table (const PageSource *source, const char *table, const char *const *columns)
{
  RoastTableReader *reader = roast_report_read_table (source->report, table, columns, NULL);

  if (reader != NULL && roast_table_reader_get_n_rows (reader) == 0)
    g_clear_object (&reader);

  return reader;
}

RoastMetric *
page_get_metric (const PageSource *source, const char *name)
{
  RoastMetric *metric = roast_report_lookup (source->report, name);

  return metric != NULL && roast_metric_is_available (metric) ? metric : NULL;
}

double
page_get_double (const PageSource *source, const char *name)
{
  RoastMetric *metric = page_get_metric (source, name);

  return metric != NULL ? roast_metric_get_double (metric) : NAN;
}

const char *
page_metric_label (const PageSource *source, RoastMetric *metric)
{
  RoastMetricInfo *info = page_metric_info (source->report, metric);

  return info != NULL ? roast_metric_info_get_label (info) : roast_metric_get_name (metric);
}

char *
page_format_metric (const PageSource *source, RoastMetric *metric)
{
  RoastMetricInfo *info = page_metric_info (source->report, metric);
  g_autofree char *value = roast_format_value (roast_metric_get_value (metric),
                                               info != NULL ? roast_metric_info_get_format (info) : "number");

  return g_strconcat (page_metric_mark (metric), value, NULL);
}

/* ---- the page ---- */

static PageSection *
make_section (const PageSource *source, guint maker)
{
  PageSection *section = makers[maker].make (source);

  if (section != NULL)
    section->least = MIN (section->least, section->items->len);

  return section;
}

GPtrArray *
page_make (const PageSource *source)
{
  GPtrArray *sections = g_ptr_array_new_with_free_func ((GDestroyNotify) page_section_free);

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    {
      PageSection *section = makers[i].is_on_page ? make_section (source, i) : NULL;

      if (section != NULL)
        g_ptr_array_add (sections, section);
    }

  return sections;
}

gboolean
page_make_section (const PageSource *source, const char *name, PageSection **section)
{
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    if (g_str_equal (makers[i].name, name))
      {
        *section = make_section (source, i);
        return TRUE;
      }

  return FALSE;
}

char *
page_dup_section_names (void)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", makers[i].name);

  return g_string_free (g_steal_pointer (&names), FALSE);
}
