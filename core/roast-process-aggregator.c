/* SPDX-License-Identifier: BSD-3-Clause */

#include <math.h>
#include <sys/wait.h>

#include "roast-aggregation-private.h"
#include "roast-builtin-aggregators-private.h"

struct _RoastProcessAggregator
{
  GObject parent_instance;
};

static void aggregator_iface_init (RoastAggregatorInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastProcessAggregator,
                               roast_process_aggregator,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_AGGREGATOR, aggregator_iface_init))

#define NO_TREE "its processes are out of reach: it runs elsewhere, or was not launched by roast"
#define PER_SECOND (1.0 / G_USEC_PER_SEC)

static const char *const provided[] = {
  "elapsed_time_seconds", "exit_status", "stopped_time_seconds", "suspended_time_seconds",
  "process_cpu_time_seconds", "process_cpu_user_seconds", "process_cpu_system_seconds", "cores_available",
  "cores_used_average", "cpu_efficiency_ratio", "run_queue_seconds", "processes_total", "threads_peak",
  "memory_peak_bytes", "memory_average_bytes", "memory_rss_peak_bytes", "process_memory_peak_bytes",
  "memory_limit_bytes", "cgroup_memory_peak_bytes", "oom_kills_total", "io_read_chars_bytes", "io_write_chars_bytes",
  "io_storage_read_bytes", "io_storage_write_bytes", "voluntary_switches_total", "involuntary_switches_total",
  "minor_faults_total", "major_faults_total", "accounting", "samples_total", "samples_missed_total",
  "leftover_processes", "own_cpu_seconds", "own_cpu_ratio", "own_memory_peak_bytes", NULL
};

/* ---- the run ---- */

static void
add_elapsed (RoastRecordingSnapshot *recording, RoastReport *report)
{
  gint64 elapsed, started, ended;

  if (roast_aggregation_get_int64 (recording, "tree-elapsed", &elapsed))
    roast_aggregation_add_double (report, "elapsed_time_seconds", (double) elapsed * PER_SECOND);
  else if (roast_aggregation_get_int64 (recording, "started", &started) &&
           roast_aggregation_get_int64 (recording, "ended", &ended) && ended >= started)
    roast_aggregation_add_qualified (report, "elapsed_time_seconds", (double) (ended - started) * PER_SECOND, FALSE,
                                     ROAST_ESTIMATED, "by the wall clock of the session");
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

      roast_aggregation_add_unavailable (
          report, "exit_status",
          attached == NULL                  ? NO_TREE
          : g_variant_get_boolean (attached) ? "roast attached to the process: only its parent learns its status"
                                             : "the program was not seen to end");
      return;
    }
  if (WIFSIGNALED ((int) status))
    {
      metric = roast_metric_new_int64 ("exit_status", 128 + WTERMSIG ((int) status));
      note = g_strdup_printf ("killed by signal %d (%s)", WTERMSIG ((int) status), g_strsignal (WTERMSIG ((int) status)));
    }
  else
    {
      metric = roast_metric_new_int64 ("exit_status", WEXITSTATUS ((int) status));
    }
  roast_metric_set_completeness (metric, ROAST_COMPLETE, note);
  roast_report_add_metric (report, metric);
}

/* A number of the metadata as it is, or why it is not there. */
static void
add_metadata (RoastRecordingSnapshot *recording,
              RoastReport            *report,
              const char             *name,
              const char             *key,
              double                  factor,
              gboolean                integer,
              const char             *otherwise)
{
  gint64 value;

  if (roast_aggregation_get_int64 (recording, key, &value))
    roast_aggregation_add_qualified (report, name, (double) value * factor, integer, ROAST_COMPLETE, NULL);
  else
    roast_aggregation_add_unavailable (report, name, otherwise);
}

/* ---- sums over processes ---- */

