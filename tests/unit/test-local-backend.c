/* SPDX-License-Identifier: BSD-3-Clause */
#include <roast/roast.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  RoastRegistry *registry;
  RoastSession *session;
  RoastMetricsBackend *backend;
} Fixture;

static RoastMetricsBackend *
new_backend (Fixture *fixture, const char *text)
{
  g_autoptr (GVariant) options = NULL;
  g_autoptr (GError) error = NULL;
  RoastMetricsBackend *backend;

  options = roast_registry_parse_options (fixture->registry, ROAST_ROLE_BACKEND, "local", text, &error);
  g_assert_no_error (error);
  backend = roast_registry_create_backend (fixture->registry, "local", options, &error);
  g_assert_no_error (error);

  return backend;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->registry = roast_registry_new ();
  fixture->session = roast_session_new (fixture->registry);
  fixture->backend = new_backend (fixture, "grace=0");
  roast_session_set_interval (fixture->session, 20000);
  roast_session_add_backend (fixture->session, "local", fixture->backend);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->session);
  g_assert_finalize_object (fixture->backend);
  g_object_unref (fixture->registry);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **at = user_data;

  *at = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static void
launch (Fixture *fixture, const char *program, const char *argument)
{
  const char *argv[] = { program, argument, NULL };
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  roast_session_launch_async (fixture->session, context, NULL, on_done, &result);
  wait_for (&result);
  roast_session_launch_finish (fixture->session, result, &error);
  g_assert_no_error (error);
}

static gboolean
attach (Fixture *fixture, const char *address, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  roast_session_attach_async (fixture->session, address, NULL, on_done, &result);
  wait_for (&result);

  return roast_session_attach_finish (fixture->session, result, error);
}

static void
finish (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  roast_session_wait_async (fixture->session, NULL, on_done, &result);
  wait_for (&result);
  roast_session_wait_finish (fixture->session, result, &error);
  g_assert_no_error (error);
}

static RoastTableSnapshot *
snapshot (RoastRecording *recording, const char *table)
{
  return roast_table_snapshot (roast_recording_get_table (recording, table));
}

/* A cell as text; "-" if it is missing. */
static char *
dup_cell (RoastTableSnapshot *table, guint64 row, const char *column)
{
  g_autoptr (GVariant) value = NULL;

  g_assert_cmpuint (row, <, roast_table_snapshot_get_n_rows (table));
  value = roast_table_snapshot_dup_value (table, row, roast_table_snapshot_find_column (table, column));

  return value != NULL ? g_variant_print (value, FALSE) : g_strdup ("-");
}

static void
assert_cell (RoastTableSnapshot *table, guint64 row, const char *column, const char *expected)
{
  g_autofree char *cell = dup_cell (table, row, column);

  g_assert_cmpstr (cell, ==, expected);
}

/* With real processes */

static void
test_launch (Fixture *fixture, gconstpointer data)
{
  RoastRecording *recording = roast_session_get_recording (fixture->session);
  g_autoptr (RoastTableSnapshot) workers = NULL;
  g_autoptr (RoastTableSnapshot) samples = NULL;
  g_autoptr (RoastTableSnapshot) tree = NULL;
  g_autoptr (RoastTableSnapshot) sources = NULL;
  g_autofree char *pid = NULL;
  g_autofree char *address = NULL;

  launch (fixture, "sleep", "0.3");
  finish (fixture);
  pid = g_strdup_printf ("%d", roast_launcher_get_pid (roast_session_get_launcher (fixture->session)));
  address = g_strdup_printf ("'pid %s'", pid);

  sources = snapshot (recording, "sources");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (sources), ==, 2);
  for (guint i = 0; i < 2; i++)
    assert_cell (sources, i, "address", address);

  workers = snapshot (recording, "workers");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (workers), ==, 1);
  assert_cell (workers, 0, "source", "'local-1'");
  assert_cell (workers, 0, "name", "'sleep'");
  assert_cell (workers, 0, "pid", pid);
  assert_cell (workers, 0, "leave_reason", "'exited 0'");
  g_assert_cmpint (roast_table_snapshot_get_int64 (workers, 0, roast_table_snapshot_find_column (workers, "left")), >,
                   roast_table_snapshot_get_int64 (workers, 0, roast_table_snapshot_find_column (workers, "joined")));

  samples = snapshot (recording, "worker_samples");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (samples), >=, 1);
  g_assert_cmpint (roast_table_snapshot_get_int64 (samples, 0, roast_table_snapshot_find_column (samples, "memory")), >,
                   4096);
  assert_cell (samples, 0, "threads", "1");
  tree = snapshot (recording, "cluster_samples");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (tree), >=, 5);
  assert_cell (tree, 0, "workers", "1");
}

