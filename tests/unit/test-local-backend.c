/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "closeness.h"
#include "frames.h"
#include "rows.h"

#include <process/roast-launch-context-private.h>

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
  gint64 deadline = g_get_monotonic_time () + HANG;

  /* After a failure the supervisor may be about to end, and the session until it is waited for. */
  while (waitid (P_ALL, 0, &(siginfo_t) { 0 }, WEXITED | WNOHANG | WNOWAIT) == 0)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      if (!g_main_context_iteration (NULL, FALSE))
        g_usleep (1000);
    }
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

/* With real processes */

static RoastRecording *
get_recording (Fixture *fixture)
{
  return roast_session_get_recording (fixture->session);
}

static void
wait_for_worker (Fixture *fixture)
{
  while (rows_count (get_recording (fixture), "workers") == 0)
    g_main_context_iteration (NULL, TRUE);
}

static gint64
get_number (RoastRecording *recording, const char *table, const char *column)
{
  g_autofree char *cell = rows_show_cell (recording, table, 0, column);

  return g_ascii_strtoll (cell, NULL, 10);
}

/* A sample in the moment of exec () has no memory yet: then the cell is missing, never 0. */
static void
assert_memory (RoastRecording *recording)
{
  guint n_known = 0;

  for (gsize i = 0; i < rows_count (recording, "worker_samples"); i++)
    {
      g_autofree char *cell = rows_show_cell (recording, "worker_samples", i, "memory");

      if (cell == NULL)
        continue;
      g_assert_cmpint (g_ascii_strtoll (cell, NULL, 10), >, 4096);
      n_known++;
    }
  g_assert_cmpuint (n_known, >, 0);
}

static void
test_launch (Fixture *fixture, gconstpointer data)
{
  struct stat namespace;
  RoastRecording *recording = get_recording (fixture);
  g_autofree char *directory = g_dir_make_tmp ("roast-local-XXXXXX", NULL);
  g_autofree char *fifo = g_build_filename (directory, "fifo", NULL);
  g_autofree char *pid = NULL;
  g_autofree char *address = NULL;
  gsize n_samples;
  int told;

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  /* It ends when it is told to, after some samples. */
  launch (fixture, "cat", fifo);
  told = open (fifo, O_WRONLY | O_CLOEXEC);
  g_assert_cmpint (told, >=, 0);
  n_samples = rows_count (recording, "cluster_samples");
  while (rows_count (recording, "cluster_samples") < n_samples + 5)
    g_main_context_iteration (NULL, TRUE);
  close (told);
  finish (fixture);
  g_assert_cmpint (g_remove (fifo), ==, 0);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
  pid = g_strdup_printf ("%d", roast_launcher_get_pid (roast_session_get_launcher (fixture->session)));
  address = g_strdup_printf ("pid %s", pid);

  g_assert_cmpuint (rows_count (recording, "sources"), ==, 2);
  g_assert_cmpuint (rows_count_with (recording, "sources", "address", address), ==, 2);

  g_assert_cmpuint (rows_count (recording, "workers"), ==, 1);
  assert_cell (recording, "workers", 0, "source", "local-1");
  assert_cell (recording, "workers", 0, "name", "cat");
  assert_cell (recording, "workers", 0, "pid", pid);
  g_assert_cmpint (stat ("/proc/self/ns/pid", &namespace), ==, 0);
  g_assert_cmpint (get_number (recording, "workers", "pid_namespace"), ==, (gint64) namespace.st_ino);
  g_assert_cmpint (get_number (recording, "processes", "pid_namespace"), ==, (gint64) namespace.st_ino);
  assert_cell (recording, "workers", 0, "leave_reason", "exited 0");
  g_assert_cmpint (get_number (recording, "workers", "left"), >, get_number (recording, "workers", "joined"));

  g_assert_cmpuint (rows_count (recording, "worker_samples"), >=, 1);
  assert_memory (recording);
  assert_cell (recording, "worker_samples", 0, "threads", "1");
  g_assert_cmpuint (rows_count (recording, "cluster_samples"), >=, 5);
  assert_cell (recording, "cluster_samples", 0, "workers", "1");
  assert_cell (recording, "cluster_samples", rows_count (recording, "cluster_samples") - 1, "workers", "0");
}

static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *reason = NULL;

  launch (fixture, "sleep", "100");
  wait_for_worker (fixture);
  roast_launcher_send_signal (roast_session_get_launcher (fixture->session), SIGKILL);
  finish (fixture);
  reason = rows_show_cell (get_recording (fixture), "workers", 0, "leave_reason");
  g_assert_nonnull (strstr (reason, "killed by signal 9"));
}

