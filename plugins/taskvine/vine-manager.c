/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-manager.h"

#include <string.h>

#include "vine-note.h"
#include "vine-status.h"

#define MAX_CLOCK_ERROR 60                  /* s; largest error of the clock of another machine */
#define CHECK_INTERVAL (2 * G_USEC_PER_SEC) /* µs between two searches of all processes; a search takes some ms */
#define FIRST_STATUS (2 * G_USEC_PER_SEC)   /* µs from a manager's start to the first request; spares short runs */
#define MANAGER_STEP (2 << 20)              /* bytes that are read at a time */
#define LOGGED "workers, attempts with every phase, transfers, libraries and the manager's own time"

static void on_status (const char *what, JsonArray *status, gpointer user_data);

static gboolean
is_local (VineManager *self)
{
  return self->pid != 0 || vine_discovery_is_in_use (self->transactions);
}

VineManager *
vine_manager_new (RoastRecording *recording, VineLogs *logs, const VineManagerOptions *options)
{
  VineManager *self = g_new0 (VineManager, 1);
  g_autofree char *address = NULL;
  guint16 port = 0;

  self->recording = g_object_ref (recording);
  self->options = *options;
  self->directory = g_strdup (logs->directory);
  self->pid = logs->pid;
  self->died = -1;
  self->transactions = g_steal_pointer (&logs->transactions);
  self->performance = g_steal_pointer (&logs->performance);
  address = g_utf8_make_valid (self->directory, -1);
  self->source = roast_recording_add_source (recording, "taskvine", address, NULL, NULL);
  self->replay = vine_replay_new (recording, self->source, &options->replay);
  self->statistics = vine_performance_new (recording, self->source, options->replay.interval);
  self->runs_here = is_local (self);
  /* Request the status only of a manager on this machine: if a manager runs on another machine, the same port may
   * belong to another program here. */
  if (options->status_interval > 0 && self->runs_here)
    port = vine_logs_read_port (logs);
  if (port != 0)
    self->poller = vine_status_poller_new ("127.0.0.1", port, options->status_interval, on_status, self);
  g_debug ("%s: logs in %s, pid %d", self->source, address, self->pid);

  return self;
}

void
vine_manager_free (VineManager *self)
{
  g_clear_pointer (&self->poller, vine_status_poller_stop);
  vine_replay_free (self->replay);
  vine_performance_free (self->statistics);
  vine_log_free (self->transactions);
  g_clear_pointer (&self->performance, vine_log_free);
  g_object_unref (self->recording);
  g_free (self->source);
  g_free (self->directory);
  g_free (self->version);
  g_free (self);
}

/* ---- reading ---- */

static void
take_transaction (const char *line, gsize length, gpointer user_data)
{
  vine_replay_take_line (((VineManager *) user_data)->replay, line, length);
}

static void
take_performance (const char *line, gsize length, gpointer user_data)
{
  vine_performance_take_line (((VineManager *) user_data)->statistics, line, length);
}

gboolean
vine_manager_read (VineManager *self, gsize bytes)
{
  VineLogState state;
  gboolean more = FALSE;

  if (self->finished)
    return FALSE;
  if (self->performance != NULL)
    more = vine_log_read (self->performance, bytes, take_performance, self) == VINE_LOG_MORE;
  state = vine_log_read (self->transactions, bytes, take_transaction, self);
  self->truncated = state == VINE_LOG_SHORTER;
  self->broken |= state == VINE_LOG_BROKEN;

  return more || state == VINE_LOG_MORE;
}

void
vine_manager_add_progress (VineManager *self, guint64 *read, guint64 *all)
{
  VineLog *logs[] = { self->transactions, self->performance };

  for (guint i = 0; i < G_N_ELEMENTS (logs) && logs[i] != NULL; i++)
    {
      *read += vine_log_get_offset (logs[i]);
      *all += MAX (vine_log_get_offset (logs[i]), (guint64) vine_log_get_status (logs[i]).st_size);
    }
}

void
vine_manager_flush (VineManager *self, gboolean with_sums)
{
  if (self->finished)
    return;
  vine_attempts_tell (self->replay, g_get_real_time ());
  if (with_sums)
    vine_replay_flush (self->replay);
  else
    vine_categories_write (self->replay);
}

