/* SPDX-License-Identifier: BSD-3-Clause */

/* Lines of the probe in a Dask scheduler, and the rows they become: recordings of real runs, and lines that no probe
 * would send. */

#include <roast/roast.h>
#include <string.h>

#include "../../plugins/dask/dask-environment.h"
#include "../../plugins/dask/dask-scheduler.h"
#include "../../plugins/dask/dask-words.h"
#include "rows.h"

#define DECLARATIONS                                                                                                   \
  "{\"table\":\"hello\",\"columns\":[\"version\",\"boot\",\"address\",\"distributed\",\"activities\",\"spans\"]}\n"    \
  "{\"table\":\"now\",\"columns\":[\"now\"]}\n"                                                                        \
  "{\"table\":\"worker\",\"columns\":[\"number\",\"address\",\"cores\",\"joined\",\"pid\",\"left\","                   \
  "\"leave_reason\",\"tail_lost\",\"cause\",\"exit_code\",\"signal\",\"oom_killed\"]}\n"                               \
  "{\"table\":\"process\",\"columns\":[\"worker\",\"memory_peak\",\"child_memory_peak\",\"started\",\"workers\","      \
  "\"scheduler\",\"missing\",\"before\",\"computing\"]}\n"                                                             \
  "{\"table\":\"told\",\"columns\":[\"worker\",\"time\"]}\n"                                                           \
  "{\"table\":\"s\",\"columns\":[\"worker\",\"time\",\"memory\",\"occupancy\"]}\n"                                     \
  "{\"table\":\"category\",\"columns\":[\"number\",\"category\",\"span\"]}\n"                                          \
  "{\"table\":\"states\",\"columns\":[\"category\",\"waiting\",\"done\"]}\n"                                           \
  "{\"table\":\"t\",\"columns\":[\"task\",\"category\",\"worker\",\"started\",\"duration\",\"bytes_out\","             \
  "\"status\",\"error\",\"again\",\"submitted\",\"cpu\",\"n_inputs\"]}\n"                                              \
  "{\"table\":\"totals\",\"columns\":[\"category\",\"done\",\"failed\",\"never_ran\",\"unfinished\","                  \
  "\"retried_failed\",\"attempts_done\",\"attempts_failed\"]}\n"                                                       \
  "{\"table\":\"totals-base\",\"columns\":[\"category\",\"done\",\"failed\",\"attempts_done\"]}\n"                     \
  "{\"table\":\"open\",\"columns\":[\"task\",\"category\",\"worker\",\"submitted\",\"dispatched\",\"started\"]}\n"     \
  "{\"table\":\"phase\",\"columns\":[\"started\",\"duration\"]}\n"                                                     \
  "{\"table\":\"activity\",\"columns\":[\"number\",\"context\",\"span\",\"category\",\"activity\",\"unit\"]}\n"        \
  "{\"table\":\"v\",\"columns\":[\"worker\",\"activity\",\"value\"]}\n"                                                \
  "{\"table\":\"base\",\"columns\":[\"worker\",\"activity\",\"value\"]}\n"                                             \
  "{\"table\":\"span\",\"columns\":[\"span\",\"name\",\"kind\",\"started\",\"ended\"]}\n"                              \
  "{\"table\":\"event\",\"columns\":[\"severity\",\"kind\",\"message\"]}\n"                                            \
  "{\"table\":\"cluster\",\"columns\":[\"lateness\",\"workers\"]}\n"                                                   \
  "{\"table\":\"cost\",\"columns\":[\"samples\",\"hooks\"]}\n"                                                         \
  "{\"table\":\"graphs\",\"columns\":[\"graphs\",\"bytes\"]}\n"                                                        \
  "{\"table\":\"lost\",\"columns\":[\"lines\"]}\n"                                                                     \
  "{\"table\":\"flushed\",\"columns\":[\"flush\",\"missing\"]}\n"                                                      \
  "{\"table\":\"bye\",\"columns\":[\"missing\",\"closed\"]}\n"
#define HELLO "[\"hello\",2,\"b\",\"tcp://h:1\",\"2026.8.0\",true,true]\n"
#define JOIN                                                                                                           \
  "[\"now\",100000000]\n"                                                                                              \
  "[\"worker\",1,\"tcp://w:1\",2,99500000]\n"                                                                          \
  "[\"category\",0,\"p\"]\n"                                                                                           \
  "[\"activity\",0,\"execute\",\"s\",\"p\",\"thread-cpu\",\"seconds\"]\n"

typedef struct
{
  RoastRecording *recording;
  RoastWireReader *reader;
  FrameworkTasks *roles;
  DaskScheduler *scheduler;
} Fixture;

static void
open_fixture (Fixture *fixture, guint64 max_tasks)
{
  fixture->recording = roast_recording_new (NULL);
  fixture->reader = roast_wire_reader_new (65536, 16);
  fixture->roles = framework_tasks_new (fixture->recording, NULL, NULL, 0);
  fixture->scheduler = dask_scheduler_new (fixture->recording, fixture->reader, fixture->roles, max_tasks);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  open_fixture (fixture, 1000);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  dask_scheduler_free (fixture->scheduler);
  framework_tasks_free (fixture->roles);
  g_object_unref (fixture->reader);
  g_object_unref (fixture->recording);
}

