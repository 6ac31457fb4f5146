/* SPDX-License-Identifier: BSD-3-Clause */

#include <math.h>
#include <sys/wait.h>

#include "report/roast-aggregation-private.h"
#include "report/roast-step-integral-private.h"
#include "roast-builtin-aggregators-private.h"
#include "roast-command-table-private.h"
#include "roast/roast-accounting.h"

struct _RoastProcessAggregator
{
  GObject parent_instance;
};

static void aggregator_iface_init (RoastAggregatorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastProcessAggregator, roast_process_aggregator, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_AGGREGATOR, aggregator_iface_init))

#define NO_TREE "its processes are out of reach: it runs elsewhere, or was not launched by roast"
#define PER_SECOND (1.0 / G_USEC_PER_SEC)

static const char *const provided[] = { "elapsed_time_seconds",
                                        "exit_status",
                                        "stopped_time_seconds",
                                        "suspended_time_seconds",
                                        "process_cpu_time_seconds",
                                        "process_cpu_user_seconds",
                                        "process_cpu_system_seconds",
                                        "cores_available",
                                        "cores_used_average",
                                        "cpu_efficiency_ratio",
                                        "run_queue_seconds",
                                        "processes_total",
                                        "threads_peak",
                                        "memory_peak_bytes",
                                        "memory_average_bytes",
                                        "memory_rss_peak_bytes",
                                        "process_memory_peak_bytes",
                                        "memory_limit_bytes",
                                        "cgroup_memory_peak_bytes",
                                        "oom_kills_total",
                                        "io_read_chars_bytes",
                                        "io_write_chars_bytes",
                                        "io_storage_read_bytes",
                                        "io_storage_write_bytes",
                                        "voluntary_switches_total",
                                        "involuntary_switches_total",
                                        "minor_faults_total",
                                        "major_faults_total",
                                        "accounting",
                                        "samples_total",
                                        "samples_missed_total",
                                        "leftover_processes",
                                        "own_cpu_seconds",
                                        "own_cpu_ratio",
                                        "own_memory_peak_bytes",
                                        NULL };

/* ---- the run ---- */

/* Why nothing is known of the tree: there is none, or who followed it was lost. */
static const char *
no_tree_reason (RoastRecordingSnapshot *recording)
{
  g_autofree char *source = roast_aggregation_dup_string (recording, "tree-source");

  return source == NULL ? NO_TREE : "the supervisor was lost before it could tell";
}

static void
add_elapsed (RoastRecordingSnapshot *recording, RoastReport *report)
{
  gint64 elapsed, started, ended;

  if (roast_aggregation_get_int64 (recording, "tree-elapsed", &elapsed))
    roast_aggregation_add_double (report, "elapsed_time_seconds", (double) elapsed * PER_SECOND);
  else if (roast_aggregation_get_int64 (recording, "started", &started) &&
           roast_aggregation_get_int64 (recording, "ended", &ended) && ended >= started)
    roast_aggregation_add_qualified (report, "elapsed_time_seconds", (double) (ended - started) * PER_SECOND, FALSE,
                                     ROAST_COMPLETENESS_ESTIMATED, "by the wall clock of the session");
  else
    roast_aggregation_add_unavailable (report, "elapsed_time_seconds", "the measurement has not ended");
}

static void
add_status (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastMetric) metric = NULL;
  g_autofree char *note = NULL;
  gint64 status;

  if (!roast_aggregation_get_int64 (recording, "tree-wait-status", &status))
    {
      g_autoptr (GVariant) attached =
          roast_recording_snapshot_lookup_metadata (recording, "tree-attached", G_VARIANT_TYPE_BOOLEAN);

      roast_aggregation_add_unavailable (report, "exit_status",
                                         attached == NULL ? NO_TREE
                                         : g_variant_get_boolean (attached)
                                             ? "roast attached to the process: only its parent learns its status"
                                             : "the program was not seen to end");
      return;
    }
  if (WIFSIGNALED ((int) status))
    {
      metric = roast_metric_new_int64 ("exit_status", 128 + WTERMSIG ((int) status));
      note =
          g_strdup_printf ("killed by signal %d (%s)", WTERMSIG ((int) status), g_strsignal (WTERMSIG ((int) status)));
    }
  else
    {
      metric = roast_metric_new_int64 ("exit_status", WEXITSTATUS ((int) status));
    }
  roast_metric_set_completeness (metric, ROAST_COMPLETENESS_COMPLETE, note);
  roast_report_add_metric (report, metric);
}

