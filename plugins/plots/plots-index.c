/* SPDX-License-Identifier: BSD-3-Clause */

#include "plots-figures.h"

#include "exporter.h"
#include "harmless.h"

#define MOST_COMMAND 400

/* Append text as a single line. Line breaks and control characters are replaced. */
static void
append_line (GString *text, const char *line)
{
  g_autofree char *valid = g_utf8_make_valid (line, -1);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);

      g_string_append_unichar (text, is_harmless (character)         ? character
                                     : g_unichar_isspace (character) ? ' '
                                                                     : 0xfffd);
    }
}

static void
append_run (GString *text, RoastRecordingSnapshot *recording)
{
  g_autofree char *line = exporter_dup_subject (recording);
  g_autoptr (GVariant) started = roast_recording_snapshot_lookup_metadata (recording, "started", G_VARIANT_TYPE_INT64);

  if (line != NULL)
    {
      g_autofree char *valid = g_utf8_make_valid (line, -1);
      g_autofree char *first =
          g_utf8_strlen (valid, -1) > MOST_COMMAND ? g_utf8_substring (valid, 0, MOST_COMMAND) : NULL;

      g_string_append (text, "Run: ");
      append_line (text, first != NULL ? first : valid);
      g_string_append (text, first != NULL ? "…\n" : "\n");
    }
  if (started != NULL)
    {
      g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (g_variant_get_int64 (started) / G_USEC_PER_SEC);
      g_autofree char *date = time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S UTC") : NULL;

      if (date != NULL)
        g_string_append_printf (text, "Started: %s\n", date);
    }
}

static void
append_indented (GString *text, const char *line)
{
  g_string_append (text, "  ");
  append_line (text, line);
  g_string_append_c (text, '\n');
}

static void
append_caption (GString *text, const PlotsFigure *figure, const char *suffix)
{
  const char *description = roast_chart_info_get_description (figure->chart);

  g_string_append_printf (text, "\n%s.%s\n", roast_chart_info_get_name (figure->chart), suffix);
  append_indented (text, roast_chart_info_get_title (figure->chart));
  if (description != NULL)
    append_indented (text, description);
  for (guint i = 0; figure->lines != NULL && figure->lines[i] != NULL; i++)
    append_indented (text, figure->lines[i]);
  if (figure->reason != NULL)
    {
      g_autofree char *line = g_strdup_printf ("Not available: %s", figure->reason);

      append_indented (text, line);
    }
}

static void
append_details (GString *text, GPtrArray *figures)
{
  g_autoptr (GString) names = g_string_new (NULL);

  FOR_EACH_POINTER (const PlotsFigure, figure, figures)
    if (figure->is_detail)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ";" : "", roast_chart_info_get_name (figure->chart));
  if (names->len > 0)
    g_string_append_printf (text, "\nDetail charts, drawn with charts=NAME;NAME or charts=all:\n  %s\n", names->str);
}

static void
append_left_out (GString *text, GPtrArray *figures)
{
  gboolean is_first = TRUE;

  FOR_EACH_POINTER (const PlotsFigure, figure, figures)
    {
      g_autofree char *line = NULL;

      if (figure->drawn || figure->is_detail)
        continue;
      g_string_append (text, is_first ? "\nNot drawn:\n" : "");
      is_first = FALSE;
      line = g_strdup_printf ("%s: %s", roast_chart_info_get_name (figure->chart), figure->reason);
      append_indented (text, line);
    }
}

char *
plots_index_make (GPtrArray *figures, const char *suffix, RoastRecordingSnapshot *recording)
{
  GString *text = g_string_new (NULL);
  guint n = 0;

  append_run (text, recording);
  for (guint i = 0; i < figures->len; i++)
    n += ((const PlotsFigure *) g_ptr_array_index (figures, i))->drawn ? 1 : 0;
  g_string_append_printf (text, "Figures: %u of %u charts\n", n, figures->len);
  FOR_EACH_POINTER (const PlotsFigure, figure, figures)
    if (figure->drawn)
      append_caption (text, figure, suffix);
  append_left_out (text, figures);
  append_details (text, figures);

  return g_string_free (text, FALSE);
}