static gboolean
take_line (Fixture *fixture, const char *line, GError **error)
{
  g_autofree char *copy = g_strdup (line);

  return roast_wire_reader_read (fixture->reader, copy, strlen (copy), error) &&
         dask_scheduler_take_line (fixture->scheduler, error);
}

static void
take (Fixture *fixture, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      if (*lines[i] == '\0')
        continue;
      take_line (fixture, lines[i], &error);
      g_assert_no_error (error);
    }
}

static void
refuse (Fixture *fixture, const char *line)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (take_line (fixture, line, &error));
  g_assert_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL);
}

static void
replay (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "dask", name, NULL);
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &content, NULL, &error);
  g_assert_no_error (error);
  take (fixture, content);
  g_assert_true (dask_scheduler_is_over (fixture->scheduler));
  dask_scheduler_finish (fixture->scheduler);
}

/* 20 tasks of 50 ms on two workers, one that fails. */
static void
test_recording (Fixture *fixture, gconstpointer data)
{
  RoastRecording *recording = fixture->recording;
  g_autoptr (GHashTable) totals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  double *cpu = NULL;

  replay (fixture, "short-2026.8.0.lines");
  g_assert_false (dask_scheduler_lacks_activities (fixture->scheduler));
  assert_row (recording, "workers", 0,
              "worker=tcp://127.0.0.1:39649 name=0 host=127.0.0.1 pid=25046 cores=1 memory_limit=12638251008 "
              "joined=1795239514150646 left=1795239514787244 leave_reason=nanny-close missing=the CPU time of the "
              "worker's process did not arrive");
  g_assert_cmpuint (rows_count (recording, "workers"), ==, 2);
  assert_row (recording, "worker_samples", 0,
              "time=1795239514150823 worker=tcp://127.0.0.1:39649 memory=48046080 managed=0 spilled_memory=0 "
              "spilled_disk=0 nbytes=84 cpu_percent=0 active_tasks=2 executing_tasks=0 occupancy=0.104 "
              "net_read_rate=0 net_write_rate=0 disk_read_rate=0 disk_write_rate=0 lateness=0 "
              "last_seen=1795239514150823 memory_limit=12638251008");
  g_assert_cmpuint (rows_count (recording, "tasks"), ==, 21);
  g_assert_cmpuint (rows_count_with (recording, "tasks", "status", "failed"), ==, 1);
  g_assert_cmpuint (rows_count_with (recording, "tasks", "error", "ValueError"), ==, 1);
  g_assert_cmpuint (rows_count_with (recording, "tasks", "category", "bad"), ==, 1);
  dask_scheduler_add_totals (fixture->scheduler, totals);
  cpu = g_hash_table_lookup (totals, "execute\nbusy\nthread-cpu\nseconds");
  g_assert_nonnull (cpu);
  g_assert_cmpfloat_with_epsilon (*cpu, 1.0002856, 1e-9);
  g_assert_cmpuint (rows_count_with (recording, "activities", "context", "serve"), >, 0);
  assert_row (recording, "category_states", 0, "time=1795239514426823 category=busy state=waiting tasks=20");
  g_assert_cmpuint (rows_count_with (recording, "category_states", "state", "done"), ==, 2);
  assert_row (recording, "executor_times", 0, "time=1795239514847479 part=roast value=0.000464");
  assert_cell (recording, "sources", 0, "activities", "all");
  g_assert_cmpuint (rows_count (recording, "spans"), ==, 2);
  g_assert_cmpuint (rows_count (recording, "events"), ==, 0);
}

/* Dask 2022.12 has neither spans nor activities: the rest is there, and what is missing is named. */
static void
test_old (Fixture *fixture, gconstpointer data)
{
  g_autofree char *capabilities = NULL;

  replay (fixture, "short-2022.12.1.lines");
  g_assert_true (dask_scheduler_lacks_activities (fixture->scheduler));
  capabilities = rows_show_cell (fixture->recording, "sources", 0, "capabilities");
  g_assert_nonnull (strstr (capabilities, "not available: Dask 2022.12 has no spans"));
  assert_cell (fixture->recording, "sources", 0, "activities", "none");
  assert_cell (fixture->recording, "sources", 0, "activities_missing",
               "Dask 2022.12 does not measure the activities of tasks: use Dask 2023.6 or newer");
  g_assert_cmpuint (rows_count (fixture->recording, "tasks"), ==, 21);
  g_assert_cmpuint (rows_count (fixture->recording, "activities"), ==, 0);
}

/* What workers had done before reading began is not of this run. */
static void
test_base (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN "[\"base\",1,0,40.5]\n"
                                         "[\"now\",102000000]\n[\"v\",1,0,42]\n"
                                         "[\"now\",103000000]\n[\"v\",1,0,42]\n");
  g_assert_cmpuint (rows_count (fixture->recording, "activities"), ==, 1);
  assert_row (fixture->recording, "activities", 0,
              "time=102000000 span=s worker=tcp://w:1 context=execute category=p activity=thread-cpu unit=seconds "
              "value=1.5");
}

