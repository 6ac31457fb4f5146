/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-launch-context-private.h"

#include "base/roast-type-private.h"

#define LAUNCH_CONTEXT_DEFAULT_INTERVAL (G_USEC_PER_SEC)
#define LAUNCH_CONTEXT_MIN_INTERVAL (G_USEC_PER_SEC / 100)
#define DEFAULT_GRACE (G_USEC_PER_SEC / 5)
#define ALL_ACCOUNTING ((ROAST_ACCOUNTING_CHILDREN << 1) - 1)

/**
 * RoastLaunchContext:
 *
 * Describes how to launch and follow a program: its arguments, environment and directory, how its processes are
 * sampled, and which observers are notified of the processes.
 *
 * A new context has the caller's environment and directory. A backend can change the context in
 * [method@Roast.MetricsBackend.prepare_launch]. Changes after the launch has begun have no effect.
 *
 * ```c
 * const char *const argv[] = { "python3", "analysis.py", NULL };
 * g_autoptr (RoastLaunchContext) context = roast_launch_context_new (argv);
 *
 * roast_launch_context_setenv (context, "OMP_NUM_THREADS", "1");
 * roast_launch_context_set_directory (context, "/data");
 * roast_launch_context_set_interval (context, G_USEC_PER_SEC / 10);
 * roast_session_launch_async (session, context, NULL, on_launched, NULL);
 * ```
 *
 * Since: 0.9
 */

ROAST_DEFINE_TYPE (RoastLaunchContext, roast_launch_context)

static void
roast_launch_context_release (RoastLaunchContext *self)
{
  g_strfreev (self->argv);
  g_strfreev (self->environment);
  g_free (self->directory);
  g_ptr_array_unref (self->observers);
}

static void
roast_launch_context_init (RoastLaunchContext *self)
{
  self->environment = g_get_environ ();
  self->interval = LAUNCH_CONTEXT_DEFAULT_INTERVAL;
  self->grace = DEFAULT_GRACE;
  self->accounting = ALL_ACCOUNTING;
  self->observers = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * roast_launch_context_new:
 * @argv: (nullable) (array zero-terminated=1) (element-type filename): the program and its arguments; %NULL or empty to
 *   attach to a running process
 *
 * Creates a context with this process's environment. A program name without a slash is looked up in the `PATH` of the
 * context's environment.
 *
 * Returns: (transfer full): a new context
 *
 * Since: 0.9
 */
RoastLaunchContext *
roast_launch_context_new (const char *const *argv)
{
  RoastLaunchContext *self = g_object_new (ROAST_TYPE_LAUNCH_CONTEXT, NULL);

  self->argv = argv != NULL ? g_strdupv ((char **) argv) : g_new0 (char *, 1);
  return self;
}

/**
 * roast_launch_context_get_argv:
 * @self: a context
 *
 * Gets the program and its arguments.
 *
 * Returns: (array zero-terminated=1) (element-type filename) (transfer none): the arguments; may be empty
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (LaunchContext, LAUNCH_CONTEXT, const char *const *, roast_launch_context_get_argv, NULL,
                     (const char *const *) self->argv)

/**
 * roast_launch_context_getenv:
 * @self: a context
 * @name: (type filename): name of a variable
 *
 * Gets an environment variable of the program.
 *
 * Returns: (type filename) (nullable) (transfer none): value of the variable, valid until the environment is changed;
 *   %NULL if the variable is not set
 *
 * Since: 0.9
 */
const char *
roast_launch_context_getenv (RoastLaunchContext *self, const char *name)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return g_environ_getenv (self->environment, name);
}

/**
 * roast_launch_context_setenv:
 * @self: a context
 * @name: (type filename): name of a variable
 * @value: (type filename): value of the variable
 *
 * Sets an environment variable of the program.
 *
 * Since: 0.9
 */
void
roast_launch_context_setenv (RoastLaunchContext *self, const char *name, const char *value)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));
  g_return_if_fail (name != NULL && *name != '\0' && strchr (name, '=') == NULL);
  g_return_if_fail (value != NULL);

  self->environment = g_environ_setenv (self->environment, name, value, TRUE);
}

/**
 * roast_launch_context_unsetenv:
 * @self: a context
 * @name: (type filename): name of a variable
 *
 * Removes an environment variable of the program.
 *
 * Since: 0.9
 */
void
roast_launch_context_unsetenv (RoastLaunchContext *self, const char *name)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));
  g_return_if_fail (name != NULL && *name != '\0' && strchr (name, '=') == NULL);

  self->environment = g_environ_unsetenv (self->environment, name);
}

