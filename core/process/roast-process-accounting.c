/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-process-accounting-private.h"
#include "roast-process-fold-private.h"

#include <string.h>
#include <sys/wait.h>

#include "roast/roast-row.h"

/* Processes that have rows of their own; those after them are summed up. */
#define MAX_ROWS 20000

/* A cell of an entity table is set once, and a process changes its name with each exec: so the row is begun with what
 * cannot change, and the name, the arguments and the numbers follow when the process ends. Until then the names are
 * kept here, for those that live only. Who shows names of live processes takes them from `workers`. */

typedef struct
{
  char command[ROAST_PROCESS_COMMAND_LENGTH];
  char *command_line;
  gboolean beyond; /* it has no row of its own */
} Name;

struct _RoastProcessAccounting
{
  GObject parent_instance;

  RoastRecording *recording;
  gboolean attached;
  int pid;
  char *source;

  RoastTable *processes;
  RoastRow *row;
  GHashTable *names; /* gint64 id -> Name, of those that live */
  gint64 n_rows;
  gint64 n_folded;
  RoastProcessFold *fold; /* of processes beyond MAX_ROWS */
};

/* Columns of `processes`, in the order of the enumeration. */
static const char *const column_names[] = {
  "source",
  "process",
  "pid",
  "parent",
  "command",
  "command_line",
  "count",
  "origin",
  "started",
  "ended",
  "exit_code",
  "signal",
  "cpu_user",
  "cpu_system",
  "run_queue",
  "memory_peak",
  "memory_peak_floor",
  "read_chars",
  "write_chars",
  "disk_read",
  "disk_write",
  "minor_faults",
  "major_faults",
  "voluntary_switches",
  "involuntary_switches",
};

enum
{
  COLUMN_SOURCE,
  COLUMN_PROCESS,
  COLUMN_PID,
  COLUMN_PARENT,
  COLUMN_COMMAND,
  COLUMN_COMMAND_LINE,
  COLUMN_COUNT,
  COLUMN_ORIGIN,
  COLUMN_STARTED,
  COLUMN_ENDED,
  COLUMN_EXIT_CODE,
  COLUMN_SIGNAL,
  COLUMN_CPU_USER,
  COLUMN_CPU_SYSTEM,
  COLUMN_RUN_QUEUE,
  COLUMN_MEMORY_PEAK,
  COLUMN_MEMORY_PEAK_FLOOR,
  COLUMN_READ_CHARS,
  COLUMN_WRITE_CHARS,
  COLUMN_DISK_READ,
  COLUMN_DISK_WRITE,
  COLUMN_MINOR_FAULTS,
  COLUMN_MAJOR_FAULTS,
  COLUMN_VOLUNTARY_SWITCHES,
  COLUMN_INVOLUNTARY_SWITCHES,
  N_COLUMNS
};

G_STATIC_ASSERT (G_N_ELEMENTS (column_names) == N_COLUMNS);

static guint columns[N_COLUMNS];

static void roast_process_accounting_observer_init (RoastProcessObserverInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastProcessAccounting, roast_process_accounting, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_PROCESS_OBSERVER,
                                                      roast_process_accounting_observer_init))

static void
name_free (gpointer data)
{
  Name *name = data;

  g_free (name->command_line);
  g_free (name);
}

static void
roast_process_accounting_finalize (GObject *object)
{
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (object);

  g_clear_pointer (&self->row, roast_row_unref);
  g_clear_object (&self->recording);
  g_free (self->source);
  g_hash_table_unref (self->names);
  roast_process_fold_free (self->fold);

  G_OBJECT_CLASS (roast_process_accounting_parent_class)->finalize (object);
}

static void
roast_process_accounting_class_init (RoastProcessAccountingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_process_accounting_finalize;
}

static void
roast_process_accounting_init (RoastProcessAccounting *self)
{
  self->names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, name_free);
  self->fold = roast_process_fold_new ();
}

/* The model has the same columns in every recording. */
static void
find_columns (RoastTable *table)
{
  static gsize once = 0;

  if (!g_once_init_enter (&once))
    return;

  for (guint i = 0; i < N_COLUMNS; i++)
    columns[i] = roast_table_find_column (table, column_names[i]);
  g_once_init_leave (&once, 1);
}

RoastProcessAccounting *
roast_process_accounting_new (RoastRecording *recording, gboolean attached)
{
  RoastProcessAccounting *self = g_object_new (ROAST_TYPE_PROCESS_ACCOUNTING, NULL);

  self->recording = g_object_ref (recording);
  self->attached = attached;
  self->processes = roast_recording_get_table (recording, "processes");
  self->row = roast_row_new (self->processes);
  find_columns (self->processes);

  return self;
}

