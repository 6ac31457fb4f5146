/* SPDX-License-Identifier: BSD-3-Clause */

/* The unified model in one place: which tables there are, what a row of each is, and its columns with type, unit and
 * meaning. A backend fills what it knows and leaves the rest missing. */

#include "roast-model-private.h"

typedef struct
{
  const char *name;
  RoastColumnType type;
  const char *unit;
  const char *description;
  gboolean key;
} ModelColumn;

typedef struct
{
  const char *name;
  RoastTableKind kind;
  const char *description;
  const ModelColumn *columns;
} ModelTable;

#define KEY(name, type, description) { name, ROAST_COLUMN_TYPE_##type, NULL, description, TRUE }
#define COL(name, type, unit, description) { name, ROAST_COLUMN_TYPE_##type, unit, description, FALSE }
#define TIME(name, description) { name, ROAST_COLUMN_TYPE_INT64, "us", description, FALSE }
#define END { NULL, 0, NULL, NULL, FALSE }

static const ModelColumn sources_columns[] = {
  KEY ("source", CATEGORY, "name of the source in this recording"),
  COL ("backend", CATEGORY, NULL, "backend that reads it"),
  COL ("address", STRING, NULL, "where it was found"),
  COL ("version", STRING, NULL, "versions of the executor"),
  COL ("capabilities", STRING, NULL, "what it can tell, and why not the rest"),
  COL ("fine", CATEGORY, NULL, "what it tells of the time in tasks: all (or missing), cpu, none"),
  COL ("clock_offset", DOUBLE, "s", "its clock minus ours"),
  COL ("clock_uncertainty", DOUBLE, "s", "how well that is known"),
  END
};

static const ModelColumn workers_columns[] = { KEY ("source", CATEGORY, "what the row came from"),
                                               KEY ("worker", STRING, "identity of the worker within its source"),
                                               COL ("name", STRING, NULL, "name for a person"),
                                               COL ("host", CATEGORY, NULL, "machine it runs on"),
                                               COL ("pid", INT64, NULL, "process id on that machine"),
                                               COL ("cores", DOUBLE, "cores", "cores it may use"),
                                               COL ("memory_limit", INT64, "B", "memory it may use"),
                                               TIME ("joined", "when it joined"),
                                               TIME ("left", "when it left"),
                                               COL ("leave_reason", CATEGORY, NULL, "why it left"),
                                               COL ("tail_lost", DOUBLE, "s",
                                                    "time before its end of which nothing is known"),
                                               END };

static const ModelColumn worker_samples_columns[] = {
  COL ("source", CATEGORY, NULL, "what the row came from"),
  TIME ("time", "when"),
  COL ("worker", CATEGORY, NULL, "which worker"),
  COL ("memory", INT64, "B", "resident memory; pages shared between processes count in each"),
  COL ("memory_pss", INT64, "B", "proportional memory; shared pages divided among those who share them"),
  COL ("memory_pss_age", DOUBLE, "s", "age of the reading behind memory_pss, which is scaled by memory since"),
  COL ("managed", INT64, "B", "memory that the executor manages"),
  COL ("spilled_memory", INT64, "B", "spilled data, as it was in memory"),
  COL ("spilled_disk", INT64, "B", "spilled data, as it is on disk"),
  COL ("nbytes", INT64, "B", "size of the results it holds"),
  COL ("cpu", DOUBLE, "s", "CPU time so far"),
  COL ("cpu_percent", DOUBLE, "%", "CPU use in percent of one core"),
  COL ("threads", INT64, NULL, "threads"),
  COL ("active_tasks", INT64, NULL, "tasks assigned to it"),
  COL ("executing_tasks", INT64, NULL, "tasks it executes"),
  COL ("occupancy", DOUBLE, "s", "expected run time of the work assigned to it"),
  COL ("cores_committed", DOUBLE, "cores", "cores given to its tasks"),
  COL ("memory_committed", INT64, "B", "memory given to its tasks"),
  COL ("disk_used", INT64, "B", "disk given to its tasks, and its cache"),
  COL ("run_queue", DOUBLE, "s", "time it waited for a core so far"),
  COL ("read_chars", INT64, "B", "bytes through read calls so far"),
  COL ("write_chars", INT64, "B", "bytes through write calls so far"),
  COL ("disk_read", INT64, "B", "bytes fetched from storage so far"),
  COL ("disk_write", INT64, "B", "bytes sent to storage so far"),
  COL ("net_read_rate", DOUBLE, "B/s", "received from the network"),
  COL ("net_write_rate", DOUBLE, "B/s", "sent to the network"),
  COL ("disk_read_rate", DOUBLE, "B/s", "read from the disks of its machine, by all there"),
  COL ("disk_write_rate", DOUBLE, "B/s", "written to the disks of its machine, by all there"),
  COL ("lateness", DOUBLE, "s", "how late the worker's own loop was"),
  TIME ("last_seen", "when the executor last heard of it"),
  END
};