/**
 * roast_launch_context_get_directory:
 * @self: a context
 *
 * Gets the directory in which the program will start.
 *
 * Returns: (transfer none) (type filename) (nullable): a directory; %NULL for this process's directory
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (LaunchContext, LAUNCH_CONTEXT, const char *, roast_launch_context_get_directory, NULL,
                     self->directory)

/**
 * roast_launch_context_set_directory:
 * @self: a context
 * @directory: (type filename) (nullable): a directory; %NULL for this process's directory
 *
 * Sets the directory in which the program will start.
 *
 * Since: 0.9
 */
void
roast_launch_context_set_directory (RoastLaunchContext *self, const char *directory)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));

  g_free (self->directory);
  self->directory = g_strdup (directory);
}

/**
 * roast_launch_context_get_interval:
 * @self: a context
 *
 * Gets the time between two samples.
 *
 * Returns: the interval in µs
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (LaunchContext, LAUNCH_CONTEXT, gint64, roast_launch_context_get_interval, -1, self->interval)

/**
 * roast_launch_context_set_interval:
 * @self: a context
 * @interval: the interval in µs, at least 10 ms
 *
 * Sets the time between two samples. The default is one second.
 *
 * Since: 0.9
 */
void
roast_launch_context_set_interval (RoastLaunchContext *self, gint64 interval)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));
  g_return_if_fail (interval >= LAUNCH_CONTEXT_MIN_INTERVAL);

  self->interval = interval;
}

/**
 * roast_launch_context_set_pss_mode:
 * @self: a context
 * @mode: a mode
 *
 * Sets how often the proportional set size (PSS) of the processes is read. The default is %ROAST_PSS_MODE_AUTO.
 *
 * Since: 0.9
 */
void
roast_launch_context_set_pss_mode (RoastLaunchContext *self, RoastPssMode mode)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));

  self->pss_mode = mode;
}

/**
 * roast_launch_context_set_wait_mode:
 * @self: a context
 * @mode: a mode
 *
 * Sets how long the process tree is followed. The default is %ROAST_WAIT_MODE_MAIN.
 *
 * Since: 0.9
 */
void
roast_launch_context_set_wait_mode (RoastLaunchContext *self, RoastWaitMode mode)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));

  self->wait_mode = mode;
}

/**
 * roast_launch_context_set_grace:
 * @self: a context
 * @grace: the time in µs, 0 or more
 *
 * Sets how long to follow processes that outlive the main process, with %ROAST_WAIT_MODE_MAIN. The default is 0.2
 * seconds.
 *
 * Since: 0.9
 */
void
roast_launch_context_set_grace (RoastLaunchContext *self, gint64 grace)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));
  g_return_if_fail (grace >= 0);

  self->grace = grace;
}

/**
 * roast_launch_context_get_accounting:
 * @self: a context
 *
 * Gets the accounting mechanisms that may be used.
 *
 * Returns: the allowed mechanisms
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (LaunchContext, LAUNCH_CONTEXT, RoastAccounting, roast_launch_context_get_accounting, 0,
                     self->accounting)

/**
 * roast_launch_context_set_accounting:
 * @self: a context
 * @allowed: the allowed mechanisms
 *
 * Sets the accounting mechanisms that may be used. By default all mechanisms may be used, and the launch detects which
 * mechanisms the machine offers.
 *
 * Since: 0.9
 */
void
roast_launch_context_set_accounting (RoastLaunchContext *self, RoastAccounting allowed)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));

  self->accounting = allowed;
}

/**
 * roast_launch_context_set_ignore_sigpipe:
 * @self: a context
 * @ignore: whether to ignore the signal
 *
 * Sets whether the program starts with `SIGPIPE` ignored. The default is %FALSE, even if the application itself ignores
 * the signal, as Python does. A command line tool should set this to the disposition of the signal that the tool itself
 * inherited.
 *
 * Since: 0.9
 */
void
roast_launch_context_set_ignore_sigpipe (RoastLaunchContext *self, gboolean ignore)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));

  self->ignore_sigpipe = !!ignore;
}

/**
 * roast_launch_context_add_observer:
 * @self: a context
 * @observer: (transfer none): an observer
 *
 * Adds an observer of the processes. The observer is kept alive while the processes are followed.
 *
 * Since: 0.9
 */
void
roast_launch_context_add_observer (RoastLaunchContext *self, RoastProcessObserver *observer)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));
  g_return_if_fail (ROAST_IS_PROCESS_OBSERVER (observer));

  g_ptr_array_add (self->observers, g_object_ref (observer));
}
