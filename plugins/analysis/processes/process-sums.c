/* SPDX-License-Identifier: BSD-3-Clause */

/* Report how complete sums over processes are: CPU time, waiting for a core, I/O, and kernel counters. */

#include "events.h"
#include "metadata.h"
#include "notes.h"
#include "process-tree.h"
#include "report-coverage.h"
#include "sampled-cpu.h"

/* Add no note if the error of the CPU time is within both limits, because the clock tick of the kernel alone can cause
 * it. */
#define NEGLIGIBLE_SECONDS 0.01
#define NEGLIGIBLE_SHARE 0.001

/* Columns that count as complete if all rows have a value. */
static const guint counters[] = {
  ROAST_PROCESSES_VOLUNTARY_SWITCHES,
  ROAST_PROCESSES_INVOLUNTARY_SWITCHES,
  ROAST_PROCESSES_MINOR_FAULTS,
  ROAST_PROCESSES_MAJOR_FAULTS,
};

static const guint transfers[] = {
  ROAST_PROCESSES_READ_CHARS,
  ROAST_PROCESSES_WRITE_CHARS,
  ROAST_PROCESSES_DISK_READ,
  ROAST_PROCESSES_DISK_WRITE,
};

/* Report how complete the sum of a column is. @note names the missing part of the sum; it may be NULL. @otherwise is
 * the reason that is reported if no process has a value. */
static void
process_sums_cover (ProcessTree *self, guint slot, const char *note, const char *otherwise)
{
  ProcessSum sum = process_tree_sum (self, slot);
  gboolean is_missing = sum.missing == 0 || self->imported != NULL || self->is_running;
  const char *none = is_missing ? self->missing : otherwise;

  if (sum.n == 0)
    report_coverage_add (self->report, ROAST_TABLE_PROCESSES, roast_processes_columns[slot],
                         ROAST_COMPLETENESS_UNAVAILABLE, none);
  else
    report_coverage_add_note (self->report, ROAST_TABLE_PROCESSES, roast_processes_columns[slot],
                              ROAST_COMPLETENESS_PARTIAL, note);
}

/* Return the sum of a column. Missing values are not counted in two kinds of rows, because the sum is complete without
 * them: shares of commands, and rows that contain only page faults. */
static ProcessSum
sum_of_all (ProcessTree *self, guint slot)
{
  ProcessSum sum = process_tree_sum (self, slot);
  g_autofree char *parts = g_strdup_printf ("not known (%s) and (origin = shared or (origin = folded and cpu_user = 0 "
                                            "and cpu_system = 0))",
                                            roast_processes_columns[slot]);

  sum.missing -= process_tree_count (self, parts);

  return sum;
}

static gboolean
is_any_unreaped (ProcessTree *self)
{
  g_autofree char *event = events_describe (self->recording, "unreaped");

  return event != NULL || process_tree_count (self, "origin = unreaped") > 0;
}

/* Return a note on processes that outlived the measurement; NULL if there are none. */
static char *
dup_running_note (ProcessTree *self)
{
  guint64 running = process_tree_count (self, "origin = running");

  return running > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT " %s still running when the measurement ended", running,
                                        running == 1 ? "process was" : "processes were")
                     : NULL;
}

/* Return the reason why the kernel's counts of some processes are missing after their last sample; NULL if no counts
 * are missing. @what is the subject of the sentence. */
static char *
process_sums_dup_tail_note (ProcessTree *self, const char *what)
{
  if (self->imported != NULL)
    return NULL;
  if (metadata_is_true (self->recording, "tree-attached"))
    return g_strdup_printf ("counted since roast attached; %s after the last sample of a process may be missing", what);
  if (is_any_unreaped (self))
    return g_strdup_printf ("some processes were never reaped: %s after their last sample is missing", what);

  return dup_running_note (self);
}

static void
cover_rows (ProcessTree *self, guint slot, const char *otherwise)
{
  ProcessSum sum = sum_of_all (self, slot);
  g_autofree char *note = sum.missing > 0 ? NULL : process_sums_dup_tail_note (self, "the count");

  if (sum.missing > 0)
    note = g_strdup_printf ("known for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows of processes", sum.n,
                            sum.n + sum.missing);
  process_sums_cover (self, slot, note, otherwise);
}

/* ---- CPU time ---- */