/* Several of Dask's activities may be one in the words of the schema: that is their sum. */
static void
test_merged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) totals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  double *sum = NULL;

  take (fixture, DECLARATIONS HELLO JOIN "[\"activity\",1,\"execute\",\"s\",\"p\",\"disk-read\",\"bytes\"]\n"
                                         "[\"activity\",2,\"execute\",\"s\",\"p\",\"p2p-disk-read\",\"bytes\"]\n"
                                         "[\"base\",1,2,30]\n"
                                         "[\"v\",1,1,7]\n[\"v\",1,2,70]\n[\"v\",1,1,8]\n");
  g_assert_cmpuint (rows_count (fixture->recording, "activities"), ==, 3);
  assert_cell (fixture->recording, "activities", 0, "value", "7");
  assert_cell (fixture->recording, "activities", 1, "value", "47");
  assert_cell (fixture->recording, "activities", 2, "value", "48");
  g_assert_cmpuint (rows_count_with (fixture->recording, "activities", "activity", "disk-read"), ==, 3);
  dask_scheduler_add_totals (fixture->scheduler, totals);
  sum = g_hash_table_lookup (totals, "execute\np\ndisk-read\nbytes");
  g_assert_nonnull (sum);
  g_assert_cmpfloat (*sum, ==, 48);
}

static void
assert_words (const char *context, const char *activity, const char *expected)
{
  g_autofree char *found = NULL;

  dask_words_translate (&context, &activity);
  found = g_strjoin (": ", context, activity, NULL);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_words (void)
{
  assert_words ("execute", "thread-cpu", "execute: thread-cpu");
  assert_words ("execute", "p2p-shard-partition-cpu", "execute: shard-partition-cpu");
  assert_words ("execute", "my/io", "execute: my/io");
  assert_words ("p2p", "foreground/shard-partition-cpu", "shuffle-tasks: shard-partition-cpu");
  assert_words ("p2p", "background-comms/idle", "shuffle: idle");
  assert_words ("p2p", "background-disk/disk-write", "shuffle: disk-write");
  assert_words ("p2p", "new", "shuffle: new");
  assert_words ("gather-dep", "network", "fetch: network");
  assert_words ("get-data", "serialize", "serve: serialize");
  assert_words ("memory-monitor", "disk-write", "memory: disk-write");
  assert_words ("new", "p2p-x", "new: p2p-x");
}

/* It died: its workers are lost with it, and for how long is reported. */
static void
test_lost_scheduler (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN);
  dask_scheduler_finish (fixture->scheduler);
  dask_scheduler_finish (fixture->scheduler);
  assert_cell (fixture->recording, "workers", 0, "leave_reason", "scheduler lost");
  g_assert_cmpuint (rows_count_with (fixture->recording, "workers", "tail_lost", NULL), ==, 0);
  g_assert_true (rows_has_event (fixture->recording, "scheduler-lost", "1 worker(s)"));
}

/* It runs on: so do its workers. */
static void
test_left_scheduler (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN);
  dask_scheduler_leave (fixture->scheduler, 0);
  assert_row (fixture->recording, "workers", 0,
              "worker=tcp://w:1 cores=2 joined=99500000 missing=the CPU time of the worker's process did not arrive");
  g_assert_cmpuint (rows_count (fixture->recording, "events"), ==, 0);
}

static void
test_address_used_again (Fixture *fixture, gconstpointer data)
{
  take (fixture,
        DECLARATIONS HELLO JOIN "[\"worker\",1,\"tcp://w:1\",2,99500000,null,100500000,\"lost\",0.25]\n"
                                "[\"worker\",2,\"tcp://w:1\",2,101000000]\n[\"worker\",2,\"tcp://w:1\",2,101000000,5]\n"
                                "[\"worker\",1,\"tcp://w:1\",2,99500000,7]\n");
  g_assert_cmpuint (rows_count (fixture->recording, "workers"), ==, 2);
  assert_row (fixture->recording, "workers", 0,
              "worker=tcp://w:1 cores=2 joined=99500000 left=100500000 leave_reason=lost tail_lost=0.25 missing=no "
              "data about the last 0.2 s of the worker; the CPU time of the worker's process did not arrive");
  assert_row (fixture->recording, "workers", 1, "worker=tcp://w:1#2 pid=5 cores=2 joined=101000000");
}

#define PROCESS                                                                                                        \
  "[\"activity\",1,\"process\",null,null,\"startup\",\"seconds\"]\n"                                                   \
  "[\"activity\",2,\"process\",null,null,\"other-threads\",\"seconds\"]\n"

/* CPU time is the sum of its parts; the peak is that of a worker that sent its last data. */
static void
test_process (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN PROCESS
        "[\"process\",1,3000,2000,90000000,1]\n[\"v\",1,1,0.5]\n[\"v\",1,2,1]\n"
        "[\"process\",1,5000,6000,90000000,1]\n[\"v\",1,2,3]\n"
        "[\"worker\",1,\"tcp://w:1\",2,99500000,7,100500000,\"bye\",null,\"closed\"]\n");
  assert_row (fixture->recording, "workers", 0,
              "worker=tcp://w:1 pid=7 cores=2 joined=99500000 left=100500000 leave_reason=bye started=90000000 cpu=3.5 "
              "memory_peak=5000 memory_peak_bound=exact child_memory_peak=6000 child_memory_peak_bound=exact "
              "process_workers=1 cause=closed");
}