static void
add_sum (RoastTableSnapshot *processes,
         RoastReport        *report,
         const char         *name,
         const char         *column,
         gboolean            integer,
         RoastCompleteness   completeness,
         const char         *note,
         const char         *otherwise)
{
  RoastColumnSum sum = roast_aggregation_sum (processes, column);

  if (sum.n == 0)
    roast_aggregation_add_unavailable (report, name, processes == NULL ? NO_TREE : otherwise);
  else
    roast_aggregation_add_qualified (report, name, sum.sum, integer, completeness, note);
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

  *completeness = ROAST_COMPLETE;
  if (!roast_aggregation_get_int64 (recording, "tree-elapsed", &elapsed))
    {
      *completeness = ROAST_PARTIAL;
      return g_strdup ("the supervising program was lost: only what had ended before is counted");
    }
  if (attached != NULL && g_variant_get_boolean (attached))
    {
      *completeness = ROAST_PARTIAL;
      return g_strdup ("since the attach; what a process used after its last sample may be missing");
    }
  if (running > 0)
    {
      *completeness = ROAST_PARTIAL;
      return g_strdup_printf ("%" G_GUINT64_FORMAT " process(es) ran on when the measurement ended", running);
    }

  return NULL;
}

static void
add_cpu (RoastTableSnapshot *processes, RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastColumnSum user = roast_aggregation_sum (processes, "cpu_user");
  RoastColumnSum system = roast_aggregation_sum (processes, "cpu_system");
  RoastCompleteness completeness = ROAST_COMPLETE;
  g_autofree char *note = NULL;

  if (user.n == 0)
    {
      const char *reason = processes == NULL ? NO_TREE : "no process was accounted for";

      roast_aggregation_add_unavailable (report, "process_cpu_time_seconds", reason);
      roast_aggregation_add_unavailable (report, "process_cpu_user_seconds", reason);
      roast_aggregation_add_unavailable (report, "process_cpu_system_seconds", reason);
      return;
    }
  note = cpu_note (processes, recording, &completeness);
  roast_aggregation_add_qualified (report, "process_cpu_time_seconds", user.sum + system.sum, FALSE, completeness, note);
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

      roast_aggregation_add_qualified (report, "cores_available", limited ? quota : cores, FALSE, ROAST_COMPLETE,
                                       limited ? "the quota of the control group" : NULL);
    }
  roast_aggregation_add_ratio (report, "cores_used_average", "process_cpu_time_seconds", "elapsed_time_seconds", 1);
  if (roast_report_lookup (report, "cores_used_average") != NULL)
    roast_aggregation_add_ratio (report, "cpu_efficiency_ratio", "cores_used_average", "cores_available", 1);
}

static void
add_process_counts (RoastTableSnapshot *processes, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GVariant) exact =
      roast_recording_snapshot_lookup_metadata (recording, "tree-processes-exact", G_VARIANT_TYPE_BOOLEAN);
  gint64 total;

  if (!roast_aggregation_get_int64 (recording, "tree-processes", &total))
    add_sum (processes, report, "processes_total", "count", TRUE, ROAST_PARTIAL, "those that were seen", "no process was seen");
  else if (exact != NULL && g_variant_get_boolean (exact))
    roast_aggregation_add_int64 (report, "processes_total", total);
  else
    roast_aggregation_add_qualified (report, "processes_total", (double) total, TRUE, ROAST_PARTIAL,
                                     "those that were seen: without perf events the shortest are not");
}

/* ---- samples of the tree ---- */

static char *
samples_note (RoastTableSnapshot *samples)
{
  return g_strdup_printf ("of %" G_GUINT64_FORMAT " samples", roast_table_snapshot_get_n_rows (samples));
}

static void
add_peak (RoastTableSnapshot *samples, RoastReport *report, const char *name, const char *column, const char *otherwise)
{
  RoastColumnSum sum = roast_aggregation_sum (samples, column);
  g_autofree char *note = NULL;

  if (sum.n == 0)
    {
      roast_aggregation_add_unavailable (report, name, otherwise);
      return;
    }
  note = samples_note (samples);
  roast_aggregation_add_qualified (report, name, sum.max, TRUE, ROAST_ESTIMATED, note);
}

