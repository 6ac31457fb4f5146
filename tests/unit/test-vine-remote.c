/* SPDX-License-Identifier: BSD-3-Clause */

/* A manager whose status is available but not its logs. */

#include <string.h>

#include "rows.h"
#include "vine-remote.h"
#include "vine-status.h"

typedef struct
{
  RoastRecording *recording;
  VineRemote *remote;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->recording = roast_recording_new (NULL);
  fixture->remote = vine_remote_new (fixture->recording, "host:9123", 2 * G_USEC_PER_SEC, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  vine_remote_free (fixture->remote);
  g_object_unref (fixture->recording);
}

static JsonArray *
decode (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonArray *array = vine_status_decode (text, strlen (text), &error);

  g_assert_no_error (error);

  return array;
}

static JsonArray *
read_answer (const char *what)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "taskvine", "status", what, NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);

  return decode (text);
}

static void
take_workers (Fixture *fixture, const char *text)
{
  g_autoptr (JsonArray) status = decode (text);

  vine_remote_take_workers (fixture->remote, status);
}

static void
take_manager (Fixture *fixture, const char *text)
{
  g_autoptr (JsonArray) status = decode (text);

  vine_remote_take_manager (fixture->remote, status);
}

static void
test_manager (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonArray) status = read_answer ("manager");

  vine_remote_take_manager (fixture->remote, status);
  g_assert_cmpuint (rows_count (fixture->recording, "sources"), ==, 1);
  assert_cell (fixture->recording, "sources", 0, "address", "host:9123");
  assert_cell (fixture->recording, "sources", 0, "version", "TaskVine 7.14.5 FINAL");
  assert_cell (fixture->recording, "sources", 0, "activities", "none");
  assert_cell (fixture->recording, "sources", 0, "activities_missing", "the manager's logs cannot be read");
  assert_cell (fixture->recording, "coverage", 0, "table", "tasks");
  assert_cell (fixture->recording, "coverage", 0, "state", "none");
  g_assert_cmpuint (rows_count (fixture->recording, "cluster_samples"), ==, 1);
  assert_cell (fixture->recording, "cluster_samples", 0, "workers", "2");
  assert_cell (fixture->recording, "cluster_samples", 0, "tasks_queued", "95");
  assert_cell (fixture->recording, "cluster_samples", 0, "bytes_sent", "3001127");
  /* These names differ from those in the performance log. */
  assert_cell (fixture->recording, "cluster_samples", 0, "cores", "2");
  assert_cell (fixture->recording, "cluster_samples", 0, "cores_committed", "2");
  assert_cell (fixture->recording, "cluster_samples", 0, "memory_limit", "1048576000");
  assert_cell (fixture->recording, "cluster_samples", 0, "memory_committed", "1048576000");
  assert_cell (fixture->recording, "cluster_samples", 0, "disk_limit", "4194304000");
  assert_cell (fixture->recording, "cluster_samples", 0, "disk_used", "3145728000");
  g_assert_cmpuint (rows_count (fixture->recording, "executor_times"), ==, 7);
  g_assert_cmpuint (rows_count_with (fixture->recording, "executor_times", "part", "polling"), ==, 1);
  g_assert_cmpuint (rows_count_with (fixture->recording, "category_states", "category", "accumulating"), ==, 4);
  assert_cell (fixture->recording, "category_states", 0, "state", "queued");
  assert_cell (fixture->recording, "category_states", 0, "tasks", "26");
  assert_cell (fixture->recording, "category_states", 2, "state", "done");
  assert_cell (fixture->recording, "category_states", 2, "tasks", "14");

  /* The second answer adds a sample but no source. */
  vine_remote_take_manager (fixture->remote, status);
  g_assert_cmpuint (rows_count (fixture->recording, "sources"), ==, 1);
  g_assert_cmpuint (rows_count (fixture->recording, "cluster_samples"), ==, 2);
}

