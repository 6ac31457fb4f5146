/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts the start of the page: the command of the run, its outcome, findings and key numbers. */

#include "exporter.h"
#include "html-page.h"
#include "page/page-table.h"

#include "each.h"
#include <math.h>

#define SUMMARY_BYTES 80000
#define MAX_BARS 240 /* maximum number of bars in the small picture of a series */

static const char *
tone_word (PageTone tone)
{
  static const char *const words[] = {
    [PAGE_PLAIN] = "plain", [PAGE_GOOD] = "good", [PAGE_WARNING] = "warning", [PAGE_BAD] = "bad"
  };

  return words[tone];
}

void
html_put_head (HtmlPage *self)
{
  g_autofree char *command = exporter_dup_subject (self->source->recording);
  g_autofree char *place = page_describe_place (self->source, "%Y-%m-%d %H:%M:%S UTC", FALSE);
  g_autofree char *tags = page_describe_tags (self->source);

  html_put (self, "<header>\n");
  html_element (self, "h1", "", command != NULL ? command : "A run", 300);
  if (place != NULL)
    html_element (self, "p", " class=\"place\"", place, HTML_SENTENCE);
  if (tags != NULL)
    html_element (self, "p", " class=\"place\"", tags, HTML_SENTENCE);
  html_put (self, "</header>\n");
}

/* ---- items ---- */

static void
put_paragraph (HtmlPage *self, const PageItem *item, const char *tag)
{
  html_printf (self, "<%s class=\"%s\">", tag, tone_word (item->tone));
  if (*item->label != '\0')
    html_element (self, "strong", "", item->label, HTML_NAME);
  html_text (self, item->text, HTML_SENTENCE);
  html_printf (self, "</%s>\n", tag);
}

