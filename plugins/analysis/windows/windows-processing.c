/* SPDX-License-Identifier: BSD-3-Clause */

/* Calls of an analysis' executor. Several may run at the same time: the time of a kind of calls is that of their union.
 */

#include "windows.h"

static RoastTableReader *
read_calls (RoastRecordingSnapshot *recording)
{
  return roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);
}

static Window
get_window (RoastTableReader *calls)
{
  return (Window) { roast_table_reader_get_string (calls, ROAST_PROCESSING_SOURCE),
                    roast_table_reader_get_double (calls, ROAST_PROCESSING_STARTED),
                    roast_table_reader_get_double (calls, ROAST_PROCESSING_ENDED) };
}

void
windows_write_processing (RoastRecordingSnapshot *recording, const Window *run, RoastTableWriter *table)
{
  g_autoptr (RoastTableReader) calls = read_calls (recording);

  while (roast_table_reader_next (calls))
    {
      Window window = get_window (calls);

      if (roast_table_reader_get_word (calls, ROAST_PROCESSING_KIND) == ROAST_PROCESSING_KIND_PROCESSING &&
          !isnan (window.started))
        window_write (&window, table, window_get_end (&window, run), ROAST_WINDOW_KIND_PROCESSING,
                      "the start and the end of a call of the analysis' executor");
    }
}

/* ---- metrics ---- */

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  double start_a = ((const Window *) a)->started;
  double start_b = ((const Window *) b)->started;

  return (start_a > start_b) - (start_a < start_b);
}

/* In seconds. @windows is sorted. */
static double
get_union (GArray *windows, const Window *run)
{
  double sum = 0;
  double until = -INFINITY;

  for (guint i = 0; i < windows->len; i++)
    {
      const Window *window = &g_array_index (windows, Window, i);
      double ended = window_get_end (window, run);

      if (ended > until)
        sum += ended - fmax (window->started, until);
      until = fmax (until, ended);
    }

  return sum / G_USEC_PER_SEC;
}

static void
add_elapsed (RoastReport *report, const char *name, GArray *windows, gint64 n_open, const Window *run)
{
  g_autofree char *note = NULL;

  if (windows->len == 0)
    {
      roast_report_add_unavailable (report, name, "the program reported no such call of an executor");
      return;
    }
  g_array_sort (windows, compare_starts);
  if (n_open > 0)
    note = g_strdup_printf ("the end of %" G_GINT64_FORMAT " %s was not reported: counted until the end of the run",
                            n_open, n_open == 1 ? "call" : "calls");
  roast_report_add_double (report, name, get_union (windows, run),
                           n_open > 0 ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_COMPLETE, note);
}

static void
add_kind (RoastRecordingSnapshot *recording, const Window *run, RoastReport *report, int kind, const char *name)
{
  g_autoptr (RoastTableReader) calls = read_calls (recording);
  g_autoptr (GArray) windows = g_array_new (FALSE, FALSE, sizeof (Window));
  gint64 n_open = 0;

  while (roast_table_reader_next (calls))
    {
      Window window = get_window (calls);

      if (roast_table_reader_get_word (calls, ROAST_PROCESSING_KIND) != kind || isnan (window.started))
        continue;
      g_array_append_val (windows, window);
      n_open += isnan (window.ended) ? 1 : 0;
    }
  add_elapsed (report, name, windows, n_open, run);
}

void
windows_add_processing (RoastRecordingSnapshot *recording, const Window *run, RoastReport *report)
{
  add_kind (recording, run, report, ROAST_PROCESSING_KIND_PROCESSING, "processing_elapsed_seconds");
  add_kind (recording, run, report, ROAST_PROCESSING_KIND_PREPROCESSING, "preprocessing_elapsed_seconds");
  add_kind (recording, run, report, ROAST_PROCESSING_KIND_MERGING, "merging_elapsed_seconds");
}
