/* SPDX-License-Identifier: BSD-3-Clause */

/* Records of a manager's log, and the rows that they must make. */

#include <string.h>

#include "rows.h"
#include "vine-replay.h"

#define ZERO G_GINT64_CONSTANT (1700000000000000) /* µs: start of each run */

#define READY "TASK 1 READY p FIRST_RESOURCES 1 {\"cores\":[2,\"cores\"]}"
#define GIVEN                                                                                                          \
  "{\"time_commit_start\":[1700000001.9,\"s\"],\"time_commit_end\":[1700000002,\"s\"],\"time_input_mgr\":[0.1,\"s\"]," \
  "\"size_input_mgr\":[2,\"MB\"],\"memory\":[100,\"MB\"],\"cores\":[2,\"cores\"]}"
#define RUNNING "TASK 1 RUNNING w  FIRST_RESOURCES " GIVEN
#define TIMES "\"time_worker_start\":[1700000002.5,\"s\"],\"time_worker_end\":[1700000004.5,\"s\"]"
#define MEASURED                                                                                                       \
  "{" TIMES ",\"time_output_mgr\":[0.25,\"s\"],\"size_output_mgr\":[3,\"MB\"],\"wall_time\":[2,\"s\"],"                \
  "\"cpu_time\":[3,\"s\"],\"memory\":[50,\"MB\"],\"bytes_read\":[1,\"MB\"],\"bytes_written\":[0.5,\"MB\"]}"

typedef struct
{
  RoastRecording *recording;
  VineReplay *replay;
  VineTaskLimit limit;
} Run;

static void
open_with (Run *run, guint64 max_tasks, gboolean transfers)
{
  VineReplayOptions options = { G_USEC_PER_SEC, &run->limit, transfers, NULL };

  run->limit.max = max_tasks;
  run->recording = roast_recording_new (roast_registry_get_schema (roast_registry_get_default ()));
  run->replay = vine_replay_new (run->recording, "taskvine-1", &options);
}

static void
set_up (Run *run, gconstpointer data)
{
  open_with (run, 1000, TRUE);
}

static void
tear_down (Run *run, gconstpointer data)
{
  vine_replay_free (run->replay);
  g_object_unref (run->recording);
}

static void
take (Run *run, const char *line)
{
  vine_replay_take_line (run->replay, line, strlen (line));
}

/* Feeds a record, @ms after the start. */
static void
say (Run *run, gint64 ms, const char *record)
{
  g_autofree char *line = g_strdup_printf ("%" G_GINT64_FORMAT " 42 %s", ZERO + ms * 1000, record);

  take (run, line);
}

static void
finish (Run *run)
{
  vine_replay_finish (run->replay, NULL, -1);
}

static VineCounts
get_counts (Run *run)
{
  return run->replay->counts;
}

static void
say_given (Run *run)
{
  say (run, 0, "MANAGER 42 START 0");
  say (run, 500, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1000, READY);
  say (run, 2000, RUNNING);
}

/* @column: NULL for rows; @reason: NULL if nothing is missing */
static void
assert_gap (Run *run, const char *table, const char *column, const char *reason)
{
  guint n = rows_count (run->recording, "coverage");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *in = rows_show_cell (run->recording, "coverage", i, "table");
      g_autofree char *of = rows_show_cell (run->recording, "coverage", i, "column");
      g_autofree char *why = rows_show_cell (run->recording, "coverage", i, "reason");

      if (g_strcmp0 (in, table) != 0 || g_strcmp0 (of, column) != 0)
        continue;
      g_assert_nonnull (reason);
      g_assert_nonnull (strstr (why, reason));
      return;
    }
  g_assert_null (reason);
}

/* ---- one attempt ---- */

static void
test_row (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 5000, "TASK 1 WAITING_RETRIEVAL w ");
  say (run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  say (run, 7000, "TASK 1 DONE SUCCESS  0 ");
  say (run, 8000, "MANAGER 42 END 8000000");
  finish (run);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 1);
  assert_row (run->recording, "tasks", 0,
              "task=1 attempt=1 category=p worker=w submitted=1700000001000000 dispatched=1700000001900000 "
              "delivered=1700000002000000 started=1700000002500000 ended=1700000004500000 noticed=1700000005000000 "
              "fetched=1700000005750000 retrieved=1700000006000000 returned=1700000007000000 status=done exit_code=0 "
              "cpu=3 "
              "cores=2 memory_peak=52428800 bytes_in=2097152 bytes_out=3145728 cores_requested=2 cores_allocated=2 "
              "memory_allocated=104857600");
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  g_assert_cmpfloat (get_counts (run).tasks.execute, ==, 2);
  g_assert_true (rows_has_event (run->recording, "memory-sampled", "may have been higher"));
  g_assert_cmpuint (rows_count (run->recording, "events"), ==, 1);
}

/* ---- the clock ---- */

