/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast-recording-snapshot.h>

G_BEGIN_DECLS

typedef struct _RoastRunSource RoastRunSource;
typedef struct _RoastRunWorker RoastRunWorker;
typedef struct _RoastRunProcess RoastRunProcess;
typedef struct _RoastRunCall RoastRunCall;

/**
 * RoastRunSource:
 * @name: name of the source
 * @backend: (nullable): backend that read the source
 * @is_process_tree: whether the source is a process tree, whose workers are processes, and not an executor
 * @n_workers: number of the source's workers
 *
 * A source of measurements: one executor, or one process tree.
 *
 * Since: 0.9
 */
struct _RoastRunSource
{
  const char *name;
  const char *backend;
  gboolean is_process_tree;
  guint n_workers;

  /*< private >*/
  gpointer model;
};

/**
 * RoastRunWorker:
 * @index: number of the worker's row in the table workers
 * @source: (nullable): name of the worker's source
 * @worker: (nullable): identity of the worker within the source
 * @name: (nullable): name of the worker for human readers
 * @host: (nullable): machine that the worker ran on
 * @is_process: whether the source is a process tree, so that the worker is a process of the program and not a worker of
 *   an executor
 * @pid_namespace: inode number of the worker's pid namespace; -1 if unknown
 * @pid: process id of the worker in @pid_namespace; -1 if unknown
 * @process_workers: number of workers that share the worker's process
 * @cores: number of cores that the worker is allowed to use, which is the number of its slots; NaN if unknown
 * @memory_limit: memory that the worker is allowed to use, in bytes; -1 if unknown
 * @memory_peak: peak resident memory of the worker's process in bytes, without children; -1 if unknown
 * @memory_peak_bound: whether @memory_peak is exact or a bound: a word of the vocabulary bound; -1 if unknown
 * @computing: number of tasks that still computed in the worker's threads when the worker sent its last data
 * @started: when the worker's process started, in µs since the epoch; NaN if unknown
 * @joined: when the worker joined the executor; NaN if unknown
 * @left: when the worker left the executor; NaN if it did not leave, or if the time is unknown
 * @tail_lost: time in s at the end of the worker for which no data arrived; NaN if all data arrived
 * @cause: why the worker left: a word of the vocabulary worker_end; -1 if the worker had not left at the end of the
 *   recording
 * @exit_code: exit code of the worker's process; -1 if unknown
 * @signal: signal that ended the worker's process; -1 if no signal is known
 * @oom_killed: 1 if the kernel killed the worker's process because memory ran out, 0 if not; -1 if unknown
 * @missing: (nullable): what is unknown about the worker, and why
 *
 * One worker. Do not add the cores of an executor's workers to the cores of the process tree, because both are the same
 * cores.
 *
 * Since: 0.9
 */
struct _RoastRunWorker
{
  guint index;
  const char *source;
  const char *worker;
  const char *name;
  const char *host;
  gboolean is_process;
  gint64 pid_namespace;
  gint64 pid;
  gint64 process_workers;
  double cores;
  gint64 memory_limit;
  gint64 memory_peak;
  int memory_peak_bound;
  gint64 computing;
  double started;
  double joined;
  double left;
  double tail_lost;
  int cause;
  gint64 exit_code;
  gint64 signal;
  int oom_killed;
  const char *missing;

  /*< private >*/
  gpointer model;
  guint process;
};

/**
 * RoastRunProcess:
 * @row: number of the process's row in the table processes
 * @parent: number of the parent process; -1 if unknown
 * @command: (nullable): name of the process
 * @started: when the process started, in µs since the epoch
 * @cpu: CPU time of the process in s, without children; NaN if unknown
 * @run_queue: time in s for which the process waited for a core; NaN if unknown
 * @is_final: whether the values are final; otherwise they are from the last sample
 * @memory_peak: peak resident memory in bytes; -1 if unknown
 * @memory_peak_bound: whether @memory_peak is exact or a bound: a word of the vocabulary bound; -1 if unknown
 * @exit_code: exit code; -1 if unknown
 * @signal: signal that ended the process; -1 if no signal is known
 *
 * The process of a worker, as the process accounting of the run observed it.
 *
 * Since: 0.9
 */
struct _RoastRunProcess
{
  guint64 row;
  gint64 parent;
  const char *command;
  double started;
  double cpu;
  double run_queue;
  gboolean is_final;
  gint64 memory_peak;
  int memory_peak_bound;
  gint64 exit_code;
  gint64 signal;

