/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-launcher.h"

#include <signal.h>

#include "base/roast-task-private.h"
#include "base/roast-type-private.h"
#include "roast-launch-context-private.h"
#include "roast-process-accounting-private.h"
#include "roast-process-tree-private.h"
#include "roast-supervisor-connection-private.h"
#include "roast-supervisor-failure-private.h"
#include "roast/roast-error.h"

/**
 * RoastLauncher:
 *
 * Starts a program, or attaches to a process, and records the whole process tree.
 *
 * A small supervisor starts the program, samples and reaps its processes, and reports the results over a socket. The
 * application therefore does not fork, does not wait for children, and keeps its signal handlers. If the application
 * ends, the program continues to run.
 *
 * A launcher works in the thread-default main context of the caller of [method@Roast.Launcher.launch_async] or
 * [method@Roast.Launcher.attach_async]. Use a launcher only from that context, and for one program only.
 *
 * ```c
 * static void
 * on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
 * {
 *   g_autoptr (GError) error = NULL;
 *
 *   if (!roast_launcher_wait_finish (ROAST_LAUNCHER (source), result, &error))
 *     g_printerr ("%s\n", error->message);
 *   g_main_loop_quit (user_data);
 * }
 *
 * static void
 * on_launched (GObject *source, GAsyncResult *result, gpointer user_data)
 * {
 *   g_autoptr (GError) error = NULL;
 *
 *   if (roast_launcher_launch_finish (ROAST_LAUNCHER (source), result, &error))
 *     roast_launcher_wait_async (ROAST_LAUNCHER (source), NULL, on_ended, user_data);
 * }
 *
 * roast_launcher_launch_async (launcher, context, NULL, on_launched, loop);
 * ```
 *
 * Since: 0.9
 */
struct _RoastLauncher
{
  GObject parent_instance;

  RoastRecording *recording;
  RoastProcessAccounting *accounting;
  GPtrArray *observers; /* the process accounting, followed by the observers of the launch context */
  char *program;        /* name of the program or process for messages */
  char *command_line;   /* command line of a launched program */
  char *path;           /* value of PATH of a launched program, for messages */

  RoastSupervisorConnection *supervisor;
  RoastProcessTree *tree;

  RoastWaiters *start; /* task of the caller of the launch or attach */
  RoastWaiters *waiters;
  GError *failure;

  int pid;
  int wait_status;
  guint64 early_signals; /* signals to send when the program runs: bit n - 1 stands for signal n */
  guint attached : 1;
  guint running : 1;
  guint status_known : 1;
};

enum
{
  LAUNCHER_SIGNAL_EXITED,
  LAUNCHER_SIGNAL_STOPPED,
  LAUNCHER_SIGNAL_CONTINUED,
  LAUNCHER_N_SIGNALS
};

static guint launcher_signals[LAUNCHER_N_SIGNALS];

G_DEFINE_FINAL_TYPE (RoastLauncher, roast_launcher, G_TYPE_OBJECT)

static void
roast_launcher_finalize (GObject *object)
{
  RoastLauncher *self = ROAST_LAUNCHER (object);

  g_clear_pointer (&self->supervisor, roast_supervisor_connection_free);
  roast_waiters_free (self->start);
  roast_waiters_free (self->waiters);
  g_clear_pointer (&self->observers, g_ptr_array_unref);
  g_clear_object (&self->tree);
  g_clear_error (&self->failure);
  g_clear_object (&self->accounting);
  g_clear_object (&self->recording);
  g_free (self->program);
  g_free (self->command_line);
  g_free (self->path);

  G_OBJECT_CLASS (roast_launcher_parent_class)->finalize (object);
}