/* The step integral: a value holds until the next sample. */
static double
time_average (RoastTableSnapshot *samples, const char *name)
{
  guint time = (guint) roast_table_snapshot_find_column (samples, "time");
  guint column = (guint) roast_table_snapshot_find_column (samples, name);
  guint64 n_rows = roast_table_snapshot_get_n_rows (samples);
  double integral = 0;
  double duration = 0;

  for (guint64 row = 0; row + 1 < n_rows; row++)
    {
      double step = roast_table_snapshot_get_double (samples, row + 1, time) - roast_table_snapshot_get_double (samples, row, time);
      double value = roast_table_snapshot_get_double (samples, row, column);

      if (isnan (value) || isnan (step) || step <= 0)
        continue;
      integral += value * step;
      duration += step;
    }
  if (duration > 0)
    return integral / duration;

  return n_rows > 0 ? roast_table_snapshot_get_double (samples, 0, column) : NAN;
}

static void
add_memory (RoastTableSnapshot *samples, RoastTableSnapshot *processes, RoastReport *report)
{
  guint64 n = samples != NULL ? roast_table_snapshot_get_n_rows (samples) : 0;
  const char *reason = processes == NULL ? NO_TREE
                       : n == 0          ? "no sample was taken: the program ended too soon, or no backend samples its processes"
                                         : "the proportional set size was not read: pss=off, or the processes protect themselves";
  RoastColumnSum peak = roast_aggregation_sum (processes, "memory_peak");

  add_peak (samples, report, "memory_peak_bytes", "memory_pss", reason);
  add_peak (samples, report, "memory_rss_peak_bytes", "memory", reason);
  add_peak (samples, report, "threads_peak", "threads", reason);
  if (n > 0 && !isnan (time_average (samples, "memory_pss")))
    {
      g_autofree char *note = samples_note (samples);

      roast_aggregation_add_qualified (report, "memory_average_bytes", time_average (samples, "memory_pss"), FALSE,
                                       ROAST_ESTIMATED, note);
    }
  else
    {
      roast_aggregation_add_unavailable (report, "memory_average_bytes", reason);
    }
  if (peak.n > 0)
    roast_aggregation_add_qualified (report, "process_memory_peak_bytes", peak.max, TRUE,
                                     peak.missing > 0 ? ROAST_PARTIAL : ROAST_COMPLETE,
                                     peak.missing > 0 ? "some processes were too short to be read" : NULL);
  else
    roast_aggregation_add_unavailable (report, "process_memory_peak_bytes", reason);
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
  roast_aggregation_add_qualified (report, "memory_limit_bytes", (double) (limited ? limit : host), TRUE, ROAST_COMPLETE,
                                   limited ? "the limit of the control group" : "the memory of the machine");
}

static void
add_io (RoastTableSnapshot *processes, RoastReport *report)
{
  static const char *const metrics[][2] = {
    { "io_read_chars_bytes", "read_chars" },
    { "io_write_chars_bytes", "write_chars" },
    { "io_storage_read_bytes", "disk_read" },
    { "io_storage_write_bytes", "disk_write" },
  };
  guint id = processes != NULL ? (guint) roast_table_snapshot_find_column (processes, "process") : 0;
  guint origin = processes != NULL ? (guint) roast_table_snapshot_find_column (processes, "origin") : 0;
  guint64 n_rows = processes != NULL ? roast_table_snapshot_get_n_rows (processes) : 0;
  guint64 unread = 0;

  /* The kernel adds the counters of who is waited for to its parent's: those of rows that stand for several, and of
   * processes that were too short to be read, are there. */
  for (guint64 row = 0; row < n_rows; row++)
    unread += roast_table_snapshot_get_int64 (processes, row, id) > 0 &&
              g_strcmp0 (roast_table_snapshot_get_string (processes, row, origin), "sampled") != 0 &&
              !roast_table_snapshot_is_valid (processes, row, (guint) roast_table_snapshot_find_column (processes, "read_chars"));
  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    {
      g_autofree char *note =
          unread > 0 ? g_strdup_printf ("the counters of %" G_GUINT64_FORMAT " process(es) could not be read", unread) : NULL;

      add_sum (processes, report, metrics[i][0], metrics[i][1], TRUE, unread > 0 ? ROAST_PARTIAL : ROAST_COMPLETE, note,
               "the I/O counters of its processes cannot be read here");
    }
}

/* ---- derived table ---- */

typedef struct
{
  const char *command;
  guint64 rows, processes;
  double user, system, run_queue, memory_peak;
} Command;