/* A thread that still computes when a worker sends its last data makes them a lower bound. */
static void
test_computing (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN PROCESS
        "[\"process\",1,3000,2000,90000000,1]\n[\"v\",1,1,0.5]\n"
        "[\"process\",1,5000,2000,90000000,1,null,null,null,2]\n"
        "[\"worker\",1,\"tcp://w:1\",2,99500000,7,100500000,\"bye\",null,\"closed\"]\n");
  assert_row (fixture->recording, "workers", 0,
              "worker=tcp://w:1 pid=7 cores=2 joined=99500000 left=100500000 leave_reason=bye started=90000000 cpu=0.5 "
              "memory_peak=5000 memory_peak_bound=at_least child_memory_peak=2000 child_memory_peak_bound=at_most "
              "process_workers=1 computing=2 cause=closed missing=2 of the worker's tasks still computed when it sent "
              "its last data: CPU time and memory used after that are not counted");
}

/* None computed. */
static void
test_not_computing (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN PROCESS
        "[\"process\",1,3000,2000,90000000,1,null,null,null,1]\n[\"v\",1,1,0.5]\n"
        "[\"process\",1,5000,2000,90000000,1,null,null,null,0]\n"
        "[\"worker\",1,\"tcp://w:1\",2,99500000,7,100500000,\"bye\",null,\"closed\"]\n");
  assert_cell (fixture->recording, "workers", 0, "computing", NULL);
  assert_cell (fixture->recording, "workers", 0, "missing", NULL);
  assert_cell (fixture->recording, "workers", 0, "memory_peak_bound", "exact");
}

/* What a worker that was killed sent is a lower bound; a child may have the memory of its parent until its exec. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN PROCESS
        "[\"v\",1,1,0.5]\n[\"process\",1,3000,3000]\n"
        "[\"worker\",1,\"tcp://w:1\",2,99500000,7,100500000,\"lost\",0.5,\"signal\",null,9]\n");
  assert_row (fixture->recording, "workers", 0,
              "worker=tcp://w:1 pid=7 cores=2 joined=99500000 left=100500000 leave_reason=lost tail_lost=0.5 cpu=0.5 "
              "memory_peak=3000 memory_peak_bound=at_least child_memory_peak=3000 child_memory_peak_bound=at_most "
              "cause=signal signal=9 missing=no data about the last 0.5 s of the worker");
}

static void
test_oom_killed (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN
        "[\"worker\",1,\"tcp://w:1\",2,99500000,7,100500000,\"lost\",0.5,\"memory\",null,9,true]\n");
  assert_row (fixture->recording, "workers", 0,
              "worker=tcp://w:1 pid=7 cores=2 joined=99500000 left=100500000 leave_reason=lost tail_lost=0.5 "
              "cause=memory signal=9 oom_killed=true missing=no data about the last 0.5 s of the worker; the CPU time "
              "of the worker's process did not arrive");
}

/* What was before reading began is not of the measurement: CPU time is left out, a peak that did not rise is a bound.
 */
static void
test_process_before (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN PROCESS "[\"worker\",2,\"tcp://w:2\",2,99500000]\n"
                                                 "[\"base\",1,1,8]\n[\"process\",1,3000,null,null,1,null,null,true]\n["
                                                 "\"v\",1,1,9]\n[\"process\",1,3000,null,null,1]\n"
                                                 "[\"base\",2,1,8]\n[\"process\",2,3000,null,null,1,null,null,true]\n["
                                                 "\"v\",2,1,9]\n[\"process\",2,3001,null,null,1]\n");
  dask_scheduler_leave (fixture->scheduler, 0);
  assert_row (fixture->recording, "workers", 0,
              "worker=tcp://w:1 cores=2 joined=99500000 cpu=1 memory_peak=3000 memory_peak_bound=at_most "
              "process_workers=1 missing=the worker's peak memory dates from before the measurement");
  assert_row (fixture->recording, "workers", 1,
              "worker=tcp://w:2 cores=2 joined=99500000 cpu=1 memory_peak=3001 memory_peak_bound=exact "
              "process_workers=1");
}

/* Time of before that a worker first had for other threads, and later for those of tasks. */
static void
test_process_parts (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN "[\"activity\",1,\"process\",null,null,\"other-threads\",\"seconds\"]\n"
                                         "[\"activity\",2,\"process\",null,null,\"task-threads\",\"seconds\"]\n"
                                         "[\"base\",1,1,1]\n[\"base\",1,2,0.5]\n"
                                         "[\"now\",102000000]\n[\"v\",1,1,0.5]\n[\"v\",1,2,1.25]\n");
  dask_scheduler_leave (fixture->scheduler, 0);
  g_assert_cmpuint (rows_count (fixture->recording, "activities"), ==, 4);
  assert_cell (fixture->recording, "activities", 2, "activity", "other-threads");
  assert_cell (fixture->recording, "activities", 2, "value", "0");
  assert_cell (fixture->recording, "activities", 3, "activity", "task-threads");
  assert_cell (fixture->recording, "activities", 3, "value", "0.25");
  assert_cell (fixture->recording, "workers", 0, "cpu", "0.25");
}

/* A process of several workers and the scheduler. */
static void
test_process_shared (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN PROCESS "[\"v\",1,1,0.5]\n[\"process\",1,3000,null,null,2,true,\"no x\"]\n");
  dask_scheduler_leave (fixture->scheduler, 0);
  assert_cell (fixture->recording, "workers", 0, "memory_peak_bound", "at_most");
  assert_cell (fixture->recording, "workers", 0, "process_workers", "2");
  assert_cell (fixture->recording, "workers", 0, "missing",
               "no x; the worker's process is shared by 2 worker(s), the scheduler and the program: memory is the "
               "total of the "
               "process, and CPU time outside tasks is counted for one worker only");
  refuse (fixture, "[\"process\",9,3000]");
  refuse (fixture, "[\"process\",1,\"much\"]");
}

