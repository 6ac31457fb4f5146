/* SPDX-License-Identifier: BSD-3-Clause */

/* Tests the run model: sources, workers and their processes, roles of tasks, calls. */

#include <math.h>

#include "rows.h"

static RoastRunModel *
get_model (RoastRecording *recording, RoastRecordingSnapshot **snapshot)
{
  *snapshot = roast_recording_snapshot (recording);

  return roast_run_model_get (*snapshot);
}

static void
test_sources (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  RoastRunModel *model = NULL;
  const RoastRunSource *sources;
  guint n;

  rows_add (recording, "sources", "{'source': <'dask-1'>, 'backend': <'dask'>}");
  rows_add (recording, "sources", "{'source': <'local-1'>, 'backend': <'local'>, 'worker_kind': <'process'>}");
  rows_add (recording, "processes", "{'source': <'processes-1'>, 'process': <int64 1>}");
  rows_add (recording, "workers", "{'source': <'dask-2'>, 'worker': <'a'>}");
  model = get_model (recording, &snapshot);
  g_assert_true (model == roast_run_model_get (snapshot));
  sources = roast_run_model_get_sources (model, &n);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpstr (sources[0].name, ==, "dask-1");
  g_assert_cmpstr (sources[0].backend, ==, "dask");
  g_assert_cmpuint (sources[0].n_workers, ==, 0);
  g_assert_cmpstr (sources[3].name, ==, "dask-2");
  g_assert_null (sources[3].backend);
  g_assert_cmpuint (sources[3].n_workers, ==, 1);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (roast_run_model_is_process_tree (model, sources[i].name), ==, i == 1 || i == 2);
  g_assert_false (roast_run_model_is_process_tree (model, NULL));
  g_assert_false (roast_run_model_is_process_tree (model, "other"));
  /* The source with samples precedes the accounting. */
  g_assert_cmpstr (roast_run_model_get_process_tree (model), ==, "local-1");
  g_assert_false (roast_run_model_has_only_processes (model));
}

static void
test_only_processes (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) empty = NULL, snapshot = NULL;
  double started, ended;

  g_assert_false (roast_run_model_has_only_processes (get_model (recording, &empty)));
  g_assert_null (roast_run_model_get_process_tree (roast_run_model_get (empty)));
  g_assert_false (roast_run_model_get_times (roast_run_model_get (empty), &started, &ended));
  g_assert_true (isnan (started) && isnan (ended));
  rows_add (recording, "processes", "{'source': <'processes-1'>, 'process': <int64 1>}");
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (5));
  roast_recording_set_metadata (recording, "ended", g_variant_new_int64 (7));
  g_assert_true (roast_run_model_has_only_processes (get_model (recording, &snapshot)));
  g_assert_true (roast_run_model_get_times (roast_run_model_get (snapshot), &started, &ended));
  g_assert_cmpfloat (started, ==, 5);
  g_assert_cmpfloat (ended, ==, 7);
}

static void
test_workers (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  RoastRunModel *model = NULL;
  const RoastRunWorker *workers;
  RoastRunWorker *copy = NULL;
  double first, last;
  guint n;

  rows_add (recording, "sources", "{'source': <'local-1'>, 'worker_kind': <'process'>}");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'a'>, 'host': <'h'>, 'cores': <2.0>, 'joined': <int64 10>, 'left': "
            "<int64 20>, 'cause': <'signal'>, 'signal': <int64 9>, 'oom_killed': <false>}");
  rows_add (recording, "workers",
            "{'source': <'dask-1'>, 'worker': <'b'>, 'cores': <3.0>, 'joined': <int64 20>, 'left': <int64 40>}");
  rows_add (recording, "workers", "{'source': <'dask-2'>, 'worker': <'a'>, 'cores': <1.0>, 'joined': <int64 15>}");
  rows_add (recording, "workers", "{'source': <'dask-2'>, 'worker': <'c'>}");
  rows_add (recording, "workers", "{'source': <'local-1'>, 'worker': <'1'>, 'cores': <8.0>, 'joined': <int64 1>}");
  model = get_model (recording, &snapshot);
  workers = roast_run_model_get_workers (model, &n);
  g_assert_cmpuint (n, ==, 5);
  g_assert_true (roast_run_model_find_worker (model, "dask-2", "a") == &workers[2]);
  g_assert_null (roast_run_model_find_worker (model, "dask-2", "b"));
  g_assert_null (roast_run_model_find_worker (model, NULL, NULL));
  g_assert_cmpuint (workers[2].index, ==, 2);
  g_assert_cmpstr (workers[0].host, ==, "h");
  g_assert_cmpint (workers[0].cause, ==, ROAST_WORKER_END_SIGNAL);
  g_assert_cmpint (workers[0].oom_killed, ==, 0);
  g_assert_cmpint (workers[1].oom_killed, ==, -1);
  g_assert_cmpint (workers[1].cause, ==, -1);
  g_assert_true (isnan (workers[3].cores) && isnan (workers[3].left));
  g_assert_false (workers[3].is_process);
  g_assert_true (workers[4].is_process);
  /* Slots: b replaces a. Processes offer none beside executors. */
  g_assert_cmpfloat (roast_run_model_count_slots (model, NULL, &first, &last), ==, 4);
  g_assert_cmpfloat (first, ==, 10);
  g_assert_true (isnan (last));
  g_assert_cmpfloat (roast_run_model_count_slots (model, "dask-1", &first, &last), ==, 3);
  g_assert_cmpfloat (last, ==, 40);
  g_assert_cmpfloat (roast_run_model_count_slots (model, "local-1", NULL, NULL), ==, 8);
  g_assert_true (isnan (roast_run_model_count_slots (model, "other", NULL, NULL)));
  /* A copy survives the snapshot. */
  copy = g_boxed_copy (ROAST_TYPE_RUN_WORKER, &workers[0]);
  g_clear_object (&snapshot);
  g_assert_cmpstr (copy->worker, ==, "a");
  g_assert_null (roast_run_worker_get_process (copy));
  g_boxed_free (ROAST_TYPE_RUN_WORKER, copy);
}