static int
compare_commands (const Command **a, const Command **b)
{
  double x = (*a)->user + (*a)->system;
  double y = (*b)->user + (*b)->system;

  return x > y ? -1 : x < y;
}

static void
add_if (double *to, double value)
{
  if (!isnan (value))
    *to = isnan (*to) ? value : *to + value;
}

static Command *
get_command (GHashTable *commands, const char *name)
{
  Command *command = g_hash_table_lookup (commands, name);

  if (command == NULL)
    {
      command = g_new0 (Command, 1);
      command->command = name;
      command->run_queue = command->memory_peak = NAN;
      g_hash_table_insert (commands, (char *) name, command);
    }

  return command;
}

static void
write_commands (GHashTable *commands, RoastReport *report)
{
  g_autoptr (RoastTable) table = roast_table_new ("per_command", ROAST_TABLE_LOG, "What processes of each name used together");
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr (RoastRow) row = NULL;
  GHashTableIter iter;
  gpointer value = NULL;
  double total = 0;

  roast_table_add_column (table, "command", ROAST_COLUMN_CATEGORY, NULL, "name", NULL);
  roast_table_add_column (table, "processes", ROAST_COLUMN_INT64, NULL, "processes of that name; missing if not known", NULL);
  roast_table_add_column (table, "cpu_user", ROAST_COLUMN_DOUBLE, "s", "CPU time in user mode", NULL);
  roast_table_add_column (table, "cpu_system", ROAST_COLUMN_DOUBLE, "s", "CPU time in the kernel", NULL);
  roast_table_add_column (table, "cpu_share", ROAST_COLUMN_DOUBLE, "ratio", "its share of all CPU time", NULL);
  roast_table_add_column (table, "run_queue", ROAST_COLUMN_DOUBLE, "s", "time waited for a core", NULL);
  roast_table_add_column (table, "memory_peak", ROAST_COLUMN_INT64, "B", "highest resident memory of one of them", NULL);

  g_hash_table_iter_init (&iter, commands);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      g_ptr_array_add (sorted, value);
      total += ((Command *) value)->user + ((Command *) value)->system;
    }
  g_ptr_array_sort (sorted, (GCompareFunc) compare_commands);
  row = roast_row_new (table);
  for (guint i = 0; i < sorted->len; i++)
    {
      const Command *command = g_ptr_array_index (sorted, i);

      roast_row_clear (row);
      roast_row_set_string (row, 0, command->command);
      if (command->processes > 0)
        roast_row_set_int64 (row, 1, (gint64) command->processes);
      roast_row_set_double (row, 2, command->user);
      roast_row_set_double (row, 3, command->system);
      if (total > 0)
        roast_row_set_double (row, 4, (command->user + command->system) / total);
      roast_row_set_double (row, 5, command->run_queue);
      if (!isnan (command->memory_peak))
        roast_row_set_int64 (row, 6, (gint64) command->memory_peak);
      roast_table_append (table, row, NULL);
    }
  roast_report_add_table (report, table);
}

static void
add_per_command (RoastTableSnapshot *processes, RoastReport *report)
{
  g_autoptr (GHashTable) commands = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  guint64 n_rows = roast_table_snapshot_get_n_rows (processes);
  guint column[8];
  static const char *const names[] = { "command", "count", "cpu_user", "cpu_system", "run_queue", "memory_peak", "origin" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    column[i] = (guint) roast_table_snapshot_find_column (processes, names[i]);
  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *name = roast_table_snapshot_get_string (processes, row, column[0]);
      const char *origin = roast_table_snapshot_get_string (processes, row, column[6]);
      Command *command = get_command (commands, name != NULL && *name != '\0'               ? name
                                                : g_strcmp0 (origin, "unwaited") == 0 ? "(nobody waited for)"
                                                                                      : "(too short to be seen)");
      double peak = roast_table_snapshot_get_double (processes, row, column[5]);

      command->processes += (guint64) roast_table_snapshot_get_int64 (processes, row, column[1]);
      add_if (&command->user, roast_table_snapshot_get_double (processes, row, column[2]));
      add_if (&command->system, roast_table_snapshot_get_double (processes, row, column[3]));
      add_if (&command->run_queue, roast_table_snapshot_get_double (processes, row, column[4]));
      if (!isnan (peak))
        command->memory_peak = isnan (command->memory_peak) ? peak : MAX (command->memory_peak, peak);
    }
  write_commands (commands, report);
}