static char *
evidence_text (RoastFinding *finding, guint i)
{
  GVariant *value = roast_finding_get_evidence_value (finding, i);
  const char *unit = roast_finding_get_evidence_unit (finding, i);
  const char *format = unit != NULL ? page_unit_format (unit) : NULL;
  g_autofree char *text = roast_format_value (value, format != NULL ? format : "number");

  if (format != NULL || unit == NULL || *unit == '\0' || !g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return g_steal_pointer (&text);

  return g_strdup_printf ("%s %s", text, unit);
}

static void
put_evidence (HtmlPage *self, RoastFinding *finding)
{
  guint n = roast_finding_get_n_evidence (finding);

  if (n == 0)
    return;
  html_put (self, "<dl class=\"evidence\">");
  for (guint i = 0; i < n; i++)
    {
      gsize start = self->body->len;
      g_autofree char *name = page_human_name (self->source, roast_finding_get_evidence_name (finding, i));
      g_autofree char *text = evidence_text (finding, i);

      html_put (self, "<div>");
      html_element (self, "dt", "", name, HTML_NAME);
      html_element (self, "dd", "", text, HTML_NAME);
      html_put (self, "</div>");
      if (!html_fits (self, start))
        break;
    }
  html_put (self, "</dl>\n");
}

static void
put_finding (HtmlPage *self, const PageItem *item)
{
  RoastFinding *finding = item->finding;
  const char *advice = roast_finding_get_advice (finding);
  const char *severity = roast_finding_severity_words[roast_finding_get_severity (finding)];
  g_autofree char *share = page_describe_share (finding);

  html_put (self, "<li data-rule=\"");
  html_text (self, roast_finding_get_rule (finding), HTML_NAME);
  html_printf (self, "\" class=\"%s\"><p><strong class=\"severity\">%s</strong> <span class=\"text\">",
               tone_word (item->tone), severity);
  html_text (self, roast_finding_get_text (finding), HTML_SENTENCE);
  html_put (self, "</span>");
  if (share != NULL)
    html_printf (self, " <span class=\"share\">%s</span>", share);
  html_put (self, "</p>\n");
  if (advice != NULL)
    html_element (self, "p", " class=\"advice\"", advice, HTML_SENTENCE);
  put_evidence (self, finding);
  html_put (self, "</li>\n");
}

static void
put_number (HtmlPage *self, const PageItem *item)
{
  html_put (self, "<div>");
  html_element (self, "dt", "", item->label, HTML_NAME);
  html_put (self, "<dd>");
  html_text (self, item->text, HTML_NAME);
  html_put (self, "</dd></div>\n");
}

/* Put a bar as an SVG picture, whose length is an SVG attribute. A style would not work, because the
 * Content-Security-Policy forbids inline styles. */
static void
put_bar (HtmlPage *self, double share)
{
  html_put (self, "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
  html_printf (self, "<rect width=\"%d.%d\" height=\"10\"/></svg>", (int) (CLAMP (share, 0, 1) * 100),
               (int) (CLAMP (share, 0, 1) * 1000) % 10);
}

static void
put_share (HtmlPage *self, const PageItem *item)
{
  html_put (self, "<tr>");
  html_element (self, "th", " scope=\"row\"", item->label, HTML_NAME);
  html_printf (self, "<td class=\"n\">%s%d.%d %%</td>", item->completeness == ROAST_COMPLETENESS_COMPLETE ? "" : "~ ",
               (int) lround (item->share * 1000) / 10, (int) lround (item->share * 1000) % 10);
  html_element (self, "td", " class=\"n\"", item->text, HTML_NAME);
  html_put (self, "<td class=\"wide\">");
  put_bar (self, item->share);
  html_put (self, "</td></tr>\n");
}

static void
put_series (HtmlPage *self, const PageItem *item)
{
  const GArray *values = item->values;
  guint n = MIN (values->len, MAX_BARS);
  double most = page_find_largest (values);

  html_put (self, "<tr>");
  html_element (self, "th", " scope=\"row\"", item->label, HTML_NAME);
  html_printf (self,
               "<td class=\"wide\"><svg class=\"series\" viewBox=\"0 0 %u 100\" preserveAspectRatio=\"none\" "
               "aria-hidden=\"true\"><path d=\"",
               n);
  for (guint i = 0; i < n; i++)
    {
      double mean = page_find_mean (values, i, n);

      if (mean > 0 && most > 0)
        html_printf (self, "M%u 100v-%dh1v%dz", i, (int) ceil (100 * mean / most), (int) ceil (100 * mean / most));
    }
  html_put (self, "\"/></svg></td>");
  html_element (self, "td", " class=\"n\"", item->text, HTML_NAME);
  html_put (self, "</tr>\n");
}

/* ---- rows ---- */

static gboolean
has_values (const PageSection *section, guint column)
{
  for (guint i = 0; i < section->items->len; i++)
    if (*((PageItem *) g_ptr_array_index (section->items, i))->cells[column] != '\0')
      return TRUE;

  return FALSE;
}

/* Put the cell of a number. The cell also contains the exact number, because scripts cannot sort by the text. */
static void
put_number_cell (HtmlPage *self, const PageItem *item, guint column)
{
  double number = item->values != NULL ? g_array_index (item->values, double, column) : NAN;
  g_autoptr (GVariant) value = isnan (number) ? NULL : g_variant_ref_sink (g_variant_new_double (number));

  if (value != NULL)
    html_put_cell (self, value, item->cells[column], "td");
  else
    html_element (self, "td", " class=\"n\"", item->cells[column], HTML_NAME);
}

static void
put_cells (HtmlPage *self, const PageSection *section, const PageItem *item)
{
  html_put (self, "<tr>");
  for (guint i = 0; section->headings[i] != NULL; i++)
    if (!has_values (section, i))
      continue;
    else if (i < section->n_texts)
      html_element (self, "td", "", item->cells[i], HTML_NAME);
    else
      put_number_cell (self, item, i);
  html_put (self, "</tr>\n");
}

static void
summary_put_headings (HtmlPage *self, const PageSection *section)
{
  html_put (self, "<thead><tr>");
  for (guint i = 0; section->headings[i] != NULL; i++)
    if (has_values (section, i))
      html_element (self, "th", i < section->n_texts ? " scope=\"col\"" : " scope=\"col\" class=\"n\"",
                    *section->headings[i] != '\0' ? section->headings[i] : "kind", HTML_NAME);
  html_put (self, "</tr></thead>\n");
}

/* ---- sections ---- */

typedef void (*PutItem) (HtmlPage *self, const PageItem *item);

static void
put_items (HtmlPage *self, const PageSection *section, PageItemKind kind, PutItem put, const char *before,
           const char *after)
{
  gboolean is_open = FALSE;

  FOR_EACH_POINTER (const PageItem, item, section->items)
    {
      gsize start = self->body->len;

      if (item->kind != kind || (kind == PAGE_PARAGRAPH && item->finding == NULL))
        continue;
      if (!is_open)
        html_put (self, before);
      put (self, item);
      if (!html_fits (self, start))
        break;
      is_open = TRUE;
    }
  if (is_open)
    html_put (self, after);
}

/* Put as many paragraphs of a section as fit. Return their number. */
static guint
put_paragraphs (HtmlPage *self, const PageSection *section, const char *tag)
{
  guint n = 0;

  FOR_EACH_POINTER (const PageItem, item, section->items)
    {
      gsize start = self->body->len;

      if (item->kind != PAGE_LINE && (item->kind != PAGE_PARAGRAPH || item->finding != NULL))
        continue;
      put_paragraph (self, item, tag);
      if (!html_fits (self, start))
        break;
      n++;
    }

  return n;
}

static void
summary_put_rows (HtmlPage *self, const PageSection *section)
{
  g_autoptr (GPtrArray) rows = page_section_list_rows (section, section->items->len);

  html_printf (self, "<div class=\"scroll\"><table class=\"sortable\"><caption>%s</caption>\n",
               g_str_equal (section->name, "verdicts")      ? "Medians, and the change with its 95 % interval"
               : g_str_equal (section->name, "differences") ? "Means over the runs"
               : g_str_equal (section->name, "scaling") ? "“of the ideal”: rate per slot relative to the fewest slots"
                                                        : "The costliest items of each kind");
  summary_put_headings (self, section);
  html_put (self, "<tbody>\n");
  for (guint i = 0; i < rows->len; i++)
    {
      gsize start = self->body->len;

      put_cells (self, section, g_ptr_array_index (rows, i));
      if (!html_fits (self, start))
        break;
    }
  html_put (self, "</tbody></table></div>\n");
}

static void
put_section (HtmlPage *self, PageSection *section)
{
  g_autofree char *id = html_new_id (self, "", section->name);

  html_begin_section (self, id, section->title != NULL ? section->title : "Outcome");
  put_paragraphs (self, section, "p");
  put_items (self, section, PAGE_PARAGRAPH, put_finding, "<ol class=\"findings\">\n", "</ol>\n");
  put_items (self, section, PAGE_NUMBER, put_number, "<dl class=\"numbers\">\n", "</dl>\n");
  put_items (self, section, PAGE_BAR, put_share,
             "<table class=\"bars\"><caption>Where the core time went</caption>\n<thead><tr><th scope=\"col\">part</th>"
             "<th scope=\"col\" class=\"n\">share</th><th scope=\"col\" class=\"n\">core "
             "time</th><td></td></tr></thead>"
             "\n<tbody>\n",
             "</tbody></table>\n");
  put_items (self, section, PAGE_SERIES, put_series,
             "<table class=\"bars\"><caption>From the start of the run to its end</caption>\n<tbody>\n",
             "</tbody></table>\n");
  if (section->headings != NULL)
    summary_put_rows (self, section);
  html_end_section (self);
}

void
html_put_summary (HtmlPage *self)
{
  static const char *const names[] = { "outcome",    "findings", "what_if",   "verdicts", "scaling",  "differences",
                                       "properties", "numbers",  "core_time", "timeline", "costliest" };

  html_begin_part (self, SUMMARY_BYTES);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      PageSection *section = NULL;
      PageSection *missing = NULL;

      if (!page_make_section (self->source, names[i], &section) || section == NULL)
        continue;
      if (section->items->len > 0)
        put_section (self, section);
      page_section_free (section);
      if (!g_str_equal (names[i], "numbers") || !page_make_section (self->source, "missing", &missing) ||
          missing == NULL)
        continue;
      put_paragraphs (self, missing, "p");
      page_section_free (missing);
    }
}

void
html_put_notes (HtmlPage *self)
{
  static const char *const names[] = { "notes", "rules" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      PageSection *section = NULL;
      guint shown = 0;

      html_begin_part (self, 20000);
      if (!page_make_section (self->source, names[i], &section) || section == NULL)
        continue;
      if (section->items->len > 0)
        {
          html_begin_section (self, names[i], i == 0 ? section->title : "Rules");
          html_put (self, "<ul>\n");
          shown = put_paragraphs (self, section, "li");
          html_put (self, "</ul>\n");
          if (shown < section->items->len)
            html_printf (self, "<p class=\"more\">and %u more: -e table,sections=%s</p>\n", section->items->len - shown,
                         names[i]);
          html_end_section (self);
        }
      page_section_free (section);
    }
}