/* A number of the metadata as it is, or why it is not there. */
static void
add_metadata (RoastRecordingSnapshot *recording, RoastReport *report, const char *name, const char *key, double factor,
              gboolean integer, const char *otherwise)
{
  gint64 value;

  if (roast_aggregation_get_int64 (recording, key, &value))
    roast_aggregation_add_qualified (report, name, (double) value * factor, integer, ROAST_COMPLETENESS_COMPLETE, NULL);
  else
    roast_aggregation_add_unavailable (report, name, otherwise);
}

/* ---- sums over processes ---- */

static gboolean
has_mechanism (RoastRecordingSnapshot *recording, RoastAccounting mechanism)
{
  gint64 mask;

  return !roast_aggregation_get_int64 (recording, "tree-accounting", &mask) || (mask & mechanism) != 0;
}

static void
add_sum (RoastRecordingSnapshot *recording, RoastReport *report, const char *name, const char *column, gboolean integer,
         const char *otherwise)
{
  RoastTableSnapshot *processes = roast_recording_snapshot_get_table (recording, "processes");
  RoastColumnSum sum = roast_aggregation_sum (processes, column);
  g_autofree char *note = NULL;

  if (sum.n == 0)
    {
      roast_aggregation_add_unavailable (report, name, sum.missing == 0 ? no_tree_reason (recording) : otherwise);
      return;
    }
  if (sum.missing > 0)
    note = g_strdup_printf ("known of %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows of processes", sum.n,
                            sum.n + sum.missing);
  roast_aggregation_add_qualified (report, name, sum.sum, integer,
                                   note != NULL ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE, note);
}

static gboolean
has_event (RoastRecordingSnapshot *recording, const char *kind)
{
  RoastTableSnapshot *events = roast_recording_snapshot_get_table (recording, "events");
  guint64 n_rows = events != NULL ? roast_table_snapshot_get_n_rows (events) : 0;

  for (guint64 row = 0; row < n_rows; row++)
    if (g_strcmp0 (roast_table_snapshot_get_string (events, row,
                                                    (guint) roast_table_snapshot_find_column (events, "kind")),
                   kind) == 0)
      return TRUE;

  return FALSE;
}

/* What the CPU time cannot have: rows that are only as good as a last sample. */
static char *
cpu_note (RoastTableSnapshot *processes, RoastRecordingSnapshot *recording, RoastCompleteness *completeness)
{
  g_autoptr (GVariant) attached =
      roast_recording_snapshot_lookup_metadata (recording, "tree-attached", G_VARIANT_TYPE_BOOLEAN);
  guint origin = (guint) roast_table_snapshot_find_column (processes, "origin");
  guint64 n_rows = roast_table_snapshot_get_n_rows (processes);
  guint64 running = 0;
  gint64 elapsed;

  for (guint64 row = 0; row < n_rows; row++)
    running += g_strcmp0 (roast_table_snapshot_get_string (processes, row, origin), "running") == 0;

  *completeness = ROAST_COMPLETENESS_COMPLETE;
  if (!roast_aggregation_get_int64 (recording, "tree-elapsed", &elapsed))
    {
      *completeness = ROAST_COMPLETENESS_PARTIAL;
      return g_strdup ("the supervisor was lost: only what had ended before is counted");
    }
  if (attached != NULL && g_variant_get_boolean (attached))
    {
      *completeness = ROAST_COMPLETENESS_PARTIAL;
      return g_strdup ("since the attach; what a process used after its last sample may be missing");
    }
  if (has_event (recording, "unreaped"))
    {
      *completeness = ROAST_COMPLETENESS_PARTIAL;
      return g_strdup ("nobody waited for some processes: what these used after their last sample is missing");
    }
  if (running > 0)
    {
      *completeness = ROAST_COMPLETENESS_PARTIAL;
      return g_strdup_printf ("%" G_GUINT64_FORMAT " process(es) ran on when the measurement ended", running);
    }

  return NULL;
}

