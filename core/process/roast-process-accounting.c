/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-process-accounting-private.h"
#include "roast-process-private.h"

#include <sys/wait.h>

#include "base/roast-type-private.h"
#include "recording/roast-recording-private.h"
#include "roast/roast-tables.h"

/* The first processes, up to this id, each get their own row. Later processes are summed up by parent and command, so
 * that a run of a million processes does not need a million rows. */
#define PROCESS_ACCOUNTING_MAX_ROWS 20000
/* When there are this many sums, processes with another parent or command are summed up by command only, not by
 * parent. */
#define MAX_SUMS 20000

struct _RoastProcessAccounting
{
  GObject parent_instance;

  RoastRecording *recording;
  gboolean attached;
  int pid;
  char *source;
  RoastProcessTree *tree;

  RoastTableWriter *writer; /* writer of the table `processes` */
  gint64 n_folded;
  GHashTable *sums; /* maps "ORIGIN PARENT COMMAND" to a RoastProcess: sum of processes beyond MAX_ROWS */
};

static void roast_process_accounting_observer_init (RoastProcessObserverInterface *iface);

ROAST_DEFINE_TYPE_WITH (RoastProcessAccounting, roast_process_accounting, ROAST_TYPE_PROCESS_OBSERVER,
                        roast_process_accounting_observer_init)

static void
roast_process_accounting_release (RoastProcessAccounting *self)
{
  g_clear_object (&self->writer);
  g_clear_object (&self->recording);
  g_free (self->source);
  g_clear_object (&self->tree);
  g_hash_table_unref (self->sums);
}