const char *
roast_process_accounting_get_source (RoastProcessAccounting *self)
{
  return self->source;
}

void
roast_process_accounting_set_pid (RoastProcessAccounting *self, int pid)
{
  self->pid = pid;
}

/* Cells */

static void
set_int64 (RoastProcessAccounting *self, guint column, gint64 value)
{
  if (value >= 0)
    roast_row_set_int64 (self->row, columns[column], value);
}

static void
set_seconds (RoastProcessAccounting *self, guint column, gint64 microseconds)
{
  if (microseconds >= 0)
    roast_row_set_double (self->row, columns[column], microseconds / (double) G_USEC_PER_SEC);
}

static void
set_string (RoastProcessAccounting *self, guint column, const char *value)
{
  if (value != NULL && *value != '\0')
    roast_row_set_string (self->row, columns[column], value);
}

static void
begin_row (RoastProcessAccounting *self, gint64 process)
{
  roast_row_clear (self->row);
  roast_row_set_string (self->row, columns[COLUMN_SOURCE], self->source);
  roast_row_set_int64 (self->row, columns[COLUMN_PROCESS], process);
}

static void
set_usage (RoastProcessAccounting *self, const RoastProcessUsage *usage)
{
  set_seconds (self, COLUMN_CPU_USER, usage->user);
  set_seconds (self, COLUMN_CPU_SYSTEM, usage->system);
  set_seconds (self, COLUMN_RUN_QUEUE, usage->run_queue);
  set_int64 (self, COLUMN_READ_CHARS, usage->read_chars);
  set_int64 (self, COLUMN_WRITE_CHARS, usage->write_chars);
  set_int64 (self, COLUMN_DISK_READ, usage->read_bytes);
  set_int64 (self, COLUMN_DISK_WRITE, usage->write_bytes);
  set_int64 (self, COLUMN_MINOR_FAULTS, usage->minor_faults);
  set_int64 (self, COLUMN_MAJOR_FAULTS, usage->major_faults);
  set_int64 (self, COLUMN_VOLUNTARY_SWITCHES, usage->voluntary_switches);
  set_int64 (self, COLUMN_INVOLUNTARY_SWITCHES, usage->involuntary_switches);
}

static const char *
origin_name (int origin)
{
  switch (origin)
    {
    case ROAST_PROCESS_ORIGIN_EXACT:
      return "exact";
    case ROAST_PROCESS_ORIGIN_SAMPLED:
      return "sampled";
    case ROAST_PROCESS_ORIGIN_FOLDED:
      return "folded";
    case ROAST_PROCESS_ORIGIN_UNREAPED:
      return "unreaped";
    case ROAST_PROCESS_ORIGIN_RUNNING:
      return "running";
    default:
      return NULL;
    }
}

static void
set_status (RoastProcessAccounting *self, const RoastProcessEnd *end)
{
  if (!end->status_known || end->origin == ROAST_PROCESS_ORIGIN_RUNNING)
    return;

  if (WIFEXITED (end->wait_status))
    set_int64 (self, COLUMN_EXIT_CODE, WEXITSTATUS (end->wait_status));
  else if (WIFSIGNALED (end->wait_status))
    set_int64 (self, COLUMN_SIGNAL, WTERMSIG (end->wait_status));
}

/* Observer */

static char *
describe_accounting (guint32 mask, gboolean attached)
{
  GString *text = g_string_new (NULL);

  if (mask & ROAST_ACCOUNTING_PERF)
    g_string_append (text, "exact for every process of the tree, also for those that nobody waits for (perf)");
  else if (mask & ROAST_ACCOUNTING_CGROUP)
    g_string_append (text, "exact for the tree as a whole (control group), and for each process that is waited for");
  else if (attached)
    g_string_append (text, "by samples, and for children by what their parents waited for");
  else
    g_string_append (text, "exact for processes that are waited for");

  if (!(mask & (ROAST_ACCOUNTING_PERF | ROAST_ACCOUNTING_CGROUP)))
    g_string_append (text,
                     "; cannot see what processes that nobody waits for (SIGCHLD ignored) use after their last sample");
  if (attached)
    g_string_append (text, "; what ended before the attach is not included");
  if (!(mask & ROAST_ACCOUNTING_IO))
    g_string_append (text, "; no I/O counters");
  if (!(mask & ROAST_ACCOUNTING_PSS))
    g_string_append (text, "; no proportional memory");
  if (!(mask & ROAST_ACCOUNTING_RUN_QUEUE))
    g_string_append (text, "; no time of waiting for a core");
  g_string_append (text, "; what other machines or service managers start for the program is outside the tree");

  return g_string_free (text, FALSE);
}