/* Feeds a manager that is set back after 4.9 s, and again after 6 s of its life. */
static void
say_set_back (Run *run, gint64 first, gint64 second)
{
  say_given (run);
  say (run, 4890, "WORKER x CONNECTION 10.0.0.2:5");
  say (run, 4900, "WORKER y CONNECTION 10.0.0.3:5");
  say (run, 5000 - first, "TASK 1 WAITING_RETRIEVAL w ");
  say (run, 6000 - first, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  say (run, 7000 - first - second, "TASK 1 DONE SUCCESS  0 ");
  say (run, 8000 - first - second, "MANAGER 42 END 8000000");
  finish (run);
}

/* Times go on: the records after it follow those before, 100 ms (of 5000 - 4900) and 1 s (of 7000 - 6000) earlier than
 * they were. Those of the worker, whose clock was not set, fit as they are. */
static void
test_clock_set_back (Run *run, gconstpointer data)
{
  VineTimes times;
  gint64 sum;

  say_set_back (run, 3600 * 1000, 600 * 1000);
  times = run->replay->times;
  g_assert_cmpint (times.started, ==, ZERO);
  g_assert_cmpint (times.ended, ==, ZERO + 6900000);
  g_assert_cmpint (times.last, ==, ZERO + 6900000);
  g_assert_cmpuint (vine_clock_get_n_steps (&run->replay->clock, &sum), ==, 2);
  assert_row (run->recording, "tasks", 0,
              "task=1 attempt=1 category=p worker=w submitted=1700000001000000 dispatched=1700000001900000 "
              "delivered=1700000002000000 started=1700000002500000 ended=1700000004500000 noticed=1700000004900000 "
              "fetched=1700000005650000 retrieved=1700000005900000 returned=1700000005900000 status=done exit_code=0 "
              "cpu=3 "
              "cores=2 memory_peak=52428800 bytes_in=2097152 bytes_out=3145728 cores_requested=2 cores_allocated=2 "
              "memory_allocated=104857600");
  g_assert_true (rows_has_event (run->recording, "clock", "set back 2 time(s), by 4198.9 s in total"));
}

/* Less than 0.1 s is not a step. */
static void
test_clock_slewed (Run *run, gconstpointer data)
{
  say_set_back (run, 199, 0);
  g_assert_cmpint (run->replay->times.ended, ==, ZERO + 7801000);
  g_assert_false (rows_has_event (run->recording, "clock", "set back"));
}

/* A record whose time is damaged is not the clock's: those after it have their own time. */
static void
test_clock_damaged (Run *run, gconstpointer data)
{
  static const gint64 wrong[] = { -100000000, 100000000 };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      if (i > 0)
        {
          tear_down (run, NULL);
          set_up (run, NULL);
        }
      say_given (run);
      say (run, 4900, "WORKER x CONNECTION 10.0.0.2:5");
      say (run, wrong[i], "WORKER y CONNECTION 10.0.0.3:5");
      say (run, 5000, "TASK 1 WAITING_RETRIEVAL w ");
      say (run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
      say (run, 7000, "TASK 1 DONE SUCCESS  0 ");
      say (run, 8000, "MANAGER 42 END 8000000");
      finish (run);
      g_assert_cmpint (run->replay->times.ended, ==, ZERO + 8000000);
      g_assert_false (rows_has_event (run->recording, "clock", "set back"));
    }
}

/* Two cores for 2 s are 4 core seconds, 3 of them CPU time. */
static void
test_sums (Run *run, gconstpointer data)
{
  static const char *const expected[] = {
    "context=execute category=p activity=thread-cpu unit=seconds value=3",
    "context=execute category=p activity=thread-noncpu unit=seconds value=1",
    "context=execute category=p activity=disk-read unit=bytes value=1048576",
    "context=execute category=p activity=disk-write unit=bytes value=524288",
    "context=input category=p activity=network unit=seconds value=0.1",
    "context=input category=p activity=network unit=bytes value=2097152",
    "context=output category=p activity=network unit=seconds value=0.25",
    "context=output category=p activity=network unit=bytes value=3145728",
  };

  say (run, 0, "MANAGER 42 START 0");
  say (run, 500, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1000, READY);
  say (run, 1900, "WORKER w TRANSFER INPUT a 2000000 60000 1700000001900000");
  say (run, 1990, "WORKER w TRANSFER INPUT a b 97152 40000 1700000001960000");
  say (run, 2000, RUNNING);
  say (run, 5000, "TASK 1 WAITING_RETRIEVAL w ");
  say (run, 6000, "WORKER w TRANSFER OUTPUT o 3145728 250000 1700000005750000");
  say (run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  say (run, 7000, "TASK 1 DONE SUCCESS  0 ");
  finish (run);
  g_assert_cmpuint (rows_count (run->recording, "activities"), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *row = g_strconcat ("time=1700000007000000 worker=w ", expected[i], NULL);

      assert_row (run->recording, "activities", i, row);
    }
}

/* Sums are cumulative per worker and category, and can be read before the end. */
static void
test_totals (Run *run, gconstpointer data)
{
  g_autoptr (GHashTable) totals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const double *cpu = NULL;

  for (guint i = 0; i < 3; i++)
    {
      say (run, 10000 * i, READY);
      say (run, 10000 * i + 500, i < 2 ? "WORKER w CONNECTION 10.0.0.1:5" : "WORKER x CONNECTION 10.0.0.1:6");
      say (run, 10000 * i + 2000, i < 2 ? RUNNING : "TASK 1 RUNNING x  FIRST_RESOURCES " GIVEN);
      say (run, 10000 * i + 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
      say (run, 10000 * i + 7000, "TASK 1 DONE SUCCESS  0 ");
      vine_replay_flush (run->replay);
    }
  vine_totals_add_to (run->replay, totals);
  cpu = g_hash_table_lookup (totals, "execute\np\nthread-cpu\nseconds");
  g_assert_nonnull (cpu);
  g_assert_cmpfloat (*cpu, ==, 9);
  /* One per connection of a worker. */
  g_assert_cmpuint (rows_count_with (run->recording, "activities", "activity", "thread-cpu"), ==, 3);
  g_assert_cmpuint (rows_count_with (run->recording, "activities", "worker", "w#2"), ==, 4);
}

/* ---- how records are written ---- */

static void
test_categories (Run *run, gconstpointer data)
{
  static const struct
  {
    const char *category, *prefix;
  } names[] = {
    { "p", "p" },
    { "two words", "two words" },
    { "two  blanks", "two  blanks" },
    { "it's \"quoted\" {x}", "it's \"quoted\" {x}" },
    { "<function_x_at_0x7f09a40c9c60>", "x" },
    { "<function_a_at_0xb_at_0x7f09a40c9c60>", "a_at_0xb" },
    { "<bound_method_A.b>", "A.b" },
    { "<function_>", "<function_>" },
    { "<lambda>", "<lambda>" },
    { "FIRST_RESOURCES 1 {}", "FIRST_RESOURCES 1 {}" },
    { "caf\xc3\xa9", "caf\xc3\xa9" },
    { "\xff", "\xef\xbf\xbd" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *record = g_strdup_printf ("TASK %u READY %s FIRST_RESOURCES 1 {}", i + 1, names[i].category);

      say (run, i, record);
    }
  finish (run);
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  g_assert_cmpuint (get_counts (run).tasks.submitted, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    assert_cell (run->recording, "tasks", i, "category", names[i].prefix);
}

static void
test_roles (void)
{
  static const char *const categories[] = { "preprocessing", "processing", "accumulating", "processing" };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (FrameworkTasks) roles = framework_tasks_new (recording, NULL, NULL, 0);
  VineTaskLimit limit = { 0, 0 };
  VineReplay *replay = vine_replay_new (recording, "taskvine-1", &(VineReplayOptions) { 1, &limit, TRUE, roles });

  for (guint i = 0; i < G_N_ELEMENTS (categories); i++)
    g_assert_nonnull (vine_categories_get (replay, (VineToken) { categories[i], strlen (categories[i]) }));
  framework_tasks_finish (roles);
  g_assert_cmpuint (rows_count (recording, "categories"), ==, 3);
  assert_row (recording, "categories", 0, "category=preprocessing role=framework");
  assert_row (recording, "categories", 1, "category=processing role=analysis");
  assert_row (recording, "categories", 2, "category=accumulating role=framework");
  vine_replay_free (replay);
}

typedef struct
{
  const char *retrieved, *done, *status, *exit_code, *error, *started, *fetched, *peak;
} Ending;

static void
check_ending (const Ending *ending)
{
  Run run = { 0 };
  g_autofree char *retrieved = g_strconcat ("TASK 1 RETRIEVED ", ending->retrieved, NULL);
  g_autofree char *done = g_strconcat ("TASK 1 DONE ", ending->done, NULL);

  set_up (&run, NULL);
  say_given (&run);
  say (&run, 6000, retrieved);
  say (&run, 7000, done);
  finish (&run);
  g_test_message ("%s", retrieved);
  g_assert_cmpuint (get_counts (&run).unusable, ==, 0);
  g_assert_cmpuint (rows_count (run.recording, "tasks"), ==, 1);
  assert_cell (run.recording, "tasks", 0, "status", ending->status);
  assert_cell (run.recording, "tasks", 0, "exit_code", ending->exit_code);
  assert_cell (run.recording, "tasks", 0, "error", ending->error);
  assert_cell (run.recording, "tasks", 0, "started", ending->started);
  assert_cell (run.recording, "tasks", 0, "fetched", ending->fetched);
  assert_cell (run.recording, "tasks", 0, "memory_peak", ending->peak);
  tear_down (&run, NULL);
}

static void
test_endings (void)
{
  static const char started[] = "1700000002500000";
  static const char fetched[] = "1700000005750000";
  const Ending endings[] = {
    { "SUCCESS  0  {} " MEASURED, "SUCCESS  0 ", "done", "0", NULL, started, fetched, "52428800" },
    /* The limits may be missing, and need not be empty. */
    { "SUCCESS  0  " MEASURED, "SUCCESS  0 ", "done", "0", NULL, started, fetched, "52428800" },
    { "SUCCESS 0 {\"memory\":[60,\"MB\"]} " MEASURED, "SUCCESS 0", "done", "0", NULL, started, fetched, "52428800" },
    { "RESOURCE_EXHAUSTION  0   " MEASURED, "RESOURCE_EXHAUSTION  0 ", "exhausted", "0", "RESOURCE_EXHAUSTION", started,
      fetched, "52428800" },
    { "MAX_WALL_TIME  9  {} {" TIMES "}", "MAX_WALL_TIME  9 ", "exhausted", "9", "MAX_WALL_TIME", started, NULL, NULL },
    { "SUCCESS  3  {} {" TIMES "}", "SUCCESS  3 ", "failed", "3", "exit code", started, NULL, NULL },
    { "CANCELLED  -1  {} {}", "CANCELLED  -1 ", "cancelled", NULL, "CANCELLED", NULL, NULL, NULL },
    { "SOMETHING_NEW  0  {} {}", "SOMETHING_NEW  0 ", "failed", "0", "SOMETHING_NEW", NULL, NULL, NULL },
    /* DONE may be less specific than RETRIEVED. */
    { "OUTPUT_MISSING  137  {} {}", "UNKNOWN  -1 ", "failed", "137", "OUTPUT_MISSING", NULL, NULL, NULL },
    /* What a task was given is not a measurement. */
    { "SUCCESS  0  {} {" TIMES ",\"memory\":[50,\"MB\"]}", "SUCCESS  0 ", "done", "0", NULL, started, NULL, NULL },
    /* It never ran; a difference of unsigned numbers wrapped around; it ended before it started. */
    { "INPUT_MISSING  0  {} {\"time_worker_start\":[0,\"s\"],\"time_worker_end\":[0,\"s\"]}", "INPUT_MISSING  0 ",
      "failed", "0", "INPUT_MISSING", NULL, NULL, NULL },
    { "SUCCESS  0  {} {" TIMES ",\"time_output_mgr\":[18446744073709.5,\"s\"]}", "SUCCESS  0 ", "done", "0", NULL,
      started, NULL, NULL },
    { "SUCCESS  0  {} {\"time_worker_start\":[1700000004.5,\"s\"],\"time_worker_end\":[1700000002.5,\"s\"]}",
      "SUCCESS  0 ", "done", "0", NULL, NULL, NULL, NULL },
    /* Other names, numbers and blanks. */
    { "SUCCESS  0  {} { \"new thing\" : [ -1.5e3 , \"u\" ] , " TIMES " } ", "SUCCESS  0 ", "done", "0", NULL, started,
      NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    check_ending (&endings[i]);
}

/* Lines that are cut, written over, or not records. */
static void
test_unusable (Run *run, gconstpointer data)
{
  static const char *const lines[] = {
    "x",
    " ",
    "1700000000000000",
    "1700000000000000 42",
    "1700000000000000 x TASK 1 READY p FIRST_RESOURCES 1 {}",
    "170000000000000 42 " READY,   /* a digit is missing */
    "11700000000000000 42 " READY, /* or one too many */
    "1700000000000000 42 TASK1700000000000001 42 TASK 2 DONE SUCCESS  0 ",
    "1700000000000000 42 TASK",
    "1700000000000000 42 TASK 1",
    "1700000000000000 42 TASK -1 READY p FIRST_RESOURCES 1 {}",
    "1700000000000000 42 TASK 1 1700000000000001 42 TASK 2 DONE SUCCESS  0 ",
    "1700000000000000 42 TASK 1 RUN1700000000000001 42 TASK 2 DONE SUCCESS  0 ",
    "1700000000000000 42 TASK 1 READY",
    "1700000000000000 42 TASK 1 READY p",
    "1700000000000000 42 TASK 1 READY p {}",
    "1700000000000000 42 TASK 1 READY p FIRST_RESOURCES 1 {} x",
    "1700000000000000 42 TASK 1 READY FIRST_RESOURCES 1 {}",
    "1700000000000000 42 TASK 1 READY p FIRST_RESOURCES 1 {\"cores\":[2,",
    "1700000000000000 42 TASK 1 READY p FIRST_RESOURCES 0 {}",
    "1700000000000000 42 TASK 1 READY p FIRST_RESOURCES x {}",
    "1700000000000000 42 TASK 1 RUNNING w  FIRST_RESOURCES ",
    "1700000000000000 42 TASK 1 RUNNING w  FIRST_RESOURCES {\"cores\":[2,\"cores\"]",
    "1700000000000000 42 TASK 1 RUNNING w  FIRST_RESOURCES {\"cores\":[x,\"cores\"]}",
    "1700000000000000 42 TASK 1 RUNNING w  FIRST_RESOURCES {\"cores\":2}",
    "1700000000000000 42 TASK 1 RETRIEVED SUCCESS",
    "1700000000000000 42 TASK 1 RETRIEVED SUCCESS  0  ",
    "1700000000000000 42 TASK 1 RETRIEVED SUCCESS  x  {} {}",
    "1700000000000000 42 TASK 1 RETRIEVED SUCC1700000000000001  0  {} {}",
    "1700000000000000 42 TASK 1 RETRIEVED SUCCESS  0  {} {\"co1700000000000001 42 TASK 2 DONE SUCCESS  0 ",
    "1700000000000000 42 TASK 1 DONE",
    "1700000000000000 42 TASK 1 DONE SUCCESS",
    "1700000000000000 42 TASK 1 DONE SUCC1700000000000001 42 TASK 2 DONE SUCCESS  0 ",
    "1700000000000000 42 WORKER w",
    "1700000000000000 42 WORKER w CONNECTION",
    "1700000000000000 42 WORKER w DISCONNECTION",
    "1700000000000000 42 WORKER w DISCONN1700000000000001 42 TASK 2 DONE SUCCESS  0 ",
    "1700000000000000 42 WORKER w RESOURCES {\"memory\":[1",
    "1700000000000000 42 WORKER w TRANSFER",
    "1700000000000000 42 WORKER w TRANSFER ASIDE name 1 2 3",
    "1700000000000000 42 WORKER w TRANSFER INPUT name 1 2",
    "1700000000000000 42 WORKER w CACHE_UPDATE 1 2 3",
    "1700000000000000 42 MANAGER 42",
    "1700000000000000 42 CATEGORY",
    "1700000000000000 42 LIBRARY 7",
  };

  say (run, 0, READY);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      take (run, lines[i]);
      g_test_message ("%s", lines[i]);
      g_assert_cmpuint (get_counts (run).unusable, ==, i + 1);
    }
  take (run, "");
  take (run, "# a comment");
  finish (run);
  g_assert_cmpuint (get_counts (run).unusable, ==, G_N_ELEMENTS (lines));
  g_assert_cmpuint (get_counts (run).unknown, ==, 0);
  g_assert_cmpuint (get_counts (run).tasks.attempts, ==, 1);
  assert_row (run->recording, "tasks", 0,
              "task=1 attempt=1 category=p submitted=1700000000000000 status=waiting cores_requested=2");
  g_assert_true (rows_has_event (run->recording, "unusable-lines", "(the first: line 2, “x…”)"));
}

/* Only DONE says that a task was cancelled. It kept its cores until then. */
static void
test_cancelled (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 5000, "TASK 1 RETRIEVED UNKNOWN  -1  {} {}");
  say (run, 5001, "TASK 1 DONE CANCELLED  -1 ");
  finish (run);
  assert_cell (run->recording, "tasks", 0, "status", "cancelled");
  assert_cell (run->recording, "tasks", 0, "error", "CANCELLED");
  /* That is not a failure. */
  for (guint i = 0; i < rows_count (run->recording, "category_states"); i++)
    {
      g_autofree char *state = rows_show_cell (run->recording, "category_states", i, "state");

      if (g_str_equal (state, "failed"))
        assert_cell (run->recording, "category_states", i, "tasks", "0");
    }
  assert_cell (run->recording, "tasks", 0, "started", NULL);
  assert_cell (run->recording, "tasks", 0, "ended", "1700000005000000");
  /* Two cores for 3 s. */
  assert_row (run->recording, "activities", 0,
              "time=1700000005001000 worker=w context=execute category=p activity=cancelled unit=seconds value=6");
}

/* The program cancelled it and never took it back. */
static void
test_cancelled_while_it_waited (Run *run, gconstpointer data)
{
  say (run, 0, READY);
  say (run, 5, "TASK 1 RETRIEVED UNKNOWN  -1  {} {}");
  finish (run);
  assert_cell (run->recording, "tasks", 0, "status", "cancelled");
}

/* A worker with a valid name but without a record of its connection. */
static void
test_unnamed (Run *run, gconstpointer data)
{
  say (run, 0, READY);
  say (run, 5, "TASK 1 RUNNING worker-0123456789abcdef0123456789abcdef  FIRST_RESOURCES {}");
  say (run, 7, "TASK 1 DONE SUCCESS  0 ");
  finish (run);
  g_assert_cmpuint (get_counts (run).workers.unnamed, ==, 1);
  g_assert_cmpuint (rows_count (run->recording, "workers"), ==, 1);
  assert_cell (run->recording, "tasks", 0, "worker", "worker-0123456789abcdef0123456789abcdef");
  g_assert_true (rows_has_event (run->recording, "workers-unnamed", "the connection of 1 workers"));
}

/* A worker reports 0 cores at first. Later changes are reported as an event. */
static void
test_resources_change (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1, "WORKER w RESOURCES {\"memory\":[0,\"MB\"],\"cores\":[0,\"cores\"]}");
  say (run, 2, "WORKER w RESOURCES {\"memory\":[10,\"MB\"],\"cores\":[2,\"cores\"]}");
  say (run, 3, "WORKER w RESOURCES {\"memory\":[10,\"MB\"],\"cores\":[2,\"cores\"]}");
  say (run, 4, "WORKER w RESOURCES {\"memory\":[10,\"MB\"],\"cores\":[8,\"cores\"]}");
  say (run, 5, "WORKER w RESOURCES {\"memory\":[10,\"MB\"],\"cores\":[4,\"cores\"]}");
  finish (run);
  assert_cell (run->recording, "workers", 0, "cores", "2");
  g_assert_cmpuint (rows_count_with (run->recording, "events", "kind", "resources-changed"), ==, 1);
  g_assert_true (rows_has_event (run->recording, "resources-changed", "1 workers changed"));
  assert_gap (run, "workers", "cores", "changed their number of cores");
  assert_gap (run, "workers", "memory_limit", NULL);
}

static void
test_memory_changes (Run *run, gconstpointer data)
{
  say (run, 0, "MANAGER 42 START 0");
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 2, "WORKER w RESOURCES {\"cores\":[2,\"cores\"]}");
  say (run, 3, "WORKER w RESOURCES {\"cores\":[2,\"cores\"]}");
  g_assert_cmpuint (get_counts (run).workers.resized, ==, 0);
  say (run, 4, "WORKER w RESOURCES {\"memory\":[10,\"MB\"],\"cores\":[2,\"cores\"]}");
  say (run, 9, "WORKER w DISCONNECTION EXPLICIT");
  finish (run);
  assert_gap (run, "workers", "cores", NULL);
  assert_gap (run, "workers", "memory_limit", "changed their memory");
  assert_gap (run, "workers", "left", NULL);
  assert_gap (run, "tasks", NULL, NULL);
}

/* Records at the beginning, in the middle or at the end are missing. */
static void
test_missing_records (Run *run, gconstpointer data)
{
  Run headless = { 0 };
  Run again = { 0 };

  set_up (&headless, NULL);
  say (&headless, 0, READY);
  finish (&headless);
  assert_gap (&headless, "tasks", NULL, "the beginning of the log is missing");
  assert_gap (&headless, "activities", NULL, "the beginning of the log is missing");
  g_assert_true (rows_has_event (headless.recording, "no-start", "earlier records are missing"));
  tear_down (&headless, NULL);

  set_up (&again, NULL);
  say_given (&again);
  say (&again, 3000, RUNNING);
  say (&again, 4000, "WORKER w DISCONNECTION EXPLICIT");
  finish (&again);
  assert_gap (&again, "task_totals", NULL, "unusable, or missing");
  assert_gap (&again, "workers", "left", NULL);
  tear_down (&again, NULL);

  say_given (run);
  finish (run);
  assert_gap (run, "tasks", NULL, NULL);
  assert_gap (run, "workers", "left", "still connected");
}

/* Worker and resources may be missing. */
static void
test_running_alone (Run *run, gconstpointer data)
{
  say (run, 0, READY);
  say (run, 5, "TASK 1 RUNNING");
  say (run, 7, "TASK 1 DONE SUCCESS  0 ");
  finish (run);
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  g_assert_cmpuint (get_counts (run).tasks.dispatched, ==, 1);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 1);
}

static void
test_unknown (Run *run, gconstpointer data)
{
  say (run, 0, READY);
  say (run, 1, "TASK 1 INITIAL");
  g_assert_cmpuint (get_counts (run).unknown, ==, 0);
  say (run, 2, "TASK 1 DREAMING w");
  say (run, 3, "WORKER w WINKS");
  say (run, 4, "MANAGER 42 PAUSE");
  say (run, 5, "FILE f PRUNED");
  g_assert_cmpuint (get_counts (run).unknown, ==, 4);
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  finish (run);
  g_assert_true (rows_has_event (run->recording, "unknown-records", "4 records"));
  g_assert_true (rows_has_event (run->recording, "unknown-records", "“DREAMING”"));
}

/* ---- workers ---- */

static void
test_workers (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER (null) DISCONNECTION UNKNOWN");
  say (run, 1000, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1001, "WORKER w RESOURCES {\"memory\":[1500,\"MB\"],\"disk\":[3000,\"MB\"],\"cores\":[2,\"cores\"]}");
  say (run, 1002, "WORKER w RESOURCES {\"memory\":[9,\"MB\"],\"cores\":[1,\"cores\"]}");
  say (run, 2000, "WORKER w DISCONNECTION FAILURE");
  say (run, 2001, "WORKER w DISCONNECTION FAILURE");
  say (run, 3000, "WORKER w CONNECTION 10.0.0.1:6");
  say (run, 4000, "WORKER w CONNECTION 10.0.0.1:7");
  say (run, 5000, "WORKER nobody DISCONNECTION EXPLICIT");
  say (run, 5000, "WORKER nobody RESOURCES {\"cores\":[2,\"cores\"]}");
  finish (run);
  g_assert_cmpuint (get_counts (run).workers.joined, ==, 3);
  g_assert_cmpuint (get_counts (run).workers.left, ==, 2);
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  g_assert_cmpuint (rows_count (run->recording, "workers"), ==, 3);
  assert_row (run->recording, "workers", 0,
              "worker=w name=10.0.0.1:5 host=10.0.0.1 cores=2 memory_limit=1572864000 joined=1700000001000000 "
              "left=1700000002000000 "
              "leave_reason=FAILURE cause=lost");
  assert_row (run->recording, "workers", 1,
              "worker=w#2 name=10.0.0.1:6 host=10.0.0.1 joined=1700000003000000 left=1700000004000000 "
              "leave_reason=connected again cause=lost");
  assert_row (run->recording, "workers", 2,
              "worker=w#3 name=10.0.0.1:7 host=10.0.0.1 joined=1700000004000000 left=1700000005000000 "
              "leave_reason=connected when "
              "the log ends");
}

/* Hosts and disk use come from the status. */
static void
test_hosts (Run *run, gconstpointer data)
{
  say (run, 1000, "WORKER w CONNECTION 10.0.0.1:5");
  vine_workers_set_host (run->replay, "10.0.0.1:5", "node7");
  vine_workers_set_host (run->replay, "10.0.0.1:5", "other");
  vine_workers_set_host (run->replay, "10.0.0.9:9", "nobody");
  vine_workers_set_disk (run->replay, "10.0.0.1:5", ZERO + 1500000, 77);
  vine_workers_set_disk (run->replay, "10.0.0.1:5", ZERO + 1500000, -1);
  vine_workers_set_disk (run->replay, "10.0.0.9:9", ZERO + 1500000, 78);
  finish (run);
  assert_row (run->recording, "workers", 0,
              "worker=w name=node7:5 host=node7 joined=1700000001000000 left=1700000001000000 "
              "leave_reason=connected when the log ends");
  g_assert_cmpuint (rows_count (run->recording, "worker_samples"), ==, 1);
  assert_row (run->recording, "worker_samples", 0, "time=1700000001500000 worker=w disk_used=77");
}

/* A task counts at its worker until its results are fetched. One sample per second. */
static void
test_samples (Run *run, gconstpointer data)
{
  static const char *const expected[] = {
    "time=1700000002000000 worker=w active_tasks=1 executing_tasks=1 cores_committed=2 memory_committed=104857600",
    "time=1700000005000000 worker=w active_tasks=1 executing_tasks=0 cores_committed=2 memory_committed=104857600",
    "time=1700000006000000 worker=w active_tasks=0 executing_tasks=0 cores_committed=0 memory_committed=0",
    "time=1700000007200000 worker=w active_tasks=2 executing_tasks=2 cores_committed=4 memory_committed=209715200",
    "time=1700000008000000 worker=w active_tasks=0 executing_tasks=0 cores_committed=0 memory_committed=0",
  };

  say_given (run);
  say (run, 5000, "TASK 1 WAITING_RETRIEVAL w ");
  say (run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  say (run, 6500, "TASK 1 DONE SUCCESS  0 ");
  say (run, 6600, "TASK 2 READY p FIRST_RESOURCES 1 {}");
  say (run, 6600, "TASK 3 READY p FIRST_RESOURCES 1 {}");
  say (run, 6700, "TASK 2 RUNNING w  FIRST_RESOURCES " GIVEN);
  say (run, 7200, "TASK 3 RUNNING w  FIRST_RESOURCES " GIVEN);
  say (run, 8000, "WORKER w DISCONNECTION FAILURE");
  finish (run);
  g_assert_cmpuint (rows_count (run->recording, "worker_samples"), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    assert_row (run->recording, "worker_samples", i, expected[i]);
}

/* After 50,000 samples they are half as many. */
static void
test_many_samples (void)
{
  enum
  {
    WORKERS = 100
  };
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  VineTaskLimit limit = { 0, 0 };
  const VineReplayOptions options = { G_USEC_PER_SEC, &limit, TRUE, NULL };
  VineReplay *replay = vine_replay_new (recording, "taskvine-1", &options);

  for (guint second = 0; second < 504; second++)
    {
      replay->now = ZERO + (gint64) second * G_USEC_PER_SEC;
      for (guint i = 0; i < WORKERS; i++)
        {
          g_autofree char *name = g_strdup_printf ("worker-%032x", i);
          VineToken token = { name, strlen (name) };

          vine_workers_load (replay, vine_workers_get (replay, token), (VineLoad) { 1, 0, 0, 0 });
        }
      if (replay->now >= replay->due)
        vine_workers_flush (replay);
    }
  /* 500 in as many seconds, then those of seconds 501 and 503. */
  g_assert_cmpuint (rows_count (recording, "worker_samples"), ==, 502 * WORKERS);
  vine_replay_free (replay);
}

static void
test_many_workers (Run *run, gconstpointer data)
{
  enum
  {
    N = 3000
  };

  for (guint i = 0; i < N; i++)
    {
      g_autofree char *joins = g_strdup_printf ("WORKER w%u CONNECTION 10.0.0.1:%u", i, i);
      g_autofree char *ready = g_strdup_printf ("TASK %u READY p FIRST_RESOURCES 1 {}", i + 1);
      g_autofree char *running = g_strdup_printf ("TASK %u RUNNING w%u  FIRST_RESOURCES " GIVEN, i + 1, i);
      g_autofree char *leaves = g_strdup_printf ("WORKER w%u DISCONNECTION FAILURE", i);

      say (run, i, joins);
      say (run, i, ready);
      say (run, 2000 + i, running);
      if (i % 2 == 0)
        say (run, 2000 + i, leaves);
    }
  finish (run);
  g_assert_cmpuint (rows_count (run->recording, "workers"), ==, N);
  g_assert_cmpuint (get_counts (run).tasks.lost, ==, N / 2);
  g_assert_cmpuint (get_counts (run).tasks.unfinished, ==, N / 2);
  /* Rows of a thousand tasks, sums of all. */
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 1000);
  g_assert_cmpuint (rows_count_with (run->recording, "activities", "activity", "lost"), ==, N / 2);
  g_assert_true (rows_has_event (run->recording, "frames-dropped", "2000 attempts have no row"));
}

/* ---- files ---- */

static void
test_transfers (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1, "WORKER w TRANSFER INPUT a file with  blanks 17089 77 1700000000000100");
  say (run, 2, "WORKER w TRANSFER OUTPUT out 5 10 1700000000000200");
  say (run, 3, "WORKER w CACHE_UPDATE file-rnd-x 48 10556 1700000000000300");
  say (run, 4, "WORKER w CACHE_UPDATE never 48 0 0");
  say (run, 5, "WORKER w CACHE_UPDATE underflow 48 99999999999999999 1700000000000300");
  say (run, 6, "WORKER w TRANSFER INPUT \xff 1 1 1700000000000400");
  say (run, 7, "WORKER nobody TRANSFER INPUT a 1 1 1700000000000400");
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  g_assert_cmpuint (rows_count (run->recording, "transfers"), ==, 6);
  assert_row (run->recording, "transfers", 0,
              "worker=w name=a file with  blanks direction=in bytes=17089 started=1700000000000100 "
              "ended=1700000000000177");
  assert_row (run->recording, "transfers", 1,
              "worker=w name=out direction=out bytes=5 started=1700000000000200 ended=1700000000000210");
  assert_row (run->recording, "transfers", 2,
              "worker=w name=file-rnd-x direction=cached bytes=48 started=1700000000000300 ended=1700000000010856");
  assert_row (run->recording, "transfers", 3, "worker=w name=never direction=cached bytes=48");
  assert_row (run->recording, "transfers", 4, "worker=w name=underflow direction=cached bytes=48");
  assert_row (run->recording, "transfers", 5,
              "worker=w name=\xef\xbf\xbd direction=in bytes=1 started=1700000000000400 ended=1700000000000401");
}

static void
test_no_transfers (void)
{
  Run run = { 0 };

  open_with (&run, 1000, FALSE);
  say (&run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (&run, 1, "WORKER w TRANSFER INPUT a 17089 77 1700000000000100");
  say (&run, 2, "WORKER w TRANSFER INPUT a 17089 77");
  g_assert_cmpuint (rows_count (run.recording, "transfers"), ==, 0);
  g_assert_cmpuint (get_counts (&run).unusable, ==, 1);
  tear_down (&run, NULL);
}

/* ---- attempts that are not the last ---- */

static void
test_lost (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 5000, "WORKER w DISCONNECTION FAILURE");
  say (run, 5001, "TASK 1 READY p FIRST_RESOURCES 2 {}");
  finish (run);
  g_assert_cmpuint (get_counts (run).tasks.submitted, ==, 1);
  g_assert_cmpuint (get_counts (run).tasks.attempts, ==, 2);
  g_assert_cmpuint (get_counts (run).tasks.lost, ==, 1);
  assert_row (run->recording, "tasks", 0,
              "task=1 attempt=1 category=p worker=w submitted=1700000001000000 dispatched=1700000001900000 "
              "delivered=1700000002000000 ended=1700000005000000 status=lost error=FAILURE cores=2 bytes_in=2097152 "
              "cores_requested=2 cores_allocated=2 memory_allocated=104857600");
  assert_row (run->recording, "tasks", 1, "task=1 attempt=2 category=p submitted=1700000005001000 status=waiting");
  /* Two cores for 3 s. */
  assert_row (run->recording, "activities", 0,
              "time=1700000005001000 worker=w context=execute category=p activity=lost unit=seconds value=6");
}

/* A task that was given too little is retried with all resources of a worker. The log may lack the result. */
static void
test_retry (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 5000, "TASK 1 WAITING_RETRIEVAL w ");
  say (run, 5001, "TASK 1 RETRIEVED RESOURCE_EXHAUSTION  0  {\"memory\":[60,\"MB\"]} " MEASURED);
  say (run, 5002, "TASK 1 READY p MAX_RESOURCES 2 {}");
  say (run, 6000, "TASK 1 RUNNING w  MAX_RESOURCES {}");
  say (run, 7000, "TASK 1 WAITING_RETRIEVAL w ");
  say (run, 7001, "TASK 1 READY p MAX_RESOURCES 3 {}");
  say (run, 8000, "TASK 1 RUNNING w  MAX_RESOURCES {}");
  /* Given back: the number may stay the same. */
  say (run, 9000, "TASK 1 READY p FIRST_RESOURCES 3 {}");
  /* Put back before a worker had it. */
  say (run, 9500, "TASK 1 READY p FIRST_RESOURCES 3 {}");
  finish (run);
  g_assert_cmpuint (get_counts (run).tasks.attempts, ==, 5);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 4);
  assert_row (run->recording, "tasks", 0,
              "task=1 attempt=1 category=p worker=w submitted=1700000001000000 dispatched=1700000001900000 "
              "delivered=1700000002000000 started=1700000002500000 ended=1700000004500000 noticed=1700000005000000 "
              "fetched=1700000004751000 retrieved=1700000005001000 status=exhausted exit_code=0 "
              "error=RESOURCE_EXHAUSTION cpu=3 "
              "cores=2 memory_peak=52428800 bytes_in=2097152 bytes_out=3145728 cores_requested=2 cores_allocated=2 "
              "memory_allocated=104857600");
  assert_row (run->recording, "tasks", 1,
              "task=1 attempt=2 category=p worker=w submitted=1700000005002000 dispatched=1700000006000000 "
              "delivered=1700000006000000 ended=1700000007000000 noticed=1700000007000000 status=exhausted "
              "error=allocation too small");
  assert_row (run->recording, "tasks", 2,
              "task=1 attempt=3 category=p worker=w submitted=1700000007001000 dispatched=1700000008000000 "
              "delivered=1700000008000000 ended=1700000009000000 status=lost error=given back");
  assert_row (run->recording, "tasks", 3, "task=1 attempt=4 category=p submitted=1700000009000000 status=waiting");
}

