/* SPDX-License-Identifier: BSD-3-Clause */

#include <gmodule.h>
#include <roast/roast.h>
#include <string.h>

#include "exporter.h"
#include "html-page.h"

G_DECLARE_FINAL_TYPE (RoastHtmlExporter, roast_html_exporter, ROAST, HTML_EXPORTER, GObject)

struct _RoastHtmlExporter
{
  GObject parent_instance;

  gint64 rows, every;
  gboolean is_live; /* TRUE if the page is written again and again while the run goes on */
};

#define DEFAULT_ROWS 50
#define LONGEST 86400 /* s; maximum time between two updates of the page */
/* Maximum size of the embedded JSON report, so that the whole page stays below 1 MB. */
#define JSON_BYTES 100000

static char *
printable (G_GNUC_UNUSED gconstpointer data, const char *text)
{
  return html_printable (text, HTML_SENTENCE);
}

static char *
make_page (PageSource *source, guint64 rows, gint64 refresh, gsize *length)
{
  HtmlPage page;
  g_autofree char *json = html_make_json (source, JSON_BYTES);
  char *text = NULL;

  html_page_init (&page, source, rows);
  page.json_length = strlen (json);
  page.refresh = refresh;
  html_put_head (&page);
  html_put_summary (&page);
  html_put_metrics (&page);
  html_put_tables (&page);
  html_put_notes (&page);
  html_put_about (&page);
  text = html_page_finish (&page, json, length);
  html_page_clear (&page);

  return text;
}

static gboolean
html_export_report (RoastExporter *exporter, RoastRecordingSnapshot *recording, RoastReport *report,
                    RoastOutput *output, GCancellable *cancellable, GError **error)
{
  RoastHtmlExporter *self = ROAST_HTML_EXPORTER (exporter);
  g_autofree char *text = NULL;
  gsize length = 0;
  PageSource source;

  page_source_init (&source, recording, report);
  source.printable = printable;
  source.is_utc = TRUE; /* readers may be in other time zones; the same run must always give the same page */
  source.where_rules = "see the rules below";
  text = make_page (&source, (guint64) MAX (self->rows, 0), self->is_live ? self->every : 0, &length);
  page_source_clear (&source);

  return exporter_write (output, "report.html", text, length, cancellable, error);
}

static gboolean
html_configure (RoastExporter *exporter, GVariant *options, GError **error)
{
  RoastHtmlExporter *self = ROAST_HTML_EXPORTER (exporter);

  g_variant_lookup (options, "rows", "x", &self->rows);
  g_variant_lookup (options, "every", "x", &self->every);
  self->every = CLAMP (self->every, 0, LONGEST);

  return TRUE;
}

static gint64
html_begin_live (RoastExporter *exporter)
{
  RoastHtmlExporter *self = ROAST_HTML_EXPORTER (exporter);

  self->is_live = TRUE;

  return self->every * G_USEC_PER_SEC;
}

EXPORTER_DEFINE_TYPE_WITH (RoastHtmlExporter, roast_html_exporter, html, ROAST_EXPORTER_FLAGS_LIVE, (void) 0,
                           iface->begin_live = html_begin_live)

static void
roast_html_exporter_init (RoastHtmlExporter *self)
{
  self->rows = DEFAULT_ROWS;
}

ROAST_DEFINE_PLUGIN ("html", PLUGIN_VERSION, ROAST_PLUGIN_EXPORTER ("html", roast_html_exporter_get_type))