static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) workers = NULL;
  g_autofree char *reason = NULL;

  launch (fixture, "sleep", "100");
  while (roast_table_get_n_rows (roast_recording_get_table (roast_session_get_recording (fixture->session),
                                                            "workers")) == 0)
    g_main_context_iteration (NULL, TRUE);
  roast_launcher_send_signal (roast_session_get_launcher (fixture->session), SIGKILL);
  finish (fixture);
  workers = snapshot (roast_session_get_recording (fixture->session), "workers");
  reason = dup_cell (workers, 0, "leave_reason");
  g_assert_nonnull (strstr (reason, "killed by signal 9"));
}

static void
test_attach (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) workers = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *pid = NULL;
  g_autoptr (GError) error = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  pid = g_strdup (g_subprocess_get_identifier (process));
  attach (fixture, pid, &error);
  g_assert_no_error (error);
  while (roast_table_get_n_rows (roast_recording_get_table (roast_session_get_recording (fixture->session),
                                                            "workers")) == 0)
    g_main_context_iteration (NULL, TRUE);

  /* It ends by itself when its target does. */
  g_subprocess_force_exit (process);
  finish (fixture);
  workers = snapshot (roast_session_get_recording (fixture->session), "workers");
  assert_cell (workers, 0, "pid", pid);
  assert_cell (workers, 0, "leave_reason", "'ended'");
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
}

static void
test_attach_stop (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) workers = NULL;
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  attach (fixture, g_subprocess_get_identifier (process), &error);
  g_assert_no_error (error);
  while (roast_table_get_n_rows (roast_recording_get_table (roast_session_get_recording (fixture->session),
                                                            "workers")) == 0)
    g_main_context_iteration (NULL, TRUE);
  roast_session_stop (fixture->session);
  finish (fixture);
  workers = snapshot (roast_session_get_recording (fixture->session), "workers");
  assert_cell (workers, 0, "leave_reason", "'still running'");
  assert_cell (workers, 0, "left", "-");

  g_subprocess_send_signal (process, SIGTERM);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, SIGTERM);
}

/* A program may measure itself: what measures it is its child, and no part of it. */
static void
test_attach_to_itself (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastTableSnapshot) processes = NULL;
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autoptr (GError) error = NULL;
  int column;

  /* What measured for the test before this one may not have ended yet. */
  while (waitid (P_ALL, 0, &(siginfo_t) { 0 }, WEXITED | WNOHANG | WNOWAIT) == 0)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  attach (fixture, pid, &error);
  g_assert_no_error (error);
  while (roast_table_get_n_rows (roast_recording_get_table (roast_session_get_recording (fixture->session),
                                                            "workers")) == 0)
    g_main_context_iteration (NULL, TRUE);
  roast_session_stop (fixture->session);
  finish (fixture);

  processes = snapshot (roast_session_get_recording (fixture->session), "processes");
  assert_cell (processes, 0, "pid", pid);
  column = roast_table_snapshot_find_column (processes, "command");
  for (guint64 row = 0; row < roast_table_snapshot_get_n_rows (processes); row++)
    g_assert_false (g_str_has_prefix (roast_table_snapshot_get_string (processes, row, column), "roast-super"));
}

static void
test_bad_address (Fixture *fixture, gconstpointer data)
{
  static const char *const bad[] = { "", "abc", "0", "-1", "12x", "99999999999" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (RoastMetricsBackend) backend = new_backend (fixture, NULL);
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      roast_metrics_backend_attach_async (backend, bad[i], 1000, NULL, on_done, &result);
      wait_for (&result);
      g_assert_false (roast_metrics_backend_attach_finish (backend, result, &error));
      g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT);
      g_assert_nonnull (strstr (error->message, bad[i]));
    }
}

static void
test_nobody (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (attach (fixture, "2147483646", &error));
  g_assert_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NO_SUCH_PROCESS);
  g_assert_cmpint (roast_session_get_state (fixture->session), ==, ROAST_SESSION_STATE_FAILED);
}

