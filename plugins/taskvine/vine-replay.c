/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-replay.h"

#include <math.h>

#include "vine-note.h"

#define FIRST_TIME G_GINT64_CONSTANT (1000000000000000) /* earliest valid time, µs since the epoch: in 2001 */
#define LAST_TIME G_GINT64_CONSTANT (10000000000000000) /* latest valid time: in 2286; overwritten lines exceed it */
#define MAX_SHOWN 60                                    /* largest number of bytes of a line that a message shows */
#define MAX_SKEW (G_USEC_PER_SEC / 10)
#define MAX_DRIFT G_USEC_PER_SEC

static RoastTableWriter *
open_table (VineReplay *self, const char *table, const char *const *columns)
{
  RoastTableWriter *writer = roast_recording_write_table (self->recording, table, self->source, columns, NULL);

  if (writer != NULL)
    g_ptr_array_add (self->writers, writer);

  return writer;
}

static void
open_tables (VineReplay *self)
{
  self->writers = g_ptr_array_new_with_free_func (g_object_unref);
  self->category_states = open_table (self, ROAST_TABLE_CATEGORY_STATES, roast_category_states_columns);
  self->category_rows = open_table (self, ROAST_TABLE_CATEGORIES, roast_categories_columns);
  self->task_totals = open_table (self, ROAST_TABLE_TASK_TOTALS, roast_task_totals_columns);
  self->worker_rows = open_table (self, ROAST_TABLE_WORKERS, roast_workers_columns);
  self->worker_samples = open_table (self, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns);
  self->transfers = open_table (self, ROAST_TABLE_TRANSFERS, roast_transfers_columns);
  self->spans = open_table (self, ROAST_TABLE_SPANS, roast_spans_columns);
  self->activities = open_table (self, ROAST_TABLE_ACTIVITIES, roast_activities_columns);
  self->task_rows = open_table (self, ROAST_TABLE_TASKS, roast_tasks_columns);
  self->libraries = open_table (self, ROAST_TABLE_LIBRARIES, roast_libraries_columns);
}

VineReplay *
vine_replay_new (RoastRecording *recording, const char *source, const VineReplayOptions *options)
{
  VineReplay *self = g_new0 (VineReplay, 1);

  self->recording = g_object_ref (recording);
  self->source = g_strdup (source);
  self->options = *options;
  self->times = (VineTimes) { -1, -1, -1, -1, -1 };
  self->pid = -1;
  self->words = g_string_chunk_new (256);
  self->workers = g_ptr_array_new_with_free_func ((GDestroyNotify) vine_worker_free);
  self->names = g_hash_table_new (g_str_hash, g_str_equal);
  self->addresses = g_hash_table_new (g_str_hash, g_str_equal);
  self->changed = g_ptr_array_new ();
  vine_downsampler_init (&self->downsampler, options->interval);
  self->categories = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) vine_category_free);
  self->unknown.name = (char *) "(unknown)";
  self->attempts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->numbers = g_byte_array_new ();
  self->cells = vine_totals_new_cells ();
  self->files = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  open_tables (self);

  return self;
}

void
vine_replay_free (VineReplay *self)
{
  g_ptr_array_unref (self->writers);
  g_hash_table_unref (self->files);
  g_hash_table_unref (self->cells);
  g_byte_array_unref (self->numbers);
  g_hash_table_unref (self->attempts);
  g_hash_table_unref (self->categories);
  g_ptr_array_unref (self->changed);
  g_hash_table_unref (self->addresses);
  g_hash_table_unref (self->names);
  g_ptr_array_unref (self->workers);
  g_string_chunk_free (self->words);
  vine_clock_clear (&self->clock);
  g_object_unref (self->recording);
  g_free (self->source);
  g_free (self->first_unusable);
  g_free (self->first_unknown);
  g_free (self);
}

/* ---- lines ---- */

static void
count_unusable (VineReplay *self, VineToken line)
{
  self->counts.unusable++;
  if (self->first_unusable != NULL)
    return;
  line.length = MIN (line.length, MAX_SHOWN);
  self->first_unusable = vine_token_dup (line);
  self->first_unusable_line = self->counts.lines;
}

/* Count a record of a kind that this version of roast does not know. Returns FALSE if the word cannot be a kind: in an
 * overwritten line, another record may begin in the middle of a word. */