/* What a task asked for last counts, if it was put back before a worker had it. */
static void
test_put_back (Run *run, gconstpointer data)
{
  say (run, 1000, READY);
  say (run, 1500,
       "TASK 1 READY p FIRST_RESOURCES 3 {\"cores\":[3,\"cores\"],\"memory\":[7,\"MB\"],\"gpus\":[1,\"gpus\"]}");
  say (run, 1600,
       "TASK 1 READY p FIRST_RESOURCES 2 {\"cores\":[3,\"cores\"],\"memory\":[7,\"MB\"],\"gpus\":[1,\"gpus\"]}");
  finish (run);
  g_assert_cmpuint (get_counts (run).tasks.submitted, ==, 1);
  g_assert_cmpuint (get_counts (run).tasks.attempts, ==, 3);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 1);
  assert_row (run->recording, "tasks", 0,
              "task=1 attempt=3 category=p submitted=1700000001000000 status=waiting cores_requested=3 "
              "memory_requested=7340032 gpus_requested=1");
}

/* A task that is done and waits again stays done until a worker has it: as when its output was lost with a worker. */
static void
test_again (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 5000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  say (run, 6000, "TASK 1 READY p FIRST_RESOURCES 2 {}");
  vine_replay_flush (run->replay);
  g_assert_cmpuint (rows_count (run->recording, "task_totals"), ==, 1);
  assert_row (run->recording, "task_totals", 0,
              "time=1700000006000000 category=p status=done tasks=1 retried=0 attempts=1");
}