static void
roast_launcher_class_init (RoastLauncherClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_launcher_finalize;

  /**
   * RoastLauncher::exited:
   * @self: the launcher
   * @wait_status: the status from `waitpid()`; -1 if it is unknown, as for an attached process
   *
   * Emitted when the main process has ended. Other processes of the tree may still run, and the final numbers are not
   * yet in the recording.
   *
   * Since: 0.9
   */
  launcher_signals[LAUNCHER_SIGNAL_EXITED] = g_signal_new ("exited", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                                           NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);

  /**
   * RoastLauncher::stopped:
   * @self: the launcher
   * @signum: the signal that stopped the process
   *
   * Emitted when a job-control signal has stopped the main process.
   *
   * Since: 0.9
   */
  launcher_signals[LAUNCHER_SIGNAL_STOPPED] = g_signal_new ("stopped", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                                            NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);

  /**
   * RoastLauncher::continued:
   * @self: the launcher
   *
   * Emitted when the main process continues after a stop.
   *
   * Since: 0.9
   */
  launcher_signals[LAUNCHER_SIGNAL_CONTINUED] =
      g_signal_new ("continued", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
roast_launcher_init (RoastLauncher *self)
{
  self->pid = -1;
  self->start = roast_waiters_new ();
  self->waiters = roast_waiters_new ();
}

/**
 * roast_launcher_new:
 * @recording: the recording to write to
 *
 * Creates a launcher.
 *
 * Returns: (transfer full): a new launcher
 *
 * Since: 0.9
 */
RoastLauncher *
roast_launcher_new (RoastRecording *recording)
{
  RoastLauncher *self;

  g_return_val_if_fail (ROAST_IS_RECORDING (recording), NULL);

  self = g_object_new (ROAST_TYPE_LAUNCHER, NULL);
  self->recording = g_object_ref (recording);

  return self;
}

/* Complete the task of the launch or attach. Return FALSE if the task was cancelled, and therefore has already
 * returned. */
static gboolean
end_start (RoastLauncher *self, const GError *error)
{
  if (roast_waiters_complete (self->start, error))
    return TRUE;
  self->failure = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, "Operation was cancelled");

  return FALSE;
}

static gboolean
order_signal (RoastLauncher *self, int signum)
{
  RoastWireSignal order = { signum };

  g_debug ("sending signal %d to process %d", signum, self->pid);

  return roast_supervisor_connection_send (self->supervisor, ROAST_WIRE_SIGNAL, &order, sizeof order);
}

static void
order_detach (RoastLauncher *self)
{
  g_debug ("detaching from %s", self->program);
  roast_supervisor_connection_send (self->supervisor, ROAST_WIRE_DETACH, NULL, 0);
}

/* Frames from the supervisor. There is a function for each type of frame that needs more than one line of code. */

/* Call a method of each observer that implements the method. */
#define NOTIFY_OBSERVERS(self, method, ...)                                                                            \
  for (guint observer_index = 0; observer_index < (self)->observers->len; observer_index++)                            \
    {                                                                                                                  \
      RoastProcessObserver *observer = g_ptr_array_index ((self)->observers, observer_index);                          \
      RoastProcessObserverInterface *iface = ROAST_PROCESS_OBSERVER_GET_IFACE (observer);                              \
                                                                                                                       \
      if (iface->method != NULL)                                                                                       \
        iface->method (observer, __VA_ARGS__);                                                                         \
    }

static void
on_hello (RoastLauncher *self, const RoastWireHello *hello)
{
  g_debug ("supervisor %d: accounting mechanisms 0x%x, %g cores", hello->info.supervisor_pid, hello->info.accounting,
           hello->info.cores);
  self->tree = roast_process_tree_new (&hello->info);
}

/* Send each signal only once, even if it was requested several times, as the kernel does with pending signals. */
static void
send_early_signals (RoastLauncher *self)
{
  for (int signum = 1; self->early_signals != 0; signum++, self->early_signals >>= 1)
    if ((self->early_signals & 1) != 0)
      order_signal (self, signum);
}

static void
launcher_on_launched (RoastLauncher *self, const RoastWireLaunched *launched)
{
  g_debug ("%s runs as process %d", self->program, launched->pid);
  self->running = TRUE;
  self->pid = launched->pid;
  roast_process_accounting_set_pid (self->accounting, self->pid);
  NOTIFY_OBSERVERS (self, tree_started, self->tree);

  /* If the start was cancelled, kill a launched program, but leave an attached process alone. */
  if (roast_waiters_is_waiting (self->start))
    send_early_signals (self);
  if (end_start (self, NULL))
    return;
  if (self->attached)
    order_detach (self);
  else
    order_signal (self, SIGKILL);
}

static void
on_launch_failed (RoastLauncher *self, const RoastWireFailure *failure)
{
  g_autoptr (GError) error = roast_supervisor_failure_to_error (failure, self->program, self->path, self->pid);

  g_debug ("%s", error->message);
  if (end_start (self, error))
    self->failure = g_steal_pointer (&error);
}

static void
on_process (RoastLauncher *self, guint32 type, const RoastWireProcess *record, gsize length)
{
  g_autofree char *read = roast_supervisor_stream_quote ((const char *) (record + 1), length - sizeof *record);
  const char *command_line = read;
  RoastProcess *process;

  /* The supervisor reads the arguments of a process from the kernel, and finds no arguments if the process has already
   * ended. For the main process, use the arguments from the launch context instead. */
  if (command_line == NULL && type == ROAST_WIRE_PROCESS && record->pid == self->pid)
    command_line = self->command_line;
  process = roast_process_tree_begin_process (self->tree, record, command_line);
  NOTIFY_OBSERVERS (self, process_started, process);
}

static void
on_tick (RoastLauncher *self, const RoastWireTick *tick)
{
  GPtrArray *changed = roast_process_tree_sample (self->tree, tick);

  g_debug ("sample of %d processes, %u of them changed", tick->processes, tick->samples);
  NOTIFY_OBSERVERS (self, sampled, self->tree, changed);
}

static void
on_process_ended (RoastLauncher *self, const RoastWireProcessEnd *end)
{
  g_autoptr (RoastProcess) process = roast_process_tree_end_process (self->tree, end);

  NOTIFY_OBSERVERS (self, process_ended, process);
}

static void
on_main_ended (RoastLauncher *self, const RoastWireMainEnded *ended)
{
  g_debug ("process %d ended with wait status %d", self->pid, ended->status_known ? ended->wait_status : -1);
  if (ended->status_known)
    {
      self->status_known = TRUE;
      self->wait_status = ended->wait_status;
      roast_process_accounting_main_ended (self->accounting, ended->wait_status);
    }
  g_signal_emit (self, launcher_signals[LAUNCHER_SIGNAL_EXITED], 0, ended->status_known ? ended->wait_status : -1);
}

static void
on_stopped (RoastLauncher *self, const RoastWireStopped *stopped)
{
  if (stopped->stopped)
    g_signal_emit (self, launcher_signals[LAUNCHER_SIGNAL_STOPPED], 0, stopped->signal);
  else
    g_signal_emit (self, launcher_signals[LAUNCHER_SIGNAL_CONTINUED], 0);
}

static void
on_note (RoastLauncher *self, const RoastWireNote *note, gsize length)
{
  g_autofree char *message = g_utf8_make_valid ((const char *) (note + 1), length - sizeof *note);
  g_autofree char *kind = g_utf8_make_valid (note->kind, -1);
  RoastSeverity severity = CLAMP (note->severity, ROAST_SEVERITY_INFO, ROAST_SEVERITY_ERROR);

  NOTIFY_OBSERVERS (self, noted, note->time, severity, kind, message);
}

static void
on_finished (RoastLauncher *self, const RoastWireTreeEnd *end)
{
  g_debug ("%s: %" G_GINT64_FORMAT " processes in %" G_GINT64_FORMAT " samples, %" G_GINT64_FORMAT " samples missed",
           self->program, end->processes, end->ticks, end->missed);
  /* After a detach from a launched program that still runs, the supervisor stays, because it is the parent of the
   * program. */
  if (!self->attached && end->main_ended < 0)
    roast_supervisor_connection_set_stays (self->supervisor);
  roast_process_tree_end (self->tree, end);
  NOTIFY_OBSERVERS (self, tree_ended, self->tree);
}

static void
on_running_frame (RoastLauncher *self, guint32 type, gconstpointer payload, gsize length)
{
  switch (type)
    {
    case ROAST_WIRE_PROCESS:
    case ROAST_WIRE_EXEC:
      on_process (self, type, payload, length);
      break;
    case ROAST_WIRE_TICK:
      on_tick (self, payload);
      break;
    case ROAST_WIRE_ENDED:
      on_process_ended (self, payload);
      break;
    case ROAST_WIRE_MAIN_ENDED:
      on_main_ended (self, payload);
      break;
    case ROAST_WIRE_STOPPED:
      on_stopped (self, payload);
      break;
    case ROAST_WIRE_NOTE:
      on_note (self, payload, length);
      break;
    case ROAST_WIRE_FINISHED:
      on_finished (self, payload);
      break;
    default:
      break;
    }
}

static void
on_frame (guint32 type, gconstpointer payload, gsize length, gpointer user_data)
{
  RoastLauncher *self = user_data;

  if (self->running)
    on_running_frame (self, type, payload, length);
  else if (type == ROAST_WIRE_HELLO)
    on_hello (self, payload);
  else if (type == ROAST_WIRE_LAUNCHED)
    launcher_on_launched (self, payload);
  else if (type == ROAST_WIRE_LAUNCH_FAILED)
    on_launch_failed (self, payload);
}

static void
on_closed (const GError *cause, gpointer user_data)
{
  RoastLauncher *self = user_data;
  g_autoptr (GError) error = NULL;

  if (cause != NULL && self->failure == NULL)
    {
      error = g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                           "%s while measuring %s. The data up to that time are kept", cause->message, self->program);
      g_debug ("%s", error->message);
      if (self->running)
        roast_process_accounting_abandon (self->accounting, error->message);
      if (end_start (self, error) && !self->status_known)
        self->failure = g_steal_pointer (&error);
    }

  self->running = FALSE;
  roast_waiters_complete (self->waiters, self->failure);
}