static void
roast_process_accounting_init (RoastProcessAccounting *self)
{
  self->sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

RoastProcessAccounting *
roast_process_accounting_new (RoastRecording *recording, gboolean attached)
{
  RoastProcessAccounting *self = g_object_new (ROAST_TYPE_PROCESS_ACCOUNTING, NULL);

  self->recording = g_object_ref (recording);
  self->attached = attached;

  return self;
}

void
roast_process_accounting_set_pid (RoastProcessAccounting *self, int pid)
{
  self->pid = pid;
}

/* Rows of processes */

/* A column and the field that is written into it. */
typedef struct
{
  guint slot;
  RoastProcessField field;
} ProcessAccountingCell;

static const ProcessAccountingCell end_counts[] = {
  { ROAST_PROCESSES_COUNT, ROAST_PROCESS_FIELD_COUNT },
  { ROAST_PROCESSES_ENDED, ROAST_PROCESS_FIELD_ENDED },
  { ROAST_PROCESSES_MEMORY_PEAK, ROAST_PROCESS_FIELD_MEMORY_PEAK },
  { ROAST_PROCESSES_MEMORY_PEAK_WAITED, ROAST_PROCESS_FIELD_MEMORY_PEAK_WAITED },
  { ROAST_PROCESSES_READ_CHARS, ROAST_PROCESS_FIELD_READ_CHARS },
  { ROAST_PROCESSES_WRITE_CHARS, ROAST_PROCESS_FIELD_WRITE_CHARS },
  { ROAST_PROCESSES_DISK_READ, ROAST_PROCESS_FIELD_DISK_READ },
  { ROAST_PROCESSES_DISK_WRITE, ROAST_PROCESS_FIELD_DISK_WRITE },
  { ROAST_PROCESSES_MINOR_FAULTS, ROAST_PROCESS_FIELD_MINOR_FAULTS },
  { ROAST_PROCESSES_MAJOR_FAULTS, ROAST_PROCESS_FIELD_MAJOR_FAULTS },
  { ROAST_PROCESSES_VOLUNTARY_SWITCHES, ROAST_PROCESS_FIELD_VOLUNTARY_SWITCHES },
  { ROAST_PROCESSES_INVOLUNTARY_SWITCHES, ROAST_PROCESS_FIELD_INVOLUNTARY_SWITCHES },
};

static const ProcessAccountingCell end_times[] = {
  { ROAST_PROCESSES_CPU_USER, ROAST_PROCESS_FIELD_CPU_USER },
  { ROAST_PROCESSES_CPU_SYSTEM, ROAST_PROCESS_FIELD_CPU_SYSTEM },
  { ROAST_PROCESSES_CPU_UNSPLIT, ROAST_PROCESS_FIELD_CPU_UNSPLIT },
  { ROAST_PROCESSES_RUN_QUEUE, ROAST_PROCESS_FIELD_RUN_QUEUE },
};

static void
set_field (RoastProcessAccounting *self, guint slot, RoastProcess *process, RoastProcessField field)
{
  roast_table_writer_set_count (self->writer, slot, roast_process_get_field (process, field));
}

static void
set_seconds (RoastProcessAccounting *self, guint slot, RoastProcess *process, RoastProcessField field)
{
  gint64 microseconds = roast_process_get_field (process, field);

  if (microseconds >= 0)
    roast_table_writer_set_double (self->writer, slot, microseconds / (double) G_USEC_PER_SEC);
}

static void
begin_row (RoastProcessAccounting *self, RoastProcess *process)
{
  gint64 id = roast_process_get_id (process);
  gint64 parent = roast_process_get_parent_id (process);

  roast_table_writer_set_int64 (self->writer, ROAST_PROCESSES_PROCESS, id > 0 ? id : -(++self->n_folded));
  roast_table_writer_set_count (self->writer, ROAST_PROCESSES_PARENT, parent > 0 ? parent : -1);
}

/* Set the names when the process has ended, because a cell can be set only once, and the name of a running process may
 * change. */
static void
set_names (RoastProcessAccounting *self, RoastProcess *process)
{
  const char *command = roast_process_get_command (process);

  roast_table_writer_set_string (self->writer, ROAST_PROCESSES_COMMAND, *command != '\0' ? command : NULL);
  roast_table_writer_set_string (self->writer, ROAST_PROCESSES_COMMAND_LINE, roast_process_get_command_line (process));
}

static void
set_status (RoastProcessAccounting *self, RoastProcess *process)
{
  int status;

  if (!roast_process_get_wait_status (process, &status))
    return;
  if (WIFEXITED (status))
    roast_table_writer_set_int64 (self->writer, ROAST_PROCESSES_EXIT_CODE, WEXITSTATUS (status));
  else if (WIFSIGNALED (status))
    roast_table_writer_set_int64 (self->writer, ROAST_PROCESSES_SIGNAL, WTERMSIG (status));
}

static void
write_end (RoastProcessAccounting *self, RoastProcess *process)
{
  gint64 bound = roast_process_get_field (process, ROAST_PROCESS_FIELD_MEMORY_PEAK_BOUND);

  begin_row (self, process);
  set_names (self, process);
  set_status (self, process);
  roast_table_writer_set_word (self->writer, ROAST_PROCESSES_ORIGIN, roast_process_get_origin (process));
  for (guint i = 0; i < G_N_ELEMENTS (end_counts); i++)
    set_field (self, end_counts[i].slot, process, end_counts[i].field);
  for (guint i = 0; i < G_N_ELEMENTS (end_times); i++)
    set_seconds (self, end_times[i].slot, process, end_times[i].field);
  if (roast_process_get_field (process, ROAST_PROCESS_FIELD_MEMORY_PEAK) >= 0)
    roast_table_writer_set_word (self->writer, ROAST_PROCESSES_MEMORY_PEAK_BOUND, (guint) bound);
  roast_table_writer_close (self->writer, NULL);
}

static void
add_to_sum (RoastProcessAccounting *self, RoastProcess *process)
{
  guint64 parent = g_hash_table_size (self->sums) < MAX_SUMS ? roast_process_get_parent_id (process) : 0;
  const char *command = roast_process_get_command (process);
  /* Processes without final numbers have separate sums, so that sums of final numbers stay exact. */
  int origin = roast_process_is_final (process) ? -1 : (int) roast_process_get_origin (process);
  g_autofree char *key = g_strdup_printf ("%d %" G_GUINT64_FORMAT " %s", origin, parent, command);
  RoastProcess *sum = g_hash_table_lookup (self->sums, key);

  if (sum == NULL)
    {
      sum = roast_process_new (0, parent, command);
      g_hash_table_insert (self->sums, g_steal_pointer (&key), sum);
    }
  roast_process_add (sum, process);
}

/* After the last report of the supervisor, write the sums, and the names of processes that still run. */
static void
write_rest (RoastProcessAccounting *self)
{
  g_autoptr (GPtrArray) processes = roast_process_tree_list_processes (self->tree);
  GHashTableIter iter;
  gpointer sum = NULL;

  g_hash_table_iter_init (&iter, self->sums);
  while (g_hash_table_iter_next (&iter, NULL, &sum))
    write_end (self, sum);
  g_hash_table_remove_all (self->sums);
  for (guint i = 0; i < processes->len; i++)
    {
      RoastProcess *process = g_ptr_array_index (processes, i);

      if (roast_process_get_id (process) > PROCESS_ACCOUNTING_MAX_ROWS)
        continue;
      begin_row (self, process);
      set_names (self, process);
      roast_table_writer_close (self->writer, NULL);
    }
}

/* Observer */

static void
process_accounting_set_metadata (RoastProcessAccounting *self, const char *key, GVariant *value)
{
  roast_recording_set_metadata (self->recording, key, value);
}

/* Write a field of the tree into the metadata, if the field is available. */
static void
set_metadata_field (RoastProcessAccounting *self, const char *key, RoastProcessTreeField field)
{
  gint64 value = roast_process_tree_get_field (self->tree, field);

  if (value >= 0)
    process_accounting_set_metadata (self, key, g_variant_new_int64 (value));
}

static void
set_metadata_cores (RoastProcessAccounting *self, const char *key, double cores)
{
  if (cores >= 0)
    process_accounting_set_metadata (self, key, g_variant_new_double (cores));
}

static void
roast_process_accounting_tree_started (RoastProcessObserver *observer, RoastProcessTree *tree)
{
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);
  g_autofree char *address = self->pid > 0 ? g_strdup_printf ("pid %d", self->pid) : NULL;

  self->tree = g_object_ref (tree);
  self->source = roast_recording_add_source (self->recording, "processes", address, NULL, NULL);
  self->writer = roast_processes_write (self->recording, self->source);
  g_return_if_fail (self->writer != NULL);

  process_accounting_set_metadata (self, "tree-source", g_variant_new_string (self->source));
  process_accounting_set_metadata (self, "tree-attached", g_variant_new_boolean (self->attached));
  process_accounting_set_metadata (self, "tree-accounting",
                                   g_variant_new_uint32 (roast_process_tree_get_accounting (tree)));
  set_metadata_cores (self, "tree-cores", roast_process_tree_get_cores (tree));
  set_metadata_cores (self, "tree-cgroup-cores", roast_process_tree_get_cgroup_cores (tree));
  set_metadata_field (self, "tree-cgroup-memory-limit", ROAST_PROCESS_TREE_FIELD_CGROUP_MEMORY_LIMIT);
  set_metadata_field (self, "tree-host-memory", ROAST_PROCESS_TREE_FIELD_HOST_MEMORY);
}