static void
test_workers (Fixture *fixture, gconstpointer data)
{
  g_autoptr (JsonArray) status = read_answer ("worker");

  vine_remote_take_workers (fixture->remote, status);
  vine_remote_finish (fixture->remote);
  g_assert_cmpuint (rows_count (fixture->recording, "workers"), ==, 2);
  assert_cell (fixture->recording, "workers", 0, "worker", "127.0.0.1:46628");
  assert_cell (fixture->recording, "workers", 0, "host", "vm");
  assert_cell (fixture->recording, "workers", 0, "cores", "1");
  assert_cell (fixture->recording, "workers", 0, "memory_limit", "524288000");
  assert_cell (fixture->recording, "workers", 0, "joined", "1795208347707307");
  assert_cell (fixture->recording, "workers", 0, "leave_reason", "in the last status");
  g_assert_cmpuint (rows_count (fixture->recording, "worker_samples"), ==, 2);
  assert_cell (fixture->recording, "worker_samples", 0, "executing_tasks", "1");
  assert_cell (fixture->recording, "worker_samples", 0, "cores_committed", "1");
  assert_cell (fixture->recording, "worker_samples", 0, "memory_committed", "524288000");
  assert_cell (fixture->recording, "worker_samples", 0, "disk_used", "1572864000");
  assert_cell (fixture->recording, "worker_samples", 0, "memory_limit", "524288000");
}

/* A worker that is missing from the status left when it was last seen. */
static void
test_leaving (Fixture *fixture, gconstpointer data)
{
  g_autofree char *seen = NULL;

  take_workers (fixture, "[{\"addrport\":\"h:1\"},{\"addrport\":\"h:2\"}]");
  take_workers (fixture, "[{\"addrport\":\"h:2\"},{\"addrport\":\"h:3\"}]");
  take_workers (fixture, "[{\"addrport\":\"h:3\"}]");
  vine_remote_finish (fixture->remote);
  g_assert_cmpuint (rows_count (fixture->recording, "workers"), ==, 3);
  seen = rows_show_cell (fixture->recording, "worker_samples", 0, "time");
  assert_cell (fixture->recording, "workers", 0, "left", seen);
  assert_cell (fixture->recording, "workers", 0, "leave_reason", "no longer in the status");
  assert_cell (fixture->recording, "workers", 1, "leave_reason", "no longer in the status");
  assert_cell (fixture->recording, "workers", 2, "leave_reason", "in the last status");
  assert_cell (fixture->recording, "workers", 2, "joined", NULL);
}

/* Answers with unexpected content. */
static void
test_odd (Fixture *fixture, gconstpointer data)
{
  g_autofree char *name = g_strnfill (300, 'x');
  g_autofree char *entry = g_strdup_printf ("[{\"addrport\":\"%s\"}]", name);

  take_manager (fixture, "[]");
  take_manager (fixture, "[1]");
  g_assert_cmpuint (rows_count (fixture->recording, "cluster_samples"), ==, 0);
  take_manager (fixture, "[{\"version\":7,\"categories\":{\"a\":1},\"workers_connected\":\"2\",\"bytes_sent\":-1}]");
  take_manager (fixture, "[{\"categories\":[1,{},{\"category\":7},{\"category\":\"p\",\"tasks_done\":1e300}]}]");
  assert_cell (fixture->recording, "cluster_samples", 0, "workers", NULL);
  assert_cell (fixture->recording, "cluster_samples", 0, "bytes_sent", NULL);
  g_assert_cmpuint (rows_count_with (fixture->recording, "category_states", "tasks", NULL), ==, 4);
  g_assert_cmpuint (rows_count (fixture->recording, "executor_times"), ==, 0);
  take_workers (fixture, "[1,null,[],{},{\"addrport\":7},{\"hostname\":\"vm\"}]");
  take_workers (fixture, entry);
  g_assert_cmpuint (rows_count (fixture->recording, "workers"), ==, 0);
  take_workers (fixture, "[{\"addrport\":\"h:1\",\"hostname\":1,\"cores_total\":\"2\",\"memory_total\":-5,\"disk_"
                         "inuse\":1e300}]");
  assert_cell (fixture->recording, "workers", 0, "cores", NULL);
  assert_cell (fixture->recording, "workers", 0, "memory_limit", NULL);
  assert_cell (fixture->recording, "worker_samples", 0, "disk_used", NULL);
  assert_cell (fixture->recording, "worker_samples", 0, "memory_limit", NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/vine-remote/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("manager", test_manager);
  ADD ("workers", test_workers);
  ADD ("leaving", test_leaving);
  ADD ("odd", test_odd);

  return g_test_run ();
}