static const ModelColumn cluster_samples_columns[] = {
  COL ("source", CATEGORY, NULL, "what the row came from"),
  TIME ("time", "when"),
  COL ("workers", INT64, NULL, "workers there are"),
  COL ("workers_desired", INT64, NULL, "workers there should be"),
  COL ("cores", DOUBLE, "cores", "cores the workers may use together"),
  COL ("cores_committed", DOUBLE, "cores", "cores given to tasks"),
  COL ("threads", INT64, NULL, "threads of the workers"),
  COL ("memory_limit", INT64, "B", "memory the workers may use together"),
  COL ("memory_committed", INT64, "B", "memory given to tasks"),
  COL ("disk_limit", INT64, "B", "disk the workers may use together"),
  COL ("disk_used", INT64, "B", "disk given to tasks, and caches"),
  COL ("memory", INT64, "B", "resident memory of all; shared pages count in each"),
  COL ("memory_pss", INT64, "B", "proportional memory of all"),
  COL ("memory_pss_read", INT64, "B", "the part of memory_pss read at this sample, not scaled"),
  COL ("cpu", DOUBLE, "s", "CPU time of all so far, ended ones included"),
  COL ("tasks_waiting", INT64, NULL, "tasks that wait for others"),
  COL ("tasks_queued", INT64, NULL, "tasks that wait for a worker"),
  COL ("tasks_executing", INT64, NULL, "tasks that execute"),
  COL ("tasks_done", INT64, NULL, "tasks done so far"),
  COL ("tasks_failed", INT64, NULL, "tasks failed so far"),
  COL ("bytes_sent", INT64, "B", "sent to workers by the executor itself so far"),
  COL ("bytes_received", INT64, "B", "received from workers by the executor itself so far"),
  COL ("lateness", DOUBLE, "s", "how late the executor's own loop was"),
  END
};

static const ModelColumn activities_columns[] = { COL ("source", CATEGORY, NULL, "what the row came from"),
                                                  TIME ("time", "when"),
                                                  COL ("span", CATEGORY, NULL, "span"),
                                                  COL ("worker", CATEGORY, NULL, "worker"),
                                                  COL ("context", CATEGORY, NULL, "execute, gather-dep, ..."),
                                                  COL ("category", CATEGORY, NULL, "kind of task"),
                                                  COL ("activity", CATEGORY, NULL, "thread-cpu, disk-read, ..."),
                                                  COL ("unit", CATEGORY, NULL, "unit of value: seconds, bytes, count"),
                                                  COL ("value", DOUBLE, NULL,
                                                       "cumulative value; the last per key counts"),
                                                  END };

