/* SPDX-License-Identifier: BSD-3-Clause */

/* Backend for TaskVine. It finds managers by the log files that their processes have open, and measures each manager
 * from its logs. This file starts and stops the measurement; vine-replay.c reads the logs. */

#include <gmodule.h>
#include <roast/roast.h>
#include <string.h>
#include <unistd.h>

#include "launch-words.h"
#include "source-attach.h"
#include "span-totals.h"
#include "vine-managers.h"
#include "vine-note.h"
#include "vine-remote.h"
#include "vine-status-poller.h"
#include "vine-status.h"

#define TICK 100                        /* ms; a manager that lives for less is found only by its log directory */
#define SLOW_TICK 1000                  /* ms; tick if no manager appears and roast, not the user, chose this backend */
#define FAST_TICKS 50                   /* number of ticks before the interval becomes SLOW_TICK */
#define READ_TICKS 5                    /* ticks between two reads of logs */
#define COUNT_TICKS 10                  /* ticks between two counts of tasks, so that others see how the run goes on */
#define FLUSH_TICKS 50                  /* ticks between two rows of the same sum */
#define TASKVINE_BACKEND_STEP (2 << 20) /* number of bytes that are read at a time */
#define STOP_SECONDS 8                  /* s; longest time for reading the rest of the logs at the end */
#define REMOTE_FAILURES 2               /* refused connections after which a remote manager counts as ended */
#define REMOTE_FREQUENCY 5              /* a manager without logs is asked this many times as often as one with logs */
#define REMOTE_INTERVAL (2 * G_USEC_PER_SEC) /* shortest time between two requests to a remote manager, µs */
#define MAX_TASKS 20000000
#define STATUS_SECONDS 0 /* 0: never request the status; see docs/taskvine.md */
#define QUIET_SECONDS 30

G_DECLARE_FINAL_TYPE (RoastTaskvineBackend, roast_taskvine_backend, ROAST, TASKVINE_BACKEND, GObject)

struct _RoastTaskvineBackend
{
  GObject parent_instance;

  char *processor;
  VineManagerOptions options;
  gboolean is_automatic; /* roast chose this backend, not the user: it is unknown whether the program uses TaskVine */
  VineTaskLimit limit;

  /* the address to attach to */
  char *address;
  VineLogs *logs; /* logs found in the directory at @address */
  char *host;
  guint16 port;
  int pid; /* process ID of the program that was launched, or to which roast attached; 0 if there is none */

  RoastRecording *recording;
  char *directory; /* working directory of the launched program */
  gint64 since;    /* µs since the epoch: start of tracking */
  gboolean stopped;
  VineManagers *managers;
  VineRemote *remote;       /* the manager to which roast attached, if its logs cannot be reached */
  VineStatusPoller *poller; /* poller of @remote */
  GSource *tick, *reading;
  gboolean is_slow; /* @tick has the interval SLOW_TICK */
  guint64 n_ticks;
  GTask *starting, *stopping;
  gint64 deadline;
  SpanTotals *spans;
  FrameworkTasks *roles; /* NULL until tracking starts */
};

static void backend_iface_init (RoastMetricsBackendInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (RoastTaskvineBackend, roast_taskvine_backend, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ROAST_TYPE_METRICS_BACKEND, backend_iface_init))

/* ---- tracking ---- */

/* Return the reason why a log may lack the record of its manager's end. */
static const char *
get_cause (RoastTaskvineBackend *self)
{
  return self->address == NULL ? "the manager was killed, or crashed"
                               : "the manager was killed, or crashed, or runs on another machine and was silent for "
                                 "longer than the option quiet allows";
}

/* Set the start and end of an attached run, because they differ from the start and end of the measurement. */
static void
set_times (RoastTaskvineBackend *self, gboolean ended)
{
  gboolean have_end = TRUE;
  gint64 from, to;

  if (self->address == NULL)
    return;
  if (vine_managers_get_times (self->managers, &from, &to, &have_end))
    roast_recording_set_times (self->recording, from, ended ? to : -1);
  if (ended && !have_end)
    roast_recording_set_metadata (self->recording, "ended-at-least", g_variant_new_boolean (TRUE));
}

