/* SPDX-License-Identifier: BSD-3-Clause */

/* Report metrics of the whole run and the cost of the measurement, from metadata of the session and the supervisor. */

#include <sys/wait.h>

#include "events.h"
#include "metadata.h"
#include "process-tree.h"
#include "report-coverage.h"

/* Report how exact the elapsed time is. If a backend imported start and end from an existing record of the run, the
 * elapsed time is as exact as this record. */
static void
cover_elapsed (ProcessTree *self)
{
  static const char metric[] = "elapsed_time_seconds";
  gboolean is_recorded = metadata_is_true (self->recording, "ended-recorded");
  g_autoptr (GVariant) refused =
      roast_recording_snapshot_lookup_metadata (self->recording, "times-refused", G_VARIANT_TYPE_STRING);
  gint64 elapsed, started, ended;

  if (metadata_get_int64 (self->recording, "tree-elapsed", &elapsed))
    return;
  if (refused != NULL)
    report_coverage_add_metric (self->report, metric, ROAST_COMPLETENESS_UNAVAILABLE,
                                g_variant_get_string (refused, NULL));
  else if (!metadata_get_int64 (self->recording, "started", &started) ||
           !metadata_get_int64 (self->recording, "ended", &ended) || ended < started)
    report_coverage_add_metric (self->report, metric, ROAST_COMPLETENESS_UNAVAILABLE, "the measurement has not ended");
  else if (!is_recorded)
    report_coverage_add_metric (self->report, metric, ROAST_COMPLETENESS_ESTIMATED,
                                "measured by the wall clock of the session");
  else if (metadata_is_true (self->recording, "ended-at-least"))
    report_coverage_add_metric (self->report, metric, ROAST_COMPLETENESS_PARTIAL,
                                "measured from the first to the last record, because the executor recorded no start or "
                                "no end, or its clock was set back");
}

/* The supervisor learns from the kernel when the main process is stopped, but sees stops of other processes only in
 * samples. */
static void
cover_stopped (ProcessTree *self)
{
  g_autofree char *sampled = events_describe (self->recording, "stopped");

  if (sampled != NULL)
    report_coverage_add_metric (self->report, "stopped_time_seconds", ROAST_COMPLETENESS_PARTIAL, sampled);
}

static const char *
no_status_reason (ProcessTree *self)
{
  g_autoptr (GVariant) attached =
      roast_recording_snapshot_lookup_metadata (self->recording, "tree-attached", G_VARIANT_TYPE_BOOLEAN);

  if (attached == NULL)
    return self->missing;

  return g_variant_get_boolean (attached)
             ? "roast attached to the process, and only the parent of a process learns its exit status"
             : "the end of the program was not observed";
}

static void
add_status (ProcessTree *self)
{
  g_autofree char *note = NULL;
  gint64 wait_status;
  int code;

  if (!metadata_get_int64 (self->recording, "tree-wait-status", &wait_status))
    {
      roast_report_add_unavailable (self->report, "exit_status", no_status_reason (self));
      return;
    }
  code = WEXITSTATUS ((int) wait_status);
  if (WIFSIGNALED ((int) wait_status))
    {
      code = 128 + WTERMSIG ((int) wait_status);
      note = g_strdup_printf ("killed by signal %d (%s)", code - 128, g_strsignal (code - 128));
    }
  roast_report_add_int64 (self->report, "exit_status", code, ROAST_COMPLETENESS_COMPLETE, note);
}

static void
add_accounting (ProcessTree *self)
{
  g_autofree char *text = metadata_dup_string (self->recording, "tree-accounting-text");

  if (text != NULL)
    roast_report_add_string (self->report, "accounting", text);
  else
    roast_report_add_unavailable (self->report, "accounting", self->missing);
}

/* Return the CPU time in s that perf events cost the program. If part of this cost is unknown, set @note to the reason;
 * otherwise set it to NULL. */
static double
get_perf_cost (ProcessTree *self, const char **note)
{
  gint64 clones, closed;
  gint64 cost = 0;

  *note = NULL;
  if (!metadata_get_int64 (self->recording, "tree-perf-clones", &clones) || clones == 0)
    return 0;
  if (!metadata_get_int64 (self->recording, "tree-perf-clone-cost", &cost))
    *note = "excludes the cost of perf events at the start of processes, because this cost could not be measured";
  else if (metadata_get_int64 (self->recording, "tree-perf-closed", &closed))
    *note = "excludes the cost of perf events after the program had started too many processes to count";

  return (double) clones * (double) cost * 1e-9;
}

static void
cover_own_cost (ProcessTree *self)
{
  static const char metric[] = "own_cpu_seconds";
  gint64 user, system;
  double library;
  const char *perf_note = NULL;
  double perf = get_perf_cost (self, &perf_note);
  gboolean has_library = metadata_get_double (self->recording, "own-cpu", &library);
  gboolean has_supervisor = metadata_get_int64 (self->recording, "tree-own-user", &user) &&
                            metadata_get_int64 (self->recording, "tree-own-system", &system);
  g_autofree char *details = NULL;
  g_autofree char *cost = roast_format_number (perf, "duration");
  g_autoptr (GVariant) missing =
      roast_recording_snapshot_lookup_metadata (self->recording, "own-cpu-missing", G_VARIANT_TYPE_STRING);
  const char *note =
      !has_supervisor ? "only the library is counted: there was no supervisor, or the supervisor was lost"
      : !has_library  ? "only the supervisor is counted: the application's CPU time includes that of roast's library"
                      : perf_note;

  if (perf > 0)
    details =
        g_strdup_printf ("%s of this CPU time is the cost of perf events, which was measured after the run", cost);
  if (!has_library && !has_supervisor)
    report_coverage_add_metric (self->report, metric, ROAST_COMPLETENESS_UNAVAILABLE,
                                missing != NULL ? g_variant_get_string (missing, NULL)
                                                : "the application's CPU time includes that of roast's library, which "
                                                  "cannot be separated");
  else
    report_coverage_add_metric (self->report, metric,
                                note != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE,
                                note != NULL ? note : details);
}

void
process_tree_add_run (ProcessTree *self)
{
  report_coverage_add (self->report, "metadata", NULL, ROAST_COMPLETENESS_UNAVAILABLE, self->missing);
  cover_elapsed (self);
  cover_stopped (self);
  add_status (self);
  add_accounting (self);
  cover_own_cost (self);
}
