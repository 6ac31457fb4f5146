/* SPDX-License-Identifier: BSD-3-Clause */

#include "text-renderer.h"

#define MAX_EVENTS 12

static void
put_long_texts (TextRenderer *page, RoastReport *report)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);

  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetric *metric = g_ptr_array_index (metrics, i);
      RoastMetricInfo *info = text_renderer_info (report, metric);
      g_autofree char *label = NULL;
      g_autofree char *first = NULL;
      g_autofree char *text = NULL;

      if (!text_renderer_long_text (metric) || !text_renderer_shows (page, metric, info))
        continue;
      label = text_renderer_printable (page, info != NULL ? roast_metric_info_get_label (info)
                                                          : roast_metric_get_name (metric));
      first = g_strconcat (label, ": ", NULL);
      text = text_renderer_printable (page, g_variant_get_string (roast_metric_get_value (metric), NULL));
      text_renderer_paragraph (page, "", first, text);
    }
}

static void
put_event (TextRenderer *page, const char *severity, const char *message)
{
  const char *style = g_strcmp0 (severity, "error") == 0 ? RED : g_strcmp0 (severity, "warning") == 0 ? YELLOW : "";
  g_autofree char *text = text_renderer_printable (page, message);
  g_autofree char *label = text_renderer_printable (page, severity != NULL ? severity : "event");
  g_autofree char *first = g_strconcat (label, ": ", NULL);

  text_renderer_paragraph (page, style, first, text);
}

/* What was noticed meanwhile; what is only worth knowing where everything is shown. */
static void
put_events (TextRenderer *page, RoastRecordingSnapshot *recording)
{
  RoastTableSnapshot *events = roast_recording_snapshot_get_table (recording, "events");
  int severity = events != NULL ? roast_table_snapshot_find_column (events, "severity") : -1;
  int message = events != NULL ? roast_table_snapshot_find_column (events, "message") : -1;
  guint64 n_rows = severity >= 0 && message >= 0 ? roast_table_snapshot_get_n_rows (events) : 0;
  guint64 shown = 0;
  guint64 left_out = 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *level = roast_table_snapshot_get_string (events, row, (guint) severity);
      const char *text = roast_table_snapshot_get_string (events, row, (guint) message);

      if (text == NULL || (g_strcmp0 (level, "info") == 0 && !page->detail))
        continue;
      if (shown < MAX_EVENTS || page->detail)
        put_event (page, level, text);
      else
        left_out++;
      shown++;
    }
  if (left_out > 0)
    g_string_append_printf (page->text, "   and %" G_GUINT64_FORMAT " more, in the table events of JSON and CSV\n",
                            left_out);
}

void
text_renderer_put_notes (TextRenderer *page, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_auto (GStrv) notes = roast_report_dup_notes (report);
  gsize start = page->text->len;
  gsize before = 0;

  text_renderer_heading (page, "What to know about these numbers");
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