static void
test_options (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastMetricsBackend) backend =
      new_backend (fixture, "pss=exact,wait=tree,grace=0.5,perf=false,cgroup=false");
  g_autoptr (RoastLaunchContext) context = roast_launch_context_new (NULL);
  g_autoptr (GPtrArray) observers = NULL;
  g_autoptr (GVariant) options = NULL;
  g_autoptr (GError) error = NULL;
  RoastAccounting accounting;

  g_assert_true (roast_metrics_backend_prepare_launch (backend, context, NULL));
  g_assert_cmpint (roast_launch_context_get_pss_mode (context), ==, ROAST_PSS_MODE_EXACT);
  g_assert_cmpint (roast_launch_context_get_wait_mode (context), ==, ROAST_WAIT_MODE_TREE);
  g_assert_cmpint (roast_launch_context_get_grace (context), ==, 500000);
  accounting = roast_launch_context_get_accounting (context);
  g_assert_false (accounting & (ROAST_ACCOUNTING_PERF | ROAST_ACCOUNTING_CGROUP));
  g_assert_true (accounting & ROAST_ACCOUNTING_WAIT);
  observers = roast_launch_context_list_observers (context);
  g_assert_cmpuint (observers->len, ==, 1);

  options = roast_registry_parse_options (fixture->registry, ROAST_ROLE_BACKEND, "local", "grace=-1", &error);
  g_assert_no_error (error);
  g_assert_null (roast_registry_create_backend (fixture->registry, "local", options, &error));
  g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE);
}

/* As an observer, with processes that are told of */

static RoastRecording *
track (RoastMetricsBackend *backend)
{
  RoastRecording *recording = roast_recording_new (NULL);
  RoastTreeInfo info = { .cores = 4, .cgroup_cores = 1.5, .cgroup_memory_limit = -1 };
  g_autoptr (GAsyncResult) result = NULL;

  roast_metrics_backend_start_tracking_async (backend, recording, 1000000, 1000, NULL, on_done, &result);
  wait_for (&result);
  g_assert_true (roast_metrics_backend_start_tracking_finish (backend, result, NULL));
  roast_process_observer_tree_started (ROAST_PROCESS_OBSERVER (backend), &info);

  return recording;
}

static void
add_process (RoastMetricsBackend *backend, guint64 id, gint64 started, const char *command)
{
  RoastProcess process = { .id = id, .started = started, .pid = 1000 + (int) id };

  g_strlcpy (process.command, command, sizeof process.command);
  roast_process_observer_process_started (ROAST_PROCESS_OBSERVER (backend), &process, NULL);
}

static void
sample (RoastMetricsBackend *backend, gint64 time, guint64 id, char state)
{
  RoastTreeSample tree = { .time = time, .processes = 1, .samples = 1, .pss = -1, .pss_known = -1, .rss = 4096 };
  RoastProcessSample one = {
    .id = id,
    .rss = 4096,
    .pss = -1,
    .pss_age = -1,
    .threads = 1,
    .state = state,
    .usage = { 1500000, 500000, -1, -1, 0, -1, 7, -1, -1, -1, -1 },
  };

  roast_process_observer_sampled (ROAST_PROCESS_OBSERVER (backend), &tree, &one, 1);
}

static void
end_process (RoastMetricsBackend *backend, guint64 id, gint64 ended, int origin)
{
  RoastProcessEnd end = {
    .id = id, .ended = ended, .status_known = 1, .wait_status = 3 << 8, .origin = origin, .count = 1
  };

  roast_process_observer_process_ended (ROAST_PROCESS_OBSERVER (backend), &end);
}

static void
test_cells (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastMetricsBackend) backend = new_backend (fixture, NULL);
  g_autoptr (RoastRecording) recording = track (backend);
  g_autoptr (RoastTableSnapshot) samples = NULL;
  g_autoptr (RoastTableSnapshot) tree = NULL;
  g_autoptr (RoastTableSnapshot) workers = NULL;

  add_process (backend, 1, 1000, "a (b) c");
  sample (backend, 2000000, 1, 'R');
  end_process (backend, 1, 3000000, ROAST_PROCESS_ORIGIN_EXACT);

  samples = snapshot (recording, "worker_samples");
  assert_cell (samples, 0, "time", "2000000");
  assert_cell (samples, 0, "worker", "'1001.1'");
  assert_cell (samples, 0, "memory", "4096");
  assert_cell (samples, 0, "memory_pss", "-");
  assert_cell (samples, 0, "memory_pss_age", "-");
  assert_cell (samples, 0, "cpu", "2.0");
  assert_cell (samples, 0, "run_queue", "-");
  assert_cell (samples, 0, "read_chars", "-");
  assert_cell (samples, 0, "write_chars", "0");
  assert_cell (samples, 0, "disk_write", "7");
  tree = snapshot (recording, "cluster_samples");
  assert_cell (tree, 0, "cores", "1.5");
  assert_cell (tree, 0, "memory_pss", "-");
  workers = snapshot (recording, "workers");
  assert_cell (workers, 0, "name", "'a (b) c'");
  assert_cell (workers, 0, "cores", "1.5");
  assert_cell (workers, 0, "joined", "1000");
  assert_cell (workers, 0, "left", "3000000");
  assert_cell (workers, 0, "leave_reason", "'exited 3'");
}