static void
add_cpu (RoastTableSnapshot *processes, RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastColumnSum user = roast_aggregation_sum (processes, "cpu_user");
  RoastColumnSum system = roast_aggregation_sum (processes, "cpu_system");
  RoastCompleteness completeness = ROAST_COMPLETENESS_COMPLETE;
  g_autofree char *note = NULL;

  if (user.n == 0 || system.n == 0)
    {
      const char *reason = no_tree_reason (recording);

      roast_aggregation_add_unavailable (report, "process_cpu_time_seconds", reason);
      roast_aggregation_add_unavailable (report, "process_cpu_user_seconds", reason);
      roast_aggregation_add_unavailable (report, "process_cpu_system_seconds", reason);
      return;
    }
  note = cpu_note (processes, recording, &completeness);
  if (note == NULL && user.missing + system.missing > 0)
    {
      completeness = ROAST_COMPLETENESS_PARTIAL;
      note = g_strdup_printf ("nothing is known of %" G_GUINT64_FORMAT " row(s) of processes",
                              MAX (user.missing, system.missing));
    }
  roast_aggregation_add_qualified (report, "process_cpu_time_seconds", user.sum + system.sum, FALSE, completeness,
                                   note);
  roast_aggregation_add_qualified (report, "process_cpu_user_seconds", user.sum, FALSE, completeness, note);
  roast_aggregation_add_qualified (report, "process_cpu_system_seconds", system.sum, FALSE, completeness, note);
}

static void
add_cores (RoastRecordingSnapshot *recording, RoastReport *report)
{
  double cores, quota;

  if (!roast_aggregation_get_double (recording, "tree-cores", &cores))
    {
      roast_aggregation_add_unavailable (report, "cores_available", NO_TREE);
    }
  else
    {
      gboolean limited = roast_aggregation_get_double (recording, "tree-cgroup-cores", &quota) && quota < cores;

      roast_aggregation_add_qualified (report, "cores_available", limited ? quota : cores, FALSE,
                                       ROAST_COMPLETENESS_COMPLETE, limited ? "the quota of the control group" : NULL);
    }
  roast_aggregation_add_ratio (report, "cores_used_average", "process_cpu_time_seconds", "elapsed_time_seconds", 1);
  roast_aggregation_add_ratio (report, "cpu_efficiency_ratio", "cores_used_average", "cores_available", 1);
}

static void
add_process_counts (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GVariant) exact =
      roast_recording_snapshot_lookup_metadata (recording, "tree-processes-exact", G_VARIANT_TYPE_BOOLEAN);
  gint64 total;

  if (!roast_aggregation_get_int64 (recording, "tree-processes", &total))
    add_sum (recording, report, "processes_total", "count", TRUE, "no process was seen");
  else if (exact != NULL && g_variant_get_boolean (exact))
    roast_aggregation_add_int64 (report, "processes_total", total);
  else
    roast_aggregation_add_qualified (report, "processes_total", (double) total, TRUE, ROAST_COMPLETENESS_PARTIAL,
                                     "those that were seen: without perf events the shortest are not");
}

static void
add_run_queue (RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastColumnSum sum = roast_aggregation_sum (roast_recording_snapshot_get_table (recording, "processes"), "run_queue");

  if (sum.n > 0)
    roast_aggregation_add_qualified (report, "run_queue_seconds", sum.sum, FALSE, ROAST_COMPLETENESS_PARTIAL,
                                     "as far as it was sampled: what came after the last sample of a process is "
                                     "missing");
  else
    roast_aggregation_add_unavailable (report, "run_queue_seconds",
                                       sum.missing == 0 ? no_tree_reason (recording)
                                       : has_mechanism (recording, ROAST_ACCOUNTING_RUN_QUEUE)
                                           ? "no process lived through a sample"
                                           : "the kernel does not tell (it has no schedstat)");
}

/* ---- samples of the tree ---- */

static char *
no_samples_reason (RoastRecordingSnapshot *recording)
{
  gint64 ticks, us;

  if (roast_aggregation_get_int64 (recording, "tree-ticks", &ticks) && ticks > 0)
    return g_strdup ("samples were taken, but no backend recorded them: pass --backend=local");
  if (roast_aggregation_get_int64 (recording, "tree-elapsed", &us))
    return g_strdup_printf ("no sample was taken: the program ended after %.3g ms", (double) us / 1000);

  return g_strdup (no_tree_reason (recording));
}