/* Start */

static void
take_observers (RoastLauncher *self, RoastLaunchContext *context, gboolean attach)
{
  self->accounting = roast_process_accounting_new (self->recording, attach);
  self->observers = g_ptr_array_copy (context->observers, (GCopyFunc) g_object_ref, NULL);
  g_ptr_array_insert (self->observers, 0, g_object_ref (self->accounting));
}

static void
name_program (RoastLauncher *self, int pid, const char *const *argv)
{
  g_autoptr (GByteArray) arguments = g_byte_array_new ();

  if (pid > 0)
    {
      self->program = g_strdup_printf ("process %d", pid);
      return;
    }

  self->program = g_utf8_make_valid (argv[0], -1);
  for (guint i = 0; argv[i] != NULL; i++)
    g_byte_array_append (arguments, (const guint8 *) argv[i], strlen (argv[i]) + 1);
  self->command_line =
      roast_supervisor_stream_quote ((const char *) arguments->data, MIN (arguments->len, ROAST_WIRE_MAX_COMMAND_LINE));
}

static void
roast_launcher_start (RoastLauncher *self, RoastLaunchContext *context, int pid, GTask *task)
{
  g_autoptr (GTask) owned = task;
  GError *error = NULL;

  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->supervisor != NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                               "a launcher launches or attaches only once. Create another launcher");
      return;
    }

  self->supervisor = roast_supervisor_connection_open (context, pid, on_frame, on_closed, G_OBJECT (self), &error);
  if (self->supervisor == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  self->path = g_strdup (roast_launch_context_getenv (context, "PATH"));
  self->pid = pid;
  self->attached = pid > 0;
  name_program (self, pid, roast_launch_context_get_argv (context));
  take_observers (self, context, pid > 0);
  g_task_set_check_cancellable (task, FALSE);
  roast_waiters_add (self->start, g_steal_pointer (&owned));
}