/* A task that needs more than it got waits for another attempt: it has not failed. */
static void
test_exhausted_again (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 5000, "TASK 1 RETRIEVED RESOURCE_EXHAUSTION  -1  {} " MEASURED);
  say (run, 6000, "TASK 1 READY p MAX_RESOURCES 2 {}");
  vine_replay_flush (run->replay);
  assert_row (run->recording, "task_totals", 0,
              "time=1700000006000000 category=p status=exhausted tasks=0 retried=0 attempts=1");
  assert_row (run->recording, "task_totals", 1,
              "time=1700000006000000 category=p status=waiting tasks=1 retried=0 attempts=0");
}

static void
run_maker (Run *run, int task, const char *worker, int second, const char *file)
{
  const struct
  {
    int ms;
    char *text;
  } records[] = {
    { 0, g_strdup_printf ("TASK %d READY p FIRST_RESOURCES 1 {\"cores\":[1,\"cores\"]}", task) },
    { 1, g_strdup_printf ("TASK %d RUNNING %s  FIRST_RESOURCES {\"cores\":[1,\"cores\"]}", task, worker) },
    { 600, g_strdup_printf ("WORKER %s CACHE_UPDATE %s 1000 400000 %d002345", worker, file, 1700000000 + second) },
    { 601, g_strdup_printf ("WORKER %s CACHE_UPDATE %s-b 1000 400000 %d002345", worker, file, 1700000000 + second) },
    { 602, g_strdup_printf ("TASK %d WAITING_RETRIEVAL %s ", task, worker) },
    { 603, g_strdup_printf ("TASK %d RETRIEVED SUCCESS  0  {} {\"time_worker_start\":[%d.002345,\"s\"],"
                            "\"time_worker_end\":[%d.502345,\"s\"]}",
                            task, 1700000000 + second, 1700000000 + second) },
    { 604, g_strdup_printf ("TASK %d DONE SUCCESS  0 ", task) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (records); i++)
    {
      say (run, second * 1000 + records[i].ms, records[i].text);
      g_free (records[i].text);
    }
}

/* A worker leaves with a task's temporary files, twice: TaskVine submits a copy of the task each time. What the program
 * submits after that, or while the files are there, is no copy, though it makes a file of the same name. */
static void
test_recovered (Run *run, gconstpointer data)
{
  say (run, 0, "MANAGER 42 START 0");
  say (run, 500, "WORKER w CONNECTION 10.0.0.1:5");
  run_maker (run, 1, "w", 1, "temp-a");
  run_maker (run, 2, "w", 2, "temp-c");
  say (run, 3000, "WORKER w DISCONNECTION FAILURE");
  say (run, 3500, "WORKER v CONNECTION 10.0.0.1:6");
  run_maker (run, 7, "v", 4, "temp-a");
  say (run, 5000, "WORKER v DISCONNECTION FAILURE");
  say (run, 5500, "WORKER u CONNECTION 10.0.0.1:7");
  run_maker (run, 8, "u", 6, "temp-a");
  run_maker (run, 9, "u", 7, "file-d");
  vine_replay_flush (run->replay);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *repeats = rows_show_cell (run->recording, "tasks", i, "repeats");

      g_assert_cmpstr (repeats, ==, i == 2 || i == 3 ? "1" : NULL);
    }
  assert_row (run->recording, "task_totals", 0,
              "time=1700000007604000 category=p status=done tasks=3 retried=1 attempts=5");
}

/* A task that is given back again and again, with one number in the log. */
static void
test_many_attempts (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  for (guint i = 0; i < 300; i++)
    {
      say (run, i, READY);
      say (run, i, RUNNING);
    }
  finish (run);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 300);
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i + 1);

      assert_cell (run->recording, "tasks", i, "attempt", number);
    }
  g_assert_cmpuint (get_counts (run).tasks.given_back, ==, 299);
}

/* Results are words of 63 capital letters and underscores at most. */
static void
test_results (Run *run, gconstpointer data)
{
  g_autofree char *letters = g_strnfill (64, 'R');
  g_autofree char *good = g_strdup_printf ("TASK 1 DONE %.63s  0 ", letters);
  g_autofree char *bad = g_strdup_printf ("TASK 1 DONE %s  0 ", letters);

  say_given (run);
  say (run, 3000, bad);
  say (run, 3000, "TASK 1 DONE 1UCCESS  0 ");
  say (run, 3000, "TASK 1 DONE SUCCESs  0 ");
  g_assert_cmpuint (get_counts (run).unusable, ==, 3);
  say (run, 3000, good);
  g_assert_cmpuint (get_counts (run).unusable, ==, 3);
  g_assert_cmpuint (get_counts (run).tasks.returned, ==, 1);
}