/* A scheduler that was started again says hello on the connection of its client: another source. */
static void
test_second_hello (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN DECLARATIONS "[\"hello\",2,\"c\",\"tcp://h:2\"]\n");
  g_assert_cmpuint (rows_count (fixture->recording, "sources"), ==, 2);
  assert_cell (fixture->recording, "sources", 1, "address", "tcp://h:2");
  g_assert_true (rows_has_event (fixture->recording, "scheduler-lost", "tcp://h:1"));
  g_assert_false (rows_has_event (fixture->recording, "scheduler-restarted", ""));
  take (fixture, "[\"hello\",2,\"d\",\"tcp://h:2\"]\n");
  g_assert_true (rows_has_event (fixture->recording, "scheduler-restarted", ""));
  take (fixture, "[\"bye\",0]\n");
  dask_scheduler_finish (fixture->scheduler);
  g_assert_cmpuint (rows_count_with (fixture->recording, "events", "kind", "scheduler-lost"), ==, 2);
}

static void
test_graphs (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN "[\"graphs\",2,70]\n[\"now\",200000000]\n[\"graphs\",1,4000000000]\n");
  assert_row (fixture->recording, "graphs", 0, "time=100000000 graphs=2 bytes=70");
  assert_row (fixture->recording, "graphs", 1, "time=200000000 graphs=1 bytes=4000000000");
  refuse (fixture, "[\"graphs\",1,\"much\"]");
}

/* Attempts of the same key, the time before, and a bound. */
static void
test_tasks (Fixture *fixture, gconstpointer data)
{
  tear_down (fixture, NULL);
  open_fixture (fixture, 4);
  take (fixture, DECLARATIONS HELLO JOIN
        "[\"now\",101000000]\n[\"t\",\"k\",0,1,-500,300,28]\n[\"t\",\"k\",0,1,-100,50,null,\"failed\",\"OSError\"]\n"
        "[\"t\",\"m\",0,null,0,1,2]\n[\"phase\",-20,10]\n[\"t\",\"x\",0,1,null,null,null,\"killed_worker\","
        "\"KilledWorker\"]\n"
        "[\"t\",\"n\",0,1,0,1,2]\n[\"phase\",-20,10]\n");
  dask_scheduler_finish (fixture->scheduler);
  g_assert_cmpuint (rows_count (fixture->recording, "tasks"), ==, 4);
  assert_row (fixture->recording, "tasks", 0,
              "task=k attempt=1 category=p worker=tcp://w:1 started=100999500 ended=100999800 status=done "
              "bytes_out=28");
  assert_row (fixture->recording, "tasks", 1,
              "task=k attempt=2 category=p worker=tcp://w:1 started=100999900 ended=100999950 status=failed "
              "error=OSError");
  assert_row (fixture->recording, "tasks", 2,
              "task=m attempt=1 category=p started=101000000 ended=101000001 status=done bytes_out=2");
  assert_row (fixture->recording, "tasks", 3,
              "task=x attempt=1 category=p worker=tcp://w:1 status=killed_worker error=KilledWorker");
  g_assert_cmpuint (rows_count (fixture->recording, "task_phases"), ==, 1);
  assert_row (fixture->recording, "task_phases", 0,
              "task=m attempt=1 phase=stage-in started=100999980 ended=100999990");
  g_assert_true (rows_has_event (fixture->recording, "frames-dropped",
                                 "1 task has no row: the limit max-tasks=4 was exceeded"));
  assert_row (fixture->recording, "categories", 0, "category=p role=analysis");
}

/* The counts of the scheduler, what was there before, and what ended after the last counts. */
static void
test_totals (Fixture *fixture, gconstpointer data)
{
  RoastRecording *recording = fixture->recording;

  take (fixture, DECLARATIONS HELLO JOIN
        "[\"category\",1,\"p\",\"s\"]\n[\"category\",2,\"q\"]\n"
        "[\"totals-base\",0,5,0,5]\n"
        "[\"totals\",0,7,1,10,3,1,7,4]\n[\"totals\",1,2,0,0,0,0,2,0]\n[\"totals\",2,0,0,1,0,0,0,0]\n"
        "[\"t\",\"k\",0,1,0,1,2]\n[\"t\",\"l\",0,1,0,1,2,\"failed\",\"E\",true]\n");
  dask_scheduler_finish (fixture->scheduler);
  g_assert_cmpuint (rows_count (recording, "task_totals"), ==, 5);
  /* 7 - 5, 1 that ended after the counts, and 2 of the other span. */
  assert_row (recording, "task_totals", 0, "time=100000000 category=p status=done tasks=5 retried=0 attempts=5");
  /* One more attempt failed, but its task is tried again. */
  assert_row (recording, "task_totals", 1, "time=100000000 category=p status=failed tasks=1 retried=1 attempts=5");
  assert_row (recording, "task_totals", 2, "time=100000000 category=p status=never_ran tasks=10 retried=0 attempts=0");
  assert_row (recording, "task_totals", 3, "time=100000000 category=p status=unfinished tasks=2 retried=0 attempts=0");
  assert_row (recording, "task_totals", 4, "time=100000000 category=q status=never_ran tasks=1 retried=0 attempts=0");
}