static void
test_attach (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *pid = NULL;
  g_autofree char *reason = NULL;
  g_autoptr (GError) error = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  pid = g_strdup (g_subprocess_get_identifier (process));
  attach (fixture, pid, &error);
  g_assert_no_error (error);
  wait_for_worker (fixture);

  /* It ends by itself when its target does. */
  g_subprocess_force_exit (process);
  finish (fixture);
  assert_cell (get_recording (fixture), "workers", 0, "pid", pid);
  /* Linux 6.15 keeps the wait status of a process for others than its parent. */
  reason = rows_show_cell (get_recording (fixture), "workers", 0, "leave_reason");
  g_assert_true (g_str_equal (reason, "ended") || strstr (reason, "killed by signal 9") != NULL);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
}

static void
test_attach_stop (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "sleep", "100", NULL);
  g_assert_no_error (error);
  attach (fixture, g_subprocess_get_identifier (process), &error);
  g_assert_no_error (error);
  wait_for_worker (fixture);
  roast_session_stop (fixture->session);
  finish (fixture);
  assert_cell (get_recording (fixture), "workers", 0, "leave_reason", "still running");
  assert_cell (get_recording (fixture), "workers", 0, "left", NULL);

  g_subprocess_send_signal (process, SIGTERM);
  g_assert_true (g_subprocess_wait (process, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_term_sig (process), ==, SIGTERM);
}

/* A program may measure itself: the supervisor is its child, but no part of the tree. */
static void
test_attach_to_itself (Fixture *fixture, gconstpointer data)
{
  RoastRecording *recording = get_recording (fixture);
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autoptr (GError) error = NULL;

  /* The supervisor of the test before this one may not have ended yet. */
  while (waitid (P_ALL, 0, &(siginfo_t) { 0 }, WEXITED | WNOHANG | WNOWAIT) == 0)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  attach (fixture, pid, &error);
  g_assert_no_error (error);
  wait_for_worker (fixture);
  roast_session_stop (fixture->session);
  finish (fixture);

  assert_cell (recording, "processes", 0, "pid", pid);
  g_assert_cmpuint (rows_count_with (recording, "processes", "command", "roast-superviso"), ==, 0);
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

      roast_metrics_backend_attach_async (backend, bad[i], NULL, on_done, &result);
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
  g_autoptr (GVariant) options = NULL;
  g_autoptr (GError) error = NULL;
  RoastAccounting accounting;

  g_assert_true (roast_metrics_backend_prepare_launch (backend, context, NULL));
  g_assert_cmpint (context->pss_mode, ==, ROAST_PSS_MODE_EXACT);
  g_assert_cmpint (context->wait_mode, ==, ROAST_WAIT_MODE_TREE);
  g_assert_cmpint (context->grace, ==, 500000);
  accounting = roast_launch_context_get_accounting (context);
  g_assert_false (accounting & (ROAST_ACCOUNTING_PERF | ROAST_ACCOUNTING_CGROUP));
  g_assert_true (accounting & ROAST_ACCOUNTING_WAIT);
  g_assert_cmpuint (context->observers->len, ==, 1);

  options = roast_registry_parse_options (fixture->registry, ROAST_ROLE_BACKEND, "local", "grace=-1", &error);
  g_assert_no_error (error);
  g_assert_null (roast_registry_create_backend (fixture->registry, "local", options, &error));
  g_assert_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE);
}

/* As an observer of a supervisor made by hand */

static RoastRecording *
track (RoastMetricsBackend *backend)
{
  RoastRecording *recording = roast_recording_new (NULL);
  g_autoptr (GAsyncResult) result = NULL;

  roast_metrics_backend_start_tracking_async (backend, recording, 1000000, NULL, on_done, &result);
  wait_for (&result);
  g_assert_true (roast_metrics_backend_start_tracking_finish (backend, result, NULL));

  return recording;
}

static RoastRecording *
play (Fixture *fixture, GByteArray *frames)
{
  g_autoptr (RoastMetricsBackend) backend = new_backend (fixture, NULL);
  RoastRecording *recording = track (backend);

  frames_play (frames, recording, ROAST_PROCESS_OBSERVER (backend));

  return recording;
}

static void
add_sample (GByteArray *frames, gint64 time, guint64 id)
{
  RoastWireSample sample = {
    .id = id,
    .rss = 4096,
    .pss = -1,
    .threads = 1,
    .state = 'R',
    .usage = { 1500000, 500000, -1, -1, 0, -1, 7, -1, -1, -1, -1 },
  };

  frames_add_sample (frames, time, &sample);
}