/* Set the host of the run. The log does not name the machine that wrote it, and this machine may be another one. */
static void
set_host (RoastTaskvineBackend *self)
{
  if (self->host != NULL && !g_str_equal (self->host, "localhost") && !g_str_has_prefix (self->host, "127."))
    roast_recording_set_metadata (self->recording, "host", g_variant_new_string (self->host));
  else if (self->host == NULL && self->address != NULL && !vine_managers_run_here (self->managers))
    roast_recording_set_metadata (self->recording, "host", NULL);
}

static void
finish_attached (RoastTaskvineBackend *self)
{
  gboolean ended = vine_managers_finish_ended (self->managers, get_cause (self));

  set_times (self, ended);
  if (ended && (self->pid <= 0 || !vine_discovery_is_alive (self->pid)))
    roast_metrics_backend_emit_finished (ROAST_METRICS_BACKEND (self));
}

static gboolean
on_reading (gpointer user_data)
{
  RoastTaskvineBackend *self = user_data;
  gboolean more = vine_managers_read (self->managers, TASKVINE_BACKEND_STEP);

  /* Report progress only for an attached run, because the log of a launched program is read while it is written. */
  if (self->address != NULL)
    roast_metrics_backend_emit_progress (ROAST_METRICS_BACKEND (self), vine_managers_get_progress (self->managers));
  if (more)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->reading, g_source_unref);

  return G_SOURCE_REMOVE;
}

static void
tick_remote (RoastTaskvineBackend *self, gint64 now)
{
  vine_status_poller_tick (self->poller, now);
  if (self->poller->n_failures >= REMOTE_FAILURES &&
      g_error_matches (self->poller->error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    roast_metrics_backend_emit_finished (ROAST_METRICS_BACKEND (self));
}

static gboolean on_tick (gpointer user_data);

/* Make the tick slow if no manager has appeared for a while: perhaps the program does not use TaskVine at all. */
static void
adapt_tick (RoastTaskvineBackend *self)
{
  gboolean is_slow = self->n_ticks > FAST_TICKS && vine_managers_get_length (self->managers) == 0;

  if (is_slow == self->is_slow)
    return;
  self->is_slow = is_slow;
  source_clear (&self->tick);
  self->tick = source_attach (g_timeout_source_new (is_slow ? SLOW_TICK : TICK), on_tick, self);
}

static gboolean
on_tick (gpointer user_data)
{
  g_autoptr (RoastTaskvineBackend) self = g_object_ref (user_data);
  gint64 now = g_get_monotonic_time ();

  self->n_ticks++;
  if (self->is_automatic)
    adapt_tick (self);
  if (self->poller != NULL)
    {
      tick_remote (self, now);
      return G_SOURCE_CONTINUE;
    }
  vine_managers_tick (self->managers);
  vine_managers_ask (self->managers, now);
  /* Read at the first tick, too, because the run may already have ended. */
  if (self->reading != NULL || (self->n_ticks > 1 && self->n_ticks % READ_TICKS != 0))
    return G_SOURCE_CONTINUE;
  if (vine_managers_read (self->managers, TASKVINE_BACKEND_STEP))
    {
      self->reading = source_attach (g_idle_source_new (), on_reading, self);
      return G_SOURCE_CONTINUE;
    }
  if (self->n_ticks % COUNT_TICKS == 0)
    vine_managers_flush (self->managers, self->n_ticks % FLUSH_TICKS == 0);
  if (self->address != NULL)
    finish_attached (self);

  return G_SOURCE_CONTINUE;
}

/* ---- the backend ---- */

static RoastBackendCapabilities
taskvine_get_capabilities (RoastMetricsBackend *backend)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);
  RoastBackendCapabilities all = ROAST_BACKEND_CAPABILITIES_LAUNCH | ROAST_BACKEND_CAPABILITIES_ATTACH |
                                 ROAST_BACKEND_CAPABILITIES_WORKER_METRICS | ROAST_BACKEND_CAPABILITIES_FINE_METRICS |
                                 ROAST_BACKEND_CAPABILITIES_SPANS | ROAST_BACKEND_CAPABILITIES_LIVE |
                                 ROAST_BACKEND_CAPABILITIES_READ;

  return self->poller != NULL ? all & ~(ROAST_BACKEND_CAPABILITIES_FINE_METRICS | ROAST_BACKEND_CAPABILITIES_SPANS)
                              : all;
}