static const ModelColumn tasks_columns[] = { KEY ("source", CATEGORY, "what the row came from"),
                                             KEY ("task", STRING, "identity of the task within its source"),
                                             KEY ("attempt", INT64, "number of the attempt, from 1"),
                                             COL ("category", CATEGORY, NULL, "kind of task (prefix, category)"),
                                             COL ("span", CATEGORY, NULL, "span"),
                                             COL ("worker", CATEGORY, NULL, "worker"),
                                             TIME ("submitted", "when it was submitted, or was to be tried again"),
                                             TIME ("dispatched", "when it was given to a worker"),
                                             TIME ("delivered",
                                                   "when all that it needs from the executor itself was sent"),
                                             TIME ("started", "when it started"),
                                             TIME ("ended", "when it ended"),
                                             TIME ("noticed", "when the executor heard that it ended"),
                                             TIME ("fetched", "when its results began to be fetched"),
                                             TIME ("retrieved", "when its results were there"),
                                             TIME ("returned", "when the program was given them"),
                                             COL ("status", CATEGORY, NULL, "how it ended"),
                                             COL ("exit_code", INT64, NULL, "exit code"),
                                             COL ("error", CATEGORY, NULL, "type of the exception, or the reason"),
                                             COL ("cpu", DOUBLE, "s", "CPU time"),
                                             COL ("cores", DOUBLE, "cores", "cores it was given"),
                                             COL ("memory_peak", INT64, "B", "peak memory"),
                                             COL ("disk_peak", INT64, "B", "peak of the disk that its files took"),
                                             COL ("bytes_in", INT64, "B", "bytes it received"),
                                             COL ("bytes_out", INT64, "B", "bytes it produced"),
                                             END };

static const ModelColumn task_phases_columns[] = { COL ("source", CATEGORY, NULL, "what the row came from"),
                                                   COL ("task", STRING, NULL, "task"),
                                                   COL ("attempt", INT64, NULL, "number of the attempt"),
                                                   COL ("phase", CATEGORY, NULL,
                                                        "queue, input, execute, output, retrieve, ..."),
                                                   TIME ("started", "when it started"),
                                                   TIME ("ended", "when it ended"),
                                                   COL ("bytes", INT64, "B", "bytes moved in it"),
                                                   END };

static const ModelColumn transfers_columns[] = { COL ("source", CATEGORY, NULL, "what the row came from"),
                                                 COL ("worker", CATEGORY, NULL, "worker"),
                                                 COL ("name", STRING, NULL, "what was moved"),
                                                 COL ("direction", CATEGORY, NULL, "in, out, cached, evicted"),
                                                 COL ("bytes", INT64, "B", "size"),
                                                 TIME ("started", "when it started"),
                                                 TIME ("ended", "when it ended"),
                                                 END };

static const ModelColumn prefix_states_columns[] = { COL ("source", CATEGORY, NULL, "what the row came from"),
                                                     TIME ("time", "when"),
                                                     COL ("category", CATEGORY, NULL, "kind of task"),
                                                     COL ("state", CATEGORY, NULL, "state"),
                                                     COL ("tasks", INT64, NULL, "tasks of that kind in that state"),
                                                     END };

static const ModelColumn budgets_columns[] = { COL ("source", CATEGORY, NULL, "what the row came from"),
                                               TIME ("time", "when"),
                                               COL ("part", CATEGORY, NULL, "what the executor itself spent time on"),
                                               COL ("value", DOUBLE, "s", "cumulative time"), END };