static gboolean
count_unknown (VineReplay *self, VineToken kind)
{
  for (gsize i = 0; i < kind.length; i++)
    if (!g_ascii_isupper (kind.start[i]) && kind.start[i] != '_')
      return FALSE;
  self->counts.unknown++;
  kind.length = MIN (kind.length, MAX_SHOWN);
  if (self->first_unknown == NULL)
    self->first_unknown = vine_token_dup (kind);

  return TRUE;
}

/* Parse ID STATE … in a record about a task or a library. */
static gboolean
take_task (VineReplay *self, VineToken rest, gboolean is_library)
{
  VineToken word, state;
  gint64 id;

  if (!vine_token_next (&rest, &word) || !vine_token_to_integer (word, &id) || !vine_token_next (&rest, &state))
    return FALSE;
  if (is_library)
    {
      vine_attempts_take_library (self, id, state);
      return TRUE;
    }
  /* Accept WAITING, too, which Work Queue and the first releases of TaskVine write instead of READY. */
  if (vine_token_equal (state, "READY") || vine_token_equal (state, "WAITING"))
    return vine_attempts_take_ready (self, id, rest);
  if (vine_token_equal (state, "RUNNING"))
    return vine_attempts_take_running (self, id, rest);
  if (vine_token_equal (state, "RETRIEVED"))
    return vine_attempts_take_retrieved (self, id, rest);
  if (vine_token_equal (state, "DONE"))
    return vine_attempts_take_done (self, id, rest);
  if (vine_token_equal (state, "WAITING_RETRIEVAL"))
    vine_attempts_take_executed (self, id);
  else if (!vine_token_equal (state, "INITIAL"))
    return count_unknown (self, state);

  return TRUE;
}

/* Parse NAME EVENT …. Work Queue writes NAME HOST:PORT EVENT …, where HOST:PORT is the address of the worker's
 * connection. */
static gboolean
take_worker (VineReplay *self, VineToken rest)
{
  VineToken name, event, address = { 0 };

  if (!vine_token_next (&rest, &name) || !vine_token_next (&rest, &event))
    return FALSE;
  if (memchr (event.start, ':', event.length) != NULL)
    {
      address = event;
      if (!vine_token_next (&rest, &event))
        return FALSE;
    }
  /* Skip a connection without a name. It belongs not to a worker, but to a client that requested the status or only
   * connected. */
  if (vine_token_equal (name, "(null)"))
    return TRUE;
  if (vine_token_equal (event, "TRANSFER") || vine_token_equal (event, "CACHE_UPDATE"))
    return vine_transfers_take (self, vine_workers_get (self, name), vine_token_equal (event, "CACHE_UPDATE"), rest);
  if (vine_token_equal (event, "RESOURCES"))
    return vine_workers_take_resources (self, name, rest);
  if (vine_token_equal (event, "CONNECTION"))
    return vine_workers_take_connection (self, name, address.length > 0 ? address : rest);
  if (vine_token_equal (event, "DISCONNECTION"))
    return vine_workers_take_disconnection (self, name, rest);

  return count_unknown (self, event);
}

/* Parse PID EVENT …. Work Queue writes only EVENT. */
static gboolean
take_manager (VineReplay *self, gint64 pid, VineToken rest)
{
  VineToken event;
  gint64 same;

  if (!vine_token_next (&rest, &event) || (vine_token_to_integer (event, &same) && !vine_token_next (&rest, &event)))
    return FALSE;
  if (vine_token_equal (event, "END"))
    {
      self->times.ended = self->now;
      return TRUE;
    }
  if (!vine_token_equal (event, "START"))
    return count_unknown (self, event);
  self->n_starts++;
  self->n_appended += vine_is_known (self->times.ended) ? 1 : 0;
  self->times.ended = -1;
  if (!vine_is_known (self->times.started))
    {
      self->times.started = self->now;
      vine_spans_start_manager (self, pid);
    }

  return TRUE;
}

static gboolean
take_record (VineReplay *self, gint64 pid, VineToken subject, VineToken rest)
{
  if (vine_token_equal (subject, "TASK"))
    return take_task (self, rest, FALSE);
  if (vine_token_equal (subject, "WORKER"))
    return take_worker (self, rest);
  if (vine_token_equal (subject, "LIBRARY"))
    return take_task (self, rest, TRUE);
  if (vine_token_equal (subject, "MANAGER"))
    return take_manager (self, pid, rest);
  if (vine_token_equal (subject, "CATEGORY"))
    return vine_categories_take (self, rest);
  if (!vine_token_equal (subject, "APPLICATION"))
    return count_unknown (self, subject);
  vine_spans_take_application (self, rest);

  return TRUE;
}