static gboolean
check_option (const char *name, double value, gboolean allowed, const char *range, GError **error)
{
  if (!allowed)
    g_set_error (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "%s=%.12g: must be %s", name, value, range);

  return allowed;
}

static gboolean
taskvine_configure (RoastMetricsBackend *backend, GVariant *options, GError **error)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);
  const char *processor = NULL;
  gboolean tasks = TRUE;
  gint64 max_tasks = MAX_TASKS;
  double status = STATUS_SECONDS;

  if (g_variant_lookup (options, "processor", "&s", &processor) && *processor != '\0')
    {
      g_free (self->processor);
      self->processor = g_strdup (processor);
    }
  g_variant_lookup (options, "tasks", "b", &tasks);
  g_variant_lookup (options, "auto", "b", &self->is_automatic);
  g_variant_lookup (options, "transfers", "b", &self->options.replay.transfers);
  g_variant_lookup (options, "max-tasks", "x", &max_tasks);
  g_variant_lookup (options, "status", "d", &status);
  g_variant_lookup (options, "quiet", "d", &self->options.quiet);
  if (!check_option ("max-tasks", (double) max_tasks, max_tasks >= 1 && max_tasks <= 1000000000,
                     "from 1 to 1000000000; use tasks=false for no rows", error) ||
      !check_option ("status", status, status == 0 || (status >= 1 && status <= 3600),
                     "from 1 to 3600 seconds, or 0 for never", error) ||
      !check_option ("quiet", self->options.quiet, self->options.quiet >= 0 && self->options.quiet <= 1e6,
                     "from 0 to 1000000 seconds", error))
    return FALSE;
  self->limit.max = tasks ? (guint64) max_tasks : 0;
  self->options.status_interval = (gint64) (status * G_USEC_PER_SEC);

  return TRUE;
}

static gboolean
taskvine_prepare_launch (RoastMetricsBackend *backend, RoastLaunchContext *context, GError **error)
{
  static const char *const words[] = { "taskvine", "ndcctools", "TaskVine", NULL };
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);
  const char *directory = roast_launch_context_get_directory (context);

  self->directory = directory != NULL ? g_strdup (directory) : g_get_current_dir ();
  /* Turn perf events off, because they cost time at each context switch. They are not needed for the CPU time: the
   * kernel's accounting covers workers that the program waits for, and a control group covers all other processes. */
  if (!self->is_automatic || launch_words_find (context, words))
    roast_launch_context_set_accounting (context,
                                         roast_launch_context_get_accounting (context) & ~ROAST_ACCOUNTING_PERF);

  return TRUE;
}

static void
taskvine_launched (RoastMetricsBackend *backend, int pid)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);

  if (self->recording == NULL || self->stopped)
    return;
  self->pid = pid;
  vine_managers_start_search (self->managers, pid, self->directory, self->since);
  self->tick = source_attach (g_timeout_source_new (TICK), on_tick, self);
}

static void
taskvine_exited (RoastMetricsBackend *backend, int wait_status)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);

  if (self->managers != NULL && !self->stopped)
    vine_managers_exited (self->managers);
}

/* ---- attaching ---- */

static gboolean
parse_pid (RoastTaskvineBackend *self, const char *address, GError **error)
{
  guint64 pid = g_ascii_strtoull (address, NULL, 10);
  g_autofree char *path = g_strdup_printf ("/proc/%s/fd", address);

  self->pid = pid <= G_MAXINT ? (int) pid : 0;
  if (!vine_discovery_is_alive (self->pid))
    g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT, "there is no process %s", address);
  else if (access (path, R_OK | X_OK) != 0)
    g_set_error (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                 "process %d belongs to another user: attach to the directory of its run instead "
                 "(vine-run-info/most-recent)",
                 self->pid);
  else
    return TRUE;

  return FALSE;
}

