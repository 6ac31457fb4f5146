/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-process-tree-private.h"

#include <string.h>

#include "base/roast-type-private.h"
#include "roast-process-private.h"

#define FIRST_END ROAST_PROCESS_TREE_FIELD_ENDED
#define PROCESS_TREE_N_FIELDS (ROAST_PROCESS_TREE_FIELD_THROTTLED + 1)

/* roast_process_tree_end () copies all final fields with one memcpy (). */
G_STATIC_ASSERT (sizeof (RoastWireTreeEnd) == (PROCESS_TREE_N_FIELDS - FIRST_END) * sizeof (gint64));

/**
 * RoastProcessTree:
 *
 * The process tree that a launcher follows: the numbers of the whole tree, and the live processes of the tree. A
 * [iface@Roast.ProcessObserver] receives the tree.
 *
 * All calls of an observer receive the same object, which is updated before each call.
 *
 * ```c
 * static void
 * my_observer_sampled (RoastProcessObserver *observer, RoastProcessTree *tree, GPtrArray *changed)
 * {
 *   g_print ("%" G_GINT64_FORMAT " bytes in %" G_GINT64_FORMAT " processes\n",
 *            roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_MEMORY),
 *            roast_process_tree_get_field (tree, ROAST_PROCESS_TREE_FIELD_LIVE_PROCESSES));
 * }
 * ```
 *
 * Since: 0.9
 */
struct _RoastProcessTree
{
  GObject parent_instance;

  RoastAccounting accounting;
  double cores;
  double cgroup_cores;
  gint64 fields[PROCESS_TREE_N_FIELDS];
  GHashTable *processes; /* maps guint64 id (stored in the process) to RoastProcess */
  GPtrArray *changed;    /* processes that changed at the last sample; borrowed */
};

ROAST_DEFINE_TYPE (RoastProcessTree, roast_process_tree)

static void
roast_process_tree_release (RoastProcessTree *self)
{
  g_ptr_array_unref (self->changed);
  g_hash_table_unref (self->processes);
}

static void
roast_process_tree_init (RoastProcessTree *self)
{
  memset (self->fields, 0xff, sizeof self->fields); /* set each field to -1 */
  self->processes = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_object_unref);
  self->changed = g_ptr_array_new ();
}

RoastProcessTree *
roast_process_tree_new (const RoastWireInfo *info)
{
  RoastProcessTree *self = g_object_new (ROAST_TYPE_PROCESS_TREE, NULL);

  self->accounting = info->accounting;
  self->cores = info->cores;
  self->cgroup_cores = info->cgroup_cores;
  self->fields[ROAST_PROCESS_TREE_FIELD_STARTED] = info->started;
  self->fields[ROAST_PROCESS_TREE_FIELD_INTERVAL] = info->interval;
  self->fields[ROAST_PROCESS_TREE_FIELD_SUPERVISOR_PID] = info->supervisor_pid;
  self->fields[ROAST_PROCESS_TREE_FIELD_CGROUP_MEMORY_LIMIT] = info->cgroup_memory_limit;
  self->fields[ROAST_PROCESS_TREE_FIELD_HOST_MEMORY] = info->host_memory;

  return self;
}

RoastProcess *
roast_process_tree_begin_process (RoastProcessTree *self, const RoastWireProcess *record, const char *command_line)
{
  RoastProcess *process = g_hash_table_lookup (self->processes, &record->id);

  if (process == NULL)
    {
      process = roast_process_new (record->id, record->parent_id, record->command);
      g_hash_table_insert (self->processes, (gpointer) roast_process_peek_key (process), process);
    }
  roast_process_set_start (process, record, command_line);

  return process;
}