/* ---- whether the manager is alive ---- */

static gboolean
has_ended (VineManager *self)
{
  return self->finished || self->broken || self->replay->times.ended >= 0;
}

static gboolean
is_alive (VineManager *self)
{
  double age =
      (double) g_get_real_time () / G_USEC_PER_SEC - (double) vine_log_get_status (self->transactions).st_mtim.tv_sec;
  /* Check the time of the last line in addition to the age of the file, because the file may be a new copy of an old
   * log. */
  double silence = (double) (g_get_real_time () - self->replay->times.last) / G_USEC_PER_SEC;

  if (has_ended (self))
    return FALSE;
  if (self->pid > 0)
    return vine_discovery_is_alive (self->pid);
  if (vine_discovery_is_in_use (self->transactions))
    return TRUE;
  /* A manager without a known process may run on another machine. Only new lines in the log show that such a manager is
   * alive, because the log has no heartbeat. */
  return self->pid == 0 && age >= 0 && age < self->options.quiet && silence < self->options.quiet + MAX_CLOCK_ERROR;
}

/* Return whether the manager may be alive. This function is cheaper than is_alive(), but it may return TRUE for up to
 * CHECK_INTERVAL after the end of the manager. */
static gboolean
may_be_alive (VineManager *self)
{
  guint64 lines = self->replay->counts.lines;
  gint64 now = g_get_monotonic_time ();
  gboolean grew = lines != self->lines;

  if (has_ended (self))
    return FALSE;
  self->lines = lines;
  /* If the pid is known, check at once, because this is cheap. */
  if (self->pid <= 0 && (grew || now < self->checked + CHECK_INTERVAL))
    return TRUE;
  self->checked = now;
  if (is_alive (self))
    return TRUE;
  if (self->pid > 0)
    self->died = g_get_real_time ();

  return FALSE;
}

/* ---- the end ---- */