static char *
dup_sample_reason (RoastRecordingSnapshot *recording, gboolean pss)
{
  RoastTableSnapshot *samples = roast_recording_snapshot_get_table (recording, "cluster_samples");

  if (samples == NULL || roast_table_snapshot_get_n_rows (samples) == 0)
    return no_samples_reason (recording);
  if (roast_aggregation_sum (samples, "memory").n == 0)
    return g_strdup ("no backend sampled the program's processes: add --backend=local");
  if (!pss)
    return g_strdup ("no sample tells it");
  if (!has_mechanism (recording, ROAST_ACCOUNTING_PSS))
    return g_strdup ("the proportional set size was not read: pss=off, or the kernel does not tell it");

  return g_strdup ("the proportional set size could not be read: the processes protect themselves");
}

/* How much of the peak was read when it was the peak: the rest is scaled from older readings. */
static char *
pss_note (RoastRecordingSnapshot *recording, const RoastStepIntegral *pss)
{
  RoastTableSnapshot *samples = roast_recording_snapshot_get_table (recording, "cluster_samples");
  RoastColumnSum age =
      roast_aggregation_sum (roast_recording_snapshot_get_table (recording, "worker_samples"), "memory_pss_age");
  int column = roast_table_snapshot_find_column (samples, "memory_pss_read");
  double read = column >= 0 ? roast_table_snapshot_get_double (samples, pss->max_row, (guint) column) : NAN;

  if (isnan (read) || read >= pss->max || isnan (age.max))
    return g_strdup_printf ("of %" G_GUINT64_FORMAT " samples", pss->n);

  return g_strdup_printf ("of %" G_GUINT64_FORMAT
                          " samples; %.0f %% of the peak was read then, the rest follows from readings of "
                          "up to %.3g s before",
                          pss->n, 100 * read / pss->max, age.max);
}

static void
add_peak (RoastRecordingSnapshot *recording, RoastReport *report, const char *name, const char *column)
{
  RoastStepIntegral value =
      roast_step_integral (roast_recording_snapshot_get_table (recording, "cluster_samples"), column);
  g_autofree char *text = value.n > 0 ? g_strdup_printf ("of %" G_GUINT64_FORMAT " samples", value.n)
                                      : dup_sample_reason (recording, FALSE);

  if (value.n > 0)
    roast_aggregation_add_qualified (report, name, value.max, TRUE, ROAST_COMPLETENESS_ESTIMATED, text);
  else
    roast_aggregation_add_unavailable (report, name, text);
}

static void
add_pss (RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastStepIntegral pss =
      roast_step_integral (roast_recording_snapshot_get_table (recording, "cluster_samples"), "memory_pss");
  g_autofree char *text = pss.n > 0 ? pss_note (recording, &pss) : dup_sample_reason (recording, TRUE);

  if (pss.n > 0)
    {
      roast_aggregation_add_qualified (report, "memory_peak_bytes", pss.max, TRUE, ROAST_COMPLETENESS_ESTIMATED, text);
      roast_aggregation_add_qualified (report, "memory_average_bytes", pss.average, FALSE, ROAST_COMPLETENESS_ESTIMATED,
                                       text);
    }
  else
    {
      roast_aggregation_add_unavailable (report, "memory_peak_bytes", text);
      roast_aggregation_add_unavailable (report, "memory_average_bytes", text);
    }
}

/* Whether the highest of all is of a process that may owe it to what it was before an exec. */
static gboolean
is_floor (RoastTableSnapshot *processes, double peak)
{
  guint column = (guint) roast_table_snapshot_find_column (processes, "memory_peak");
  guint floor = (guint) roast_table_snapshot_find_column (processes, "memory_peak_floor");
  guint64 n_rows = roast_table_snapshot_get_n_rows (processes);
  gboolean found = FALSE;

  for (guint64 row = 0; row < n_rows; row++)
    {
      if (roast_table_snapshot_get_double (processes, row, column) != peak)
        continue;
      if (!roast_table_snapshot_get_boolean (processes, row, floor))
        return FALSE;
      found = TRUE;
    }

  return found;
}

