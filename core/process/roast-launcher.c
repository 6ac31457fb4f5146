/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-launcher.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/roast-waiters-private.h"
#include "roast-process-accounting-private.h"
#include "roast-supervisor-failure-private.h"
#include "roast-supervisor-spawn-private.h"
#include "roast-supervisor-stream-private.h"
#include "roast/roast-error.h"

#define READ_SIZE (64 * 1024)
/* At most so much is read before others in the main context have their turn. */
#define READS_PER_DISPATCH 4

/**
 * RoastLauncher:
 *
 * Starts a program, or joins one that runs, and follows its whole process tree into a recording.
 *
 * The program is started by a small supervisor, which samples and reaps, and says what it sees over a socket.
 * So nothing is forked from the application, its own children are never waited for, and neither its signal handlers
 * nor anything else of its process is changed. If the application ends, the program lives on.
 *
 * A launcher works in the thread-default main context of the caller of [method@Roast.Launcher.launch_async] or
 * [method@Roast.Launcher.attach_async], is used from there only, and for one program only.
 *
 * Since: 0.9
 */
struct _RoastLauncher
{
  GObject parent_instance;

  RoastRecording *recording;
  RoastProcessAccounting *accounting;
  GPtrArray *observers;
  char *program;      /* for messages */
  char *command_line; /* of what was launched */
  char *path;

  GMainContext *context;
  RoastSupervisorStream *stream;
  GSource *source;
  guint8 *buffer;
  int fd;
  GPid supervisor;

  GTask *start; /* launch or attach, until it is known how it went */
  GSource *cancelled;
  RoastWaiters *waiters;
  GError *failure;
  RoastTreeInfo info;
  GPtrArray *early; /* GBytes: what came before it was known that something runs */

  int pid;
  int wait_status;
  guint64 early_signals; /* bit n - 1: signal n was sent before it was known that something runs */
  guint used : 1;
  guint attached : 1;
  guint abandoned : 1; /* the start was cancelled */
  guint running : 1;
  guint status_known : 1;
  guint finished : 1; /* the supervisor said its last word */
};