#define NOTE(severity, kind, ...)                                                                                      \
  vine_note (self->recording, self->source, time, ROAST_SEVERITY_##severity, kind, __VA_ARGS__)

static void
note_files (VineManager *self, gint64 time)
{
  guint64 bad = vine_performance_get_n_bad (self->statistics);
  gsize torn = vine_log_get_torn (self->transactions);
  guint64 n_long = vine_log_get_n_long (self->transactions);

  if (torn > 0)
    NOTE (WARNING, "torn-line",
          "the transactions log ends in the middle of a line: %" G_GSIZE_FORMAT " bytes are left out", torn);
  if (n_long > 0)
    NOTE (WARNING, "unusable-lines",
          "%" G_GUINT64_FORMAT " lines of the transactions log exceed the size limit and are left out", n_long);
  if (bad > 0)
    NOTE (WARNING, "unusable-lines",
          "%" G_GUINT64_FORMAT " lines of the performance log are unusable: these lines are missing from the manager's "
          "own time and from the samples of the cluster",
          bad);
  if (self->performance == NULL)
    NOTE (WARNING, "no-performance-log",
          "the performance log cannot be read: the manager's own time and samples of the cluster are missing");
  if (vine_log_get_status (self->transactions).st_nlink == 0)
    NOTE (WARNING, "log-deleted", "the logs were deleted during the measurement: later records are missing");
  if (self->broken)
    NOTE (ERROR, "log-broken", "the transactions log can no longer be read: later records are missing");
}

static guint64
get_waiting (VineManager *self)
{
  return self->replay->counts.tasks.never_ran + self->replay->counts.tasks.waiting_again;
}

/* Report that a log lacks the record of the manager's end. This is normal if all tasks are done: Python does not delete
 * objects in global variables at exit, so a manager in a global variable never writes this record. */
static void
note_no_end (VineManager *self, const char *why, gint64 time)
{
  const VineAttemptCounts *counts = &self->replay->counts.tasks;

  if (counts->unfinished == 0 && get_waiting (self) == 0 && !self->truncated)
    NOTE (INFO, "interrupted",
          "the log does not record the end of the manager, but all submitted tasks are done. This is usual if the "
          "manager is in a global variable of a Python script");
  else
    NOTE (WARNING, "interrupted",
          "the log does not record the end of the manager (%s): %" G_GUINT64_FORMAT
          " attempts were under way and are unfinished, "
          "%" G_GUINT64_FORMAT " tasks were still waiting",
          why, counts->unfinished, get_waiting (self));
}

static void
note_end (VineManager *self, const char *why, gint64 time)
{
  const VineAttemptCounts *counts = &self->replay->counts.tasks;
  guint64 waiting = get_waiting (self);
  const char *were = waiting == 1 ? " was" : "s were";
  gboolean ended = self->replay->times.ended >= 0;

  if (self->replay->times.last < 0)
    NOTE (WARNING, "empty-log", "the transactions log has no records: is it a log of TaskVine?");
  else if (!ended && why != NULL)
    note_no_end (self, why, time);
  else if (counts->waiting_again > 0 && ended)
    NOTE (WARNING, "not-run",
          "%" G_GUINT64_FORMAT " task%s still waiting when the manager ended: %" G_GUINT64_FORMAT
          " never ran, and %" G_GUINT64_FORMAT " waited for another attempt",
          waiting, were, counts->never_ran, counts->waiting_again);
  else if (waiting > 0 && ended)
    NOTE (WARNING, "not-run", "%" G_GUINT64_FORMAT " task%s still waiting when the manager ended, and never ran",
          waiting, were);
  else if (waiting > 0)
    NOTE (INFO, "not-run", "%" G_GUINT64_FORMAT " task%s still waiting when the measurement was stopped", waiting,
          were);
}

static void
note_status (VineManager *self, gint64 time)
{
  const GError *error = self->poller != NULL ? self->poller->error : NULL;

  /* Ignore a refused connection, because it only means that the manager has ended. */
  if (error != NULL && self->poller->n_answers == 0 &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    NOTE (INFO, "status", "the manager's status is not available (%s): hosts of workers are unknown", error->message);
}

/* Describe the source. Do this at the end, because only then is it clear whether the resource monitor measured any
 * attempts. */
static void
manager_describe (VineManager *self, gint64 time)
{
  const VineAttemptCounts *counts = &self->replay->counts.tasks;
  gboolean measured = counts->measured > 0;
  const char *columns = vine_performance_get_version (self->statistics);
  g_autofree char *version =
      columns != NULL ? g_strconcat ("TaskVine ", columns, " (according to the columns of the log)", NULL) : NULL;
  g_autoptr (RoastTableWriter) writer = roast_sources_write (self->recording, self->source);

  if (writer == NULL)
    return;
  roast_table_writer_set_string (writer, ROAST_SOURCES_VERSION, self->version != NULL ? self->version : version);
  roast_table_writer_set_string (writer, ROAST_SOURCES_CAPABILITIES,
                                 measured ? LOGGED "; the resource monitor measured CPU time, memory and bytes of tasks"
                                          : LOGGED);
  roast_table_writer_set_word (writer, ROAST_SOURCES_ACTIVITIES, measured ? ROAST_COVERAGE_CPU : ROAST_COVERAGE_NONE);
  roast_table_writer_set_string (writer, ROAST_SOURCES_ACTIVITIES_MISSING,
                                 measured ? "the resource monitor measures CPU time, not activities"
                                          : "the resource monitor was off (enable_monitoring())");
  roast_table_writer_end (writer, NULL);
  if (self->late || self->broken)
    vine_replay_lose_rows (self->replay,
                           self->late ? "the log was not read up to its end" : "the log cannot be read up to its end");
  if (measured && counts->unmeasured > 0)
    NOTE (INFO, "partly-measured",
          "the resource monitor measured %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
          " attempts: the time of the other attempts counts as neither computing nor waiting",
          counts->measured, counts->measured + counts->unmeasured);
}

/* Return when the process of the manager ended, as its parent process reported; -1 if no parent reported this. */
static gint64
find_end (VineManager *self)
{
  g_autoptr (RoastTableReader) processes = NULL;
  gint64 last = self->replay->times.last;

  if (self->pid <= 0)
    return -1;
  processes = roast_recording_read_table (self->recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);
  while (roast_table_reader_next (processes))
    {
      gint64 ended = roast_table_reader_get_int64 (processes, ROAST_PROCESSES_ENDED, -1);

      /* Use the last process with this pid: an earlier process may have had the same pid. */
      if (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_PID, -1) == self->pid && ended >= last)
        return ended;
    }

  return -1;
}

/* @why: reason why the log may lack the record of the manager's end; NULL if the manager keeps running */
static void
finish (VineManager *self, const char *why)
{
  gint64 now = g_get_real_time ();
  gint64 time = -1;

  if (self->finished)
    return;
  vine_performance_finish (self->statistics);
  if (why != NULL && self->replay->times.ended < 0)
    {
      gint64 ended = find_end (self);

      self->died = ended >= 0 ? ended : self->died;
      self->replay->times.died = self->died;
    }
  vine_replay_finish (self->replay, self->statistics, why == NULL ? now : -1);
  self->finished = TRUE;
  if (why != NULL)
    time = MAX (self->replay->times.ended, self->replay->times.last);
  note_end (self, why, time);
  note_files (self, time);
  note_status (self, time);
  manager_describe (self, time);
  g_clear_pointer (&self->poller, vine_status_poller_stop);
  g_debug ("%s: finished, %s", self->source, why != NULL ? why : "the manager goes on");
}

gboolean
vine_manager_finish_ended (VineManager *self, const char *why)
{
  if (may_be_alive (self))
    return FALSE;
  /* Read the log to its end, because the manager may have written lines up to its death. */
  while (vine_manager_read (self, MANAGER_STEP))
    ;
  finish (self, why);

  return TRUE;
}

void
vine_manager_finish (VineManager *self, const char *why, gboolean late)
{
  if (late && !self->finished)
    vine_note (self->recording, self->source, -1, ROAST_SEVERITY_WARNING, "flush",
               "the measurement was stopped before the log was read up to its end: the rest of the log is missing");
  self->late = late;
  finish (self, late || is_alive (self) ? NULL : why);
}

VineLogs *
vine_manager_find_successor (VineManager *self)
{
  VineLogs *logs = NULL;

  if (!self->truncated || self->finished)
    return NULL;
  logs = vine_discovery_open_path (self->directory, NULL);
  finish (self, "another manager overwrote the log");
  if (logs != NULL)
    logs->pid = self->pid;

  return logs;
}

/* ---- the status ---- */

static void
manager_take_worker (VineManager *self, JsonObject *worker)
{
  const char *address = vine_status_get_text (worker, "addrport");
  const char *host = vine_status_get_text (worker, "hostname");
  gint64 disk = vine_status_get_count (worker, "disk_inuse", VINE_MIB);
  gint64 time = vine_status_get_count (worker, "current_time", 1);

  if (address == NULL || strchr (address, ':') == NULL || strlen (address) > VINE_MAX_NAME)
    return;
  if (host != NULL && *host != '\0' && strlen (host) < VINE_MAX_NAME)
    vine_workers_set_host (self->replay, address, host);
  /* Leave out the disk usage if the status is older than the last line of the log. */
  if (time >= self->replay->times.last - G_USEC_PER_SEC)
    vine_workers_set_disk (self->replay, address, time, disk);
}

static void
on_status (const char *what, JsonArray *status, gpointer user_data)
{
  VineManager *self = user_data;

  for (guint i = 0; i < json_array_get_length (status) && !self->finished; i++)
    {
      JsonObject *object = vine_status_get_object (status, i);
      const char *version = object != NULL ? vine_status_get_text (object, "version") : NULL;

      if (object != NULL && g_str_equal (what, "worker"))
        manager_take_worker (self, object);
      else if (self->version == NULL && version != NULL)
        self->version = g_strconcat ("TaskVine ", version, NULL);
    }
}

void
vine_manager_ask (VineManager *self, gint64 now)
{
  gint64 started = self->replay->times.started;

  if (self->poller != NULL && !has_ended (self) && started >= 0 && started + FIRST_STATUS < g_get_real_time ())
    vine_status_poller_tick (self->poller, now);
}

/* ---- getters ---- */

gboolean
vine_manager_get_times (VineManager *self, gint64 *started, gint64 *ended)
{
  VineTimes times = self->replay->times;

  *started = times.first;
  *ended = times.ended >= 0 ? times.ended : MAX (times.last, self->died);

  return times.started >= 0 && (times.ended >= 0 || self->died >= 0) && self->replay->clock.offsets == NULL;
}
