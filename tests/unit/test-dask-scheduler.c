/* SPDX-License-Identifier: BSD-3-Clause */

/* What the probe in a Dask scheduler says, and what becomes of it: recordings of real runs, and lines that no probe
 * would say. */

#include <math.h>
#include <roast/roast.h>
#include <string.h>

#include "../../plugins/dask/dask-environment.h"
#include "../../plugins/dask/dask-scheduler.h"

#define HELLO                                                                                                          \
  "{\"hello\":{\"schema\":1,\"boot\":\"b\",\"address\":\"tcp://"                                                       \
  "h:1\",\"distributed\":\"2026.8.0\",\"fine\":true,\"spans\":true}}"
#define JOIN                                                                                                           \
  "{\"t\":100,\"join\":[[1,\"tcp://w:1\",\"0\",\"h\",null,2,1000,99.5]],\"prefixes\":[[0,\"p\"]],"                     \
  "\"keys\":[[0,\"execute\",\"s\",\"p\",\"thread-cpu\",\"seconds\"]]}"

static void
take (DaskScheduler *scheduler, const char *line)
{
  g_autoptr (GError) error = NULL;

  roast_json_check (line, -1, 16, &error);
  g_assert_no_error (error);
  dask_scheduler_take_line (scheduler, line, &error);
  g_assert_no_error (error);
}

static void
refuse (DaskScheduler *scheduler, const char *line)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (dask_scheduler_take_line (scheduler, line, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL);
}

static RoastTableSnapshot *
get (RoastRecording *recording, const char *name)
{
  return roast_table_snapshot (roast_recording_get_table (recording, name));
}

static guint
column (RoastTableSnapshot *table, const char *name)
{
  int found = roast_table_snapshot_find_column (table, name);

  g_assert_cmpint (found, >=, 0);

  return (guint) found;
}

static double
number (RoastTableSnapshot *table, guint64 row, const char *name)
{
  g_assert_true (roast_table_snapshot_is_valid (table, row, column (table, name)));

  return roast_table_snapshot_get_double (table, row, column (table, name));
}

static gint64
integer (RoastTableSnapshot *table, guint64 row, const char *name)
{
  g_assert_true (roast_table_snapshot_is_valid (table, row, column (table, name)));

  return roast_table_snapshot_get_int64 (table, row, column (table, name));
}

static const char *
text (RoastTableSnapshot *table, guint64 row, const char *name)
{
  return roast_table_snapshot_get_string (table, row, column (table, name));
}

static gboolean
is_there (RoastTableSnapshot *table, guint64 row, const char *name)
{
  return roast_table_snapshot_is_valid (table, row, column (table, name));
}

static gboolean
has_event (RoastRecording *recording, const char *kind, const char *part)
{
  g_autoptr (RoastTableSnapshot) events = get (recording, "events");

  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (events); i++)
    if (g_str_equal (text (events, i, "kind"), kind) && strstr (text (events, i, "message"), part) != NULL)
      return TRUE;

  return FALSE;
}

static void
replay (DaskScheduler *scheduler, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "dask", name, NULL);
  g_autofree char *content = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &content, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (content, "\n", -1);
  for (guint i = 0; lines[i] != NULL && *lines[i] != '\0'; i++)
    take (scheduler, lines[i]);
  g_assert_true (dask_scheduler_is_over (scheduler));
  dask_scheduler_finish (scheduler);
}