static const ModelColumn processes_columns[] = {
  KEY ("source", CATEGORY, "what the row came from"),
  KEY ("process", INT64, "number of the process in this run; negative for rows that stand for several"),
  COL ("pid", INT64, NULL, "process id"),
  COL ("parent", INT64, NULL, "number of its parent"),
  COL ("command", CATEGORY, NULL, "name"),
  COL ("command_line", STRING, NULL, "arguments"),
  COL ("count", INT64, NULL, "processes that the row stands for; missing if not known"),
  COL ("origin", CATEGORY, NULL, "where the numbers come from: exact, sampled, folded, unreaped, running"),
  TIME ("started", "when it started"),
  TIME ("ended", "when it ended"),
  COL ("exit_code", INT64, NULL, "exit code"),
  COL ("signal", INT64, NULL, "signal that ended it"),
  COL ("cpu_user", DOUBLE, "s", "CPU time in user mode, its own"),
  COL ("cpu_system", DOUBLE, "s", "CPU time in the kernel, its own"),
  COL ("run_queue", DOUBLE, "s", "time it waited for a core"),
  COL ("memory_peak", INT64, "B", "peak resident memory"),
  COL ("memory_peak_floor", BOOLEAN, NULL, "whether memory_peak may stem from before an exec: an upper bound"),
  COL ("read_chars", INT64, "B", "bytes through read calls"),
  COL ("write_chars", INT64, "B", "bytes through write calls"),
  COL ("disk_read", INT64, "B", "bytes fetched from storage"),
  COL ("disk_write", INT64, "B", "bytes sent to storage"),
  COL ("minor_faults", INT64, NULL, "page faults without I/O"),
  COL ("major_faults", INT64, NULL, "page faults with I/O"),
  COL ("voluntary_switches", INT64, NULL, "context switches because it waited"),
  COL ("involuntary_switches", INT64, NULL, "context switches because its time was up"),
  END
};

static const ModelColumn chunks_columns[] = { COL ("source", CATEGORY, NULL, "what the row came from"),
                                              COL ("chunk", STRING, NULL, "identity of the chunk, if it has one"),
                                              COL ("task", STRING, NULL, "task that processed it"),
                                              COL ("dataset", CATEGORY, NULL, "dataset"),
                                              COL ("file", CATEGORY, NULL, "file"),
                                              COL ("tree", CATEGORY, NULL, "tree in the file"),
                                              COL ("entry_start", INT64, NULL, "first entry"),
                                              COL ("entry_stop", INT64, NULL, "entry after the last"),
                                              COL ("events", INT64, NULL, "events processed"),
                                              TIME ("started", "when it started"),
                                              TIME ("ended", "when it ended"),
                                              COL ("memory", INT64, "B", "change of resident memory"),
                                              COL ("bytes_read", INT64, "B", "bytes read for it"),
                                              COL ("error", CATEGORY, NULL, "why it failed; missing if it did not"),
                                              COL ("pid", INT64, NULL, "process that processed it"),
                                              END };

static const ModelColumn sections_columns[] = { COL ("source", CATEGORY, NULL, "what the row came from"),
                                                TIME ("time", "when it was reported"),
                                                COL ("chunk", STRING, NULL, "chunk it belongs to"),
                                                COL ("name", CATEGORY, NULL, "name of the section"),
                                                COL ("kind", CATEGORY, NULL, "time, memory, bytes, custom"),
                                                COL ("value", DOUBLE, NULL, "s for time, B for memory and bytes"),
                                                COL ("pid", INT64, NULL, "process that reported it"),
                                                END };

static const ModelColumn files_columns[] = { KEY ("source", CATEGORY, "what the row came from"),
                                             KEY ("file", STRING, "file"),
                                             COL ("dataset", CATEGORY, NULL, "dataset"),
                                             COL ("compression", DOUBLE, NULL,
                                                  "compressed size over uncompressed size"),
                                             COL ("branches", INT64, NULL, "branches in the tree"),
                                             COL ("bytes", INT64, "B", "size of the tree"),
                                             END };

static const ModelColumn branches_columns[] = { KEY ("source", CATEGORY, "what the row came from"),
                                                KEY ("file", STRING, "file"), KEY ("branch", STRING, "branch"),
                                                COL ("bytes", INT64, "B", "compressed size"), END };

static const ModelColumn datasets_columns[] = { COL ("source", CATEGORY, NULL, "what the row came from"),
                                                TIME ("time", "when it was reported"),
                                                COL ("dataset", CATEGORY, NULL, "dataset; missing if not said"),
                                                COL ("events", INT64, NULL, "events processed since the last report"),
                                                COL ("bytes_read", INT64, "B", "bytes read since the last report"),
                                                COL ("duration", DOUBLE, "s",
                                                     "time spent processing since the last report"),
                                                COL ("chunks", INT64, NULL, "chunks done since the last report"),
                                                COL ("pid", INT64, NULL, "process that reported it"),
                                                END };