static void
roast_process_accounting_process_started (RoastProcessObserver *observer, RoastProcess *process)
{
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);

  /* After an exec, this function writes the same values again. The name, which may have changed, is written when the
   * process ends. */
  if (roast_process_get_id (process) > PROCESS_ACCOUNTING_MAX_ROWS)
    return;

  begin_row (self, process);
  set_field (self, ROAST_PROCESSES_PID, process, ROAST_PROCESS_FIELD_PID);
  set_field (self, ROAST_PROCESSES_PID_NAMESPACE, process, ROAST_PROCESS_FIELD_PID_NAMESPACE);
  set_field (self, ROAST_PROCESSES_NAMESPACE_PID, process, ROAST_PROCESS_FIELD_NAMESPACE_PID);
  set_field (self, ROAST_PROCESSES_STARTED, process, ROAST_PROCESS_FIELD_STARTED);
  roast_table_writer_end (self->writer, NULL);
}

static void
roast_process_accounting_process_ended (RoastProcessObserver *observer, RoastProcess *process)
{
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);
  guint64 id = roast_process_get_id (process);

  if (id > PROCESS_ACCOUNTING_MAX_ROWS || (id == 0 && self->n_folded >= PROCESS_ACCOUNTING_MAX_ROWS &&
                                           roast_process_get_origin (process) != ROAST_PROCESS_ORIGIN_SHARED))
    add_to_sum (self, process);
  else
    write_end (self, process);
}

/* Write a text into the table sources that says how exact the numbers are, and what the numbers do not include. */
static void
describe_source (RoastProcessAccounting *self, const char *text)
{
  g_autoptr (RoastTableWriter) writer = roast_sources_write (self->recording, self->source);

  g_return_if_fail (writer != NULL);

  roast_table_writer_set_string (writer, ROAST_SOURCES_CAPABILITIES, text);
  roast_table_writer_end (writer, NULL);
  process_accounting_set_metadata (self, "tree-accounting-text", g_variant_new_string (text));
}

static void
roast_process_accounting_noted (RoastProcessObserver *observer, gint64 time, RoastSeverity severity, const char *kind,
                                const char *message)
{
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);

  if (g_str_equal (kind, "accounting"))
    describe_source (self, message);
  roast_recording_add_event (self->recording, self->source, time, severity, kind, message);
}