/* 20 tasks of 50 ms on two workers, one that fails. */
static void
test_recording (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 1000);
  g_autoptr (GHashTable) totals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (RoastTableSnapshot) workers = NULL;
  g_autoptr (RoastTableSnapshot) tasks = NULL;
  g_autoptr (RoastTableSnapshot) events = NULL;
  double *cpu = NULL;
  guint failed = 0;

  replay (scheduler, "short-2026.8.0.lines");
  g_assert_true (dask_scheduler_has_fine (scheduler));
  workers = get (recording, "workers");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (workers), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpstr (text (workers, i, "leave_reason"), ==, "nanny-close");
      g_assert_false (is_there (workers, i, "tail_lost"));
      g_assert_cmpfloat (number (workers, i, "cores"), ==, 1);
      g_assert_cmpint (integer (workers, i, "pid"), >, 0);
      g_assert_cmpint (integer (workers, i, "left"), >, integer (workers, i, "joined"));
    }
  tasks = get (recording, "tasks");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (tasks), ==, 21);
  for (guint i = 0; i < 21; i++)
    if (g_str_equal (text (tasks, i, "status"), "failed"))
      {
        g_assert_cmpstr (text (tasks, i, "error"), ==, "ValueError");
        g_assert_cmpstr (text (tasks, i, "category"), ==, "bad");
        failed++;
      }
  g_assert_cmpuint (failed, ==, 1);
  dask_scheduler_add_totals (scheduler, totals);
  cpu = g_hash_table_lookup (totals, "execute\nbusy\nthread-cpu\nseconds");
  g_assert_nonnull (cpu);
  g_assert_cmpfloat_with_epsilon (*cpu, 1.0002856, 1e-9);
  events = get (recording, "events");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (events), ==, 0);
}

/* Dask 2022.12 has neither spans nor fine metrics: the rest is there, and what is not is said. */
static void
test_old (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 1000);
  g_autoptr (RoastTableSnapshot) sources = NULL;
  g_autoptr (RoastTableSnapshot) tasks = NULL;
  g_autoptr (RoastTableSnapshot) activities = NULL;

  replay (scheduler, "short-2022.12.1.lines");
  g_assert_false (dask_scheduler_has_fine (scheduler));
  sources = get (recording, "sources");
  g_assert_nonnull (strstr (text (sources, 0, "capabilities"), "not available: Dask 2022.12 has no spans"));
  tasks = get (recording, "tasks");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (tasks), ==, 21);
  activities = get (recording, "activities");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (activities), ==, 0);
}

/* What workers had done before reading began is not of this run. */
static void
test_base (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 1000);
  g_autoptr (RoastTableSnapshot) activities = NULL;

  take (scheduler, HELLO);
  take (scheduler, JOIN);
  take (scheduler, "{\"t\":101,\"start\":1,\"fine\":[[1,0,40.5]]}");
  take (scheduler, "{\"t\":102,\"fine\":[[1,0,42]]}");
  take (scheduler, "{\"t\":103,\"again\":1,\"fine\":[[1,0,42]]}");
  activities = get (recording, "activities");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (activities), ==, 1);
  g_assert_cmpfloat (number (activities, 0, "value"), ==, 1.5);
  g_assert_cmpstr (text (activities, 0, "span"), ==, "s");
  g_assert_cmpint (integer (activities, 0, "time"), ==, 102000000);
}

/* It died: its workers are lost with it, and how much that may be is told. */
static void
test_lost_scheduler (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 1000);
  g_autoptr (RoastTableSnapshot) workers = NULL;

  take (scheduler, HELLO);
  take (scheduler, JOIN);
  dask_scheduler_finish (scheduler);
  dask_scheduler_finish (scheduler);
  workers = get (recording, "workers");
  g_assert_cmpstr (text (workers, 0, "leave_reason"), ==, "scheduler lost");
  g_assert_cmpfloat (number (workers, 0, "tail_lost"), >, 1);
  g_assert_true (has_event (recording, "scheduler-lost", "1 worker(s)"));
}