/* Each sample adds the totals that changed, so that they survive if nothing else comes. */
static void
test_totals_meanwhile (Fixture *fixture, gconstpointer data)
{
  RoastRecording *recording = fixture->recording;

  take (fixture, DECLARATIONS HELLO JOIN "[\"totals\",0,0,0,3,0]\n[\"cluster\",0,1]\n[\"cluster\",0,1]\n"
                                         "[\"now\",101000000]\n[\"t\",\"k\",0,1,0,1,2]\n[\"cluster\",0,1]\n");
  g_assert_cmpuint (rows_count (recording, "task_totals"), ==, 3);
  assert_row (recording, "task_totals", 0, "time=100000000 category=p status=waiting tasks=3 retried=0 attempts=0");
  assert_row (recording, "task_totals", 1, "time=101000000 category=p status=done tasks=1 retried=0 attempts=1");
  assert_row (recording, "task_totals", 2, "time=101000000 category=p status=waiting tasks=2 retried=0 attempts=0");
  dask_scheduler_finish (fixture->scheduler);
  assert_row (recording, "task_totals", 3, "time=101000000 category=p status=never_ran tasks=2 retried=0 attempts=0");
  assert_row (recording, "task_totals", 4, "time=101000000 category=p status=waiting tasks=0 retried=0 attempts=0");
}

/* A client ended while its tasks waited, and the scheduler forgot two of three. */
static void
test_forgotten (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN "[\"totals\",0,0,0,3,0]\n[\"states\",0,1,0]\n[\"bye\",0]\n");
  dask_scheduler_leave (fixture->scheduler, 0);
  g_assert_cmpuint (rows_count (fixture->recording, "task_totals"), ==, 2);
  assert_row (fixture->recording, "task_totals", 0,
              "time=100000000 category=p status=never_ran tasks=2 retried=0 attempts=0");
  assert_row (fixture->recording, "task_totals", 1,
              "time=100000000 category=p status=waiting tasks=1 retried=0 attempts=0");
}

/* What waits and runs, as the last flush told it, if the scheduler goes on, ends or vanishes. */
static void
test_open (Fixture *fixture, gconstpointer data)
{
  static const char *const ends[] = { "", "[\"bye\",0,true]\n", NULL };
  static const char *const waiting[] = { "waiting", "never_ran", NULL };
  const guint end = GPOINTER_TO_UINT (data);
  RoastRecording *recording = fixture->recording;

  take (fixture, DECLARATIONS HELLO JOIN "[\"totals\",0,1,0,1,2]\n"
                                         "[\"open\"]\n[\"open\",\"old\",0,1,-9]\n"
                                         "[\"open\"]\n[\"open\",\"c\",0,null,-7]\n[\"open\",\"a\",0,1,-9,-8,-5]\n"
                                         "[\"open\",\"b\",0,1,-9,-8]\n[\"open\",\"d\",0,1,-9,-8]\n"
                                         "[\"t\",\"d\",0,1,0,1,2]\n");
  if (ends[end] == NULL)
    {
      dask_scheduler_finish (fixture->scheduler);
      g_assert_cmpuint (rows_count (recording, "tasks"), ==, 2);
      assert_row (recording, "tasks", 0,
                  "task=a attempt=1 category=p worker=tcp://w:1 submitted=99999991 dispatched=99999992 "
                  "running_since=99999995");
      g_assert_cmpuint (rows_count_with (recording, "task_totals", "status", "unfinished"), ==, 1);
      return;
    }
  take (fixture, ends[end]);
  dask_scheduler_leave (fixture->scheduler, 0);
  g_assert_cmpuint (rows_count (recording, "tasks"), ==, 4);
  assert_row (recording, "tasks", 0,
              "task=a attempt=1 category=p worker=tcp://w:1 submitted=99999991 dispatched=99999992 started=99999995 "
              "running_since=99999995 status=running");
  assert_row (recording, "tasks", 2,
              "task=b attempt=1 category=p worker=tcp://w:1 submitted=99999991 dispatched=99999992 status=running");
  g_assert_cmpuint (rows_count_with (recording, "tasks", "status", waiting[end]), ==, 1);
  g_assert_cmpuint (rows_count_with (recording, "task_totals", "status", waiting[end]), ==, 1);
  /* d ended after the totals. */
  g_assert_cmpuint (rows_count_with (recording, "task_totals", "status", "unfinished"), ==, 0);
  g_assert_cmpuint (rows_count_with (recording, "task_totals", "status", "running"), ==, 1);
}

static void
test_bad_open (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN);
  refuse (fixture, "[\"open\",5,0]");
  refuse (fixture, "[\"open\",\"k\",9]");
  refuse (fixture, "[\"open\",\"k\",0,7]");
  refuse (fixture, "[\"open\",\"k\",0,1,\"x\"]");
  refuse (fixture, "[\"open\",\"k\",0,1,-1e300]");
  dask_scheduler_leave (fixture->scheduler, 0);
  g_assert_cmpuint (rows_count (fixture->recording, "tasks"), ==, 0);
}

/* The span, other times, the CPU time and the number of inputs of a task. */
static void
test_task_life (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN "[\"category\",1,\"p\",\"s\"]\n"
                                         "[\"t\",\"k\",1,1,0,1,2,null,null,null,-300,0.25,3]\n");
  assert_row (fixture->recording, "tasks", 0,
              "task=k attempt=1 category=p span=s worker=tcp://w:1 submitted=99999700 started=100000000 "
              "ended=100000001 status=done cpu=0.25 bytes_out=2 n_inputs=3");
}

