/* SPDX-License-Identifier: BSD-3-Clause */

#include "each.h"
#include "page/page-metric.h"
#include "text-renderer.h"

static void
put_long_texts (TextRenderer *page, RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  FOR_EACH_POINTER (RoastMetric, metric, metrics)
    {
      RoastMetricInfo *info = page_metric_info (report, metric);
      g_autofree char *label = NULL;
      g_autofree char *first = NULL;
      g_autofree char *text = NULL;

      if (!page_metric_is_long_text (metric) || !page_metric_shows (metric, info, TRUE))
        continue;
      label = text_renderer_printable (page, info != NULL ? roast_metric_info_get_label (info)
                                                          : roast_metric_get_name (metric));
      first = g_strconcat (label, ": ", NULL);
      text = text_renderer_printable (page, g_variant_get_string (roast_metric_get_value (metric), NULL));
      text_renderer_paragraph (page, "", first, text);
    }
}

static void
put_event (TextRenderer *page, RoastTableReader *event)
{
  int severity = roast_table_reader_get_word (event, ROAST_EVENTS_SEVERITY);
  const char *name = roast_table_reader_get_string (event, ROAST_EVENTS_SEVERITY);
  const char *style = severity == ROAST_SEVERITY_ERROR ? RED : severity == ROAST_SEVERITY_WARNING ? YELLOW : "";
  g_autofree char *text = text_renderer_printable (page, roast_table_reader_get_string (event, ROAST_EVENTS_MESSAGE));
  g_autofree char *label = text_renderer_printable (page, name != NULL ? name : "event");
  g_autofree char *first = g_strconcat (label, ": ", NULL);

  text_renderer_paragraph (page, style, first, text);
}

static void
put_events (TextRenderer *page, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) events = roast_events_read (recording);

  while (events != NULL && roast_table_reader_next (events))
    if (roast_table_reader_has (events, ROAST_EVENTS_MESSAGE))
      put_event (page, events);
}

void
text_renderer_put_notes (TextRenderer *page, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_auto (GStrv) notes = roast_report_dup_notes (report);
  gsize start = page->text->len;
  gsize before = 0;

  text_renderer_heading (page, "Notes on these numbers");
  before = page->text->len;
  put_long_texts (page, report);
  for (guint i = 0; notes[i] != NULL; i++)
    {
      g_autofree char *text = text_renderer_printable (page, notes[i]);

      text_renderer_paragraph (page, "", "", text);
    }
  put_events (page, recording);
  if (page->text->len == before)
    g_string_truncate (page->text, start);
}