/* Neither one that no sample saw, nor one that was a zombie at each. */
static void
test_no_worker (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastMetricsBackend) backend = new_backend (fixture, NULL);
  g_autoptr (RoastRecording) recording = track (backend);

  add_process (backend, 1, 1000, "short");
  end_process (backend, 1, 2000, ROAST_PROCESS_ORIGIN_EXACT);
  add_process (backend, 2, 1000, "zombie");
  sample (backend, 2000, 2, 'Z');
  end_process (backend, 2, 3000, ROAST_PROCESS_ORIGIN_EXACT);
  sample (backend, 4000, 3, 'R');
  g_assert_cmpuint (roast_table_get_n_rows (roast_recording_get_table (recording, "workers")), ==, 0);
  g_assert_cmpuint (roast_table_get_n_rows (roast_recording_get_table (recording, "worker_samples")), ==, 0);
}

/* A child has its parent's name until its exec; a live reader gets its own soon after. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastMetricsBackend) backend = new_backend (fixture, NULL);
  g_autoptr (RoastRecording) recording = track (backend);
  g_autoptr (RoastTableSnapshot) early = NULL;
  g_autoptr (RoastTableSnapshot) late = NULL;
  g_autoptr (RoastTableSnapshot) end = NULL;

  add_process (backend, 1, 1000000, "sh");
  sample (backend, 1010000, 1, 'R');
  early = snapshot (recording, "workers");
  assert_cell (early, 0, "name", "-");
  add_process (backend, 1, 1000000, "python3");
  sample (backend, 2000000, 1, 'R');
  late = snapshot (recording, "workers");
  assert_cell (late, 0, "name", "'python3'");
  add_process (backend, 1, 1000000, "other");
  end_process (backend, 1, -1, ROAST_PROCESS_ORIGIN_RUNNING);
  end = snapshot (recording, "workers");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (end), ==, 1);
  assert_cell (end, 0, "name", "'python3'");
  assert_cell (end, 0, "left", "-");
  assert_cell (end, 0, "leave_reason", "'still running'");
}

static void
test_tracking_states (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastMetricsBackend) backend = new_backend (fixture, NULL);
  g_autoptr (RoastRecording) recording = NULL;
  GAsyncResult *results[3] = { NULL };
  g_autoptr (GError) error = NULL;

  roast_metrics_backend_stop_tracking_async (backend, 1000, NULL, on_done, &results[0]);
  wait_for (&results[0]);
  g_assert_false (roast_metrics_backend_stop_tracking_finish (backend, results[0], &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING);
  g_clear_error (&error);

  recording = track (backend);
  roast_metrics_backend_start_tracking_async (backend, recording, 1000000, 1000, NULL, on_done, &results[1]);
  wait_for (&results[1]);
  g_assert_false (roast_metrics_backend_start_tracking_finish (backend, results[1], &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING);

  roast_metrics_backend_stop_tracking_async (backend, 1000, NULL, on_done, &results[2]);
  wait_for (&results[2]);
  g_assert_true (roast_metrics_backend_stop_tracking_finish (backend, results[2], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    g_object_unref (results[i]);
}

#define ADD(name, function) g_test_add ("/local-backend/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("launch", test_launch);
  ADD ("killed", test_killed);
  ADD ("attach", test_attach);
  ADD ("attach-stop", test_attach_stop);
  ADD ("attach-to-itself", test_attach_to_itself);
  ADD ("bad-address", test_bad_address);
  ADD ("nobody", test_nobody);
  ADD ("options", test_options);
  ADD ("cells", test_cells);
  ADD ("no-worker", test_no_worker);
  ADD ("names", test_names);
  ADD ("tracking-states", test_tracking_states);

  return g_test_run ();
}