/* The row of the process of a worker; -1 if it is unknown. */
static int
find_process (RoastRunModel *model, const char *worker)
{
  const RoastRunProcess *process = roast_run_worker_get_process (roast_run_model_find_worker (model, "dask-1", worker));

  return process != NULL ? (int) process->row : -1;
}

/* Workers of the same process id, which started at the same time. */
static void
test_namespaces (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  RoastRunModel *model = NULL;

#define PROCESS(rest) rows_add (recording, "processes", "{'source': <'p'>, 'started': <int64 50>, " rest "}")
#define WORKER(rest) rows_add (recording, "workers", "{'source': <'dask-1'>, 'started': <int64 60>, " rest "}")
  PROCESS ("'process': <int64 1>, 'pid': <int64 7>, 'pid_namespace': <int64 100>");
  PROCESS ("'process': <int64 2>, 'pid': <int64 41>, 'pid_namespace': <int64 101>, 'namespace_pid': <int64 7>");
  PROCESS ("'process': <int64 3>, 'pid': <int64 42>, 'pid_namespace': <int64 102>, 'namespace_pid': <int64 7>");
  PROCESS ("'process': <int64 4>, 'pid': <int64 43>");
  PROCESS ("'process': <int64 5>, 'pid': <int64 43>");
  PROCESS ("'process': <int64 6>, 'pid': <int64 44>, 'pid_namespace': <int64 100>");
  WORKER ("'worker': <'here'>, 'pid': <int64 7>, 'pid_namespace': <int64 100>");
  WORKER ("'worker': <'first'>, 'pid': <int64 7>, 'pid_namespace': <int64 101>");
  WORKER ("'worker': <'second'>, 'pid': <int64 7>, 'pid_namespace': <int64 102>");
  WORKER ("'worker': <'elsewhere'>, 'pid': <int64 7>, 'pid_namespace': <int64 103>");
  WORKER ("'worker': <'unknown'>, 'pid': <int64 41>");
  /* Two processes may be meant. */
  WORKER ("'worker': <'vague'>, 'pid': <int64 43>, 'pid_namespace': <int64 100>");
  /* Join no worker to a process that workers of two hosts could have. Two workers of one host may share a process. */
  WORKER ("'worker': <'host-a'>, 'pid': <int64 44>, 'pid_namespace': <int64 100>, 'host': <'a'>");
  WORKER ("'worker': <'host-b'>, 'pid': <int64 44>, 'pid_namespace': <int64 100>, 'host': <'b'>");
  WORKER ("'worker': <'sharing'>, 'pid': <int64 41>");
#undef PROCESS
#undef WORKER
  model = get_model (recording, &snapshot);
  g_assert_cmpint (find_process (model, "here"), ==, 0);
  g_assert_cmpint (find_process (model, "first"), ==, 1);
  g_assert_cmpint (find_process (model, "second"), ==, 2);
  g_assert_cmpint (find_process (model, "elsewhere"), ==, -1);
  g_assert_cmpint (find_process (model, "unknown"), ==, 1);
  g_assert_cmpint (find_process (model, "sharing"), ==, 1);
  g_assert_cmpint (find_process (model, "vague"), ==, -1);
  g_assert_cmpint (find_process (model, "host-a"), ==, -1);
  g_assert_cmpint (find_process (model, "host-b"), ==, -1);
}