static void
add_process_peak (RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastTableSnapshot *processes = roast_recording_snapshot_get_table (recording, "processes");
  RoastColumnSum peak = roast_aggregation_sum (processes, "memory_peak");
  g_autofree char *note = NULL;
  RoastCompleteness completeness = ROAST_COMPLETENESS_COMPLETE;

  if (peak.n == 0)
    {
      roast_aggregation_add_unavailable (report, "process_memory_peak_bytes",
                                         peak.missing == 0 ? no_tree_reason (recording)
                                                           : "no process was read before it ended");
      return;
    }
  if (is_floor (processes, peak.max))
    {
      completeness = ROAST_COMPLETENESS_ESTIMATED;
      note = g_strdup ("at most: it may stem from before an exec");
    }
  else if (peak.missing > 0)
    {
      completeness = ROAST_COMPLETENESS_PARTIAL;
      note = g_strdup_printf ("known of %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                              " rows: the others were too short to be read",
                              peak.n, peak.n + peak.missing);
    }
  roast_aggregation_add_qualified (report, "process_memory_peak_bytes", peak.max, TRUE, completeness, note);
}

static void
add_memory_limit (RoastRecordingSnapshot *recording, RoastReport *report)
{
  gint64 limit, host;
  gboolean limited = roast_aggregation_get_int64 (recording, "tree-cgroup-memory-limit", &limit);

  if (!roast_aggregation_get_int64 (recording, "tree-host-memory", &host))
    {
      roast_aggregation_add_unavailable (report, "memory_limit_bytes", NO_TREE);
      return;
    }
  limited = limited && limit < host;
  roast_aggregation_add_qualified (report, "memory_limit_bytes", (double) (limited ? limit : host), TRUE,
                                   ROAST_COMPLETENESS_COMPLETE,
                                   limited ? "the limit of the control group" : "the memory of the machine");
}

/* Processes whose own counters are nowhere. The kernel adds those of who is waited for to its parent's: so those of
 * rows that stand for several, and of processes that were too short to be read, are there. */
static guint64
count_unread (RoastTableSnapshot *processes)
{
  guint id = (guint) roast_table_snapshot_find_column (processes, "process");
  guint origin = (guint) roast_table_snapshot_find_column (processes, "origin");
  guint column = (guint) roast_table_snapshot_find_column (processes, "read_chars");
  guint64 n_rows = roast_table_snapshot_get_n_rows (processes);
  guint64 unread = 0;

  for (guint64 row = 0; row < n_rows; row++)
    unread += roast_table_snapshot_get_int64 (processes, row, id) > 0 &&
              g_strcmp0 (roast_table_snapshot_get_string (processes, row, origin), "sampled") != 0 &&
              !roast_table_snapshot_is_valid (processes, row, column);

  return unread;
}

static void
add_io (RoastRecordingSnapshot *recording, RoastReport *report)
{
  static const char *const metrics[][2] = {
    { "io_read_chars_bytes", "read_chars" },
    { "io_write_chars_bytes", "write_chars" },
    { "io_storage_read_bytes", "disk_read" },
    { "io_storage_write_bytes", "disk_write" },
  };
  RoastTableSnapshot *processes = roast_recording_snapshot_get_table (recording, "processes");
  guint64 unread = processes != NULL ? count_unread (processes) : 0;
  g_autofree char *note =
      unread > 0 ? g_strdup_printf ("the counters of %" G_GUINT64_FORMAT " process(es) could not be read", unread)
                 : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    {
      RoastColumnSum sum = roast_aggregation_sum (processes, metrics[i][1]);

      if (sum.n > 0)
        roast_aggregation_add_qualified (report, metrics[i][0], sum.sum, TRUE,
                                         unread > 0 ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_COMPLETE, note);
      else
        roast_aggregation_add_unavailable (report, metrics[i][0],
                                           sum.missing == 0 ? no_tree_reason (recording)
                                           : has_mechanism (recording, ROAST_ACCOUNTING_IO)
                                               ? "no process was read before it ended: its I/O counters go with it"
                                               : "the I/O counters of processes are not readable here");
    }
}

/* ---- the measurement itself ---- */

