/* SPDX-License-Identifier: BSD-3-Clause */

/* Describes the run. The returned texts come from the recording and must be made printable before they are shown. */

#include "page-metric.h"
#include "page.h"

#define ELAPSED "elapsed_time_seconds"

char *
page_format_time (const PageSource *source, gint64 time, const char *format)
{
  gint64 seconds = time / G_USEC_PER_SEC;
  g_autoptr (GDateTime) moment =
      source->is_utc ? g_date_time_new_from_unix_utc (seconds) : g_date_time_new_from_unix_local (seconds);

  return moment != NULL ? g_date_time_format (moment, format) : NULL;
}

static char *
started_text (const PageSource *source, const char *format)
{
  g_autoptr (GVariant) started =
      roast_recording_snapshot_lookup_metadata (source->recording, "started", G_VARIANT_TYPE_INT64);

  return started != NULL ? page_format_time (source, g_variant_get_int64 (started), format) : NULL;
}

/* Name the executors that roast found on its own, to explain why there are workers and tasks although the user did not
 * ask roast to measure them. */
static char *
describe_found (RoastRecordingSnapshot *recording)
{
  g_autoptr (GVariant) found =
      roast_recording_snapshot_lookup_metadata (recording, "backends-found", G_VARIANT_TYPE_STRING_ARRAY);
  g_autofree const char **names = found != NULL ? g_variant_get_strv (found, NULL) : NULL;
  g_autofree char *list = names != NULL ? g_strjoinv (" and ", (char **) names) : NULL;

  return list != NULL ? g_strconcat ("uses ", list, NULL) : NULL;
}

char *
page_describe_place (const PageSource *source, const char *time_format, gboolean with_id)
{
  RoastRecordingSnapshot *recording = source->recording;
  g_autoptr (GVariant) host = roast_recording_snapshot_lookup_metadata (recording, "host", G_VARIANT_TYPE_STRING);
  g_autoptr (GVariant) id = roast_recording_snapshot_lookup_metadata (recording, "run-id", G_VARIANT_TYPE_STRING);
  g_autofree char *started = started_text (source, time_format);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  char *found = NULL;
  double elapsed = 0;

  if (host != NULL)
    g_ptr_array_add (parts, g_strconcat ("on ", g_variant_get_string (host, NULL), NULL));
  if (started != NULL)
    g_ptr_array_add (parts, g_strdup (started));
  if (roast_report_get_double (source->report, ELAPSED, &elapsed))
    {
      g_autofree char *duration = roast_format_number (elapsed, "duration");

      g_ptr_array_add (parts, g_strconcat ("took ", page_metric_mark (roast_report_lookup (source->report, ELAPSED)),
                                           duration, NULL));
    }
  found = describe_found (recording);
  if (found != NULL)
    g_ptr_array_add (parts, g_steal_pointer (&found));
  if (id != NULL && with_id)
    g_ptr_array_add (parts, g_strconcat ("run ", g_variant_get_string (id, NULL), NULL));
  if (parts->len == 0)
    return NULL;
  g_ptr_array_add (parts, NULL);

  return g_strjoinv (", ", (char **) parts->pdata);
}

char *
page_describe_tags (const PageSource *source)
{
  g_autoptr (GVariant) tags =
      roast_recording_snapshot_lookup_metadata (source->recording, "tags", G_VARIANT_TYPE ("a{ss}"));
  g_autoptr (GString) text = g_string_new (NULL);
  GVariantIter iter;
  const char *key = NULL;
  const char *value = NULL;

  if (tags == NULL || g_variant_n_children (tags) == 0)
    return NULL;
  g_variant_iter_init (&iter, tags);
  while (g_variant_iter_next (&iter, "{&s&s}", &key, &value))
    g_string_append_printf (text, "%s%s: %s", text->len > 0 ? ", " : "", key, value);

  return g_string_free (g_steal_pointer (&text), FALSE);
}