static void
set_metadata (RoastProcessAccounting *self, const char *key, GVariant *value)
{
  roast_recording_set_metadata (self->recording, key, value);
}

/* What is -1 was not available, and stays absent. */
static void
set_metadata_int64 (RoastProcessAccounting *self, const char *key, gint64 value)
{
  if (value >= 0)
    set_metadata (self, key, g_variant_new_int64 (value));
}

static void
set_metadata_double (RoastProcessAccounting *self, const char *key, double value)
{
  if (value >= 0)
    set_metadata (self, key, g_variant_new_double (value));
}

static void
roast_process_accounting_tree_started (RoastProcessObserver *observer, const RoastTreeInfo *info)
{
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);
  g_autofree char *text = describe_accounting (info->accounting, self->attached);
  g_autofree char *address = self->pid > 0 ? g_strdup_printf ("pid %d", self->pid) : NULL;

  g_free (self->source);
  self->source = roast_recording_add_source (self->recording, "processes", address, NULL, text);

  set_metadata (self, "tree-source", g_variant_new_string (self->source));
  set_metadata (self, "tree-attached", g_variant_new_boolean (self->attached));
  set_metadata (self, "tree-accounting", g_variant_new_uint32 (info->accounting));
  set_metadata (self, "tree-accounting-text", g_variant_new_string (text));
  set_metadata_double (self, "tree-cores", info->cores);
  set_metadata_double (self, "tree-cgroup-cores", info->cgroup_cores);
  set_metadata_int64 (self, "tree-cgroup-memory-limit", info->cgroup_memory_limit);
  set_metadata_int64 (self, "tree-host-memory", info->host_memory);
}

static void
roast_process_accounting_process_started (RoastProcessObserver *observer, const RoastProcess *process,
                                          const char *command_line)
{
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);
  gint64 id = process->id;
  Name *name;
  gboolean is_new;

  name = g_hash_table_lookup (self->names, &id);
  is_new = name == NULL;
  if (is_new)
    {
      name = g_new0 (Name, 1);
      g_hash_table_insert (self->names, g_memdup2 (&id, sizeof id), name);
      name->beyond = self->n_rows >= MAX_ROWS;
    }
  if (is_new && !name->beyond)
    {
      self->n_rows++;
      begin_row (self, id);
      set_int64 (self, COLUMN_PID, process->pid);
      if (process->parent_id > 0)
        set_int64 (self, COLUMN_PARENT, process->parent_id);
      set_int64 (self, COLUMN_STARTED, process->started);
      roast_table_merge (self->processes, self->row, NULL);
    }

  memcpy (name->command, process->command, sizeof name->command);
  if (command_line != NULL)
    {
      g_free (name->command_line);
      name->command_line = g_strdup (command_line);
    }
}

static void
set_names (RoastProcessAccounting *self, const char *command, const char *command_line)
{
  g_autofree char *valid = g_utf8_make_valid (command, -1);

  set_string (self, COLUMN_COMMAND, valid);
  set_string (self, COLUMN_COMMAND_LINE, command_line);
}

static void
write_end (RoastProcessAccounting *self, const RoastProcessEnd *end, const char *command, const char *command_line)
{
  gint64 id = end->id;

  begin_row (self, id > 0 ? id : -(++self->n_folded));
  if (end->parent_id > 0)
    set_int64 (self, COLUMN_PARENT, end->parent_id);
  set_names (self, command, command_line);
  if (end->count > 0)
    set_int64 (self, COLUMN_COUNT, end->count);
  set_string (self, COLUMN_ORIGIN, origin_name (end->origin));
  set_int64 (self, COLUMN_ENDED, end->ended);
  set_status (self, end);
  set_usage (self, &end->usage);
  set_int64 (self, COLUMN_MEMORY_PEAK, end->peak_rss);
  if (end->peak_rss >= 0)
    roast_row_set_boolean (self->row, columns[COLUMN_MEMORY_PEAK_FLOOR], end->peak_rss_floor != 0);
  roast_table_merge (self->processes, self->row, NULL);
}