/**
 * roast_launcher_launch_async:
 * @self: a launcher
 * @context: how to launch the program
 * @cancellable: (nullable): a cancellable
 * @callback: (nullable) (scope async): called when the program runs, or has failed to start
 * @user_data: data for @callback
 *
 * Starts a program. If the launch is cancelled but the program starts nevertheless, the program is killed.
 *
 * Since: 0.9
 */
void
roast_launcher_launch_async (RoastLauncher *self, RoastLaunchContext *context, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task;

  g_return_if_fail (ROAST_IS_LAUNCHER (self));
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (context));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, roast_launcher_launch_async);
  if (roast_launch_context_get_argv (context)[0] == NULL)
    {
      g_task_return_new_error (task, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_FOUND,
                               "no program given: give the name of a program, then the arguments of the program");
      g_object_unref (task);
      return;
    }
  roast_launcher_start (self, context, 0, task);
}

/**
 * roast_launcher_launch_finish:
 * @self: a launcher
 * @result: the result of [method@Roast.Launcher.launch_async]
 * @error: return location for an error, in %ROAST_LAUNCH_ERROR
 *
 * Finishes a launch.
 *
 * Returns: %TRUE if the program runs
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (Launcher, gboolean, roast_launcher_launch_finish, boolean)

/**
 * roast_launcher_attach_async:
 * @self: a launcher
 * @pid: a process id
 * @context: (nullable): how to follow the process; arguments, environment and directory are ignored
 * @cancellable: (nullable): a cancellable
 * @callback: (nullable) (scope async): called when the process is followed, or the attach has failed
 * @user_data: data for @callback
 *
 * Attaches to a running process and its descendants. The exit status of the process stays unknown, because the process
 * is not a child of roast.
 *
 * Since: 0.9
 */
