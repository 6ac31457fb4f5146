/* SPDX-License-Identifier: BSD-3-Clause */

/* Makes the JSON report that is embedded in the page. It is the output of the JSON exporter, but without tables. */

#include "html-page.h"
#include "report-json.h"

char *
html_make_json (const PageSource *source, gsize n_bytes)
{
  static const char *const names[] = { "findings", "metrics", "notes", "run" };
  static void (*const put[]) (JsonWriter *, RoastReport *) = {
    report_json_put_findings,
    report_json_put_metrics,
    report_json_put_notes,
  };
  g_autoptr (GPtrArray) left_out = g_ptr_array_new ();
  JsonWriter writer = { .text = g_string_new (NULL), .limit = n_bytes, .in_html = TRUE };
  JsonWriter *w = &writer;

  json_writer_begin (w, '{');
  json_writer_string_member (w, "schema", "urn:roast:report:1");
  json_writer_string_member (w, "roast_version", PLUGIN_VERSION);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize start = w->text->len;

      if (i < G_N_ELEMENTS (put))
        put[i](w, source->report);
      else
        report_json_put_run (w, source->recording);
      if (w->text->len <= n_bytes)
        continue;
      /* Leave out the whole member if it does not fit, because a reader would take a truncated member for the complete
       * one. */
      g_string_truncate (w->text, start);
      w->first = FALSE;
      g_ptr_array_add (left_out, (char *) names[i]);
    }
  g_ptr_array_add (left_out, NULL);
  json_writer_texts_member (w, "left_out", (const char *const *) left_out->pdata);
  json_writer_end (w, '}');

  return g_string_free (w->text, FALSE);
}
