/* SPDX-License-Identifier: BSD-3-Clause */

/* An application that draws a chart of a run file as SVG, in C. Without a name it lists the charts that show something.
 *
 *     chart FILE [NAME PICTURE]
 *
 * cc chart.c -o chart $(pkg-config --cflags --libs roast-1)
 */

#include <locale.h>
#include <roast/roast.h>
#include <stdlib.h>

static void
list_charts (GPtrArray *charts, RoastRecordingSnapshot *snapshot, RoastReport *report)
{
  for (guint i = 0; i < charts->len; i++)
    {
      RoastChartInfo *chart = g_ptr_array_index (charts, i);

      if (roast_chart_is_worth (chart, snapshot, report))
        g_print ("%s: %s\n", roast_chart_info_get_name (chart), roast_chart_info_get_title (chart));
    }
}

static RoastChartInfo *
find_chart (GPtrArray *charts, const char *name)
{
  for (guint i = 0; i < charts->len; i++)
    if (g_str_equal (roast_chart_info_get_name (g_ptr_array_index (charts, i)), name))
      return g_ptr_array_index (charts, i);

  return NULL;
}

static gboolean
save (RoastScene *scene, const char *path, GError **error)
{
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);

  if (!roast_output_prepare (output, error))
    return FALSE;
  if (!roast_scene_write_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE, output, NULL, error))
    {
      roast_output_discard (output);
      return FALSE;
    }

  return roast_output_commit (output, error);
}

/* A session makes the report, which has the derived tables. */
static gboolean
draw (RoastRecording *recording, const char *name, const char *path, GError **error)
{
  g_autoptr (RoastSession) session = roast_session_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (GPtrArray) charts = NULL;
  g_autoptr (RoastScene) scene = NULL;
  RoastChartInfo *chart = NULL;
  RoastReport *report = NULL;

  if (!roast_session_read (session, recording, error))
    return FALSE;
  report = roast_session_get_report (session);
  charts = roast_report_list_charts (report, snapshot);
  if (name == NULL)
    {
      list_charts (charts, snapshot, report);
      return TRUE;
    }
  chart = find_chart (charts, name);
  if (chart == NULL)
    {
      g_set_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE, "there is no chart “%s”", name);
      return FALSE;
    }
  scene = roast_chart_draw (chart, snapshot, report, 640, 360, error);

  return scene != NULL && save (scene, path, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRecording) recording = NULL;

  setlocale (LC_ALL, "");
  if (argc != 2 && argc != 4)
    {
      g_printerr ("usage: chart FILE [NAME PICTURE]\n");
      return EXIT_FAILURE;
    }
  recording = roast_recording_open (argv[1], &error);
  if (recording != NULL && draw (recording, argc > 2 ? argv[2] : NULL, argc > 2 ? argv[3] : NULL, &error))
    return EXIT_SUCCESS;
  g_printerr ("chart: %s\n", error->message);

  return EXIT_FAILURE;
}
