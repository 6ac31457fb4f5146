/* SPDX-License-Identifier: BSD-3-Clause */

/* CPU time, memory and size of the page for browsers of a large run, from its run file: a million tasks of 10,000
 * workers, and 360 samples of each. With --large these are ten million and 3600, an hour of such a run. */

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

#include "../store/bench.h"

#define WORKERS 10000
#define LARGE_TASKS 10000000
#define LARGE_SECONDS 3600
#define SMALL 0.1 /* of these */
#define MOST_BYTES 1000000
#define MOST_CPU 15.0 /* s, of the large run */
#define MOST_MEMORY 600e6
#define MOST_CHART_MEMORY 20e6

enum
{
  REPORT_CPU,
  REPORT_MEMORY,
  HELD_MEMORY, /* once the report is made */
  PAGE_CPU,
  PAGE_MEMORY,  /* beyond that */
  CHART_MEMORY, /* of the chart that takes most */
};

typedef struct
{
  const char *path, *page;
} Page;

/* Each by itself, at the size that it has in the page. Returns the most memory that one takes. */
static double
draw_charts (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GPtrArray) charts = roast_report_list_charts (report, recording);
  double most = 0;

  printf ("charts, each by itself:\n");
  for (guint i = 0; i < charts->len; i++)
    {
      RoastChartInfo *chart = g_ptr_array_index (charts, i);
      double held = bench_forget_peak ();
      double begin = bench_get_cpu ();
      g_autoptr (RoastScene) scene = roast_chart_draw (chart, recording, report, 760, 300, NULL);
      g_autofree char *svg = scene != NULL ? roast_scene_to_svg (scene, ROAST_THEME_LIGHT, ROAST_SVG_FLAGS_NONE) : NULL;
      double cpu = bench_get_cpu () - begin;
      double memory = bench_get_peak () - held;

      most = MAX (most, memory);
      if (svg != NULL)
        printf ("  %-24s %6.2f CPU-s, %5.1f MB, %4.0f kB of SVG%s\n", roast_chart_info_get_name (chart), cpu,
                memory / 1e6, (double) strlen (svg) / 1e3,
                roast_chart_info_get_show_detail (chart) ? " (a detail)" : "");
    }

  return most;
}

static void
export_page (gpointer data, double *results)
{
  const Page *page = data;
  g_autoptr (RoastRegistry) registry = roast_registry_new ();
  g_autoptr (RoastSession) session = roast_session_new (registry);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRecording) recording = roast_recording_open (page->path, &error);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastExporter) exporter = roast_registry_create_exporter (registry, "html", NULL, &error);
  g_autoptr (RoastOutput) output = roast_output_new_for_file (page->page);
  RoastReport *report = NULL;
  double begin = bench_get_cpu ();

  if (recording == NULL || exporter == NULL || !roast_session_read (session, recording, &error))
    g_error ("%s", error->message);
  report = roast_session_get_report (session);
  snapshot = roast_recording_snapshot (recording);
  results[REPORT_CPU] = bench_get_cpu () - begin;
  results[REPORT_MEMORY] = bench_get_peak ();
  results[HELD_MEMORY] = bench_forget_peak ();
  begin = bench_get_cpu ();
  if (!roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error) ||
      !roast_output_commit (output, &error))
    g_error ("%s", error->message);
  results[PAGE_CPU] = bench_get_cpu () - begin;
  results[PAGE_MEMORY] = bench_get_peak () - results[HELD_MEMORY];
  results[CHART_MEMORY] = draw_charts (snapshot, report);
}

static gboolean
measure (const BenchOptions *options)
{
  g_autofree char *path = g_build_filename (options->directory, "page.roast", NULL);
  g_autofree char *html = g_build_filename (options->directory, "page.html", NULL);
  BenchRun run = { path, WORKERS, (guint) MAX (LARGE_SECONDS * options->scale, 1),
                   (guint64) (LARGE_TASKS * options->scale), TRUE };
  Page page = { path, html };
  BenchChild child = { 0 };
  double size = 0;

  printf ("%.2g tasks, %u workers with %u samples each\n", (double) run.n_tasks, run.n_workers, run.seconds);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    bench_call (bench_record, &run);
  printf ("run file: %.0f MB\n", bench_get_size (path) / 1e6);
  child = bench_call (export_page, &page);
  size = bench_get_size (html);
  bench_remove (options, path);
  bench_remove (options, html);
  printf ("report: %.2f CPU-s, %.0f MB at most, %.0f MB in the end\n", child.results[REPORT_CPU],
          child.results[REPORT_MEMORY] / 1e6, child.results[HELD_MEMORY] / 1e6);
  printf ("html:   %.2f CPU-s (goal %.1f), %.0f MB beyond the report (goal %.0f), %.0f bytes (goal %d)\n",
          child.results[PAGE_CPU], MOST_CPU * options->scale, child.results[PAGE_MEMORY] / 1e6, MOST_MEMORY / 1e6, size,
          MOST_BYTES);

  printf ("        %.1f MB for the chart that takes most (goal %.0f, however many rows)\n",
          child.results[CHART_MEMORY] / 1e6, MOST_CHART_MEMORY / 1e6);

  return size < MOST_BYTES && child.results[PAGE_MEMORY] <= MOST_MEMORY &&
         child.results[CHART_MEMORY] <= MOST_CHART_MEMORY;
}

int
main (int argc, char **argv)
{
  BenchOptions options = { .scale = SMALL };
  gboolean large = FALSE;
  g_autofree char *directory = NULL;
  const GOptionEntry entries[] = {
    { "large", 'l', 0, G_OPTION_ARG_NONE, &large, "The size of the goals: this takes minutes", NULL },
    { "scale", 's', 0, G_OPTION_ARG_DOUBLE, &options.scale, "Another size; 1 is that of the goals", "FACTOR" },
    { "directory", 'd', 0, G_OPTION_ARG_FILENAME, &directory, "Where files are written, and found again", "PATH" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("- measure the page for browsers");
  g_autoptr (GError) error = NULL;
  gboolean good = FALSE;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }
  options.keep = directory != NULL;
  if (large)
    options.scale = 1;
  if (directory == NULL)
    directory = g_dir_make_tmp ("roast-bench-XXXXXX", &error);
  if (directory == NULL)
    g_error ("%s", error->message);
  options.directory = directory;
  good = measure (&options);
  if (!options.keep)
    g_rmdir (directory);

  return good ? 0 : 1;
}