static void
test_roles (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastTableReader) tasks = NULL;
  RoastRunModel *model = NULL;

  rows_add (recording, "categories", "{'source': <'dask-1'>, 'category': <'x'>, 'role': <'framework'>}");
  rows_add (recording, "categories", "{'source': <'dask-2'>, 'category': <'x'>, 'role': <'analysis'>}");
  rows_add (recording, "tasks", "{'source': <'dask-1'>, 'task': <'1'>, 'attempt': <int64 1>, 'category': <'x'>}");
  rows_add (recording, "tasks",
            "{'source': <'dask-1'>, 'task': <'2'>, 'attempt': <int64 1>, 'category': <'x'>, 'role': <'analysis'>}");
  rows_add (recording, "tasks", "{'source': <'dask-1'>, 'task': <'3'>, 'attempt': <int64 1>}");
  model = get_model (recording, &snapshot);
  g_assert_cmpuint (roast_run_model_get_role (model, "dask-1", "x"), ==, ROAST_ROLE_FRAMEWORK);
  g_assert_cmpuint (roast_run_model_get_role (model, "dask-2", "x"), ==, ROAST_ROLE_ANALYSIS);
  g_assert_cmpuint (roast_run_model_get_role (model, "dask-1", NULL), ==, ROAST_ROLE_ANALYSIS);
  tasks = roast_recording_snapshot_read_table (snapshot, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);
  for (guint i = 0; roast_table_reader_next (tasks); i++)
    g_assert_cmpuint (roast_run_model_get_role_of_task (model, tasks), ==,
                      i == 0 ? ROAST_ROLE_FRAMEWORK : ROAST_ROLE_ANALYSIS);
}

static void
test_calls (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  const RoastRunCall *calls;
  guint n;

#define CALL(rest) rows_add (recording, "processing", "{'source': <'p'>, 'kind': <'processing'>, " rest "}")
  /* The second execution of a task repeats its call, whichever row is first. */
  CALL ("'call': <'late'>, 'task': <'t'>, 'task_call': <int64 1>, 'started': <int64 9>, 'confirmed': <true>");
  CALL ("'call': <'early'>, 'task': <'t'>, 'task_call': <int64 1>, 'started': <int64 5>, 'error': <'E'>");
  CALL ("'call': <'other'>, 'task': <'t'>, 'task_call': <int64 2>, 'started': <int64 5>, 'confirmed': <true>");
  /* A later call with the same processor, and one of its datasets, makes a failed call good. */
  CALL ("'call': <'failed'>, 'processor': <'q'>, 'error': <'E'>, 'ended': <int64 20>, 'items': <int64 7>");
  CALL ("'call': <'lost'>, 'processor': <'q'>, 'error': <'E'>, 'ended': <int64 20>");
  CALL ("'call': <'again'>, 'processor': <'q'>, 'confirmed': <true>, 'started': <int64 20>");
#undef CALL
#define FILES(rest) rows_add (recording, "processing", "{'source': <'p'>, 'kind': <'preprocessing'>, " rest "}")
  /* A call that prepares files has no processor. */
  FILES ("'call': <'files'>, 'error': <'E'>, 'ended': <int64 20>");
  FILES ("'call': <'lost-files'>, 'error': <'E'>, 'ended': <int64 20>");
  /* It is unknown which datasets it had: no later call makes it good. */
  FILES ("'call': <'no-files'>, 'error': <'E'>, 'ended': <int64 20>");
#undef FILES
  rows_add (recording, "chunks", "{'source': <'p'>, 'chunk': <'1'>, 'call': <'failed'>, 'dataset': <'d'>}");
  rows_add (recording, "chunks", "{'source': <'p'>, 'chunk': <'2'>, 'call': <'again'>, 'dataset': <'d'>}");
  rows_add (recording, "chunks", "{'source': <'p'>, 'chunk': <'3'>, 'call': <'lost'>, 'dataset': <'e'>}");
  rows_add (recording, "chunks", "{'source': <'p'>, 'chunk': <'4'>, 'call': <'files'>, 'dataset': <'d'>}");
  rows_add (recording, "chunks", "{'source': <'p'>, 'chunk': <'5'>, 'call': <'lost-files'>, 'dataset': <'e'>}");
  calls = roast_run_model_get_calls (get_model (recording, &snapshot), &n);
  g_assert_cmpuint (n, ==, 9);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (calls[i].is_superseded, ==, i == 1);
      g_assert_cmpint (calls[i].is_failed, ==, i == 4 || i >= 7);
    }
  g_assert_cmpint (calls[3].items, ==, 7);
  g_assert_cmpint (calls[4].items, ==, -1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-model/sources", test_sources);
  g_test_add_func ("/run-model/only-processes", test_only_processes);
  g_test_add_func ("/run-model/workers", test_workers);
  g_test_add_func ("/run-model/namespaces", test_namespaces);
  g_test_add_func ("/run-model/roles", test_roles);
  g_test_add_func ("/run-model/calls", test_calls);

  return g_test_run ();
}