/* A line without data of a worker, as many are, does not bound what is lost of it. */
static void
test_last_data (Fixture *fixture, gconstpointer data)
{
  const gint64 now = g_get_real_time () + G_TIME_SPAN_DAY;
  g_autofree char *lines =
      g_strdup_printf (DECLARATIONS HELLO JOIN "[\"now\",%" G_GINT64_FORMAT
                                               "]\n[\"told\",1,-500000]\n[\"now\",%" G_GINT64_FORMAT "]\n",
                       now, now + G_USEC_PER_SEC);
  g_autofree char *end = g_strdup_printf ("%" G_GINT64_FORMAT, now + G_USEC_PER_SEC);
  g_autofree char *missing = NULL;

  take (fixture, lines);
  dask_scheduler_finish (fixture->scheduler);
  assert_cell (fixture->recording, "workers", 0, "tail_lost", "1.5");
  g_assert_true (rows_has_event (fixture->recording, "scheduler-lost", "no data for up to the last 1.5 s"));
  g_assert_cmpuint (rows_count (fixture->recording, "coverage"), ==, 2);
  assert_cell (fixture->recording, "coverage", 0, "table", "tasks");
  assert_cell (fixture->recording, "coverage", 0, "from", end);
  assert_cell (fixture->recording, "coverage", 0, "state", "partial");
  assert_cell (fixture->recording, "coverage", 1, "table", "task_totals");
  missing = rows_show_cell (fixture->recording, "coverage", 0, "reason");
  g_assert_nonnull (strstr (missing, "did not send its last data"));
}

/* It runs on, but its event loop was too busy to answer: tasks that ended meanwhile are missing. */
static void
test_busy_to_the_end (Fixture *fixture, gconstpointer data)
{
  dask_scheduler_expect_flush (fixture->scheduler, 3);
  take (fixture, DECLARATIONS HELLO JOIN "[\"flushed\",3,0]\n");
  dask_scheduler_leave (fixture->scheduler, 4);
  g_assert_cmpuint (rows_count_with (fixture->recording, "coverage", "table", "tasks"), ==, 1);
  g_assert_cmpuint (rows_count_with (fixture->recording, "coverage", "table", "task_totals"), ==, 1);
  assert_cell (fixture->recording, "coverage", 0, "state", "partial");
  g_assert_cmpuint (rows_count (fixture->recording, "events"), ==, 0);
}

/* Phases after a gap are of a task that nobody saw. */
static void
test_dropped (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN "[\"t\",\"k\",0,1,0,1]\n[\"lost\",17]\n[\"phase\",0,1]\n");
  g_assert_true (rows_has_event (fixture->recording, "frames-dropped", "17 lines"));
  g_assert_cmpuint (rows_count (fixture->recording, "task_phases"), ==, 0);
}

static void
test_flushed (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO JOIN);
  g_assert_cmpuint (dask_scheduler_get_flushed (fixture->scheduler), ==, 0);
  dask_scheduler_expect_flush (fixture->scheduler, 3);
  dask_scheduler_expect_flush (fixture->scheduler, 4);
  take (fixture, "[\"flushed\",3,1]\n");
  g_assert_cmpuint (dask_scheduler_get_flushed (fixture->scheduler), ==, 3);
  /* Other runs, which read from the same probe, count from other numbers. */
  take (fixture, "[\"flushed\",5,0]\n[\"flushed\",2,0]\n");
  g_assert_cmpuint (dask_scheduler_get_flushed (fixture->scheduler), ==, 3);
}

