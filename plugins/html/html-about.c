/* SPDX-License-Identifier: BSD-3-Clause */

/* Puts the last section of the page. It says where the numbers come from, and how to read the page. */

#include "html-page.h"

static void
put_fact (HtmlPage *self, const char *term, const char *text)
{
  if (text == NULL)
    return;
  html_put (self, "<div>");
  html_element (self, "dt", "", term, HTML_NAME);
  html_element (self, "dd", "", text, HTML_SENTENCE);
  html_put (self, "</div>\n");
}

static void
put_metadata (HtmlPage *self, const char *term, const char *key)
{
  g_autoptr (GVariant) value =
      roast_recording_snapshot_lookup_metadata (self->source->recording, key, G_VARIANT_TYPE_STRING);

  put_fact (self, term, value != NULL ? g_variant_get_string (value, NULL) : NULL);
}

static void
put_sources (HtmlPage *self)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_snapshot_read_table (self->source->recording, ROAST_TABLE_SOURCES, NULL, NULL);

  if (sources != NULL && roast_table_reader_get_n_rows (sources) > 0)
    html_put_table (self, sources, "table-sources", "Sources of these numbers", 15000);
}

void
html_put_about (HtmlPage *self)
{
  html_begin_part (self, 20000);
  html_begin_section (self, "about", "How these numbers were made");
  html_put (self, "<dl class=\"facts\">\n");
  put_fact (self, "This page", "roast " PLUGIN_VERSION);
  put_metadata (self, "Measured with", "roast-version");
  put_metadata (self, "Run", "run-id");
  put_metadata (self, "Host", "host");
  put_metadata (self, "Kernel", "kernel");
  html_put (self, "</dl>\n");
  html_put (self,
            "<p>“≥” marks a lower bound: some data are known to be missing. “~” marks an estimate: the value was "
            "sampled "
            "or scaled. A value that could not be measured is “not available”, with the reason. The name of a metric "
            "opens its definition.</p>\n"
            "<p>Times of day are in UTC. The element "
            "<code>script#report</code> of this page has the report as JSON, without tables; "
            "<code>-e json:FILE</code> writes the report with tables.</p>\n");
  put_sources (self);
  html_end_section (self);
}