/* ---- the measurement itself ---- */

static void
add_own_cost (RoastRecordingSnapshot *recording, RoastReport *report)
{
  gint64 user, system;
  double library;

  if (!roast_aggregation_get_double (recording, "own-cpu", &library))
    {
      roast_aggregation_add_unavailable (report, "own_cpu_seconds", "the session does not tell");
    }
  else if (roast_aggregation_get_int64 (recording, "tree-own-user", &user) &&
           roast_aggregation_get_int64 (recording, "tree-own-system", &system))
    {
      roast_aggregation_add_double (report, "own_cpu_seconds", library + (double) (user + system) * PER_SECOND);
    }
  else
    {
      roast_aggregation_add_qualified (report, "own_cpu_seconds", library, FALSE, ROAST_PARTIAL,
                                       "the library alone: there was no supervising program, or it was lost");
    }
  roast_aggregation_add_ratio (report, "own_cpu_ratio", "own_cpu_seconds", "elapsed_time_seconds", 1);
}

static void
add_accounting (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autofree char *text = roast_aggregation_dup_string (recording, "tree-accounting-text");
  g_autoptr (RoastMetric) metric =
      text != NULL ? roast_metric_new_string ("accounting", text) : roast_metric_new_unavailable ("accounting", NO_TREE);

  roast_report_add_metric (report, metric);
}

static gboolean
process_aggregate (RoastAggregator        *aggregator,
                   RoastRecordingSnapshot *recording,
                   RoastReport            *report,
                   GCancellable           *cancellable,
                   GError                **error)
{
  RoastTableSnapshot *processes = roast_recording_snapshot_get_table (recording, "processes");
  RoastTableSnapshot *samples = roast_recording_snapshot_get_table (recording, "cluster_samples");
  static const char sampled[] = "as far as it was sampled: what came after the last sample of a process is missing";
  static const char unread[] = "no process was read";

  add_elapsed (recording, report);
  add_status (recording, report);
  add_metadata (recording, report, "stopped_time_seconds", "tree-stopped", PER_SECOND, FALSE, NO_TREE);
  add_metadata (recording, report, "suspended_time_seconds", "tree-suspended", PER_SECOND, FALSE, NO_TREE);
  add_cpu (processes, recording, report);
  add_cores (recording, report);
  add_sum (processes, report, "run_queue_seconds", "run_queue", FALSE, ROAST_PARTIAL, sampled,
           "no process lived through a sample, or the kernel does not tell");
  add_process_counts (processes, recording, report);
  add_memory (samples, processes, report);
  add_memory_limit (recording, report);
  add_metadata (recording, report, "cgroup_memory_peak_bytes", "tree-cgroup-memory-peak", 1, TRUE,
                "no control group of its own was used");
  add_metadata (recording, report, "oom_kills_total", "tree-oom-kills", 1, TRUE, "the control group does not tell");
  add_io (processes, report);
  add_sum (processes, report, "voluntary_switches_total", "voluntary_switches", TRUE, ROAST_COMPLETE, NULL, unread);
  add_sum (processes, report, "involuntary_switches_total", "involuntary_switches", TRUE, ROAST_COMPLETE, NULL, unread);
  add_sum (processes, report, "minor_faults_total", "minor_faults", TRUE, ROAST_COMPLETE, NULL, unread);
  add_sum (processes, report, "major_faults_total", "major_faults", TRUE, ROAST_COMPLETE, NULL, unread);
  add_accounting (recording, report);
  add_metadata (recording, report, "samples_total", "tree-ticks", 1, TRUE, NO_TREE);
  add_metadata (recording, report, "samples_missed_total", "tree-missed", 1, TRUE, NO_TREE);
  add_metadata (recording, report, "leftover_processes", "tree-leftover", 1, TRUE, NO_TREE);
  add_own_cost (recording, report);
  add_metadata (recording, report, "own_memory_peak_bytes", "tree-own-peak-rss", 1, TRUE, NO_TREE);
  if (processes != NULL && roast_table_snapshot_get_n_rows (processes) > 0)
    add_per_command (processes, report);

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
