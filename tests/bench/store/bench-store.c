/* SPDX-License-Identifier: BSD-3-Clause */

/* The run file at its largest: speed and size, reports, memory while recording, and roastcoffea's files beside it. */

#include <glib/gstdio.h>
#include <stdio.h>

#include "bench.h"

static const struct
{
  const char *name;
  gboolean (*run) (const BenchOptions *options);
} parts[] = {
  { "speed", bench_speed },        { "series", bench_series_report },
  { "tasks", bench_tasks_report }, { "memory", bench_memory },
  { "peer", bench_peer },
};

int
main (int argc, char *argv[])
{
  BenchOptions options = { .scale = 1 };
  g_autofree char *directory = NULL;
  g_auto (GStrv) only = NULL;
  g_autofree char *report = NULL;
  g_autofree char *peer = NULL;
  g_autofree char *peer_script = NULL;
  const GOptionEntry entries[] = {
    { "scale", 's', 0, G_OPTION_ARG_DOUBLE, &options.scale, "Size of all parts; 1 is that of the goals", "FACTOR" },
    { "only", 'o', 0, G_OPTION_ARG_STRING_ARRAY, &only, "Run this part only; may be repeated", "PART" },
    { "directory", 'd', 0, G_OPTION_ARG_FILENAME, &directory, "Where files are written, and stay", "PATH" },
    { "report", 'r', 0, G_OPTION_ARG_FILENAME, &report, "roast-report", "PATH" },
    { "peer", 'p', 0, G_OPTION_ARG_FILENAME, &peer, "A Python that has roastcoffea", "PATH" },
    { "peer-script", 0, 0, G_OPTION_ARG_FILENAME, &peer_script, "The script that it runs", "PATH" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("- measure the run file");
  g_autoptr (GError) error = NULL;
  gboolean good = TRUE;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_set_summary (context, "Parts: speed, series, tasks, memory, peer.");
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("%s\n", error->message);
      return 2;
    }
  options.keep = directory != NULL;
  if (directory == NULL)
    directory = g_dir_make_tmp ("roast-bench-XXXXXX", &error);
  if (directory == NULL)
    g_error ("%s", error->message);
  options.directory = directory;
  options.report = report != NULL ? report : "roast-report";
  options.peer = peer != NULL ? peer : "python3";
  options.peer_script = peer_script != NULL ? peer_script : "peer.py";
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (only == NULL || g_strv_contains ((const char *const *) only, parts[i].name))
      good &= parts[i].run (&options);
  if (!options.keep)
    g_rmdir (directory);

  return good ? 0 : 1;
}