static void
roast_process_accounting_tree_ended (RoastProcessObserver *observer, RoastProcessTree *tree)
{
  static const struct
  {
    const char *key;
    RoastProcessTreeField field;
  } numbers[] = {
    { "tree-elapsed", ROAST_PROCESS_TREE_FIELD_ELAPSED },
    { "tree-suspended", ROAST_PROCESS_TREE_FIELD_SUSPENDED },
    { "tree-stopped", ROAST_PROCESS_TREE_FIELD_STOPPED },
    { "tree-processes", ROAST_PROCESS_TREE_FIELD_PROCESSES },
    { "tree-leftover", ROAST_PROCESS_TREE_FIELD_LEFTOVER },
    { "tree-ticks", ROAST_PROCESS_TREE_FIELD_TICKS },
    { "tree-missed", ROAST_PROCESS_TREE_FIELD_MISSED },
    { "tree-dropped", ROAST_PROCESS_TREE_FIELD_DROPPED },
    { "tree-wait-cpu", ROAST_PROCESS_TREE_FIELD_WAIT_CPU },
    { "tree-perf-cpu", ROAST_PROCESS_TREE_FIELD_PERF_CPU },
    { "tree-cgroup-cpu", ROAST_PROCESS_TREE_FIELD_CGROUP_CPU },
    { "tree-cgroup-memory-peak", ROAST_PROCESS_TREE_FIELD_CGROUP_MEMORY_PEAK },
    { "tree-own-user", ROAST_PROCESS_TREE_FIELD_OWN_USER },
    { "tree-own-system", ROAST_PROCESS_TREE_FIELD_OWN_SYSTEM },
    { "tree-own-peak-rss", ROAST_PROCESS_TREE_FIELD_OWN_MEMORY_PEAK },
    { "tree-oom-kills", ROAST_PROCESS_TREE_FIELD_OOM_KILLS },
    { "tree-perf-clones", ROAST_PROCESS_TREE_FIELD_PERF_CLONES },
    { "tree-perf-clone-cost", ROAST_PROCESS_TREE_FIELD_PERF_CLONE_COST },
    { "tree-perf-closed", ROAST_PROCESS_TREE_FIELD_PERF_CLOSED },
    { "tree-unreaped-error", ROAST_PROCESS_TREE_FIELD_UNREAPED_ERROR },
    { "tree-write-cancelled", ROAST_PROCESS_TREE_FIELD_WRITE_CANCELLED },
    { "tree-main-cpu", ROAST_PROCESS_TREE_FIELD_MAIN_CPU },
    { "tree-leftover-exact", ROAST_PROCESS_TREE_FIELD_LEFTOVER_EXACT },
    { "tree-cores-average", ROAST_PROCESS_TREE_FIELD_CORES_AVERAGE },
    { "tree-cores-least", ROAST_PROCESS_TREE_FIELD_CORES_LEAST },
    { "tree-cores-most", ROAST_PROCESS_TREE_FIELD_CORES_MOST },
    { "tree-bound-run-queue", ROAST_PROCESS_TREE_FIELD_BOUND_RUN_QUEUE },
    { "tree-bound-cores", ROAST_PROCESS_TREE_FIELD_BOUND_CORES },
    { "tree-throttled", ROAST_PROCESS_TREE_FIELD_THROTTLED },
  };
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);
  gint64 exact = roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_PROCESSES_EXACT);
  gint64 jump = roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_CLOCK_JUMP);

  write_rest (self);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    set_metadata_field (self, numbers[i].key, numbers[i].field);
  process_accounting_set_metadata (self, "tree-processes-exact", g_variant_new_boolean (exact > 0));
  /* Write the clock jump even if it is -1, because a clock may also be set back. */
  process_accounting_set_metadata (self, "tree-clock-jump", g_variant_new_int64 (jump));
}

void
roast_process_accounting_main_ended (RoastProcessAccounting *self, int wait_status)
{
  process_accounting_set_metadata (self, "tree-wait-status", g_variant_new_int32 (wait_status));
}

/* Record that the program runs unobserved from now on, unless it has already ended. */
static void
add_gap (RoastProcessAccounting *self)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (self->recording);
  g_autoptr (GVariant) status = g_variant_lookup_value (metadata, "tree-wait-status", NULL);

  if (status == NULL)
    roast_recording_add_gap (self->recording, NULL, g_get_real_time (), TRUE,
                             "the supervisor was lost while the program was running");
}

void
roast_process_accounting_abandon (RoastProcessAccounting *self, const char *message)
{
  if (self->source == NULL)
    return;

  write_rest (self);
  add_gap (self);
  roast_recording_add_event (self->recording, self->source, -1, ROAST_SEVERITY_ERROR, "supervisor", message);
}

static void
roast_process_accounting_observer_init (RoastProcessObserverInterface *iface)
{
  iface->tree_started = roast_process_accounting_tree_started;
  iface->process_started = roast_process_accounting_process_started;
  iface->process_ended = roast_process_accounting_process_ended;
  iface->noted = roast_process_accounting_noted;
  iface->tree_ended = roast_process_accounting_tree_ended;
}