/* Return the reason why CPU time of some processes is missing, either all of it or only the time after the last sample;
 * NULL if none is missing. */
static char *
process_sums_dup_cpu_note (ProcessTree *self, guint64 missing)
{
  g_autofree char *running = dup_running_note (self);
  g_autofree char *event = events_describe (self->recording, "unreaped");
  g_autofree char *partial = metadata_dup_string (self->recording, "processes-cpu-partial");
  gint64 elapsed;

  if (partial != NULL)
    return g_steal_pointer (&partial);
  if (!metadata_get_int64 (self->recording, "tree-elapsed", &elapsed))
    return g_strdup_printf ("%s: only processes that had ended before are counted",
                            self->is_running ? "the data do not reach the end of the program"
                                             : "the supervisor was lost");
  if (metadata_is_true (self->recording, "tree-attached"))
    return g_strdup ("counted since roast attached; CPU time after the last sample of a process may be missing");
  if (event != NULL)
    return g_strdup ("some processes were never reaped: their CPU time after their last sample is missing");
  if (running != NULL)
    return g_steal_pointer (&running);
  if (missing > 0)
    return g_strdup_printf ("unknown for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows of processes", missing,
                            roast_table_reader_get_n_rows (self->processes));

  return NULL;
}

/* Selects rows that lack CPU time. Leaves out shares of commands, and processes that no other process waited for,
 * because the sum is complete without their CPU time. */
#define WITHOUT_CPU "not known (cpu_user) and not known (cpu_unsplit) and not origin in (shared, unreaped)"

/* Return a note on the error in the CPU time of processes that no other process waited for; NULL if the error is too
 * small to matter. The error arises because the CPU clocks of these processes continue while a hypervisor has taken the
 * core. */
static char *
dup_error_note (ProcessTree *self, double total, double unwaited)
{
  g_autofree char *most = NULL;
  g_autofree char *without = NULL;
  gint64 error;

  if (!metadata_get_int64 (self->recording, "tree-unreaped-error", &error) ||
      (double) error / G_USEC_PER_SEC <= NEGLIGIBLE_SECONDS + NEGLIGIBLE_SHARE * total)
    return NULL;

  most = roast_format_number ((double) error / G_USEC_PER_SEC, "duration");
  without = roast_format_number (unwaited, "duration");

  return g_strdup_printf ("may be off by up to %s: %s of CPU time belong to processes that no parent waited for, whose "
                          "clocks also run while the hypervisor or an interrupt has the core",
                          most, without);
}

static void
cover_cpu_part (ProcessTree *self, guint slot, double unsplit, const char *missing)
{
  g_autofree char *note = NULL;
  g_autofree char *notes = NULL;

  if (unsplit > 0)
    {
      g_autofree char *part = roast_format_number (unsplit, "duration");

      note = g_strdup_printf ("excludes part of %s of CPU time of processes that no parent waited for: the division of "
                              "this time into user mode and kernel is unknown",
                              part);
    }
  notes = notes_join (missing, note);
  process_sums_cover (self, slot, notes,
                      unsplit > 0 ? "the division of CPU time into user mode and kernel is unknown" : self->missing);
}

/* Use the CPU time of the last sample if it exceeds the sum over rows. This happens if the supervisor has not reported
 * the end of the program, because the run goes on or the measurement was interrupted. */
static void
add_cpu_by_samples (ProcessTree *self, double total)
{
  gint64 elapsed;
  double sampled;

  if (self->imported != NULL || metadata_get_int64 (self->recording, "tree-elapsed", &elapsed))
    return;
  sampled = sampled_cpu_get_tree_total (self->recording);
  if (sampled > total)
    roast_report_add_double (self->report, "process_cpu_time_seconds", sampled, ROAST_COMPLETENESS_PARTIAL,
                             self->is_running
                                 ? "counted up to the last sample: the data do not reach the end of the program"
                                 : "counted up to the last sample: the supervisor did not report the end of the "
                                   "program");
}