/* No probe sends these: each is refused, nothing breaks, and the report says how many there were. */
static void
test_lies (Fixture *fixture, gconstpointer data)
{
  static const char *const lies[] = {
    "{\"table\":\"s\",\"columns\":[\"colour\"]}",
    "{\"table\":\"secret\",\"columns\":[\"worker\"]}",
    "{\"hello\":{\"schema\":1}}",
    "[\"now\",-1]",
    "[\"now\",100000000000000001]",
    "[\"worker\",1e300,\"x\"]",
    "[\"worker\",\"x\"]",
    "[\"worker\",2]",
    "[\"worker\",-1,\"x\"]",
    "[\"worker\",3,\"y\",\"many\"]",
    "[\"worker\",3,\"y\",1,-7]",
    "[\"worker\",1,\"tcp://w:1\",9]",
    "[\"s\",77,0,1]",
    "[\"s\",1,0,\"much\"]",
    "[\"s\",1,0,-5]",
    "[\"s\",1,0,4.5]",
    "[\"s\",1,-100000001,4]",
    "[\"s\",1,0,4,\"much\"]",
    "[\"activity\",5,\"execute\"]",
    "[\"activity\",-5,\"execute\",null,null,\"a\",\"u\"]",
    "[\"activity\",5,\"execute\",7,null,\"a\",\"u\"]",
    "[\"v\",1,99,1]",
    "[\"v\",99,0,1]",
    "[\"v\",1,0,null]",
    "[\"base\",1,0]",
    "[\"t\",null,0,1,0,1,2]",
    "[\"t\",\"k\",55,1,0,1,2]",
    "[\"t\",\"k\",0,55,0,1,2]",
    "[\"t\",\"k\",0,1,999999999999999999,1,2]",
    "[\"t\",\"k\",0,1,0,999999999999999999,2]",
    "[\"t\",\"k\",0,1,0,1,2,3]",
    "[\"t\",\"k\",0,1,0,1,2,\"odd\"]",
    "[\"t\",\"k\",0,1,0,1,2,\"failed\",\"E\",null,-999999999999]",
    "[\"told\",77,0]",
    "[\"told\",1,\"x\"]",
    "[\"totals\",55,1]",
    "[\"totals\",0,\"x\"]",
    "[\"states\",55,1]",
    "[\"states\",0,\"x\"]",
    "[\"event\",1,2,3]",
    "[\"event\",\"info\"]",
    "[\"event\",\"info\",\"k\"]",
    "[\"span\",null]",
    "[\"span\",\"s\",\"n\",\"native\",-4]",
    "[\"span\",\"s\",\"n\",\"unheard\"]",
    "[\"cluster\",0,\"many\"]",
    "[\"cost\",\"much\"]",
    "[\"lost\",\"all\"]",
    "[\"flushed\",-4]",
    "[\"flushed\",1,2,3]",
    "[]",
  };
  guint n = 0;

  take (fixture, DECLARATIONS HELLO JOIN);
  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autoptr (GError) error = NULL;

      n += take_line (fixture, lies[i], &error) ? 1 : 0;
      g_assert_nonnull (error);
      g_assert_cmpstr (error->message, !=, "");
      take (fixture, DECLARATIONS);
    }
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (rows_count (fixture->recording, "workers"), <=, 3);
  g_assert_cmpuint (rows_count (fixture->recording, "worker_samples"), ==, 0);
  g_assert_cmpuint (rows_count (fixture->recording, "activities"), ==, 0);
  g_assert_cmpuint (rows_count (fixture->recording, "tasks"), ==, 0);
  take (fixture, "[\"bye\",0]\n");
  dask_scheduler_finish (fixture->scheduler);
  g_assert_true (rows_has_event (fixture->recording, "protocol",
                                 "were refused and do not count; the error of the first line: "));
}

static void
test_no_hello (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS);
  refuse (fixture, "[\"hello\",1,\"b\",\"a\"]");
  refuse (fixture, "[\"hello\",2,\"b\"]");
  refuse (fixture, "[\"hello\"]");
  refuse (fixture, "{\"hello\":{\"schema\":1,\"boot\":\"b\",\"address\":\"a\"}}");
  refuse (fixture, "[\"now\",5]");
  take (fixture, "[\"event\",\"warning\",\"relay\",\"no way in\"]\n");
  g_assert_false (dask_scheduler_is_known (fixture->scheduler));
  g_assert_true (rows_has_event (fixture->recording, "relay", "no way in"));
  dask_scheduler_finish (fixture->scheduler);
}

/* Hundreds of events are counted, not kept. */
static void
test_many_events (Fixture *fixture, gconstpointer data)
{
  take (fixture, DECLARATIONS HELLO);
  for (guint i = 0; i < 1000; i++)
    take (fixture, "[\"event\",\"info\",\"a\",\"b\"]\n");
  take (fixture, "[\"bye\",0]\n");
  dask_scheduler_finish (fixture->scheduler);
  g_assert_cmpuint (rows_count (fixture->recording, "events"), ==, 501);
  g_assert_true (rows_has_event (fixture->recording, "remarks", "500 more"));
}

static void
test_quote (void)
{
  g_autofree char *quoted = dask_environment_quote ("a\"b\\c\nd\u00e9\x01");

  g_assert_cmpstr (quoted, ==, "\"a\\\"b\\\\c\\nd\u00e9\\001\"");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/dask-scheduler/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("recording", test_recording);
  ADD ("old", test_old);
  ADD ("base", test_base);
  ADD ("merged", test_merged);
  ADD ("lost-scheduler", test_lost_scheduler);
  ADD ("left-scheduler", test_left_scheduler);
  ADD ("address-used-again", test_address_used_again);
  ADD ("process", test_process);
  ADD ("killed", test_killed);
  ADD ("oom-killed", test_oom_killed);
  ADD ("computing", test_computing);
  ADD ("not-computing", test_not_computing);
  ADD ("process-before", test_process_before);
  ADD ("process-parts", test_process_parts);
  ADD ("process-shared", test_process_shared);
  ADD ("graphs", test_graphs);
  ADD ("second-hello", test_second_hello);
  ADD ("tasks", test_tasks);
  ADD ("totals", test_totals);
  ADD ("totals-meanwhile", test_totals_meanwhile);
  ADD ("forgotten", test_forgotten);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("/dask-scheduler/open/%u", i);

      g_test_add (name, Fixture, GUINT_TO_POINTER (i), set_up, test_open, tear_down);
    }
  ADD ("bad-open", test_bad_open);
  ADD ("task-life", test_task_life);
  ADD ("last-data", test_last_data);
  ADD ("busy-to-the-end", test_busy_to_the_end);
  ADD ("dropped", test_dropped);
  ADD ("flushed", test_flushed);
  ADD ("lies", test_lies);
  ADD ("no-hello", test_no_hello);
  ADD ("many-events", test_many_events);
  g_test_add_func ("/dask-scheduler/words", test_words);
  g_test_add_func ("/dask-scheduler/quote", test_quote);

  return g_test_run ();
}