static void
test_address_used_again (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 1000);
  g_autoptr (RoastTableSnapshot) workers = NULL;

  take (scheduler, HELLO);
  take (scheduler, JOIN);
  take (scheduler,
        "{\"t\":101,\"leave\":[[1,100.5,\"lost\",0.25]],\"join\":[[2,\"tcp://w:1\",\"0\",\"h\",5,2,1000,101]]}");
  workers = get (recording, "workers");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (workers), ==, 2);
  g_assert_cmpfloat (number (workers, 0, "tail_lost"), ==, 0.25);
  g_assert_cmpstr (text (workers, 1, "worker"), ==, "tcp://w:1#2");
  g_assert_cmpint (integer (workers, 1, "pid"), ==, 5);
}

/* A scheduler that was started again says hello on the connection of its client: another source. */
static void
test_second_hello (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 1000);
  g_autoptr (RoastTableSnapshot) sources = NULL;

  take (scheduler, HELLO);
  take (scheduler, JOIN);
  take (scheduler, "{\"hello\":{\"schema\":1,\"boot\":\"c\",\"address\":\"tcp://h:2\"}}");
  g_assert_cmpstr (dask_scheduler_get_address (scheduler), ==, "tcp://h:2");
  sources = get (recording, "sources");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (sources), ==, 2);
  g_assert_true (has_event (recording, "scheduler-lost", "tcp://h:1"));
  take (scheduler, "{\"bye\":{\"missing\":0}}");
  dask_scheduler_finish (scheduler);
  g_assert_false (has_event (recording, "scheduler-lost", "tcp://h:2"));
}

/* Attempts of the same key, the time before and after, and a bound. */
static void
test_tasks (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 3);
  g_autoptr (RoastTableSnapshot) tasks = NULL;
  g_autoptr (RoastTableSnapshot) phases = NULL;

  take (scheduler, HELLO);
  take (scheduler, JOIN);
  take (scheduler,
        "{\"t\":101,\"base\":101000000,\"tasks\":[[\"k\",0,1,-500,300,28],[\"k\",0,1,-100,50,null,\"OSError\"],"
        "[\"m\",0,null,0,1,2,null,[[\"transfer\",-20,10]]],[\"n\",0,1,0,1,2]]}");
  dask_scheduler_finish (scheduler);
  tasks = get (recording, "tasks");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (tasks), ==, 3);
  g_assert_cmpint (integer (tasks, 0, "started"), ==, 100999500);
  g_assert_cmpint (integer (tasks, 0, "ended"), ==, 100999800);
  g_assert_cmpint (integer (tasks, 1, "attempt"), ==, 2);
  g_assert_cmpstr (text (tasks, 1, "error"), ==, "OSError");
  g_assert_false (is_there (tasks, 2, "worker"));
  phases = get (recording, "task_phases");
  g_assert_cmpint (integer (phases, 0, "started"), ==, 100999980);
  g_assert_true (has_event (recording, "frames-dropped", "1 tasks have no row: more than max-tasks=3"));
}

static void
test_dropped (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 3);

  take (scheduler, HELLO);
  take (scheduler, "{\"t\":101,\"lost\":17}");
  g_assert_true (has_event (recording, "frames-dropped", "17 lines"));
}