static void
add_end (GByteArray *frames, guint64 id, gint64 ended, int origin)
{
  RoastWireProcessEnd end = {
    .id = id, .ended = ended, .status_known = 1, .wait_status = 3 << 8, .origin = origin, .count = 1
  };

  frames_add (frames, ROAST_WIRE_ENDED, &end, sizeof end);
}

static void
test_cells (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) frames = frames_new (NULL);
  g_autoptr (RoastRecording) recording = NULL;

  frames_add_process (frames, 1, 1000, "a (b) c", NULL);
  add_sample (frames, 2000000, 1);
  add_end (frames, 1, 3000000, ROAST_PROCESS_ORIGIN_EXACT);
  recording = play (fixture, frames);

  assert_row (recording, "worker_samples", 0,
              "time=2000000 worker=1001.1 memory=4096 cpu=2 threads=1 write_chars=0 disk_write=7");
  assert_row (recording, "cluster_samples", 0,
              "time=2000000 workers=1 cores=1.5 threads=0 memory=4096 cpu=0 cpu_system=0");
  assert_cell (recording, "workers", 0, "name", "a (b) c");
  assert_cell (recording, "workers", 0, "cores", "1.5");
  assert_cell (recording, "workers", 0, "joined", "1000");
  assert_cell (recording, "workers", 0, "left", "3000000");
  assert_cell (recording, "workers", 0, "leave_reason", "exited 3");
  assert_cell (recording, "workers", 0, "tail_lost", NULL);
}

/* A process that ended between samples lost the time since the last one. */
static void
test_tail (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) frames = frames_new (NULL);
  g_autoptr (RoastRecording) recording = NULL;

  frames_add_process (frames, 1, 1000, "sh", NULL);
  add_sample (frames, 2000000, 1);
  add_end (frames, 1, 2500000, ROAST_PROCESS_ORIGIN_SAMPLED);
  recording = play (fixture, frames);
  assert_cell (recording, "workers", 0, "tail_lost", "0.5");
}

static void
add_account (GByteArray *frames, guint64 id, int origin, gint64 user, gint64 system, gint64 unsplit)
{
  RoastWireProcessEnd end = { .id = id, .ended = -1, .origin = origin, .count = 1 };

  memset (&end.usage, 0xff, sizeof end.usage);
  end.usage.user = user;
  end.usage.system = system;
  end.usage.unsplit = unsplit;
  frames_add (frames, ROAST_WIRE_ENDED, &end, sizeof end);
}

static void
add_finish (GByteArray *frames, gint64 ended, gint64 leftover)
{
  RoastWireTreeEnd end;

  memset (&end, 0xff, sizeof end);
  end.ended = ended;
  end.leftover = leftover;
  frames_add (frames, ROAST_WIRE_FINISHED, &end, sizeof end);
}

/* The last sample has the CPU time of the final account, those included that no sample saw, and how many processes are
 * left: not their memory. */
static void
test_last_sample (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) frames = frames_new (NULL);
  g_autoptr (RoastRecording) recording = NULL;

  frames_add_process (frames, 1, 1000, "sh", NULL);
  add_sample (frames, 2000000, 1);
  frames_add_process (frames, 2, 2100000, "sleep", NULL);
  add_account (frames, 1, ROAST_PROCESS_ORIGIN_EXACT, 1250000, 250000, -1);
  add_account (frames, 2, ROAST_PROCESS_ORIGIN_RUNNING, 20000, -1, -1);
  add_account (frames, 0, ROAST_PROCESS_ORIGIN_FOLDED, 3000, 1000, -1);
  add_account (frames, 0, ROAST_PROCESS_ORIGIN_UNREAPED, -1, -1, 500000);
  add_finish (frames, 2750000, 1);
  recording = play (fixture, frames);
  g_assert_cmpuint (rows_count (recording, "cluster_samples"), ==, 2);
  assert_row (recording, "cluster_samples", 1, "time=2750000 workers=1 cores=1.5 cpu=2.024");
  for (guint i = 0; i < 5; i++)
    {
      static const char *const unknown[] = { "memory", "memory_pss", "memory_pss_read", "threads", "cpu_system" };

      assert_cell (recording, "cluster_samples", 1, unknown[i], NULL);
    }
}