static gboolean
is_number (const char *text)
{
  return *text != '\0' && strspn (text, "0123456789") == strlen (text);
}

static gboolean
parse_host (RoastTaskvineBackend *self, const char *address)
{
  const char *colon = strrchr (address, ':');
  guint64 port = colon != NULL && is_number (colon + 1) ? g_ascii_strtoull (colon + 1, NULL, 10) : 0;

  if (port == 0 || port > 65535 || colon == address)
    return FALSE;
  self->port = (guint16) port;
  self->host = g_strndup (address, (gsize) (colon - address));

  return TRUE;
}

/* Return whether the address is a path: an existing file, or a text that cannot be HOST:PORT. */
static gboolean
is_path (const char *address)
{
  return g_file_test (address, G_FILE_TEST_EXISTS) ||
         (*address != '\0' && (strchr (address, '/') != NULL || strchr (address, ':') == NULL));
}

static void
taskvine_attach (RoastMetricsBackend *backend, const char *address, GTask *task)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);
  GError *error = NULL;

  self->address = g_strdup (address);
  if (is_number (address))
    parse_pid (self, address, &error);
  else if (is_path (address))
    self->logs = vine_discovery_open_path (address, &error);
  else if (!parse_host (self, address))
    g_set_error (&error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                 "cannot attach to “%s”: give a process ID, a directory of logs, or HOST:PORT with a port from 1 to "
                 "65535",
                 address);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

static void
start_reading (RoastTaskvineBackend *self)
{
  GTask *task = g_steal_pointer (&self->starting);

  self->tick = source_attach (g_timeout_source_new (TICK), on_tick, self);
  self->reading = source_attach (g_idle_source_new (), on_reading, self);
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
  g_clear_object (&task);
}

/* Find the logs of the manager at the port to which roast attaches. Returns NULL if the logs are not on this
 * machine. */
static VineLogs *
find_logs_of (RoastTaskvineBackend *self, JsonArray *status)
{
  JsonObject *manager = json_array_get_length (status) > 0 ? vine_status_get_object (status, 0) : NULL;
  const char *directory = manager != NULL ? vine_status_get_text (manager, "working_dir") : NULL;
  g_autoptr (GPtrArray) found = NULL;

  if (directory == NULL || !g_path_is_absolute (directory))
    return NULL;
  found = vine_discovery_scan_directory (directory, 0);
  for (guint i = 0; i < found->len; i++)
    {
      VineLogs *logs = g_ptr_array_index (found, i);

      if (vine_logs_read_port (logs) == self->port && vine_discovery_is_in_use (logs->transactions))
        return g_ptr_array_steal_index (found, i);
    }

  return NULL;
}

static gint64
remote_interval (RoastTaskvineBackend *self)
{
  return MAX (self->options.status_interval / REMOTE_FREQUENCY, REMOTE_INTERVAL);
}

static void
on_remote_status (const char *what, JsonArray *status, gpointer user_data)
{
  RoastTaskvineBackend *self = user_data;

  if (g_str_equal (what, "manager"))
    vine_remote_take_manager (self->remote, status);
  else
    vine_remote_take_workers (self->remote, status);
}

/* Measure the manager by its status alone, because its logs cannot be reached. */
static void
start_remote (RoastTaskvineBackend *self, JsonArray *status)
{
  self->remote = vine_remote_new (self->recording, self->address, remote_interval (self), self->roles);
  self->poller = vine_status_poller_new (self->host, self->port, remote_interval (self), on_remote_status, self);
  vine_remote_take_manager (self->remote, status);
  vine_note (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, "logs-out-of-reach",
             "the manager's logs cannot be read from this machine: attempts, phases and transfers are not available, "
             "and workers are known only at the times of the manager's status. Attach on the machine of the manager, "
             "or to the directory of the run");
}