/* Records of a worker, or that a task is ready, are missing. */
static void
test_gaps (Run *run, gconstpointer data)
{
  say (run, 0, "TASK 1 READY p FIRST_RESOURCES 1 {}");
  say (run, 1, "TASK 1 RUNNING FIRST_RESOURCES {}");
  say (run, 2, "TASK 1 WAITING_RETRIEVAL ");
  say (run, 3, "TASK 1 DONE SUCCESS  0 ");
  say (run, 4, "TASK 2 RUNNING stranger  FIRST_RESOURCES {}");
  say (run, 5, "TASK 2 DONE SUCCESS  0 ");
  say (run, 6, "TASK 3 RETRIEVED SUCCESS  0  {} {" TIMES "}");
  say (run, 7, "TASK 3 DONE SUCCESS  0 ");
  say (run, 8, "TASK 4 WAITING_RETRIEVAL w");
  say (run, 9, "TASK 5 DONE SUCCESS  0 ");
  say (run, 10, "TASK 6 RETRIEVED SUCCESS  0  {} {}");
  say (run, 11, "TASK 6 RUNNING stranger  FIRST_RESOURCES {}");
  say (run, 12, "TASK 7 RETRIEVED SUCCESS  0  {} {}");
  finish (run);
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 6);
  assert_row (run->recording, "tasks", 0,
              "task=1 attempt=1 category=p submitted=1700000000000000 dispatched=1700000000001000 "
              "delivered=1700000000001000 "
              "noticed=1700000000002000 returned=1700000000003000 status=done exit_code=0");
  assert_row (run->recording, "tasks", 1,
              "task=2 attempt=1 category=(unknown) dispatched=1700000000004000 delivered=1700000000004000 "
              "returned=1700000000005000 status=done "
              "exit_code=0");
  assert_cell (run->recording, "tasks", 2, "returned", "1700000000007000");
  assert_row (run->recording, "tasks", 3,
              "task=6 attempt=1 category=(unknown) retrieved=1700000000010000 status=done exit_code=0");
  assert_cell (run->recording, "tasks", 4, "attempt", "2");
  assert_row (run->recording, "tasks", 5,
              "task=7 attempt=1 category=(unknown) retrieved=1700000000012000 status=done exit_code=0");
}

/* ---- clocks ---- */

static void
check_skew (const char *times, const char *started, const char *ended, const char *skew)
{
  Run run = { 0 };
  g_autofree char *retrieved = g_strdup_printf ("TASK 1 RETRIEVED SUCCESS  0  {} %s", times);

  set_up (&run, NULL);
  say_given (&run);
  say (&run, 5000, "TASK 1 WAITING_RETRIEVAL w ");
  say (&run, 6000, retrieved);
  say (&run, 7000, "TASK 1 DONE SUCCESS  0 ");
  finish (&run);
  assert_cell (run.recording, "tasks", 0, "started", started);
  assert_cell (run.recording, "tasks", 0, "ended", ended);
  g_assert_cmpfloat (get_counts (&run).tasks.execute, ==, 2);
  g_assert_true (rows_has_event (run.recording, "clock-skew", skew));
  tear_down (&run, NULL);
}

/* A worker's clock is behind, then ahead: a task starts after it was given and ends before the manager noticed. */
static void
test_skew (void)
{
  check_skew ("{\"time_worker_start\":[1699999902.5,\"s\"],\"time_worker_end\":[1699999904.5,\"s\"]}",
              "1700000001900000", "1700000003900000", "99.4 s");
  check_skew ("{\"time_worker_start\":[1700000102.5,\"s\"],\"time_worker_end\":[1700000104.5,\"s\"]}",
              "1700000003000000", "1700000005000000", "99.5 s");
}

/* A manager's clock is set forward by 100 s after a task, or not. The next one starts and ends by the
 * clock of its worker. */
static void
test_clock_set_forward (void)
{
  static const gint64 steps[] = { 100, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      gint64 later = 10000 + steps[i] * 1000;
      Run run = { 0 };

      set_up (&run, NULL);
      say_given (&run);
      say (&run, 5000, "TASK 1 WAITING_RETRIEVAL w ");
      say (&run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
      say (&run, 7000, "TASK 1 DONE SUCCESS  0 ");
      say (&run, later, "TASK 2 READY p FIRST_RESOURCES 1 {\"cores\":[2,\"cores\"]}");
      say (&run, later, "TASK 2 RUNNING w  FIRST_RESOURCES {\"cores\":[2,\"cores\"]}");
      say (&run, later + 3000, "TASK 2 WAITING_RETRIEVAL w ");
      say (&run, later + 3000,
           "TASK 2 RETRIEVED SUCCESS  0  {} "
           "{\"time_worker_start\":[1700000010.5,\"s\"],\"time_worker_end\":[1700000012.5,\"s\"]}");
      say (&run, later + 4000, "TASK 2 DONE SUCCESS  0 ");
      say (&run, later + 5000, "MANAGER 42 END 0");
      finish (&run);
      g_assert_true (rows_has_event (run.recording, "clock", "moved apart by 99.0 s") == (steps[i] > 0));
      assert_gap (&run, "workers", "left", steps[i] > 0 ? "a clock was set" : NULL);
      tear_down (&run, NULL);
    }
}

/* ---- libraries ---- */

/* A damaged log starts a library twice. Libraries are never counted as tasks. */
static void
test_library_twice (Run *run, gconstpointer data)
{
  static const char running[] = "TASK 7 RUNNING w FIRST_RESOURCES {\"cores\":[1,\"cores\"]}";

  say (run, 0, "MANAGER 42 START 0");
  say (run, 500, "WORKER w CONNECTION 10.0.0.1:5");
  for (guint i = 0; i < 2; i++)
    {
      say (run, 1000 * (i + 1), running);
      say (run, 1000 * (i + 1) + 100, "LIBRARY 7 STARTED w");
    }
  finish (run);
  g_assert_cmpuint (get_counts (run).tasks.libraries, ==, 2);
  g_assert_cmpuint (rows_count (run->recording, "task_totals"), ==, 0);
}

static void
test_library (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1000, "TASK 7 RUNNING w  FIRST_RESOURCES {\"cores\":[4,\"cores\"]}");
  say (run, 1001, "LIBRARY 7 SENT w");
  say (run, 2000, "LIBRARY 7 STARTED w");
  say (run, 3000, "TASK 8 RUNNING w  FIRST_RESOURCES {\"cores\":[4,\"cores\"]}");
  say (run, 3001, "LIBRARY 8 SENT w");
  say (run, 4000, "LIBRARY 8 FAILURE w");
  say (run, 5000, "TASK 7 RETRIEVED LIBRARY_EXIT  -1  {} {}");
  say (run, 5001, "TASK 7 DONE UNKNOWN  -1 ");
  say (run, 5002, "LIBRARY 99 STARTED w");
  say (run, 6000, "WORKER w DISCONNECTION EXPLICIT");
  finish (run);
  g_assert_cmpuint (get_counts (run).tasks.libraries, ==, 2);
  g_assert_cmpuint (get_counts (run).tasks.returned, ==, 0);
  g_assert_cmpuint (get_counts (run).tasks.lost, ==, 0);
  g_assert_cmpuint (get_counts (run).tasks.unfinished, ==, 0);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 0);
  g_assert_cmpuint (rows_count (run->recording, "activities"), ==, 0);
  g_assert_cmpuint (rows_count (run->recording, "libraries"), ==, 2);
  assert_row (run->recording, "libraries", 0,
              "library=7 worker=w sent=1700000001000000 ready=1700000002000000 ended=1700000005000000 "
              "status=failed result=LIBRARY_EXIT cores=4");
  assert_row (run->recording, "libraries", 1,
              "library=8 worker=w sent=1700000003000000 ended=1700000006000000 status=failed result=FAILURE cores=4");
  /* A library does not count as a task of its worker. */
  assert_cell (run->recording, "worker_samples", rows_count (run->recording, "worker_samples") - 1, "active_tasks",
               "0");
}

/* TaskVine of 2024 wrote a record LIBRARY … SENT for each call, and none for the library itself. */
static void
test_library_of_calls (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 500, "TASK 1 READY f FIRST_RESOURCES 1 {\"cores\":[0,\"cores\"]}");
  say (run, 1000, "TASK 7 RUNNING w  FIRST_RESOURCES {\"cores\":[4,\"cores\"]}");
  say (run, 1001, "LIBRARY 1 SENT w");
  say (run, 1001, "TASK 1 RUNNING w  FIRST_RESOURCES {\"cores\":[0,\"cores\"]}");
  say (run, 1002, "LIBRARY 7 STARTED w");
  say (run, 3000, "TASK 1 RETRIEVED SUCCESS  0  {} {}");
  say (run, 3001, "TASK 1 DONE SUCCESS  0 ");
  finish (run);
  g_assert_cmpuint (get_counts (run).tasks.libraries, ==, 1);
  g_assert_cmpuint (get_counts (run).tasks.calls, ==, 1);
  g_assert_cmpuint (rows_count (run->recording, "libraries"), ==, 1);
  assert_cell (run->recording, "libraries", 0, "calls", "1");
  assert_cell (run->recording, "tasks", 0, "status", "done");
}

/* A library starts with a fork, and is ready when a call that waited for it starts. */
static void
test_library_ready (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 500, "TASK 1 READY f FIRST_RESOURCES 1 {\"cores\":[0,\"cores\"]}");
  say (run, 1000, "TASK 7 RUNNING w  FIRST_RESOURCES {\"cores\":[4,\"cores\"]}");
  say (run, 1001, "LIBRARY 7 SENT w");
  say (run, 1002, "LIBRARY 7 STARTED w");
  say (run, 1003, "TASK 1 RUNNING w  FIRST_RESOURCES {\"cores\":[0,\"cores\"]}");
  say (run, 6000,
       "TASK 1 RETRIEVED SUCCESS  0  {} "
       "{\"time_worker_start\":[1700000005,\"s\"],\"time_worker_end\":[1700000006,\"s\"]}");
  say (run, 6001, "TASK 1 DONE SUCCESS  0 ");
  say (run, 9000, "TASK 7 RETRIEVED LIBRARY_EXIT  -1  {} {}");
  say (run, 9001, "TASK 7 DONE CANCELLED  -1 ");
  finish (run);
  assert_cell (run->recording, "libraries", 0, "ready", "1700000005000000");
  /* The manager took it away. */
  assert_cell (run->recording, "libraries", 0, "status", "cancelled");
}

/* Work Queue, before TaskVine: addresses instead of names, no numbers of attempts, and no times of the worker. */
static void
test_work_queue (Run *run, gconstpointer data)
{
  say (run, 0, "MANAGER START");
  say (run, 1, "TASK 1 WAITING c FIRST_RESOURCES {\"cores\":[1,\"cores\"]}");
  say (run, 2, "WORKER worker-900030a7717f14b8c07fc27d5a929de6 10.0.0.1:5  CONNECTION");
  say (run, 3, "WORKER worker-900030a7717f14b8c07fc27d5a929de6 RESOURCES {\"cores\":[2,\"cores\"]}");
  say (run, 10, "TASK 1 RUNNING 10.0.0.1:5  FIRST_RESOURCES {\"cores\":[1,\"cores\"]}");
  say (run, 510, "TASK 1 WAITING_RETRIEVAL 10.0.0.1:5 ");
  say (run, 511, "TASK 1 RETRIEVED SUCCESS  0  {} {\"wq_input_time\":[0.000119,\"s\"]}");
  say (run, 511, "TASK 1 DONE SUCCESS  0  {} {\"wq_input_time\":[0.000119,\"s\"]}");
  say (run, 512, "WORKER worker-900030a7717f14b8c07fc27d5a929de6 10.0.0.1:5  DISCONNECTION EXPLICIT");
  say (run, 513, "MANAGER END");
  finish (run);
  g_assert_cmpuint (rows_count (run->recording, "workers"), ==, 1);
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  assert_cell (run->recording, "tasks", 0, "status", "done");
  assert_cell (run->recording, "tasks", 0, "worker", "worker-900030a7717f14b8c07fc27d5a929de6");
  assert_cell (run->recording, "tasks", 0, "started", "1700000000010000");
  assert_cell (run->recording, "tasks", 0, "ended", "1700000000510000");
}