void
vine_replay_take_line (VineReplay *self, const char *line, gsize length)
{
  VineToken rest = { line, length };
  VineToken time, process, subject;
  gint64 when, pid;

  self->counts.lines++;
  if (length > 0 && line[length - 1] == '\r')
    rest.length = --length;
  if (length == 0 || *line == '#')
    return;
  if (!vine_token_next (&rest, &time) || !vine_token_to_integer (time, &when) || when < FIRST_TIME ||
      when > LAST_TIME || !vine_token_next (&rest, &process) || !vine_token_to_integer (process, &pid) ||
      !vine_token_next (&rest, &subject))
    {
      count_unusable (self, (VineToken) { line, length });
      return;
    }
  /* Correct times only if a single manager wrote the log, because the times of managers that share a log are mixed. */
  if (!self->has_other_pid && (self->pid < 0 || pid == self->pid))
    when = vine_clock_take (&self->clock, when);
  self->now = when;
  if (!vine_is_known (self->times.first))
    self->times.first = when;
  self->times.last = MAX (self->times.last, when);
  if (!take_record (self, pid, subject, rest))
    {
      count_unusable (self, (VineToken) { line, length });
    }
  else
    {
      self->has_other_pid |= self->pid >= 0 && pid != self->pid;
      self->pid = pid;
    }
  if (self->now >= self->due)
    vine_workers_flush (self);
}

void
vine_replay_flush (VineReplay *self)
{
  vine_workers_flush (self);
  vine_totals_write (self);
  vine_categories_write (self);
}

/* ---- the end ---- */

void
vine_replay_lose_rows (VineReplay *self, const char *reason)
{
  static const char *const tables[] = { ROAST_TABLE_TASKS, ROAST_TABLE_TASK_TOTALS, ROAST_TABLE_ACTIVITIES,
                                        ROAST_TABLE_LIBRARIES, ROAST_TABLE_WORKERS };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    vine_gap (self->recording, self->source, tables[i], NULL, ROAST_COVERAGE_STATE_PARTIAL, reason);
}

static void
lose_cells_of_workers (VineReplay *self, guint slot, const char *reason)
{
  vine_gap (self->recording, self->source, ROAST_TABLE_WORKERS, roast_workers_columns[slot],
            ROAST_COVERAGE_STATE_PARTIAL, reason);
}