GPtrArray *
roast_process_tree_sample (RoastProcessTree *self, const RoastWireTick *tick)
{
  const RoastWireSample *samples = (const RoastWireSample *) (tick + 1);

  self->fields[ROAST_PROCESS_TREE_FIELD_TIME] = tick->time;
  self->fields[ROAST_PROCESS_TREE_FIELD_LIVE_PROCESSES] = tick->processes;
  self->fields[ROAST_PROCESS_TREE_FIELD_ZOMBIES] = tick->zombies;
  self->fields[ROAST_PROCESS_TREE_FIELD_THREADS] = tick->threads;
  self->fields[ROAST_PROCESS_TREE_FIELD_MEMORY] = tick->rss;
  self->fields[ROAST_PROCESS_TREE_FIELD_MEMORY_PSS] = tick->pss;
  self->fields[ROAST_PROCESS_TREE_FIELD_MEMORY_PSS_READ] = tick->pss_known;
  self->fields[ROAST_PROCESS_TREE_FIELD_CPU_SYSTEM] = tick->system;
  self->fields[ROAST_PROCESS_TREE_FIELD_CPU] = tick->cpu;
  if (tick->cores > 0)
    self->cores = (double) tick->cores;

  g_ptr_array_set_size (self->changed, 0);
  for (guint i = 0; i < tick->samples; i++)
    {
      RoastProcess *process = g_hash_table_lookup (self->processes, &samples[i].id);

      if (process == NULL)
        continue;
      roast_process_set_sample (process, &samples[i]);
      g_ptr_array_add (self->changed, process);
    }

  return self->changed;
}

RoastProcess *
roast_process_tree_end_process (RoastProcessTree *self, const RoastWireProcessEnd *end)
{
  RoastProcess *process = NULL;

  if (!g_hash_table_steal_extended (self->processes, &end->id, NULL, (gpointer *) &process))
    process = roast_process_new (end->id, end->parent_id, end->command);
  roast_process_set_end (process, end);

  return process;
}

void
roast_process_tree_end (RoastProcessTree *self, const RoastWireTreeEnd *end)
{
  memcpy (&self->fields[FIRST_END], end, sizeof *end);
}

/**
 * roast_process_tree_get_accounting:
 * @self: a tree
 *
 * Gets the accounting mechanisms in use for the tree.
 *
 * Returns: the mechanisms in use
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ProcessTree, PROCESS_TREE, RoastAccounting, roast_process_tree_get_accounting, 0, self->accounting)

/**
 * roast_process_tree_get_cores:
 * @self: a tree
 *
 * Gets the number of cores that the affinity masks allow. Before the first sample, this is the mask of the launcher;
 * afterwards, the union of the masks of all processes of the tree.
 *
 * Returns: the number of cores
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ProcessTree, PROCESS_TREE, double, roast_process_tree_get_cores, -1, self->cores)

/**
 * roast_process_tree_get_cgroup_cores:
 * @self: a tree
 *
 * Gets the number of cores that the quota of the control group allows.
 *
 * Returns: the number of cores, which may be fractional; -1 without a quota
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (ProcessTree, PROCESS_TREE, double, roast_process_tree_get_cgroup_cores, -1, self->cgroup_cores)

/**
 * roast_process_tree_get_field:
 * @self: a tree
 * @field: a field
 *
 * Gets a numeric field of the tree.
 *
 * Returns: the value; -1 if it is not available or not known yet
 *
 * Since: 0.9
 */
gint64
roast_process_tree_get_field (RoastProcessTree *self, RoastProcessTreeField field)
{
  g_return_val_if_fail (ROAST_IS_PROCESS_TREE (self), -1);
  g_return_val_if_fail ((guint) field < PROCESS_TREE_N_FIELDS, -1);

  return self->fields[field];
}

/**
 * roast_process_tree_list_processes:
 * @self: a tree
 *
 * Lists the processes whose end has not been reported yet, in no particular order.
 *
 * Returns: (transfer container) (element-type RoastProcess): the processes
 *
 * Since: 0.9
 */
GPtrArray *
roast_process_tree_list_processes (RoastProcessTree *self)
{
  g_autoptr (GPtrArray) list = NULL;
  GHashTableIter iter;
  gpointer process;

  g_return_val_if_fail (ROAST_IS_PROCESS_TREE (self), NULL);

  list = g_ptr_array_new_with_free_func (g_object_unref);
  g_hash_table_iter_init (&iter, self->processes);
  while (g_hash_table_iter_next (&iter, NULL, &process))
    g_ptr_array_add (list, g_object_ref (process));

  return g_steal_pointer (&list);
}