/* A library that ends takes its worker with it: the worker reports its end before it leaves. */
static void
test_library_ends_worker (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1000, "TASK 7 RUNNING w  FIRST_RESOURCES {\"cores\":[4,\"cores\"]}");
  say (run, 1001, "LIBRARY 7 SENT w");
  say (run, 2000, "LIBRARY 7 STARTED w");
  say (run, 5000, "TASK 7 WAITING_RETRIEVAL w ");
  say (run, 5000, "WORKER w DISCONNECTION FAILURE");
  say (run, 5001, "TASK 7 RETRIEVED LIBRARY_EXIT  -1  {} {}");
  say (run, 5002, "TASK 7 DONE UNKNOWN  -1 ");
  /* Nothing was reported of this one. */
  say (run, 5003, "WORKER v CONNECTION 10.0.0.1:6");
  say (run, 6000, "TASK 8 RUNNING v  FIRST_RESOURCES {\"cores\":[4,\"cores\"]}");
  say (run, 6001, "LIBRARY 8 SENT v");
  say (run, 7000, "LIBRARY 8 STARTED v");
  say (run, 8000, "WORKER v DISCONNECTION FAILURE");
  say (run, 8001, "TASK 8 RETRIEVED LIBRARY_EXIT  -1  {} {}");
  say (run, 8002, "TASK 8 DONE UNKNOWN  -1 ");
  finish (run);
  assert_row (run->recording, "libraries", 0,
              "library=7 worker=w sent=1700000001000000 ready=1700000002000000 ended=1700000005000000 status=failed "
              "result=LIBRARY_EXIT cores=4 calls=0");
  assert_row (run->recording, "libraries", 1,
              "library=8 worker=v sent=1700000006000000 ready=1700000007000000 ended=1700000008000000 status=lost "
              "result=LIBRARY_EXIT cores=4 calls=0");
}

#define CALL(number) "TASK " number " RUNNING w  FIRST_RESOURCES {\"cores\":[0,\"cores\"]}"
#define CALLED(from, to)                                                                                               \
  "SUCCESS  0  {} {\"time_worker_start\":[17000000" from ",\"s\"],\"time_worker_end\":[17000000" to ",\"s\"]}"

/* Two calls at a time in a library of one core have half a core each. One that waits for its library has none. */
static void
test_calls (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  for (guint i = 1; i <= 4; i++)
    {
      g_autofree char *ready = g_strdup_printf ("TASK %u READY f FIRST_RESOURCES 1 {\"cores\":[0,\"cores\"]}", i);

      say (run, 1, ready);
    }
  say (run, 1000, "TASK 7 RUNNING w  FIRST_RESOURCES {\"cores\":[1,\"cores\"]}");
  say (run, 1000, "LIBRARY 7 SENT w");
  say (run, 2000, CALL ("1"));
  say (run, 4000, "LIBRARY 7 STARTED w");
  say (run, 4000, CALL ("2"));
  say (run, 6000, "TASK 1 WAITING_RETRIEVAL w ");
  say (run, 6000, "TASK 1 RETRIEVED " CALLED ("04", "06"));
  say (run, 8000, "TASK 2 WAITING_RETRIEVAL w ");
  say (run, 8000, "TASK 2 RETRIEVED " CALLED ("04", "08"));
  say (run, 8000, CALL ("3"));
  say (run, 9000, "TASK 3 WAITING_RETRIEVAL w ");
  say (run, 9000, "TASK 3 RETRIEVED " CALLED ("08", "09"));
  say (run, 9000, CALL ("4"));
  say (run, 10000, "WORKER w DISCONNECTION FAILURE");
  finish (run);
  assert_cell (run->recording, "tasks", 0, "cores", "0.5");
  assert_cell (run->recording, "tasks", 1, "cores", "0.75");
  assert_cell (run->recording, "tasks", 2, "cores", "1");
  assert_cell (run->recording, "tasks", 3, "cores", "1");
  assert_row (run->recording, "activities", 0,
              "time=1700000010000000 worker=w context=execute category=f activity=unmeasured unit=seconds value=5");
  assert_row (run->recording, "activities", 1,
              "time=1700000010000000 worker=w context=execute category=f activity=lost unit=seconds value=1");
  assert_row (run->recording, "libraries", 0,
              "library=7 worker=w sent=1700000001000000 ready=1700000004000000 ended=1700000010000000 status=lost "
              "result=worker left cores=1 calls=3");
}

/* A library is ready later than its worker reports, unless a call waited, or came at once. */
static void
test_library_readiness (Run *run, gconstpointer data)
{
  static const struct
  {
    gint64 delivered; /* ms */
    const char *retrieved;
    gboolean is_known;
  } cases[] = {
    { 2000, "TASK 1 RETRIEVED " CALLED ("05", "06"), TRUE },
    { 1950, "TASK 1 RETRIEVED " CALLED ("02", "06"), TRUE },
    { 2050, "TASK 1 RETRIEVED " CALLED ("02.1", "06"), TRUE },
    { 2500, "TASK 1 RETRIEVED " CALLED ("02.55", "06"), FALSE },
    { 2500, "TASK 1 RETRIEVED UNKNOWN  0  {} {}", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run one = { 0 };

      set_up (&one, NULL);
      say (&one, 0, "WORKER w CONNECTION 10.0.0.1:5");
      say (&one, 1, "TASK 1 READY f FIRST_RESOURCES 1 {\"cores\":[0,\"cores\"]}");
      say (&one, 1000, "TASK 7 RUNNING w  FIRST_RESOURCES {\"cores\":[1,\"cores\"]}");
      say (&one, 1000, "LIBRARY 7 SENT w");
      say (&one, cases[i].delivered < 2000 ? cases[i].delivered : 2000,
           cases[i].delivered < 2000 ? CALL ("1") : "LIBRARY 7 STARTED w");
      say (&one, MAX (cases[i].delivered, 2000), cases[i].delivered < 2000 ? "LIBRARY 7 STARTED w" : CALL ("1"));
      say (&one, 6000, "TASK 1 WAITING_RETRIEVAL w ");
      say (&one, 6100, cases[i].retrieved);
      finish (&one);
      assert_gap (&one, "libraries", "ready", cases[i].is_known ? NULL : "ready later");
      tear_down (&one, NULL);
    }
}

/* Each library has the calls that ended while it served, also at a worker that served others before. */
static void
test_second_library (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  for (guint i = 1; i <= 3; i++)
    {
      g_autofree char *ready = g_strdup_printf ("TASK %u READY f FIRST_RESOURCES 1 {\"cores\":[0,\"cores\"]}", i);

      say (run, 1, ready);
    }
  say (run, 1000, "TASK 7 RUNNING w  FIRST_RESOURCES {\"cores\":[1,\"cores\"]}");
  say (run, 1000, "LIBRARY 7 SENT w");
  say (run, 2000, "LIBRARY 7 STARTED w");
  say (run, 2000, CALL ("1"));
  say (run, 3000, "TASK 1 WAITING_RETRIEVAL w ");
  say (run, 3000, "TASK 1 RETRIEVED " CALLED ("02", "03"));
  say (run, 4000, "TASK 7 RETRIEVED LIBRARY_EXIT  -1  {} {}");
  say (run, 4001, "TASK 7 DONE UNKNOWN  -1 ");
  say (run, 5000, "TASK 8 RUNNING w  FIRST_RESOURCES {\"cores\":[1,\"cores\"]}");
  say (run, 5000, "LIBRARY 8 SENT w");
  say (run, 6000, "LIBRARY 8 STARTED w");
  say (run, 6000, CALL ("2"));
  say (run, 7000, "TASK 2 WAITING_RETRIEVAL w ");
  say (run, 7000, "TASK 2 RETRIEVED " CALLED ("06", "07"));
  say (run, 7000, CALL ("3"));
  say (run, 8000, "TASK 3 WAITING_RETRIEVAL w ");
  say (run, 8000, "TASK 3 RETRIEVED " CALLED ("07", "08"));
  say (run, 9000, "WORKER w DISCONNECTION FAILURE");
  finish (run);
  assert_cell (run->recording, "libraries", 0, "library", "7");
  assert_cell (run->recording, "libraries", 0, "calls", "1");
  assert_cell (run->recording, "libraries", 1, "library", "8");
  assert_cell (run->recording, "libraries", 1, "calls", "2");
  assert_cell (run->recording, "tasks", 2, "cores", "1");
}

/* Without a LIBRARY record, the result identifies a library. */
static void
test_library_unnamed (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1000, "TASK 7 RUNNING w  FIRST_RESOURCES {\"cores\":[4,\"cores\"]}");
  say (run, 5000, "TASK 7 RETRIEVED LIBRARY_EXIT  -1  {} {}");
  say (run, 5001, "TASK 7 DONE UNKNOWN  -1 ");
  vine_replay_flush (run->replay);
  g_assert_cmpuint (get_counts (run).tasks.libraries, ==, 1);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 0);
  assert_row (run->recording, "worker_samples", rows_count (run->recording, "worker_samples") - 1,
              "time=1700000005000000 worker=w active_tasks=0 executing_tasks=0 cores_committed=0 memory_committed=0");
}

/* A library whose worker is unknown, and one whose worker had left before. */
static void
test_library_without_worker (Run *run, gconstpointer data)
{
  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1000, "WORKER w DISCONNECTION FAILURE");
  say (run, 2000, "TASK 7 RUNNING stranger  FIRST_RESOURCES {\"cores\":[4,\"cores\"]}");
  say (run, 2001, "LIBRARY 7 STARTED stranger");
  say (run, 3000, "TASK 8 RUNNING w  FIRST_RESOURCES {\"cores\":[2,\"cores\"]}");
  say (run, 3001, "LIBRARY 8 STARTED w");
  say (run, 4000, "MANAGER 42 END 0");
  finish (run);
  g_assert_cmpuint (get_counts (run).tasks.libraries, ==, 2);
  g_assert_cmpuint (get_counts (run).tasks.unfinished, ==, 0);
  assert_row (run->recording, "libraries", 0,
              "library=7 sent=1700000002000000 ready=1700000002001000 status=unfinished result=running cores=4");
  assert_row (run->recording, "libraries", 1,
              "library=8 worker=w sent=1700000003000000 ready=1700000003001000 status=unfinished result=running "
              "cores=2");
}

/* ---- what the application says ---- */

static void
test_spans (Run *run, gconstpointer data)
{
  say (run, 0, "MANAGER 42 START 0");
  say (run, 1000, READY);
  say (run, 2000, "APPLICATION stage-two");
  say (run, 3000, "TASK 2 READY p FIRST_RESOURCES 1 {}");
  say (run, 4000, "APPLICATION  many words, and  blanks");
  say (run, 5000, "TASK 3 READY p FIRST_RESOURCES 1 {}");
  say (run, 6000, "APPLICATION");
  say (run, 7000, "MANAGER 42 END 7000000");
  finish (run);
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  assert_row (run->recording, "spans", 0,
              "span=run name=manager 42 kind=default started=1700000000000000 ended=1700000007000000");
  assert_row (run->recording, "spans", 1,
              "span=application-1 name=stage-two kind=native parent=run started=1700000002000000 "
              "ended=1700000004000000");
  assert_row (run->recording, "spans", 2,
              "span=application-2 name=many words, and  blanks kind=native parent=run started=1700000004000000 "
              "ended=1700000006000000");
  assert_cell (run->recording, "spans", 3, "ended", "1700000007000000");
  assert_cell (run->recording, "tasks", 0, "span", NULL);
  assert_cell (run->recording, "tasks", 1, "span", "application-1");
  assert_cell (run->recording, "tasks", 2, "span", "application-2");
}

static void
test_many_spans (Run *run, gconstpointer data)
{
  for (guint i = 0; i < 10005; i++)
    say (run, i, "APPLICATION again");
  finish (run);
  g_assert_cmpuint (rows_count (run->recording, "spans"), ==, 10000);
  g_assert_true (rows_has_event (run->recording, "spans", "5 further APPLICATION records"));
}

/* ---- counts, and the end ---- */