/* The part in the kernel is known if it is known of each. */
static void
test_last_system (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) frames = frames_new (NULL);
  g_autoptr (RoastRecording) recording = NULL;

  frames_add_process (frames, 1, 1000, "sh", NULL);
  add_sample (frames, 2000000, 1);
  add_account (frames, 1, ROAST_PROCESS_ORIGIN_EXACT, 1250000, 250000, 0);
  add_account (frames, 0, ROAST_PROCESS_ORIGIN_FOLDED, 3000, 1000, -1);
  add_finish (frames, 2750000, 1);
  recording = play (fixture, frames);
  assert_row (recording, "cluster_samples", 1, "time=2750000 workers=1 cores=1.5 cpu=1.504 cpu_system=0.251");
}

/* Without a process there is no source, and without the time of the end no last sample. */
static void
test_no_last_sample (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) empty = frames_new (NULL);
  g_autoptr (GByteArray) timeless = frames_new (NULL);
  g_autoptr (RoastRecording) without_source = NULL;
  g_autoptr (RoastRecording) without_time = NULL;

  add_finish (empty, 2000000, 0);
  without_source = play (fixture, empty);
  g_assert_cmpuint (rows_count (without_source, "cluster_samples"), ==, 0);

  frames_add_process (timeless, 1, 1000, "sh", NULL);
  add_finish (timeless, -1, 0);
  without_time = play (fixture, timeless);
  g_assert_cmpuint (rows_count (without_time, "cluster_samples"), ==, 0);
}

/* A process is a worker from its first sample on. */
static void
test_no_worker (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) frames = frames_new (NULL);
  g_autoptr (RoastRecording) recording = NULL;

  frames_add_process (frames, 1, 1000, "short", NULL);
  add_end (frames, 1, 2000, ROAST_PROCESS_ORIGIN_EXACT);
  add_sample (frames, 4000, 3); /* never seen */
  recording = play (fixture, frames);
  g_assert_cmpuint (rows_count (recording, "workers"), ==, 0);
  g_assert_cmpuint (rows_count (recording, "worker_samples"), ==, 0);
  g_assert_cmpuint (rows_count (recording, "cluster_samples"), ==, 1);
}

/* A child has its parent's name until its exec; soon after its own is written, and stays. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) frames = frames_new (NULL);
  g_autoptr (RoastRecording) early = NULL;
  g_autoptr (RoastRecording) late = NULL;
  g_autoptr (RoastRecording) end = NULL;

  frames_add_process (frames, 1, 1000000, "sh", NULL);
  add_sample (frames, 1010000, 1);
  early = play (fixture, frames);
  assert_cell (early, "workers", 0, "name", NULL);

  frames_add_process (frames, 1, 1000000, "python3", NULL);
  add_sample (frames, 2000000, 1);
  late = play (fixture, frames);
  assert_cell (late, "workers", 0, "name", "python3");

  frames_add_process (frames, 1, 1000000, "other", NULL);
  add_end (frames, 1, -1, ROAST_PROCESS_ORIGIN_RUNNING);
  end = play (fixture, frames);
  g_assert_cmpuint (rows_count (end, "workers"), ==, 1);
  assert_cell (end, "workers", 0, "name", "python3");
  assert_cell (end, "workers", 0, "left", NULL);
  assert_cell (end, "workers", 0, "leave_reason", "still running");
}

static void
test_tracking_states (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastMetricsBackend) backend = new_backend (fixture, NULL);
  g_autoptr (RoastRecording) recording = NULL;
  GAsyncResult *results[3] = { NULL };
  g_autoptr (GError) error = NULL;

  roast_metrics_backend_stop_tracking_async (backend, NULL, on_done, &results[0]);
  wait_for (&results[0]);
  g_assert_false (roast_metrics_backend_stop_tracking_finish (backend, results[0], &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING);
  g_clear_error (&error);

  recording = track (backend);
  roast_metrics_backend_start_tracking_async (backend, recording, 1000000, NULL, on_done, &results[1]);
  wait_for (&results[1]);
  g_assert_false (roast_metrics_backend_start_tracking_finish (backend, results[1], &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING);

  roast_metrics_backend_stop_tracking_async (backend, NULL, on_done, &results[2]);
  wait_for (&results[2]);
  g_assert_true (roast_metrics_backend_stop_tracking_finish (backend, results[2], NULL));
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    g_object_unref (results[i]);
}

#define ADD(name, function) g_test_add ("/local-backend/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  if (frames_are_played (argc, argv))
    return 0;

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
  ADD ("tail", test_tail);
  ADD ("last-sample", test_last_sample);
  ADD ("last-system", test_last_system);
  ADD ("no-last-sample", test_no_last_sample);
  ADD ("no-worker", test_no_worker);
  ADD ("names", test_names);
  ADD ("tracking-states", test_tracking_states);

  return g_test_run ();
}