static void
roast_process_accounting_process_ended (RoastProcessObserver *observer, const RoastProcessEnd *end)
{
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);
  gint64 id = end->id;
  Name *name = id > 0 ? g_hash_table_lookup (self->names, &id) : NULL;
  const char *command = end->command;

  if (*command == '\0' && name != NULL)
    command = name->command;

  if ((name != NULL && name->beyond) || (id == 0 && self->n_folded >= MAX_ROWS))
    roast_process_fold_add (self->fold, end, command);
  else
    write_end (self, end, command, name != NULL ? name->command_line : NULL);

  g_hash_table_remove (self->names, &id);
}

static void
write_folded (const RoastProcessEnd *sum, gpointer user_data)
{
  write_end (user_data, sum, sum->command, NULL);
}

static void
roast_process_accounting_noted (RoastProcessObserver *observer, gint64 time, RoastSeverity severity, const char *kind,
                                const char *message)
{
  static const char *const severities[] = { "info", "warning", "error" };
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);
  RoastTable *table = roast_recording_get_table (self->recording, "events");
  g_autoptr (RoastRow) row = roast_row_new (table);

  /* Not roast_recording_add_event(), whose time is that of the call. */
  roast_row_set_string (row, roast_table_find_column (table, "source"), self->source);
  roast_row_set_int64 (row, roast_table_find_column (table, "time"), time);
  roast_row_set_string (row, roast_table_find_column (table, "severity"), severities[severity]);
  roast_row_set_string (row, roast_table_find_column (table, "kind"), kind);
  roast_row_set_string (row, roast_table_find_column (table, "message"), message);
  roast_table_append (table, row, NULL);
}

/* The names of those of which nothing more will be heard. */
static void
flush_names (RoastProcessAccounting *self)
{
  GHashTableIter iter;
  gint64 *id;
  Name *name;

  g_hash_table_iter_init (&iter, self->names);
  while (g_hash_table_iter_next (&iter, (gpointer *) &id, (gpointer *) &name))
    {
      if (name->beyond)
        continue;
      begin_row (self, *id);
      set_names (self, name->command, name->command_line);
      roast_table_merge (self->processes, self->row, NULL);
    }
  g_hash_table_remove_all (self->names);
}

static void
roast_process_accounting_tree_ended (RoastProcessObserver *observer, const RoastTreeEnd *end)
{
  RoastProcessAccounting *self = ROAST_PROCESS_ACCOUNTING (observer);

  roast_process_fold_flush (self->fold, write_folded, self);
  flush_names (self);

  set_metadata_int64 (self, "tree-elapsed", end->elapsed);
  set_metadata_int64 (self, "tree-suspended", end->suspended);
  set_metadata_int64 (self, "tree-stopped", end->stopped);
  /* A clock may be set back: any value is one. */
  set_metadata (self, "tree-clock-jump", g_variant_new_int64 (end->clock_jump));
  set_metadata (self, "tree-processes", g_variant_new_uint64 (end->processes));
  set_metadata (self, "tree-processes-exact", g_variant_new_boolean (end->processes_exact != 0));
  set_metadata (self, "tree-leftover", g_variant_new_uint32 (end->leftover));
  set_metadata (self, "tree-ticks", g_variant_new_uint64 (end->ticks));
  set_metadata (self, "tree-missed", g_variant_new_uint64 (end->missed));
  set_metadata (self, "tree-dropped", g_variant_new_uint64 (end->dropped));
  set_metadata_int64 (self, "tree-wait-cpu", end->wait_cpu);
  set_metadata_int64 (self, "tree-perf-cpu", end->perf_cpu);
  set_metadata_int64 (self, "tree-cgroup-cpu", end->cgroup_cpu);
  set_metadata_int64 (self, "tree-cgroup-memory-peak", end->cgroup_memory_peak);
  set_metadata_int64 (self, "tree-own-user", end->own_user);
  set_metadata_int64 (self, "tree-own-system", end->own_system);
  set_metadata_int64 (self, "tree-own-peak-rss", end->own_peak_rss);
  set_metadata_int64 (self, "tree-oom-kills", end->oom_kills);
}

void
roast_process_accounting_main_ended (RoastProcessAccounting *self, int wait_status)
{
  set_metadata (self, "tree-wait-status", g_variant_new_int32 (wait_status));
}

void
roast_process_accounting_abandon (RoastProcessAccounting *self, const char *message)
{
  if (self->source == NULL)
    return;

  roast_process_fold_flush (self->fold, write_folded, self);
  flush_names (self);
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