static void
test_states (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 2500, "TASK 2 READY p FIRST_RESOURCES 1 {}");
  vine_replay_flush (run->replay);
  say (run, 6000, "TASK 1 RETRIEVED SUCCESS  1  {} " MEASURED);
  say (run, 7000, "TASK 1 DONE SUCCESS  1 ");
  vine_replay_flush (run->replay);
  vine_replay_flush (run->replay);
  g_assert_cmpuint (rows_count (run->recording, "category_states"), ==, 10);
  assert_row (run->recording, "category_states", 0, "time=1700000002500000 category=p state=queued tasks=1");
  assert_row (run->recording, "category_states", 1, "time=1700000002500000 category=p state=running tasks=1");
  assert_row (run->recording, "category_states", 5, "time=1700000007000000 category=p state=queued tasks=1");
  assert_row (run->recording, "category_states", 6, "time=1700000007000000 category=p state=running tasks=0");
  assert_row (run->recording, "category_states", 7, "time=1700000007000000 category=p state=done tasks=0");
  assert_row (run->recording, "category_states", 8, "time=1700000007000000 category=p state=failed tasks=1");
  assert_row (run->recording, "category_states", 9, "time=1700000007000000 category=p state=lost tasks=0");
}

static void
test_no_rows (void)
{
  Run run = { 0 };

  open_with (&run, 0, TRUE);
  say_given (&run);
  say (&run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  say (&run, 7000, "TASK 1 DONE SUCCESS  0 ");
  finish (&run);
  g_assert_cmpuint (rows_count (run.recording, "tasks"), ==, 0);
  g_assert_cmpuint (rows_count (run.recording, "activities"), ==, 4);
  g_assert_cmpuint (get_counts (&run).tasks.returned, ==, 1);
  /* Rows were switched off, so there is no warning. */
  g_assert_cmpuint (rows_count_with (run.recording, "events", "kind", "frames-dropped"), ==, 0);
  tear_down (&run, NULL);
}

/* The log ends, or the measurement does. */
static void
check_open (gboolean goes_on, const char *reason)
{
  Run run = { 0 };

  set_up (&run, NULL);
  say_given (&run);
  vine_replay_finish (run.replay, NULL, goes_on ? 0 : -1);
  g_assert_cmpint (run.replay->times.ended, ==, -1);
  g_assert_cmpint (run.replay->times.last, ==, ZERO + 2000000);
  g_assert_cmpuint (get_counts (&run).tasks.unfinished, ==, 1);
  assert_cell (run.recording, "tasks", 0, "status", "running");
  assert_cell (run.recording, "tasks", 0, "ended", NULL);
  assert_cell (run.recording, "workers", 0, "leave_reason", reason);
  assert_cell (run.recording, "spans", 0, "ended", "1700000002000000");
  tear_down (&run, NULL);
}

static void
test_open (void)
{
  check_open (FALSE, "connected when the log ends");
  check_open (TRUE, "still connected");
}

static void
test_empty (Run *run, gconstpointer data)
{
  finish (run);
  g_assert_cmpint (run->replay->times.started, ==, -1);
  g_assert_cmpint (run->replay->times.last, ==, -1);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 0);
  g_assert_cmpuint (rows_count (run->recording, "spans"), ==, 0);
  g_assert_cmpuint (rows_count (run->recording, "events"), ==, 0);
}

/* One attempt took 2 s, another of the same category runs for minutes at a silent worker. A lost attempt is not
 * suspect. */
static void
check_suspects (gboolean leaves)
{
  Run run = { 0 };

  set_up (&run, NULL);
  say_given (&run);
  say (&run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  say (&run, 7000, "TASK 1 DONE SUCCESS  0 ");
  say (&run, 7001, "TASK 2 READY p FIRST_RESOURCES 1 {}");
  say (&run, 7002, "TASK 2 RUNNING w  FIRST_RESOURCES {}");
  if (leaves)
    say (&run, 8000, "WORKER w DISCONNECTION FAILURE");
  say (&run, 300000, "MANAGER 42 END 300000000");
  finish (&run);
  assert_cell (run.recording, "tasks", 1, "status", leaves ? "lost" : "unfinished");
  g_assert_true (rows_has_event (run.recording, "workers-silent", "1 attempt(s)") == !leaves);
  tear_down (&run, NULL);
}

static void
test_suspects (void)
{
  Run run = { 0 };

  check_suspects (FALSE);
  check_suspects (TRUE);
  /* It is unknown how long attempts of this category take. */
  set_up (&run, NULL);
  say_given (&run);
  say (&run, 300000, "MANAGER 42 END 300000000");
  finish (&run);
  g_assert_false (rows_has_event (run.recording, "workers-silent", ""));
  tear_down (&run, NULL);
}

/* Two managers start in one log. */
static void
test_shared (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 2001, "MANAGER 43 START 0");
  finish (run);
  g_assert_true (rows_has_event (run->recording, "shared-log", "run_info_path"));
}

/* A second manager starts after the end of the first one, and is killed. */
static void
test_appended (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 3000, "TASK 1 DONE UNKNOWN  -1 ");
  say (run, 4000, "MANAGER 42 END 0");
  say (run, 5000, "MANAGER 42 START 0");
  say (run, 6000, READY);
  finish (run);
  g_assert_true (rows_has_event (run->recording, "shared-log", "2 managers wrote this log, one after the other"));
  g_assert_false (rows_has_event (run->recording, "shared-log", "overwrote"));
  g_assert_cmpint (run->replay->times.ended, ==, -1);
  assert_gap (run, "tasks", NULL, "the same numbers");
}

/* Two managers number their tasks alike: a row has cells of one of them only. */
static void
test_duplicates (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 3000, "TASK 1 DONE UNKNOWN  -1 ");
  say (run, 4000, READY);
  say (run, 4001, RUNNING);
  say (run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  say (run, 7000, "TASK 1 DONE SUCCESS  0 ");
  finish (run);
  g_assert_cmpuint (rows_count (run->recording, "tasks"), ==, 2);
  assert_row (run->recording, "tasks", 0,
              "task=1 attempt=1 category=p worker=w submitted=1700000001000000 dispatched=1700000001900000 "
              "delivered=1700000002000000 returned=1700000003000000 status=failed error=UNKNOWN cores=2 "
              "bytes_in=2097152 cores_requested=2 cores_allocated=2 memory_allocated=104857600");
  assert_cell (run->recording, "tasks", 1, "attempt", "2");
  assert_cell (run->recording, "tasks", 1, "status", "done");
  g_assert_true (rows_has_event (run->recording, "shared-log", "run_info_path"));
}

/* A line that is lost makes a log contradict itself: that is not the work of another manager. */
static void
test_damaged (Run *run, gconstpointer data)
{
  say_given (run);
  say (run, 3000, "TASK 1 DO\x01");
  say (run, 4001, RUNNING);
  say (run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  finish (run);
  g_assert_false (rows_has_event (run->recording, "shared-log", ""));
  g_assert_true (rows_has_event (run->recording, "contradicting-records", "lines are missing"));
  g_assert_true (rows_has_event (run->recording, "unusable-lines", "1 of"));
}

/* The sums are compared with the manager's own, if the log has its end. */
static void
check_agreement (const char *row, gboolean agrees)
{
  static const char header[] = "# timestamp tasks_dispatched time_execute";
  Run run = { 0 };
  VinePerformance *performance = NULL;

  set_up (&run, NULL);
  performance = vine_performance_new (run.recording, "taskvine-1", 1);
  vine_performance_take_line (performance, header, strlen (header));
  vine_performance_take_line (performance, row, strlen (row));
  say_given (&run);
  say (&run, 6000, "TASK 1 RETRIEVED SUCCESS  0  {} " MEASURED);
  say (&run, 7000, "TASK 1 DONE SUCCESS  0 ");
  say (&run, 8000, "MANAGER 42 END 8000000");
  vine_replay_finish (run.replay, performance, -1);
  g_assert_true (rows_has_event (run.recording, "disagreement", "1 attempts and 2.00 s") == !agrees);
  vine_performance_free (performance);
  tear_down (&run, NULL);
}

static void
test_agreement (void)
{
  check_agreement ("1700000008000000 1 2000000", TRUE);
  check_agreement ("1700000008000000 1 2019000", TRUE);
  check_agreement ("1700000008000000 2 2000000", FALSE);
  check_agreement ("1700000008000000 1 2028000", TRUE);
  check_agreement ("1700000008000000 1 2035000", FALSE);
  check_agreement ("1700000008000000 1 2500000", FALSE);
}

/* ---- what is noted ---- */

/* One of each is enough for a note. */
static void
test_notes (void)
{
  Run run = { 0 };

  open_with (&run, 1, TRUE);
  say (&run, 0, "MANAGER 42 START 0");
  say (&run, 500, "WORKER w CONNECTION 10.0.0.1:5");
  for (guint i = 1; i <= 2; i++)
    {
      g_autofree char *ready = g_strdup_printf ("TASK %u READY p FIRST_RESOURCES 1 {}", i);
      g_autofree char *running =
          g_strdup_printf ("TASK %u RUNNING w  FIRST_RESOURCES {\"cores\":[%u,\"cores\"]}", i, i - 1);

      say (&run, 1000 * i, ready);
      say (&run, 1000 * i, running);
    }
  for (guint i = 1; i <= 2; i++)
    {
      g_autofree char *retrieved = g_strdup_printf ("TASK %u RETRIEVED SUCCESS  0  {} {" TIMES "}", i);
      g_autofree char *done = g_strdup_printf ("TASK %u DONE SUCCESS  0 ", i);

      say (&run, 5000 + i, retrieved);
      say (&run, 6000 + i, done);
    }
  say (&run, 7000, "WORKER w CACHE_UPDATE url 48 1 1700000006000000");
  say (&run, 7000, "WORKER w WINKS");
  finish (&run);
  g_assert_true (rows_has_event (run.recording, "frames-dropped",
                                 "1 attempt has no row: the limit max-tasks=1 was exceeded."));
  g_assert_true (rows_has_event (run.recording, "coreless", "1 attempt was given no core"));
  /* Two attempts of 2 s, each on one core. */
  assert_row (run.recording, "activities", 0,
              "time=1700000007000000 worker=w context=execute category=p activity=unmeasured unit=seconds value=4");
  g_assert_true (rows_has_event (run.recording, "transfers-untimed", "(1 files)"));
  g_assert_true (rows_has_event (run.recording, "transfers-cut", "under way when the log ends"));
  g_assert_true (rows_has_event (run.recording, "unknown-records", "1 records of unknown kinds"));
  g_assert_false (rows_has_event (run.recording, "clock-skew", ""));
  g_assert_false (rows_has_event (run.recording, "shared-log", ""));
  g_assert_false (rows_has_event (run.recording, "unusable-lines", ""));
  g_assert_false (rows_has_event (run.recording, "contradicting-records", ""));
  g_assert_false (rows_has_event (run.recording, "workers-silent", ""));
  g_assert_false (rows_has_event (run.recording, "resources-changed", ""));
  g_assert_false (rows_has_event (run.recording, "workers-unnamed", ""));
  g_assert_false (rows_has_event (run.recording, "spans", ""));
  tear_down (&run, NULL);
}

/* Clocks of machines may differ by a tenth of a second. */
static void
check_small_skew (const char *ended, gboolean is_noted)
{
  Run run = { 0 };
  g_autofree char *retrieved =
      g_strdup_printf ("TASK 1 RETRIEVED SUCCESS  0  {} {\"time_worker_start\":[1700000003,\"s\"],"
                       "\"time_worker_end\":[%s,\"s\"]}",
                       ended);

  set_up (&run, NULL);
  say_given (&run);
  say (&run, 5000, retrieved);
  finish (&run);
  g_assert_true (rows_has_event (run.recording, "clock-skew", "0.1 s") == is_noted);
  tear_down (&run, NULL);
}

static void
test_small_skew (void)
{
  check_small_skew ("1700000005.1", FALSE);
  check_small_skew ("1700000005.100001", TRUE);
}

/* Long lines and words are cut in notes. */
static void
test_long_words (Run *run, gconstpointer data)
{
  g_autofree char *line = g_strnfill (61, 'x');
  g_autofree char *word = g_strnfill (61, 'X');
  g_autofree char *record = g_strconcat (word, "Y something", NULL);
  g_autofree char *shown = g_strdup_printf ("line 1, “%.60s…”", line);
  g_autofree char *kind = g_strdup_printf ("“%.60s”", word);

  take (run, line);
  say (run, 0, record);
  finish (run);
  g_assert_true (rows_has_event (run->recording, "unusable-lines", shown));
  g_assert_true (rows_has_event (run->recording, "unknown-records", kind));
}

/* What is not known in a log with gaps does not contradict it. */
static void
test_other_manager (Run *run, gconstpointer data)
{
  say_given (run);
  take (run, "1700000003000000 43 TASK 2 READY p FIRST_RESOURCES 1 {}");
  finish (run);
  g_assert_true (rows_has_event (run->recording, "shared-log", "several managers"));
  g_assert_false (rows_has_event (run->recording, "contradicting-records", ""));
}

/* ---- times ---- */

/* Later than 2001 and before 2286; lines may end in CR and LF. */
static void
test_times (Run *run, gconstpointer data)
{
  static const struct
  {
    const char *line;
    gboolean is_good;
  } lines[] = {
    { "999999999999999 42 TASK 1 INITIAL", FALSE },     { "1000000000000000 42 TASK 1 INITIAL", TRUE },
    { "10000000000000000 42 TASK 1 INITIAL\r", TRUE },  { "10000000000000001 42 TASK 1 INITIAL", FALSE },
    { "1700000000000000 42 TASK 1 INITIAL\r", TRUE },   { "\r", TRUE },
    { "1700000000000000 42 TASK 1 INITIAL\r\r", TRUE }, { "1700000000000000 42\r", FALSE },
  };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      take (run, lines[i].line);
      n += lines[i].is_good ? 0 : 1;
      g_test_message ("%s", lines[i].line);
      g_assert_cmpuint (get_counts (run).unusable, ==, n);
    }
  g_assert_cmpuint (get_counts (run).lines, ==, G_N_ELEMENTS (lines));
  g_assert_cmpint (run->replay->times.first, ==, G_GINT64_CONSTANT (1000000000000000));
  g_assert_cmpint (run->replay->times.last, ==, G_GINT64_CONSTANT (10000000000000000));
}