static void
on_first_status (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (RoastTaskvineBackend) self = user_data;
  GError *error = NULL;
  g_autoptr (JsonArray) status = vine_status_query_finish (result, &error);
  g_autoptr (VineLogs) logs = NULL;

  if (self->stopped)
    {
      g_clear_error (&error);
      return;
    }
  if (status == NULL)
    {
      g_autoptr (GTask) task = g_steal_pointer (&self->starting);

      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_CONNECT,
                               "%s. If the manager's logs can be read, attach to the directory of the run: "
                               "--attach=…/vine-run-info/most-recent",
                               error->message);
      g_error_free (error);
      return;
    }
  logs = find_logs_of (self, status);
  if (logs != NULL)
    vine_managers_add (self->managers, logs);
  else
    start_remote (self, status);
  start_reading (self);
}

static void
start_attached (RoastTaskvineBackend *self, GTask *task)
{
  self->starting = g_object_ref (task);
  if (self->host != NULL)
    {
      vine_status_query_async (self->host, self->port, "manager", NULL, on_first_status, g_object_ref (self));
      return;
    }
  if (self->logs != NULL)
    vine_managers_add (self->managers, self->logs);
  else
    vine_managers_start_search (self->managers, self->pid, NULL, 0);
  start_reading (self);
}

static void
taskvine_start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);

  if (self->recording != NULL)
    {
      g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_ALREADY_TRACKING,
                               "this TaskVine backend already tracks a run: create another backend");
      return;
    }
  self->recording = g_object_ref (recording);
  self->options.replay.interval = MAX (interval, G_USEC_PER_SEC / 10);
  self->since = g_get_real_time ();
  self->options.replay.roles = self->roles = framework_tasks_new (recording, self->processor, NULL, 0);
  if (self->processor != NULL)
    roast_recording_set_metadata (recording, "processor", g_variant_new_string (self->processor));
  self->managers = vine_managers_new (recording, &self->options);
  if (self->address != NULL)
    start_attached (self, task);
  else
    g_task_return_boolean (task, TRUE);
}

/* ---- the end ---- */

static void
finish_all (RoastTaskvineBackend *self, gboolean late)
{
  vine_managers_finish (self->managers, get_cause (self), late);
  set_times (self, FALSE);
  set_host (self);
  if (self->remote != NULL)
    vine_remote_finish (self->remote);
  framework_tasks_finish (self->roles);
  if (vine_managers_get_length (self->managers) == 0 && self->remote == NULL && !self->is_automatic)
    vine_note (self->recording, NULL, -1, ROAST_SEVERITY_WARNING, "no-manager",
               "no TaskVine manager was seen. Possible reasons: the program created no manager; or the manager lived "
               "for less than a tenth of a second and its logs are not in ./vine-run-info; or the manager runs on "
               "another machine (attach to its log directory there)");
}

static gboolean
on_stopping (gpointer user_data)
{
  g_autoptr (RoastTaskvineBackend) self = g_object_ref (user_data);
  g_autoptr (GTask) task = NULL;
  gboolean more = vine_managers_read (self->managers, TASKVINE_BACKEND_STEP);

  if (more && g_get_monotonic_time () < self->deadline)
    return G_SOURCE_CONTINUE;
  finish_all (self, more);
  g_clear_pointer (&self->reading, g_source_unref);
  task = g_steal_pointer (&self->stopping);
  g_task_return_boolean (task, TRUE);

  return G_SOURCE_REMOVE;
}

static void
taskvine_stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);

  self->stopped = TRUE;
  source_clear (&self->tick);
  source_clear (&self->reading);
  g_clear_pointer (&self->poller, vine_status_poller_stop);
  vine_managers_search (self->managers);
  self->stopping = g_object_ref (task);
  self->deadline = g_get_monotonic_time () + STOP_SECONDS * G_USEC_PER_SEC;
  self->reading = source_attach (g_idle_source_new (), on_stopping, self);
}

