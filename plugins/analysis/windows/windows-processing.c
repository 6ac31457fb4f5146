/* SPDX-License-Identifier: BSD-3-Clause */

/* Report the calls of an analysis' executor. If calls of the same kind overlap, the time of this kind counts the
 * overlap only once. */

#include "report-coverage.h"
#include "windows.h"

/* Report how complete the times of calls are. A call that processes chunks is a window. If its end was not reported,
 * the window lasts to the end of the run. For other calls without a reported end, the time is unknown. */
static void
windows_processing_cover (RoastReport *report, const guint *n, const guint *n_open)
{
  static const char *const metrics[ROAST_PROCESSING_KIND_N_WORDS] = {
    [ROAST_PROCESSING_KIND_PROCESSING] = "processing_elapsed_seconds",
    [ROAST_PROCESSING_KIND_PREPROCESSING] = "preprocessing_elapsed_seconds",
    [ROAST_PROCESSING_KIND_MERGING] = "merging_elapsed_seconds",
  };

  for (guint kind = 0; kind < G_N_ELEMENTS (metrics); kind++)
    {
      gboolean is_window = kind == ROAST_PROCESSING_KIND_PROCESSING;
      g_autofree char *note =
          g_strdup_printf ("the end of %u %s was not reported%s", n_open[kind], n_open[kind] == 1 ? "call" : "calls",
                           is_window ? ": such a call counts until the end of the run" : "");

      if (n_open[kind] > 0)
        report_coverage_add_metric (report, metrics[kind],
                                    is_window                 ? ROAST_COMPLETENESS_ESTIMATED
                                    : n[kind] == n_open[kind] ? ROAST_COMPLETENESS_UNAVAILABLE
                                                              : ROAST_COMPLETENESS_PARTIAL,
                                    note);
    }
}

void
windows_write_processing (RoastRecordingSnapshot *recording, const Window *run, RoastReport *report,
                          RoastTableWriter *table)
{
  guint n_calls;
  const RoastRunCall *calls = roast_run_model_get_calls (roast_run_model_get (recording), &n_calls);
  guint n[ROAST_PROCESSING_KIND_N_WORDS] = { 0 };
  guint n_open[ROAST_PROCESSING_KIND_N_WORDS] = { 0 };

  for (guint i = 0; i < n_calls; i++)
    {
      Window window = { calls[i].source, calls[i].started, calls[i].ended };

      if (calls[i].kind < 0 || isnan (window.started))
        continue;
      n[calls[i].kind]++;
      n_open[calls[i].kind] += isnan (window.ended) ? 1 : 0;
      if (calls[i].kind == ROAST_PROCESSING_KIND_PROCESSING)
        window_write (&window, table, window_get_end (&window, run), ROAST_WINDOW_KIND_PROCESSING,
                      "the start and the end of a call of the analysis' executor");
    }
  windows_processing_cover (report, n, n_open);
}