static void
add_own_cost (RoastRecordingSnapshot *recording, RoastReport *report)
{
  gint64 user = 0;
  gint64 system = 0;
  double library = 0;
  gboolean told = roast_aggregation_get_double (recording, "own-cpu", &library);
  gboolean supervised = roast_aggregation_get_int64 (recording, "tree-own-user", &user) &&
                        roast_aggregation_get_int64 (recording, "tree-own-system", &system);
  double sum = library + (double) (user + system) * PER_SECOND;

  if (told && supervised)
    roast_aggregation_add_double (report, "own_cpu_seconds", sum);
  else if (told)
    roast_aggregation_add_qualified (report, "own_cpu_seconds", sum, FALSE, ROAST_COMPLETENESS_PARTIAL,
                                     "the library alone: there was no supervisor, or it was lost");
  else if (supervised)
    roast_aggregation_add_qualified (report, "own_cpu_seconds", sum, FALSE, ROAST_COMPLETENESS_PARTIAL,
                                     "the supervisor alone: what the library uses in an application is not told "
                                     "apart from the rest of it");
  else
    roast_aggregation_add_unavailable (report, "own_cpu_seconds",
                                       "what the library uses in an application is not told apart from the rest of it");
  roast_aggregation_add_ratio (report, "own_cpu_ratio", "own_cpu_seconds", "elapsed_time_seconds", 1);
}

static void
add_accounting (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autofree char *text = roast_aggregation_dup_string (recording, "tree-accounting-text");
  g_autoptr (RoastMetric) metric = text != NULL ? roast_metric_new_string ("accounting", text)
                                                : roast_metric_new_unavailable ("accounting", NO_TREE);

  roast_report_add_metric (report, metric);
}

static gboolean
process_aggregate (RoastAggregator *aggregator, RoastRecordingSnapshot *recording, RoastReport *report,
                   GCancellable *cancellable, GError **error)
{
  RoastTableSnapshot *processes = roast_recording_snapshot_get_table (recording, "processes");
  const char *no_tree = no_tree_reason (recording);
  static const char unread[] = "no process was read";

  add_elapsed (recording, report);
  add_status (recording, report);
  add_metadata (recording, report, "stopped_time_seconds", "tree-stopped", PER_SECOND, FALSE, no_tree);
  add_metadata (recording, report, "suspended_time_seconds", "tree-suspended", PER_SECOND, FALSE, no_tree);
  add_cpu (processes, recording, report);
  add_cores (recording, report);
  add_run_queue (recording, report);
  add_process_counts (recording, report);
  add_pss (recording, report);
  add_peak (recording, report, "memory_rss_peak_bytes", "memory");
  add_peak (recording, report, "threads_peak", "threads");
  add_process_peak (recording, report);
  add_memory_limit (recording, report);
  add_metadata (recording, report, "cgroup_memory_peak_bytes", "tree-cgroup-memory-peak", 1, TRUE,
                "no control group of its own was used");
  add_metadata (recording, report, "oom_kills_total", "tree-oom-kills", 1, TRUE, "the control group does not tell");
  add_io (recording, report);
  add_sum (recording, report, "voluntary_switches_total", "voluntary_switches", TRUE, unread);
  add_sum (recording, report, "involuntary_switches_total", "involuntary_switches", TRUE, unread);
  add_sum (recording, report, "minor_faults_total", "minor_faults", TRUE, unread);
  add_sum (recording, report, "major_faults_total", "major_faults", TRUE, unread);
  add_accounting (recording, report);
  add_metadata (recording, report, "samples_total", "tree-ticks", 1, TRUE, no_tree);
  add_metadata (recording, report, "samples_missed_total", "tree-missed", 1, TRUE, no_tree);
  add_metadata (recording, report, "leftover_processes", "tree-leftover", 1, TRUE, no_tree);
  add_own_cost (recording, report);
  add_metadata (recording, report, "own_memory_peak_bytes", "tree-own-peak-rss", 1, TRUE, no_tree);
  if (processes != NULL && roast_table_snapshot_get_n_rows (processes) > 0)
    roast_command_table_add (processes, report);

  return TRUE;
}

static char **
process_dup_provides (RoastAggregator *aggregator)
{
  return g_strdupv ((char **) provided);
}

static void
aggregator_iface_init (RoastAggregatorInterface *iface)
{
  iface->dup_provides = process_dup_provides;
  iface->aggregate = process_aggregate;
}

static void
roast_process_aggregator_class_init (RoastProcessAggregatorClass *klass)
{
}

static void
roast_process_aggregator_init (RoastProcessAggregator *self)
{
}