/* ---- spans ---- */

static GHashTable *
get_totals (RoastTaskvineBackend *self)
{
  GHashTable *totals = span_totals_totals_new ();
  gint64 deadline = g_get_monotonic_time () + G_USEC_PER_SEC;

  /* Read the logs up to their current ends. Stop if this takes more than a second. */
  while (!self->stopped && vine_managers_read (self->managers, TASKVINE_BACKEND_STEP) &&
         g_get_monotonic_time () < deadline)
    ;
  vine_managers_add_totals (self->managers, totals);

  return totals;
}

static void
taskvine_create_span (RoastMetricsBackend *backend, const char *name, GTask *task)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);

  if (span_totals_check_tracking (self->spans, self->recording != NULL && !self->stopped, task))
    g_task_return_pointer (task, span_totals_open (self->spans, name, get_totals (self)), g_object_unref);
}

static void
taskvine_close_span (RoastMetricsBackend *backend, RoastSpan *span, GTask *task)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);

  if (!span_totals_check_tracking (self->spans, self->recording != NULL && !self->stopped, task) ||
      !span_totals_check_span (self->spans, span, task))
    return;
  span_totals_close (self->spans, span, get_totals (self), self->recording);
  g_task_return_boolean (task, TRUE);
}

static void
taskvine_get_span_metrics (RoastMetricsBackend *backend, RoastSpan *span, GTask *task)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (backend);
  g_autoptr (GHashTable) totals = NULL;

  if (!span_totals_check_span (self->spans, span, task))
    return;
  totals = get_totals (self);
  g_task_return_pointer (task, g_variant_ref_sink (span_totals_get_metrics (self->spans, span, totals)),
                         (GDestroyNotify) g_variant_unref);
}

static void
backend_iface_init (RoastMetricsBackendInterface *iface)
{
  iface->get_capabilities = taskvine_get_capabilities;
  iface->configure = taskvine_configure;
  iface->prepare_launch = taskvine_prepare_launch;
  iface->launched = taskvine_launched;
  iface->exited = taskvine_exited;
  iface->attach = taskvine_attach;
  iface->start_tracking = taskvine_start_tracking;
  iface->stop_tracking = taskvine_stop_tracking;
  iface->create_span = taskvine_create_span;
  iface->close_span = taskvine_close_span;
  iface->get_span_metrics = taskvine_get_span_metrics;
}

static void
roast_taskvine_backend_finalize (GObject *object)
{
  RoastTaskvineBackend *self = ROAST_TASKVINE_BACKEND (object);

  source_clear (&self->tick);
  source_clear (&self->reading);
  g_clear_pointer (&self->poller, vine_status_poller_stop);
  g_clear_pointer (&self->managers, vine_managers_free);
  g_clear_pointer (&self->remote, vine_remote_free);
  g_clear_pointer (&self->logs, vine_logs_free);
  span_totals_free (self->spans);
  g_clear_pointer (&self->roles, framework_tasks_free);
  g_clear_object (&self->starting);
  g_clear_object (&self->stopping);
  g_clear_object (&self->recording);
  g_free (self->processor);
  g_free (self->address);
  g_free (self->host);
  g_free (self->directory);

  G_OBJECT_CLASS (roast_taskvine_backend_parent_class)->finalize (object);
}

static void
roast_taskvine_backend_class_init (RoastTaskvineBackendClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_taskvine_backend_finalize;
}

static void
roast_taskvine_backend_init (RoastTaskvineBackend *self)
{
  self->options.replay = (VineReplayOptions) { G_USEC_PER_SEC, &self->limit, TRUE, NULL };
  self->limit.max = MAX_TASKS;
  self->options.quiet = QUIET_SECONDS;
  self->options.status_interval = STATUS_SECONDS * G_USEC_PER_SEC;
  self->spans = span_totals_new ("taskvine");
}

ROAST_DEFINE_PLUGIN ("taskvine", PLUGIN_VERSION, ROAST_PLUGIN_BACKEND ("taskvine", roast_taskvine_backend_get_type))