void
roast_launcher_attach_async (RoastLauncher *self, int pid, RoastLaunchContext *context, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (RoastLaunchContext) defaults = NULL;
  GTask *task;

  g_return_if_fail (ROAST_IS_LAUNCHER (self));
  g_return_if_fail (pid > 0);
  g_return_if_fail (context == NULL || ROAST_IS_LAUNCH_CONTEXT (context));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  if (context == NULL)
    context = defaults = roast_launch_context_new (NULL);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, roast_launcher_attach_async);
  roast_launcher_start (self, context, pid, task);
}

/**
 * roast_launcher_attach_finish:
 * @self: a launcher
 * @result: the result of [method@Roast.Launcher.attach_async]
 * @error: return location for an error, in %ROAST_LAUNCH_ERROR
 *
 * Finishes an attach.
 *
 * Returns: %TRUE if the process is followed
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (Launcher, gboolean, roast_launcher_attach_finish, boolean)

/**
 * roast_launcher_wait_async:
 * @self: a launcher
 * @cancellable: (nullable): a cancellable, which cancels only the wait
 * @callback: (nullable) (scope async): called when the final numbers are in the recording
 * @user_data: data for @callback
 *
 * Waits until the launcher has stopped following the tree and all measurements are in the recording. Several callers
 * may wait at once. If the program has ended, the supervisor has ended too, and `getrusage (RUSAGE_CHILDREN)` includes
 * the CPU time of the program and of the supervisor.
 *
 * Since: 0.9
 */
void
roast_launcher_wait_async (RoastLauncher *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                           gpointer user_data)
{
  GTask *task;

  g_return_if_fail (ROAST_IS_LAUNCHER (self));
  g_return_if_fail (cancellable == NULL || G_IS_CANCELLABLE (cancellable));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, roast_launcher_wait_async);
  roast_waiters_add (self->waiters, task);
}

/**
 * roast_launcher_wait_finish:
 * @self: a launcher
 * @result: the result of [method@Roast.Launcher.wait_async]
 * @error: return location for an error
 *
 * Finishes a wait. If the supervisor was lost, the recording gets an event. This function fails with
 * %ROAST_LAUNCH_ERROR_SUPERVISOR only if the status of the main process is also unknown.
 *
 * Returns: %TRUE if there was no error
 *
 * Since: 0.9
 */
ROAST_DEFINE_FINISH (Launcher, gboolean, roast_launcher_wait_finish, boolean)

/**
 * roast_launcher_send_signal:
 * @self: a launcher
 * @signum: the signal
 *
 * Sends a signal to the main process, but never to another process that has got the same process id later. While the
 * program is starting, the signal is kept, to be sent when the program runs.
 *
 * Returns: whether the signal was sent or kept; %FALSE if no program is running or starting
 *
 * Since: 0.9
 */
gboolean
roast_launcher_send_signal (RoastLauncher *self, int signum)
{
  g_return_val_if_fail (ROAST_IS_LAUNCHER (self), FALSE);
  g_return_val_if_fail (signum > 0 && signum <= 64, FALSE);

  if (roast_waiters_is_waiting (self->start))
    {
      self->early_signals |= G_GUINT64_CONSTANT (1) << (signum - 1);
      return TRUE;
    }

  return self->running && order_signal (self, signum);
}

/**
 * roast_launcher_detach:
 * @self: a launcher
 *
 * Stops following the process tree. The program continues to run. The current numbers become the final numbers. Wait
 * for the final numbers with [method@Roast.Launcher.wait_async].
 *
 * Since: 0.9
 */
void
roast_launcher_detach (RoastLauncher *self)
{
  g_return_if_fail (ROAST_IS_LAUNCHER (self));

  if (self->running)
    order_detach (self);
}

/**
 * roast_launcher_get_pid:
 * @self: a launcher
 *
 * Gets the process id of the main process.
 *
 * Returns: the process id; -1 before the launch
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Launcher, LAUNCHER, int, roast_launcher_get_pid, -1, self->pid > 0 ? self->pid : -1)

/**
 * roast_launcher_get_wait_status:
 * @self: a launcher
 * @wait_status: (out) (optional): return location for the status from `waitpid()`
 *
 * Gets the wait status of the main process.
 *
 * Returns: whether the process ended and its status is known
 *
 * Since: 0.9
 */
gboolean
roast_launcher_get_wait_status (RoastLauncher *self, int *wait_status)
{
  g_return_val_if_fail (ROAST_IS_LAUNCHER (self), FALSE);

  if (self->status_known && wait_status != NULL)
    *wait_status = self->wait_status;

  return self->status_known;
}