  /*< private >*/
  gpointer model;
  gint64 pid, pid_namespace, namespace_pid;
};

/**
 * RoastRunCall:
 * @call: identity of the call
 * @kind: word of the vocabulary processing_kind; -1 if unknown
 * @source: (nullable): name of the call's source
 * @executor: (nullable): executor that ran the chunks
 * @processor: (nullable): name of the analysis' processor
 * @error: (nullable): why the call failed
 * @error_message: (nullable): first line of the error
 * @items: number of chunks or files that were handed to the executor; -1 if unknown
 * @pid: id of the process that made the call; -1 if unknown
 * @tasks_lost: number of tasks that were on workers which left during the call
 * @started: when the call started, in µs since the epoch; NaN if unknown
 * @ended: when the call ended; NaN if unknown
 * @is_confirmed: whether the call returned a result with a list of the chunks that are in the result
 * @is_superseded: whether the task that made the call was executed again, so that a later call replaces this call
 * @is_failed: whether the call failed, did more than merge results, was not superseded, and was not made good by a
 *   later call with one of its datasets
 *
 * One call of the analysis' executor.
 *
 * Since: 0.9
 */
struct _RoastRunCall
{
  const char *call;
  int kind;
  const char *source;
  const char *executor;
  const char *processor;
  const char *error;
  const char *error_message;
  gint64 items;
  gint64 pid;
  gint64 tasks_lost;
  double started;
  double ended;
  gboolean is_confirmed;
  gboolean is_superseded;
  gboolean is_failed;

  /*< private >*/
  gpointer model;
};

#define ROAST_TYPE_RUN_SOURCE (roast_run_source_get_type ())
#define ROAST_TYPE_RUN_WORKER (roast_run_worker_get_type ())
#define ROAST_TYPE_RUN_PROCESS (roast_run_process_get_type ())
#define ROAST_TYPE_RUN_CALL (roast_run_call_get_type ())
#define ROAST_TYPE_RUN_MODEL (roast_run_model_get_type ())

ROAST_AVAILABLE_IN_0_9
GType roast_run_source_get_type (void) G_GNUC_CONST;
ROAST_AVAILABLE_IN_0_9
GType roast_run_worker_get_type (void) G_GNUC_CONST;
ROAST_AVAILABLE_IN_0_9
GType roast_run_process_get_type (void) G_GNUC_CONST;
ROAST_AVAILABLE_IN_0_9
GType roast_run_call_get_type (void) G_GNUC_CONST;

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastRunModel, roast_run_model, ROAST, RUN_MODEL, GObject)

ROAST_AVAILABLE_IN_0_9
RoastRunModel *roast_run_model_get (RoastRecordingSnapshot *recording);
ROAST_AVAILABLE_IN_0_9
gboolean roast_run_model_get_times (RoastRunModel *self, double *started, double *ended);
ROAST_AVAILABLE_IN_0_9
const RoastRunSource *roast_run_model_get_sources (RoastRunModel *self, guint *n_sources);
ROAST_AVAILABLE_IN_0_9
gboolean roast_run_model_is_process_tree (RoastRunModel *self, const char *source);
ROAST_AVAILABLE_IN_0_9
const char *roast_run_model_get_process_tree (RoastRunModel *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_run_model_has_only_processes (RoastRunModel *self);
ROAST_AVAILABLE_IN_0_9
const RoastRunWorker *roast_run_model_get_workers (RoastRunModel *self, guint *n_workers);
ROAST_AVAILABLE_IN_0_9
const RoastRunWorker *roast_run_model_find_worker (RoastRunModel *self, const char *source, const char *worker);
ROAST_AVAILABLE_IN_0_9
const RoastRunProcess *roast_run_worker_get_process (const RoastRunWorker *self);
ROAST_AVAILABLE_IN_0_9
double roast_run_model_count_slots (RoastRunModel *self, const char *source, double *first, double *last);
ROAST_AVAILABLE_IN_0_9
guint roast_run_model_get_role (RoastRunModel *self, const char *source, const char *category);
ROAST_AVAILABLE_IN_0_9
guint roast_run_model_get_role_of_task (RoastRunModel *self, RoastTableReader *tasks);
ROAST_AVAILABLE_IN_0_9
const RoastRunCall *roast_run_model_get_calls (RoastRunModel *self, guint *n_calls);

G_END_DECLS