/* No probe says this: it is refused, nothing breaks, and the report says how much does not count. */
static void
test_lies (void)
{
  static const char *const lies[] = {
    "{\"t\":101,\"join\":[[1e300,\"x\"]]}",
    "{\"t\":101,\"join\":[7]}",
    "{\"t\":101,\"join\":[[2]]}",
    "{\"t\":101,\"join\":[[-1,\"x\"]]}",
    "{\"t\":101,\"rows\":[[77,0,1]]}",
    "{\"t\":101,\"rows\":[[1,0,\"much\"]]}",
    "{\"t\":101,\"rows\":[[1,0,-5]]}",
    "{\"t\":101,\"keys\":[[5,\"execute\"]]}",
    "{\"t\":101,\"fine\":[[1,99,1]]}",
    "{\"t\":101,\"fine\":[[99,0,1]]}",
    "{\"t\":101,\"fine\":[[1,0,null]]}",
    "{\"t\":101,\"tasks\":[[\"k\",0,1,0,1,2]]}",
    "{\"t\":101,\"base\":1e300,\"tasks\":[[\"k\",0,1,0,1,2]]}",
    "{\"t\":101,\"base\":0,\"tasks\":[[null,0,1,0,1,2]]}",
    "{\"t\":101,\"base\":0,\"tasks\":[[\"k\",55,1,0,1,2]]}",
    "{\"t\":101,\"base\":0,\"tasks\":[[\"k\",0,1,0,1,2,null,[[]]]],\"rows\":[{}]}",
    "{\"t\":101,\"events\":[[1,2,3]]}",
    "{\"t\":101,\"spans\":[[null]]}",
    "{\"t\":101,\"late\":0,\"counts\":[\"many\"]}",
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 1000);
  g_autoptr (RoastTableSnapshot) workers = NULL;

  take (scheduler, HELLO);
  take (scheduler, JOIN);
  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    refuse (scheduler, lies[i]);
  /* Times that cannot be, members that are none, and what is not known, do no harm. */
  take (scheduler, "{\"t\":1e300,\"join\":5,\"tasks\":{},\"late\":-1,\"own\":[null],\"flushed\":-4,\"new\":[1]}");
  workers = get (recording, "workers");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (workers), ==, 1);
  take (scheduler, "{\"bye\":{}}");
  dask_scheduler_finish (scheduler);
  g_assert_true (has_event (recording, "protocol", "rows of the scheduler hold what they should not"));
}

static void
test_no_hello (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 1000);

  refuse (scheduler, "{\"hello\":{\"schema\":2,\"boot\":\"b\",\"address\":\"a\"}}");
  refuse (scheduler, "{\"hello\":{\"schema\":1}}");
  refuse (scheduler, "[]");
  take (scheduler, JOIN);
  take (scheduler, "{\"t\":5,\"events\":[[\"warning\",\"relay\",\"no way in\"]]}");
  g_assert_false (dask_scheduler_is_known (scheduler));
  g_assert_true (has_event (recording, "relay", "no way in"));
  dask_scheduler_finish (scheduler);
}

/* Hundreds of remarks are counted, not kept. */
static void
test_many_events (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 1000);
  g_autoptr (RoastTableSnapshot) events = NULL;

  take (scheduler, HELLO);
  for (guint i = 0; i < 1000; i++)
    take (scheduler, "{\"t\":5,\"events\":[[\"info\",\"a\",\"b\"]]}");
  take (scheduler, "{\"bye\":{}}");
  dask_scheduler_finish (scheduler);
  events = get (recording, "events");
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (events), ==, 501);
  g_assert_true (has_event (recording, "remarks", "500 more"));
}

static void
test_quote (void)
{
  g_autofree char *quoted = dask_environment_quote ("a\"b\\c\nd\u00e9\x01");

  g_assert_cmpstr (quoted, ==, "\"a\\\"b\\\\c\\x0ad\u00e9\\x01\"");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/dask-scheduler/recording", test_recording);
  g_test_add_func ("/dask-scheduler/old", test_old);
  g_test_add_func ("/dask-scheduler/base", test_base);
  g_test_add_func ("/dask-scheduler/lost-scheduler", test_lost_scheduler);
  g_test_add_func ("/dask-scheduler/address-used-again", test_address_used_again);
  g_test_add_func ("/dask-scheduler/second-hello", test_second_hello);
  g_test_add_func ("/dask-scheduler/tasks", test_tasks);
  g_test_add_func ("/dask-scheduler/dropped", test_dropped);
  g_test_add_func ("/dask-scheduler/lies", test_lies);
  g_test_add_func ("/dask-scheduler/no-hello", test_no_hello);
  g_test_add_func ("/dask-scheduler/many-events", test_many_events);
  g_test_add_func ("/dask-scheduler/quote", test_quote);

  return g_test_run ();
}