enum
{
  SIGNAL_EXITED,
  SIGNAL_STOPPED,
  SIGNAL_CONTINUED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (RoastLauncher, roast_launcher, G_TYPE_OBJECT)

static void
roast_launcher_close (RoastLauncher *self)
{
  if (self->source != NULL)
    {
      g_source_destroy (self->source);
      g_clear_pointer (&self->source, g_source_unref);
    }
  if (self->fd >= 0)
    {
      close (self->fd);
      self->fd = -1;
    }
  g_clear_pointer (&self->buffer, g_free);
}

static void
roast_launcher_finalize (GObject *object)
{
  RoastLauncher *self = ROAST_LAUNCHER (object);

  roast_launcher_close (self);
  g_clear_pointer (&self->stream, roast_supervisor_stream_free);
  g_clear_pointer (&self->waiters, roast_waiters_free);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_pointer (&self->observers, g_ptr_array_unref);
  g_clear_pointer (&self->early, g_ptr_array_unref);
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
   * @wait_status: as `waitpid()` gives it; -1 if it is not known, as for a process that is not ours
   *
   * The main process ended; others of its tree may be left, and the last records are still to come.
   *
   * Since: 0.9
   */
  signals[SIGNAL_EXITED] = g_signal_new ("exited", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_INT);

  /**
   * RoastLauncher::stopped:
   * @self: the launcher
   * @signum: the signal that stopped it
   *
   * The main process was stopped by a signal of job control.
   *
   * Since: 0.9
   */
  signals[SIGNAL_STOPPED] = g_signal_new ("stopped", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_INT);

  /**
   * RoastLauncher::continued:
   * @self: the launcher
   *
   * The main process was continued after it had been stopped.
   *
   * Since: 0.9
   */
  signals[SIGNAL_CONTINUED] =
      g_signal_new ("continued", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
roast_launcher_init (RoastLauncher *self)
{
  self->fd = -1;
  self->pid = -1;
  self->observers = g_ptr_array_new_with_free_func (g_object_unref);
  self->early = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  self->waiters = roast_waiters_new ();
}

/**
 * roast_launcher_new:
 * @recording: where what is measured goes
 *
 * Makes a launcher.
 *
 * Returns: (transfer full): a launcher
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

/* The launch or the attach, no longer waiting: to be completed by the caller. */
static GTask *
take_start (RoastLauncher *self)
{
  if (self->cancelled != NULL)
    {
      g_source_destroy (self->cancelled);
      g_clear_pointer (&self->cancelled, g_source_unref);
    }

  return g_steal_pointer (&self->start);
}

/* To the supervisor */

static gboolean
send_frame (RoastLauncher *self, guint32 type, gconstpointer payload, guint32 length)
{
  struct
  {
    RoastWireHeader header;
    guint8 payload[64];
  } frame = { { type, length } };
  gssize sent;

  if (self->fd < 0 || length > sizeof frame.payload)
    return FALSE;

  if (length > 0)
    memcpy (frame.payload, payload, length);
  do
    sent = send (self->fd, &frame, sizeof frame.header + length, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);

  return sent == (gssize) (sizeof frame.header + length);
}

/* From the supervisor: one function for each type of frame that needs more than a line */

#define FOR_EACH_OBSERVER(self, call, ...)                                                                             \
  for (guint observer_index = 0; observer_index < (self)->observers->len; observer_index++)                            \
  roast_process_observer_##call (g_ptr_array_index ((self)->observers, observer_index), __VA_ARGS__)

static void on_frame (guint32 type, gconstpointer payload, gsize length, gpointer user_data);

static void
return_start_error (RoastLauncher *self, GError *error)
{
  g_autoptr (GTask) task = take_start (self);

  if (task != NULL)
    g_task_return_error (task, error);
  else
    g_error_free (error);
}

/* What is heard before the launch is decided waits until observers know of the tree. */
static void
keep_early (RoastLauncher *self, guint32 type, gconstpointer payload, gsize length)
{
  g_autoptr (GByteArray) frame = g_byte_array_new ();
  guint64 word = type;

  g_byte_array_append (frame, (const guint8 *) &word, sizeof word);
  if (length > 0)
    g_byte_array_append (frame, payload, length);
  g_ptr_array_add (self->early, g_byte_array_free_to_bytes (g_steal_pointer (&frame)));
}

static void
replay_early (RoastLauncher *self)
{
  g_autoptr (GPtrArray) early = g_steal_pointer (&self->early);

  for (guint i = 0; i < early->len; i++)
    {
      gsize size;
      const guint8 *data = g_bytes_get_data (g_ptr_array_index (early, i), &size);
      guint64 word;

      memcpy (&word, data, sizeof word);
      on_frame ((guint32) word, data + sizeof word, size - sizeof word, self);
    }
}

/* The start was cancelled: what was launched goes, what was attached to is let alone. */
static void
abandon (RoastLauncher *self)
{
  RoastWireSignal kill_it = { SIGKILL };

  if (self->attached)
    send_frame (self, ROAST_WIRE_DETACH, NULL, 0);
  else
    send_frame (self, ROAST_WIRE_SIGNAL, &kill_it, sizeof kill_it);
}

/* As the kernel keeps them: each once, however often it was sent. */
static void
send_early_signals (RoastLauncher *self)
{
  for (int signum = 1; self->early_signals != 0; signum++, self->early_signals >>= 1)
    {
      RoastWireSignal frame = { signum };

      if ((self->early_signals & 1) != 0)
        send_frame (self, ROAST_WIRE_SIGNAL, &frame, sizeof frame);
    }
}

static void
on_launched (RoastLauncher *self, const RoastWireLaunched *launched)
{
  g_autoptr (GTask) task = take_start (self);

  if (self->running)
    return;

  self->running = TRUE;
  self->pid = launched->pid;
  roast_process_accounting_set_pid (self->accounting, self->pid);
  FOR_EACH_OBSERVER (self, tree_started, &self->info);
  replay_early (self);

  if (self->abandoned)
    {
      abandon (self);
      return;
    }
  send_early_signals (self);
  if (task != NULL)
    g_task_return_boolean (task, TRUE);
}

static void
on_process (RoastLauncher *self, guint32 type, const RoastProcess *process, gsize length)
{
  g_autofree char *read = roast_supervisor_stream_quote ((const char *) (process + 1), length - sizeof *process);
  const char *command_line = read;

  /* A program may end before the kernel can be asked for its arguments; those of the first one are ours. */
  if (command_line == NULL && type == ROAST_WIRE_PROCESS && process->pid == self->pid)
    command_line = self->command_line;
  FOR_EACH_OBSERVER (self, process_started, process, command_line);
}

static void
on_tick (RoastLauncher *self, const RoastTreeSample *tree)
{
  FOR_EACH_OBSERVER (self, sampled, tree, (const RoastProcessSample *) (tree + 1), tree->samples);
}

static void
on_main_ended (RoastLauncher *self, const RoastWireMainEnded *ended)
{
  if (ended->status_known)
    {
      self->status_known = TRUE;
      self->wait_status = ended->wait_status;
      roast_process_accounting_main_ended (self->accounting, ended->wait_status);
    }
  g_signal_emit (self, signals[SIGNAL_EXITED], 0, ended->status_known ? ended->wait_status : -1);
}

static void
on_note (RoastLauncher *self, const RoastWireNote *note, gsize length)
{
  g_autofree char *message = g_utf8_make_valid ((const char *) (note + 1), length - sizeof *note);
  g_autofree char *kind = g_utf8_make_valid (note->kind, -1);
  RoastSeverity severity = CLAMP (note->severity, ROAST_SEVERITY_INFO, ROAST_SEVERITY_ERROR);

  FOR_EACH_OBSERVER (self, noted, note->time, severity, kind, message);
}

static void
on_launch_failed (RoastLauncher *self, const RoastWireFailure *failure)
{
  GError *error = roast_supervisor_failure_to_error (failure, self->program, self->path, self->pid);

  /* A cancelled start keeps that as its reason. */
  if (self->failure == NULL)
    self->failure = g_error_copy (error);
  self->finished = TRUE;
  return_start_error (self, error);
}

static void
on_running_frame (RoastLauncher *self, guint32 type, gconstpointer payload, gsize length)
{
  const RoastWireStopped *stopped = payload;

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
      FOR_EACH_OBSERVER (self, process_ended, payload);
      break;
    case ROAST_WIRE_MAIN_ENDED:
      on_main_ended (self, payload);
      break;
    case ROAST_WIRE_STOPPED:
      if (stopped->stopped)
        g_signal_emit (self, signals[SIGNAL_STOPPED], 0, stopped->signal);
      else
        g_signal_emit (self, signals[SIGNAL_CONTINUED], 0);
      break;
    case ROAST_WIRE_NOTE:
      on_note (self, payload, length);
      break;
    case ROAST_WIRE_FINISHED:
      self->finished = TRUE;
      FOR_EACH_OBSERVER (self, tree_ended, payload);
      break;
    default:
      break;
    }
}

static void
on_frame (guint32 type, gconstpointer payload, gsize length, gpointer user_data)
{
  RoastLauncher *self = user_data;

  switch (type)
    {
    case ROAST_WIRE_HELLO:
      self->info = ((const RoastWireHello *) payload)->info;
      break;
    case ROAST_WIRE_LAUNCHED:
      on_launched (self, payload);
      break;
    case ROAST_WIRE_LAUNCH_FAILED:
      if (!self->running)
        on_launch_failed (self, payload);
      break;
    default:
      if (self->running)
        on_running_frame (self, type, payload, length);
      else
        keep_early (self, type, payload, length);
      break;
    }
}

/* The socket */

/* The supervisor said its last word, or is gone without it. */
static void
end_stream (RoastLauncher *self, const GError *cause)
{
  g_autoptr (GError) error = NULL;

  roast_launcher_close (self);
  roast_supervisor_reap (self->supervisor, self->context);

  if (!self->finished && self->failure == NULL)
    {
      error =
          g_error_new (ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                       "%s while it followed %s. What was measured until then is kept",
                       cause != NULL ? cause->message : "the supervisor ended early (was it killed?)", self->program);
      if (self->running)
        roast_process_accounting_abandon (self->accounting, error->message);
      return_start_error (self, g_error_copy (error));
      if (!self->status_known)
        self->failure = g_steal_pointer (&error);
    }

  self->running = FALSE;
  roast_waiters_complete (self->waiters, self->failure);
}

/* How many bytes came; 0 at the end of the stream, -1 if none are there now. */
static gssize
read_some (RoastLauncher *self)
{
  gssize n;

  do
    n = read (self->fd, self->buffer, READ_SIZE);
  while (n < 0 && errno == EINTR);

  if (n < 0)
    return errno == EAGAIN ? -1 : 0;

  return n;
}

static gboolean
on_readable (int fd, GIOCondition condition, gpointer user_data)
{
  g_autoptr (RoastLauncher) self = g_object_ref (user_data);

  for (guint i = 0; i < READS_PER_DISPATCH; i++)
    {
      g_autoptr (GError) error = NULL;
      gssize n = read_some (self);

      if (n < 0)
        return G_SOURCE_CONTINUE;

      /* After its last word there is no need to wait until the supervisor is gone. */
      if (n == 0 || !roast_supervisor_stream_feed (self->stream, self->buffer, n, &error) || self->finished)
        {
          end_stream (self, error);
          return G_SOURCE_REMOVE;
        }
    }

  return G_SOURCE_CONTINUE;
}

static gboolean
on_start_cancelled (GCancellable *cancellable, gpointer user_data)
{
  RoastLauncher *self = user_data;
  GError *error = NULL;

  if (self->start != NULL && g_cancellable_set_error_if_cancelled (cancellable, &error))
    {
      self->abandoned = TRUE;
      self->failure = g_error_copy (error);
      return_start_error (self, error);
    }

  return G_SOURCE_REMOVE;
}

static void
watch_cancellable (RoastLauncher *self)
{
  GCancellable *cancellable = g_task_get_cancellable (self->start);
  g_autoptr (GSource) source = NULL;

  if (cancellable == NULL)
    return;

  source = g_cancellable_source_new (cancellable);
  g_source_set_callback (source, G_SOURCE_FUNC (on_start_cancelled), g_object_ref (self), g_object_unref);
  g_source_attach (source, self->context);
  self->cancelled = g_steal_pointer (&source);
}

static void
watch_stream (RoastLauncher *self)
{
  self->stream = roast_supervisor_stream_new (on_frame, self);
  self->buffer = g_malloc (READ_SIZE);
  self->source = g_unix_fd_source_new (self->fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
  /* The reference keeps a launcher that nobody else holds at work until the end of its program. */
  g_source_set_callback (self->source, G_SOURCE_FUNC (on_readable), g_object_ref (self), g_object_unref);
  g_source_attach (self->source, self->context);
}

static void
take_observers (RoastLauncher *self, RoastLaunchContext *context, gboolean attach)
{
  g_autoptr (GPtrArray) others = roast_launch_context_list_observers (context);

  self->accounting = roast_process_accounting_new (self->recording, attach);
  g_ptr_array_add (self->observers, g_object_ref (self->accounting));
  for (guint i = 0; i < others->len; i++)
    g_ptr_array_add (self->observers, g_object_ref (g_ptr_array_index (others, i)));
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
  if (self->used)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING,
                               "a launcher launches or attaches once. Make another one");
      return;
    }

  if (!roast_supervisor_spawn (context, pid, &self->fd, &self->supervisor, &error))
    {
      g_task_return_error (task, error);
      return;
    }

  self->used = TRUE;
  self->context = g_main_context_ref_thread_default ();
  self->path = g_strdup (roast_launch_context_getenv (context, "PATH"));
  self->pid = pid;
  self->attached = pid > 0;
  name_program (self, pid, roast_launch_context_get_argv (context));
  take_observers (self, context, pid > 0);
  self->start = g_steal_pointer (&owned);
  watch_cancellable (self);
  watch_stream (self);
}

/**
 * roast_launcher_launch_async:
 * @self: a launcher
 * @context: what to launch, and how
 * @cancellable: (nullable): a cancellable
 * @callback: (nullable) (scope async): called when the program runs, or when it is known that it will not
 * @user_data: data for @callback
 *
 * Starts a program. If it is cancelled before the program is known to run, the program is killed should it have
 * started.
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
                               "no program is named: give its name, then its arguments");
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
 * Tells whether the program runs.
 *
 * Returns: %TRUE if it does
 *
 * Since: 0.9
 */
gboolean
roast_launcher_launch_finish (RoastLauncher *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (ROAST_IS_LAUNCHER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * roast_launcher_attach_async:
 * @self: a launcher
 * @pid: number of a process
 * @context: (nullable): how to follow it; its program, environment and directory do not matter
 * @cancellable: (nullable): a cancellable
 * @callback: (nullable) (scope async): called when it is followed, or when it is known that it cannot be
 * @user_data: data for @callback
 *
 * Joins a process that runs already, and what descends from it. As it is not ours, its exit status stays unknown.
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
 * Tells whether the process is followed.
 *
 * Returns: %TRUE if it is
 *
 * Since: 0.9
 */
gboolean
roast_launcher_attach_finish (RoastLauncher *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (ROAST_IS_LAUNCHER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * roast_launcher_wait_async:
 * @self: a launcher
 * @cancellable: (nullable): a cancellable, for the waiting only
 * @callback: (nullable) (scope async): called when the last record has come
 * @user_data: data for @callback
 *
 * Waits until the tree is not followed any more and all that was measured is in the recording. Any number may wait.
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
 * Tells how the following ended. If the supervisor was lost on the way, that is an event in the recording,
 * and an error only if the status of the main process stayed unknown: %ROAST_LAUNCH_ERROR_SUPERVISOR.
 *
 * Returns: %TRUE if it ended well
 *
 * Since: 0.9
 */
gboolean
roast_launcher_wait_finish (RoastLauncher *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (ROAST_IS_LAUNCHER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * roast_launcher_send_signal:
 * @self: a launcher
 * @signum: number of a signal
 *
 * Sends a signal to the main process, never to another that got its number. While the program is being started, the
 * signal is kept until it runs.
 *
 * Returns: whether it was passed on or kept; %FALSE if nothing runs
 *
 * Since: 0.9
 */
gboolean
roast_launcher_send_signal (RoastLauncher *self, int signum)
{
  RoastWireSignal frame = { signum };

  g_return_val_if_fail (ROAST_IS_LAUNCHER (self), FALSE);
  g_return_val_if_fail (signum > 0 && signum <= 64, FALSE);

  if (self->start != NULL && !self->running)
    {
      self->early_signals |= G_GUINT64_CONSTANT (1) << (signum - 1);
      return TRUE;
    }

  return self->running && send_frame (self, ROAST_WIRE_SIGNAL, &frame, sizeof frame);
}

/**
 * roast_launcher_detach:
 * @self: a launcher
 *
 * Stops following: the last records are written now, and the program lives on. Wait for the end with
 * [method@Roast.Launcher.wait_async].
 *
 * Since: 0.9
 */
void
roast_launcher_detach (RoastLauncher *self)
{
  g_return_if_fail (ROAST_IS_LAUNCHER (self));

  if (self->running)
    send_frame (self, ROAST_WIRE_DETACH, NULL, 0);
}

/**
 * roast_launcher_get_pid:
 * @self: a launcher
 *
 * Gets the main process.
 *
 * Returns: its number; -1 before the launch
 *
 * Since: 0.9
 */
int
roast_launcher_get_pid (RoastLauncher *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCHER (self), -1);

  return self->pid > 0 ? self->pid : -1;
}

/**
 * roast_launcher_is_running:
 * @self: a launcher
 *
 * Tells whether a tree is followed: from the launch until its last record.
 *
 * Returns: whether it is
 *
 * Since: 0.9
 */
gboolean
roast_launcher_is_running (RoastLauncher *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCHER (self), FALSE);

  return self->running;
}

/**
 * roast_launcher_get_wait_status:
 * @self: a launcher
 * @wait_status: (out) (optional): return location for the status, as `waitpid()` gives it
 *
 * Gets how the main process ended.
 *
 * Returns: whether it ended and its status is known
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
