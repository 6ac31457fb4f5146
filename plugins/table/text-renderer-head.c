/* SPDX-License-Identifier: BSD-3-Clause */

#include "page-metric.h"
#include "text-renderer.h"

#define NAME "roast"
#define ELAPSED "elapsed_time_seconds"

static char *
command_text (const TextRenderer *page, RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) command =
      roast_recording_snapshot_lookup_metadata (recording, "command", G_VARIANT_TYPE_STRING_ARRAY);
  g_autofree const char **argv = command != NULL ? g_variant_get_strv (command, NULL) : NULL;
  g_autofree char *joined = argv != NULL ? g_strjoinv (" ", (char **) argv) : NULL;

  return joined != NULL ? text_renderer_printable (page, joined) : NULL;
}

static void
put_command (TextRenderer *page, RoastRecordingSnapshot *recording)
{
  g_autofree char *command = command_text (page, recording);
  g_autofree char *cut = command != NULL ? text_cut (page, command, page->width - sizeof NAME - 1) : NULL;

  g_string_append_printf (page->text, "%s" NAME "%s%s%s\n", text_renderer_style (page, BOLD),
                          text_renderer_style (page, PLAIN), cut != NULL ? "  " : "", cut != NULL ? cut : "");
}

static char *
started_text (RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) started = roast_recording_snapshot_lookup_metadata (recording, "started", G_VARIANT_TYPE_INT64);
  g_autoptr (GDateTime) time =
      started != NULL ? g_date_time_new_from_unix_local (g_variant_get_int64 (started) / G_USEC_PER_SEC) : NULL;

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : NULL;
}

/* Place, time and duration. */
static void
put_place (TextRenderer *page, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GVariant) host = roast_recording_snapshot_lookup_metadata (recording, "host", G_VARIANT_TYPE_STRING);
  g_autoptr (GVariant) id = roast_recording_snapshot_lookup_metadata (recording, "run-id", G_VARIANT_TYPE_STRING);
  g_autofree char *started = started_text (recording);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;
  g_autofree char *safe = NULL;
  double elapsed = 0;

  if (host != NULL)
    g_ptr_array_add (parts, g_strconcat ("on ", g_variant_get_string (host, NULL), NULL));
  if (started != NULL)
    g_ptr_array_add (parts, g_strdup (started));
  if (roast_report_get_double (report, ELAPSED, &elapsed))
    {
      g_autofree char *duration = roast_format_number (elapsed, "duration");

      g_ptr_array_add (parts,
                       g_strconcat ("took ", page_metric_mark (roast_report_lookup (report, ELAPSED)), duration, NULL));
    }
  if (id != NULL && page->detail)
    g_ptr_array_add (parts, g_strconcat ("run ", g_variant_get_string (id, NULL), NULL));
  if (parts->len == 0)
    return;
  g_ptr_array_add (parts, NULL);
  joined = g_strjoinv (", ", (char **) parts->pdata);
  safe = text_renderer_printable (page, joined);
  text_renderer_line (page, DIM, safe);
}

/* One line, on the first page. */
static void
put_tags (TextRenderer *page, RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) tags = roast_recording_snapshot_lookup_metadata (recording, "tags", G_VARIANT_TYPE ("a{ss}"));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *safe = NULL;
  g_autofree char *cut = NULL;
  GVariantIter iter;
  const char *key = NULL;
  const char *value = NULL;

  if (tags == NULL)
    return;
  g_variant_iter_init (&iter, tags);
  while (g_variant_iter_next (&iter, "{&s&s}", &key, &value))
    g_string_append_printf (text, "%s%s: %s", text->len > 0 ? ", " : "", key, value);
  safe = text_renderer_printable (page, text->str);
  cut = text_cut (page, safe, page->width);
  if (*cut != '\0')
    text_renderer_line (page, DIM, cut);
}

void
text_renderer_put_head (TextRenderer *page, RoastRecordingSnapshot *recording, RoastReport *report)
{
  put_command (page, recording);
  put_place (page, recording, report);
  put_tags (page, recording);
}