static const ModelColumn spans_columns[] = { KEY ("source", CATEGORY, "what the row came from"),
                                             KEY ("span", STRING, "identity of the span within its source"),
                                             COL ("name", STRING, NULL, "name"),
                                             COL ("kind", CATEGORY, NULL, "native, default, window"),
                                             COL ("parent", STRING, NULL, "span around it"),
                                             TIME ("started", "when it started"),
                                             TIME ("ended", "when it ended"),
                                             END };

static const ModelColumn events_columns[] = {
  COL ("source", CATEGORY, NULL, "what the row came from"), TIME ("time", "when"),
  COL ("severity", CATEGORY, NULL, "info, warning, error"), COL ("kind", CATEGORY, NULL, "what kind of event"),
  COL ("message", STRING, NULL, "what a reader must know"), END
};

static const ModelTable model[] = {
  { "sources", ROAST_TABLE_KIND_ENTITY, "One executor, or one process tree", sources_columns },
  { "workers", ROAST_TABLE_KIND_ENTITY, "One worker, from join to leave", workers_columns },
  { "worker_samples", ROAST_TABLE_KIND_LOG, "One worker at one time, when something changed", worker_samples_columns },
  { "cluster_samples", ROAST_TABLE_KIND_LOG, "The whole at one time", cluster_samples_columns },
  { "activities", ROAST_TABLE_KIND_LOG, "A cumulative fine metric at one time", activities_columns },
  { "tasks", ROAST_TABLE_KIND_ENTITY, "One attempt at a task", tasks_columns },
  { "task_phases", ROAST_TABLE_KIND_LOG, "One phase of an attempt that has no column in tasks", task_phases_columns },
  { "transfers", ROAST_TABLE_KIND_LOG, "One transfer or cache event", transfers_columns },
  { "category_states", ROAST_TABLE_KIND_LOG, "Tasks by kind and state at one time", prefix_states_columns },
  { "executor_times", ROAST_TABLE_KIND_LOG, "The executor's own time", budgets_columns },
  { "processes", ROAST_TABLE_KIND_ENTITY, "One process of the program's tree", processes_columns },
  { "chunks", ROAST_TABLE_KIND_LOG, "One chunk of a dataset", chunks_columns },
  { "sections", ROAST_TABLE_KIND_LOG, "One named section of a program", sections_columns },
  { "files", ROAST_TABLE_KIND_ENTITY, "One file that was read", files_columns },
  { "branches", ROAST_TABLE_KIND_ENTITY, "One branch that was read", branches_columns },
  { "datasets", ROAST_TABLE_KIND_LOG, "What was processed of a dataset, as reported", datasets_columns },
  { "spans", ROAST_TABLE_KIND_ENTITY, "A named stretch of the run", spans_columns },
  { "events", ROAST_TABLE_KIND_LOG, "Something a reader must know", events_columns },
};

/* The names of the tables of the model, in its order. */
const char *const *
roast_model_get_table_names (void)
{
  static const char *names[G_N_ELEMENTS (model) + 1];
  static gsize once = 0;

  if (g_once_init_enter (&once))
    {
      for (gsize i = 0; i < G_N_ELEMENTS (model); i++)
        names[i] = model[i].name;
      g_once_init_leave (&once, 1);
    }

  return names;
}

/* A new, empty table of the model; NULL if the model has none of that name. */
RoastTable *
roast_model_create_table (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (model); i++)
    {
      g_autoptr (RoastTable) table = NULL;

      if (!g_str_equal (model[i].name, name))
        continue;

      table = roast_table_new (model[i].name, model[i].kind, model[i].description);
      for (const ModelColumn *c = model[i].columns; c->name != NULL; c++)
        {
          if (c->key)
            roast_table_add_key_column (table, c->name, c->type, c->unit, c->description, NULL);
          else
            roast_table_add_column (table, c->name, c->type, c->unit, c->description, NULL);
        }
      return g_steal_pointer (&table);
    }

  return NULL;
}