/* A manager that died ends what is open, unless its log says that it ended. */
static void
check_died (gboolean ended)
{
  Run run = { 0 };

  set_up (&run, NULL);
  say_given (&run);
  if (ended)
    say (&run, 3000, "MANAGER 42 END 0");
  run.replay->times.died = ZERO + 9000000;
  finish (&run);
  assert_cell (run.recording, "workers", 0, "leave_reason", ended ? "manager ended" : "manager died");
  assert_cell (run.recording, "workers", 0, "left", ended ? "1700000003000000" : "1700000009000000");
  assert_cell (run.recording, "spans", 0, "ended", ended ? "1700000003000000" : "1700000009000000");
  tear_down (&run, NULL);
}

static void
test_died (void)
{
  check_died (FALSE);
  check_died (TRUE);
}

/* ---- categories ---- */

static void
test_category_records (Run *run, gconstpointer data)
{
  static const char *const bad[] = {
    "CATEGORY p MAX",         "CATEGORY p MAX {\"cores\":[1", "CATEGORY {}",
    "CATEGORY MAX {}",        "CATEGORY p FIXED {}",          "CATEGORY p SECOND FIXED {}",
    "CATEGORY FIRST FIXED {}"
  };

  say (run, 0,
       "CATEGORY two words MAX "
       "{\"cores\":[4,\"cores\"],\"memory\":[2,\"MB\"],\"disk\":[3,\"MB\"],\"gpus\":[1,\"gpus\"]}");
  say (run, 1,
       "CATEGORY p MIN {\"cores\":[1,\"cores\"],\"memory\":[4,\"MB\"],\"disk\":[5,\"MB\"],\"gpus\":[2,\"gpus\"]}");
  say (run, 2,
       "CATEGORY p FIRST FIXED "
       "{\"cores\":[2,\"cores\"],\"memory\":[6,\"MB\"],\"disk\":[7,\"MB\"],\"gpus\":[3,\"gpus\"]}");
  g_assert_cmpuint (get_counts (run).unusable, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      say (run, 3, bad[i]);
      g_test_message ("%s", bad[i]);
      g_assert_cmpuint (get_counts (run).unusable, ==, i + 1);
    }
  /* The records of a category make one row. */
  g_assert_cmpuint (rows_count (run->recording, "categories"), ==, 2);
  assert_row (run->recording, "categories", 0,
              "category=two words cores_max=4 memory_max=2097152 disk_max=3145728 gpus_max=1");
  assert_row (run->recording, "categories", 1,
              "category=p allocation=FIXED cores_min=1 memory_min=4194304 disk_min=5242880 gpus_min=2 cores_first=2 "
              "memory_first=6291456 disk_first=7340032 gpus_first=3");
}

/* Those after the ten thousandth are one, and names are cut. */
static void
test_many_categories (Run *run, gconstpointer data)
{
  g_autofree char *letters = g_strnfill (201, 'y');
  g_autofree char *cut = g_strndup (letters, 200);
  g_autofree char *first = g_strdup_printf ("TASK 1 READY %s FIRST_RESOURCES 1 {}", letters);

  say (run, 0, first);
  for (guint i = 2; i <= 10002; i++)
    {
      g_autofree char *ready = g_strdup_printf ("TASK %u READY c%u FIRST_RESOURCES 1 {}", i, i);

      say (run, i, ready);
    }
  vine_replay_flush (run->replay);
  g_assert_cmpuint (rows_count_with (run->recording, "task_totals", "category", cut), ==, 1);
  g_assert_cmpuint (rows_count_with (run->recording, "task_totals", "category", "c10000"), ==, 1);
  g_assert_cmpuint (rows_count_with (run->recording, "task_totals", "category", "c10001"), ==, 0);
  g_assert_cmpuint (rows_count_with (run->recording, "task_totals", "category", "(others)"), ==, 1);
}

/* ---- names of workers ---- */

static void
test_names (Run *run, gconstpointer data)
{
  static const struct
  {
    const char *name;
    gboolean is_good;
  } names[] = {
    { "worker-0123456789abcdef0123456789abcdef", TRUE },  { "worker-0123456789ABCDEF0123456789ABCDEF", TRUE },
    { "worker-0123456789abcdef0123456789abcde", FALSE },  { "worker-0123456789abcdef0123456789abcdef0", FALSE },
    { "worker_0123456789abcdef0123456789abcdef", FALSE }, { "worker-g123456789abcdef0123456789abcdef", FALSE },
    { "worker-0123456789abcdef0123456789abcdeg", FALSE },
  };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *running = g_strdup_printf ("TASK %u RUNNING %s", i + 1, names[i].name);

      say (run, i, running);
      n += names[i].is_good ? 1 : 0;
      g_test_message ("%s", names[i].name);
      g_assert_cmpuint (get_counts (run).workers.joined, ==, n);
      g_assert_cmpuint (get_counts (run).unusable, ==, i + 1 - n);
    }
}

/* Names of 200 bytes at most; an address has a port, and a host before it. */
static void
test_connections (Run *run, gconstpointer data)
{
  g_autofree char *name = g_strnfill (200, 'n');
  g_autofree char *good = g_strdup_printf ("WORKER %s CONNECTION [::1]:7", name);
  g_autofree char *bad = g_strdup_printf ("WORKER %sn CONNECTION [::1]:7", name);

  say (run, 0, good);
  say (run, 1, bad);
  say (run, 2, "WORKER w CONNECTION nowhere");
  finish (run);
  g_assert_cmpuint (get_counts (run).unusable, ==, 1);
  g_assert_cmpuint (rows_count (run->recording, "workers"), ==, 2);
  assert_cell (run->recording, "workers", 0, "name", "[::1]:7");
  assert_cell (run->recording, "workers", 0, "host", "[::1]");
  assert_cell (run->recording, "workers", 1, "name", "nowhere");
  assert_cell (run->recording, "workers", 1, "host", NULL);
}

static void
test_long_transfer_name (Run *run, gconstpointer data)
{
  g_autofree char *name = g_strnfill (201, 'n');
  g_autofree char *cut = g_strndup (name, 200);
  g_autofree char *record = g_strdup_printf ("WORKER w TRANSFER INPUT %s 1 2 1700000000000000", name);

  say (run, 0, "WORKER w CONNECTION 10.0.0.1:5");
  say (run, 1, record);
  assert_cell (run->recording, "transfers", 0, "name", cut);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/vine-replay/" name, Run, NULL, set_up, function, tear_down)
  ADD ("clock-set-back", test_clock_set_back);
  g_test_add_func ("/vine-replay/clock-set-forward", test_clock_set_forward);
  ADD ("clock-slewed", test_clock_slewed);
  ADD ("clock-damaged", test_clock_damaged);
  ADD ("row", test_row);
  ADD ("sums", test_sums);
  ADD ("totals", test_totals);
  ADD ("categories", test_categories);
  g_test_add_func ("/vine-replay/roles", test_roles);
  g_test_add_func ("/vine-replay/endings", test_endings);
  ADD ("unusable", test_unusable);
  ADD ("cancelled", test_cancelled);
  ADD ("cancelled-while-it-waited", test_cancelled_while_it_waited);
  ADD ("unnamed", test_unnamed);
  ADD ("memory-changes", test_memory_changes);
  ADD ("missing-records", test_missing_records);
  ADD ("resources-change", test_resources_change);
  ADD ("running-alone", test_running_alone);
  ADD ("unknown", test_unknown);
  ADD ("workers", test_workers);
  ADD ("hosts", test_hosts);
  ADD ("samples", test_samples);
  g_test_add_func ("/vine-replay/many-samples", test_many_samples);
  ADD ("many-workers", test_many_workers);
  ADD ("transfers", test_transfers);
  g_test_add_func ("/vine-replay/no-transfers", test_no_transfers);
  ADD ("lost", test_lost);
  ADD ("retry", test_retry);
  ADD ("put-back", test_put_back);
  ADD ("again", test_again);
  ADD ("exhausted-again", test_exhausted_again);
  ADD ("recovered", test_recovered);
  ADD ("many-attempts", test_many_attempts);
  ADD ("results", test_results);
  ADD ("gaps", test_gaps);
  g_test_add_func ("/vine-replay/skew", test_skew);
  ADD ("calls", test_calls);
  ADD ("second-library", test_second_library);
  ADD ("library-twice", test_library_twice);
  ADD ("library-readiness", test_library_readiness);
  ADD ("library", test_library);
  ADD ("library-unnamed", test_library_unnamed);
  ADD ("library-of-calls", test_library_of_calls);
  ADD ("library-ready", test_library_ready);
  ADD ("work-queue", test_work_queue);
  ADD ("library-ends-worker", test_library_ends_worker);
  ADD ("library-without-worker", test_library_without_worker);
  ADD ("spans", test_spans);
  ADD ("many-spans", test_many_spans);
  ADD ("states", test_states);
  g_test_add_func ("/vine-replay/no-rows", test_no_rows);
  g_test_add_func ("/vine-replay/open", test_open);
  ADD ("empty", test_empty);
  g_test_add_func ("/vine-replay/notes", test_notes);
  g_test_add_func ("/vine-replay/small-skew", test_small_skew);
  ADD ("long-words", test_long_words);
  ADD ("other-manager", test_other_manager);
  ADD ("times", test_times);
  g_test_add_func ("/vine-replay/died", test_died);
  ADD ("category-records", test_category_records);
  ADD ("many-categories", test_many_categories);
  ADD ("names", test_names);
  ADD ("connections", test_connections);
  ADD ("long-transfer-name", test_long_transfer_name);
  g_test_add_func ("/vine-replay/suspects", test_suspects);
  ADD ("shared", test_shared);
  ADD ("appended", test_appended);
  ADD ("duplicates", test_duplicates);
  ADD ("damaged", test_damaged);
  g_test_add_func ("/vine-replay/agreement", test_agreement);

  return g_test_run ();
}