static void
process_sums_add_cpu (ProcessTree *self)
{
  ProcessSum user = process_tree_sum (self, ROAST_PROCESSES_CPU_USER);
  ProcessSum system = process_tree_sum (self, ROAST_PROCESSES_CPU_SYSTEM);
  ProcessSum unsplit = process_tree_sum (self, ROAST_PROCESSES_CPU_UNSPLIT);
  double total = user.sum + system.sum + unsplit.sum;
  gboolean is_known = user.n > 0 || unsplit.n > 0;
  g_autofree char *missing = is_known ? process_sums_dup_cpu_note (self, process_tree_count (self, WITHOUT_CPU)) : NULL;
  g_autofree char *error = dup_error_note (self, total, unsplit.sum);
  g_autofree char *notes = notes_join (missing, error);

  add_cpu_by_samples (self, total);
  report_coverage_add_metric (self->report, "process_cpu_time_seconds",
                              !is_known         ? ROAST_COMPLETENESS_UNAVAILABLE
                              : missing != NULL ? ROAST_COMPLETENESS_PARTIAL
                                                : ROAST_COMPLETENESS_ESTIMATED,
                              is_known ? notes : self->missing);
  cover_cpu_part (self, ROAST_PROCESSES_CPU_USER, unsplit.sum, missing);
  cover_cpu_part (self, ROAST_PROCESSES_CPU_SYSTEM, unsplit.sum, missing);
}

/* Report how complete the number of available cores is. This number may change during the run, because processes can
 * change their CPU affinity. */
static void
cover_cores (ProcessTree *self)
{
  static const char metric[] = "cores_available";
  g_autofree char *left = events_describe (self->recording, "left-groups");
  g_autofree char *note = NULL;
  double cores, quota;
  gint64 average, least, most;

  if (!metadata_get_double (self->recording, "tree-cores", &cores))
    return;
  if (metadata_get_int64 (self->recording, "tree-cores-average", &average) &&
      metadata_get_int64 (self->recording, "tree-cores-least", &least) &&
      metadata_get_int64 (self->recording, "tree-cores-most", &most))
    {
      if (least != most)
        note = g_strdup_printf ("the affinity of the program's processes changed during the run: from %" G_GINT64_FORMAT
                                " to %" G_GINT64_FORMAT " cores",
                                least, most);
      else if ((double) most != cores)
        note = g_strdup_printf (
            "limited by the affinity of the program's processes; the affinity of roast allowed %g cores", cores);
      cores = (double) average / G_USEC_PER_SEC;
    }
  else
    least = most = 0;
  if (left != NULL)
    report_coverage_add_metric (self->report, metric, ROAST_COMPLETENESS_ESTIMATED, left);
  else if (metadata_get_double (self->recording, "tree-cgroup-cores", &quota) && quota < cores)
    report_coverage_add_metric (self->report, metric,
                                least != most && quota > (double) least ? ROAST_COMPLETENESS_ESTIMATED
                                                                        : ROAST_COMPLETENESS_COMPLETE,
                                "limited by the quota of the control group");
  else if (note != NULL)
    report_coverage_add_metric (self->report, metric,
                                least != most ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_COMPLETE, note);
}

/* Report how complete the number of used cores is. The elapsed time ends with the program, but processes that the
 * program left behind continue to use CPU time. */
static void
cover_cores_used (ProcessTree *self)
{
  gint64 cpu;

  if (metadata_get_int64 (self->recording, "tree-main-cpu", &cpu))
    report_coverage_add_metric (self->report, "cores_used_average", ROAST_COMPLETENESS_PARTIAL,
                                "CPU time up to the end of the program, as far as the kernel had counted it by then; "
                                "processes that the program left behind kept running");
}

/* ---- counts and I/O ---- */

/* Return whether more processes may have outlived the recording than were counted. */
static gboolean
is_leftover_unsure (ProcessTree *self)
{
  gint64 exact;

  return metadata_get_int64 (self->recording, "tree-leftover-exact", &exact) && exact == 0;
}

static void
cover_process_count (ProcessTree *self)
{
  static const char running[] =
      "some processes still ran when the recording ended, and may have started more processes";
  gint64 total, closed;
  gint64 leftover = 0;

  metadata_get_int64 (self->recording, "tree-leftover", &leftover);
  if (is_leftover_unsure (self))
    report_coverage_add_metric (self->report, "leftover_processes", ROAST_COMPLETENESS_PARTIAL,
                                "processes were still starting more processes when the recording ended");
  if (!metadata_get_int64 (self->recording, "tree-processes", &total))
    cover_rows (self, ROAST_PROCESSES_COUNT, "no process was observed");
  else if (leftover > 0 || is_leftover_unsure (self))
    report_coverage_add_metric (self->report, "processes_total", ROAST_COMPLETENESS_PARTIAL, running);
  else if (!metadata_is_true (self->recording, "tree-processes-exact"))
    report_coverage_add_metric (self->report, "processes_total", ROAST_COMPLETENESS_PARTIAL,
                                metadata_get_int64 (self->recording, "tree-perf-closed", &closed)
                                    ? "roast stopped counting the shortest processes when the program had started too "
                                      "many processes"
                                    : "without perf events, the shortest processes are not counted");
}