#define NOTE(severity, kind, ...)                                                                                      \
  vine_note (self->recording, self->source, self->now, ROAST_SEVERITY_##severity, kind, __VA_ARGS__)

static void
note_lines (VineReplay *self)
{
  const VineAttemptCounts *counts = &self->counts.tasks;
  guint64 n_unnamed = self->counts.workers.unnamed;
  /* If managers share the log, a task number is reused, because each manager uses a number only once. Do not conclude
   * this from a log with unusable lines, in which the number itself may be wrong. */
  gboolean is_shared = self->n_starts > 1 || self->has_other_pid || (counts->reused > 0 && self->counts.unusable == 0);
  gboolean is_appended = self->n_appended > 0 && self->n_appended + 1 == self->n_starts && self->counts.unusable == 0;

  if (is_appended)
    NOTE (WARNING, "shared-log",
          "%u managers wrote this log, one after the other: the numbers are sums over all these managers",
          self->n_starts);
  else if (is_shared)
    NOTE (WARNING, "shared-log",
          "several managers overwrote each other's logs in this directory, because TaskVine names directories by the "
          "second: the numbers are sums over all these managers, without the lines that were lost. Create managers "
          "more than a second apart, or give each manager its own run_info_path");
  else if (self->counts.lines > 0 && !vine_is_known (self->times.started))
    NOTE (WARNING, "no-start", "the log does not begin with the start of its manager: earlier records are missing");
  if (self->counts.unusable > 0)
    NOTE (WARNING, "unusable-lines",
          "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " lines of the transactions log are unusable and left out (the "
          "first: line %" G_GUINT64_FORMAT ", “%s…”)",
          self->counts.unusable, self->counts.lines, self->first_unusable_line, self->first_unusable);
  if (!is_shared && counts->reused + counts->repeated > 0)
    NOTE (WARNING, "contradicting-records",
          "%" G_GUINT64_FORMAT " records contradict earlier records: lines are missing from the log",
          counts->reused + counts->repeated);
  if (is_shared || counts->reused + counts->repeated + self->counts.unusable + n_unnamed > 0)
    vine_replay_lose_rows (self, is_appended ? "several managers gave tasks the same numbers"
                                             : "lines of the log are unusable, or missing");
  else if (self->counts.lines > 0 && !vine_is_known (self->times.started))
    vine_replay_lose_rows (self, "the beginning of the log is missing");
  if (self->counts.unknown > 0)
    NOTE (INFO, "unknown-records",
          "%" G_GUINT64_FORMAT " records of unknown kinds are left out (the first: “%s”): this TaskVine is newer than "
          "roast",
          self->counts.unknown, self->first_unknown);
}

static void
note_tasks (VineReplay *self)
{
  const VineAttemptCounts *counts = &self->counts.tasks;

  if (counts->silent > 0)
    NOTE (WARNING, "workers-silent",
          "%" G_GUINT64_FORMAT " attempt(s) had run more than ten times as long as any other attempt of the same "
          "category when the log ended: the workers may have died without closing the connection. "
          "The time of these attempts counts as running",
          counts->silent);
  if (counts->left_out > 0 && self->options.tasks->max > 0)
    NOTE (WARNING, "frames-dropped",
          "%" G_GUINT64_FORMAT " attempt%s no row: the limit max-tasks=%" G_GUINT64_FORMAT
          " was exceeded. The seconds and bytes of each worker and category include these attempts",
          counts->left_out, counts->left_out == 1 ? " has" : "s have", self->options.tasks->max);
  if (counts->coreless > 0)
    NOTE (INFO, "coreless",
          "%" G_GUINT64_FORMAT " attempt%s given no core: each of these attempts counts as using one core",
          counts->coreless, counts->coreless == 1 ? " was" : "s were");
  if (counts->measured > 0)
    NOTE (INFO, "memory-sampled",
          "TaskVine's resource monitor takes a sample every few seconds: memory may have been higher between samples");
  if (counts->calls > 0)
    NOTE (INFO, "calls-may-raise",
          "TaskVine records a function call that raised an exception as a success: some of the %" G_GUINT64_FORMAT
          " calls that are done may have failed",
          counts->calls);
  if (counts->ready < counts->forked)
    vine_gap (self->recording, self->source, ROAST_TABLE_LIBRARIES, roast_libraries_columns[ROAST_LIBRARIES_READY],
              ROAST_COVERAGE_STATE_PARTIAL,
              "workers report a library as ready when they fork its process. Libraries for which no call waited may "
              "have been ready later");
  if (counts->noticed > 0)
    NOTE (INFO, "work-queue",
          "the log is from Work Queue, which does not record when a worker began and ended a task: %" G_GUINT64_FORMAT
          " attempts count from the time when the manager had sent them to the time when it noticed their end",
          counts->noticed);
  if (counts->skew > MAX_SKEW)
    NOTE (INFO, "clock-skew",
          "the clocks of workers differ from the manager's clock by up to %.1f s: start and end of tasks are shifted "
          "to fit, but the duration of tasks is exact",
          (double) counts->skew / G_USEC_PER_SEC);
}

static void
note_clock (VineReplay *self)
{
  gint64 sum;
  guint n = vine_clock_get_n_steps (&self->clock, &sum);

  if (n == 0 && self->counts.tasks.drift > MAX_DRIFT)
    NOTE (WARNING, "clock",
          "the clocks of the manager and a worker moved apart by %.1f s, because one of the two clocks was set. The "
          "time of the run and all core time may be wrong by this amount",
          (double) self->counts.tasks.drift / G_USEC_PER_SEC);
  if (n > 0)
    NOTE (WARNING, "clock",
          "the manager's clock was set back %u time(s), by %.1f s in total: later times of the log were moved forward "
          "by this amount. The run took longer than shown, because the pause of the log at each such moment is "
          "missing. Starts and ends of attempts that were under way may be wrong",
          n, (double) sum / G_USEC_PER_SEC);
  if (n > 0 || self->counts.tasks.drift > MAX_DRIFT)
    lose_cells_of_workers (self, ROAST_WORKERS_LEFT, "a clock was set while workers were connected");
}

static void
note_others (VineReplay *self)
{
  const VineWorkerCounts *counts = &self->counts.workers;

  if (counts->resized > 0)
    NOTE (WARNING, "resources-changed",
          "%" G_GUINT64_FORMAT " workers changed their cores or memory while they ran: the offered core time is "
          "computed from the first numbers",
          counts->resized);
  if (counts->has_other_cores)
    lose_cells_of_workers (self, ROAST_WORKERS_CORES,
                           "some workers changed their number of cores: the first number of each worker counts");
  if (counts->has_other_memory)
    lose_cells_of_workers (self, ROAST_WORKERS_MEMORY_LIMIT,
                           "some workers changed their memory: the first amount of each worker counts");
  if (counts->unnamed > 0)
    NOTE (WARNING, "workers-unnamed",
          "the connection of %" G_GUINT64_FORMAT
          " workers is missing from the log: these workers count from their first record",
          counts->unnamed);
  if (self->counts.spans > 0)
    NOTE (INFO, "spans", "%" G_GUINT64_FORMAT " further APPLICATION records have no span", self->counts.spans);
}

static void
note_transfers (VineReplay *self)
{
  const VineAttemptCounts *counts = &self->counts.tasks;

  if (self->counts.unusable > 0 || (!vine_is_known (self->times.ended) && counts->dispatched > 0))
    NOTE (INFO, "transfers-cut", "the log records a file only after its transfer: files %s are missing",
          self->counts.unusable > 0 ? "in unusable lines" : "under way when the log ends");
  if (self->counts.copied > 0)
    NOTE (INFO, "transfers-untimed",
          "only transfers between the executor and workers are counted: the time in which workers fetched files from "
          "each other or from other places was not recorded (%" G_GUINT64_FORMAT " files)",
          self->counts.copied);
}

/* Compare the sums of the log with the sums that the manager reports. For a complete log, they are equal. */
static void
compare (VineReplay *self, VinePerformance *performance)
{
  const VineAttemptCounts *counts = &self->counts.tasks;
  double dispatched = vine_performance_get (performance, "tasks_dispatched");
  double execute = vine_performance_get (performance, "time_execute") / G_USEC_PER_SEC;

  if (!vine_is_known (self->times.ended) || self->counts.unusable > 0 || isnan (dispatched) || isnan (execute))
    return;
  /* If workers gave attempts back, allow a difference in the execution time: the manager counts the time of these
   * attempts, but the log does not contain it. */
  if (fabs (dispatched - (double) counts->dispatched) < 0.5 &&
      (counts->given_back > 0 || fabs (execute - counts->execute) <= 0.01 * execute + 0.01))
    return;
  NOTE (WARNING, "disagreement",
        "the manager counted %.0f dispatched attempts and %.2f s of execution, but the manager's log has "
        "%" G_GUINT64_FORMAT " attempts and %.2f s",
        dispatched, execute, counts->dispatched, counts->execute);
  vine_replay_lose_rows (self,
                         "the manager counted more attempts, or other execution times, than the manager's log has");
}

void
vine_replay_finish (VineReplay *self, VinePerformance *performance, gint64 now)
{
  const char *reason = vine_is_known (self->times.ended)  ? "manager ended"
                       : vine_is_known (now)              ? "still connected"
                       : vine_is_known (self->times.died) ? "manager died"
                                                          : "connected when the log ends";
  gboolean is_cut = !vine_is_known (self->times.ended) && !vine_is_known (now) && !vine_is_known (self->times.died);
  gboolean is_any_connected = FALSE;

  self->now =
      vine_is_known (self->times.ended) ? self->times.ended : MAX (self->times.last, MAX (now, self->times.died));
  vine_attempts_finish (self);
  is_any_connected = vine_workers_finish (self, reason);
  vine_replay_flush (self);
  vine_spans_finish (self);
  note_lines (self);
  note_tasks (self);
  note_clock (self);
  if (is_cut && is_any_connected)
    lose_cells_of_workers (self, ROAST_WORKERS_LEFT, "some workers were still connected at the last record of the log");
  note_others (self);
  note_transfers (self);
  if (performance != NULL)
    compare (self, performance);
}
