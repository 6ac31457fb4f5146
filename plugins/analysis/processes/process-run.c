/* SPDX-License-Identifier: BSD-3-Clause */

/* The run as a whole, and the measurement itself: what the session and the supervisor wrote into the metadata. */

#include <math.h>
#include <sys/wait.h>

#include "metadata.h"
#include "metric-add.h"
#include "process-tree.h"

#define PER_SECOND (1.0 / G_USEC_PER_SEC)

/* Numbers that the metadata have. Those with a factor are no integers; @missing is NULL where the tree is missing. */
static const struct
{
  const char *metric, *key;
  double factor;
  const char *missing;
} numbers[] = {
  { "stopped_time_seconds", "tree-stopped", PER_SECOND, NULL },
  { "suspended_time_seconds", "tree-suspended", PER_SECOND, NULL },
  { "cgroup_memory_peak_bytes", "tree-cgroup-memory-peak", 0, "the program had no control group of its own" },
  { "oom_kills_total", "tree-oom-kills", 0, "the control group does not report it" },
  { "samples_total", "tree-ticks", 0, NULL },
  { "samples_missed_total", "tree-missed", 0, NULL },
  { "leftover_processes", "tree-leftover", 0, NULL },
  { "own_memory_peak_bytes", "tree-own-peak-rss", 0, NULL },
};

/* Times that a backend read from a record of the run are as exact as that record. */
static void
add_recorded (ProcessTree *self, double elapsed)
{
  gboolean is_recorded = metadata_is_true (self->recording, "ended-recorded");

  metric_add (self->report, "elapsed_time_seconds", elapsed,
              is_recorded ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_ESTIMATED,
              !is_recorded ? "by the session's wall clock"
              : metadata_is_true (self->recording, "ended-at-least")
                  ? "up to the last record: the executor recorded no end, or its clock was set back"
                  : NULL,
              NULL);
}

static void
add_elapsed (ProcessTree *self)
{
  gint64 elapsed, started, ended;

  if (metadata_get_int64 (self->recording, "tree-elapsed", &elapsed))
    roast_report_add_double (self->report, "elapsed_time_seconds", (double) elapsed * PER_SECOND,
                             ROAST_COMPLETENESS_COMPLETE, NULL);
  else if (metadata_get_int64 (self->recording, "started", &started) &&
           metadata_get_int64 (self->recording, "ended", &ended) && ended >= started)
    add_recorded (self, (double) (ended - started) * PER_SECOND);
  else
    roast_report_add_unavailable (self->report, "elapsed_time_seconds", "the measurement has not ended");
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
add_numbers (ProcessTree *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      gint64 value;

      if (!metadata_get_int64 (self->recording, numbers[i].key, &value))
        roast_report_add_unavailable (self->report, numbers[i].metric,
                                      numbers[i].missing != NULL ? numbers[i].missing : self->missing);
      else if (numbers[i].factor > 0)
        roast_report_add_double (self->report, numbers[i].metric, (double) value * numbers[i].factor,
                                 ROAST_COMPLETENESS_COMPLETE, NULL);
      else
        roast_report_add_int64 (self->report, numbers[i].metric, value, ROAST_COMPLETENESS_COMPLETE, NULL);
    }
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

/* What perf cost the program, s. @note is why more is unknown: NULL if nothing is. */
static double
get_perf_cost (ProcessTree *self, const char **note)
{
  gint64 clones, closed;
  gint64 cost = 0;

  *note = NULL;
  if (!metadata_get_int64 (self->recording, "tree-perf-clones", &clones) || clones == 0)
    return 0;
  if (!metadata_get_int64 (self->recording, "tree-perf-clone-cost", &cost))
    *note = "excludes the cost of perf events when the program starts processes, which could not be measured";
  else if (metadata_get_int64 (self->recording, "tree-perf-closed", &closed))
    *note = "excludes the cost of perf events after the program had started too many processes to count";

  return (double) clones * (double) cost * 1e-9;
}

static void
add_own_cost (ProcessTree *self)
{
  gint64 user = 0;
  gint64 system = 0;
  double library = 0;
  const char *perf_note = NULL;
  double perf = get_perf_cost (self, &perf_note);
  gboolean has_library = metadata_get_double (self->recording, "own-cpu", &library);
  gboolean has_supervisor = metadata_get_int64 (self->recording, "tree-own-user", &user) &&
                            metadata_get_int64 (self->recording, "tree-own-system", &system);
  g_autofree char *details = NULL;
  g_autofree char *cost = roast_format_number (perf, "duration");
  const char *note = !has_supervisor ? "library only: there was no supervisor, or it was lost"
                     : !has_library  ? "supervisor only: an application's CPU time includes that of the library"
                                     : perf_note;

  if (perf > 0)
    details = g_strdup_printf ("%s of it is the cost of perf events, measured after the run", cost);
  metric_add (self->report, "own_cpu_seconds",
              has_library || has_supervisor ? library + perf + (double) (user + system) * PER_SECOND : NAN,
              note != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE, note != NULL ? note : details,
              "an application's CPU time includes that of the library");
}

void
process_tree_add_run (ProcessTree *self)
{
  add_elapsed (self);
  add_status (self);
  add_numbers (self);
  add_accounting (self);
  add_own_cost (self);
}