/* Selects processes whose own counters were never read. Leaves out rows that stand for several processes, and processes
 * that were too short-lived to be read: the kernel adds the counters of a reaped process to those of its parent. */
#define UNREAD "process > 0 and origin != sampled and not known (read_chars)"

/* Report how exact the number of bytes written to storage is. The kernel counts a write as soon as a page of a file
 * becomes dirty. If the file is deleted or truncated before the page is written to storage, the kernel counts a
 * cancelled write, for the process that deleted or truncated the file. Another process may have written the page. */
static void
cover_cancelled (ProcessTree *self, gboolean is_partial)
{
  static const char metric[] = "io_storage_write_bytes";
  ProcessSum sum = process_tree_sum (self, ROAST_PROCESSES_DISK_WRITE);
  g_autofree char *amount = NULL;
  g_autofree char *note = NULL;
  gint64 cancelled;

  if (sum.n == 0 || self->imported != NULL)
    return;
  if (!metadata_get_int64 (self->recording, "tree-write-cancelled", &cancelled))
    {
      if (sum.sum > 0)
        report_coverage_add_metric (self->report, metric, ROAST_COMPLETENESS_ESTIMATED,
                                    is_partial
                                        ? "includes data that were deleted before they reached storage, and lacks data "
                                          "that some processes wrote"
                                        : "at most: includes data that were deleted before they reached storage");
      return;
    }
  if (cancelled <= 0)
    return;
  /* More bytes were cancelled than these processes wrote, so other programs wrote some of them, or processes whose
   * counters are missing. */
  if ((double) cancelled > sum.sum || (is_partial && (double) cancelled == sum.sum))
    {
      report_coverage_add_metric (self->report, metric, ROAST_COMPLETENESS_UNAVAILABLE,
                                  "more data were deleted or truncated before they reached storage than these "
                                  "processes are known to have written");
      return;
    }
  amount = roast_format_number ((double) cancelled, "bytes");
  note = g_strdup_printf ("processes wrote another %s that were deleted or truncated before they reached storage%s",
                          amount, is_partial ? "; data that some processes wrote are missing" : "");
  report_coverage_add_metric (self->report, metric, ROAST_COMPLETENESS_ESTIMATED, note);
}

static void
cover_io (ProcessTree *self)
{
  guint64 unread = process_tree_count (self, UNREAD);
  g_autofree char *partial = metadata_dup_string (self->recording, "processes-partial");
  g_autofree char *note = NULL;

  if (partial != NULL)
    note = g_steal_pointer (&partial);
  else if (unread > 0)
    note = g_strdup_printf ("the counters of %" G_GUINT64_FORMAT " %s could not be read", unread,
                            unread == 1 ? "process" : "processes");
  else
    note = process_sums_dup_tail_note (self, "the I/O");
  for (guint i = 0; i < G_N_ELEMENTS (transfers); i++)
    process_sums_cover (self, transfers[i], note,
                        process_tree_has_mechanism (self, ROAST_ACCOUNTING_IO)
                            ? "every process ended before its I/O counters could be read"
                            : "the I/O counters of processes are not readable here");
  cover_cancelled (self, note != NULL);
}

void
process_tree_cover_sums (ProcessTree *self)
{
  g_autofree char *unseen = events_describe (self->recording, "unseen-threads");
  g_autofree char *queue = notes_join ("counted up to the last sample of each process", unseen);

  process_sums_add_cpu (self);
  cover_cores (self);
  cover_cores_used (self);
  process_sums_cover (self, ROAST_PROCESSES_RUN_QUEUE, queue,
                      process_tree_has_mechanism (self, ROAST_ACCOUNTING_RUN_QUEUE)
                          ? "no process lived long enough to be sampled"
                          : "the kernel does not report how long threads wait for a core (no schedstat)");
  cover_process_count (self);
  cover_io (self);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    cover_rows (self, counters[i], "the counters of processes were not read");
}
