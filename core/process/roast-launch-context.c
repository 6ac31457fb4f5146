/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-launch-context.h"

#define DEFAULT_INTERVAL (G_USEC_PER_SEC)
#define MIN_INTERVAL (G_USEC_PER_SEC / 100)
#define DEFAULT_GRACE (2 * G_USEC_PER_SEC)

/**
 * RoastLaunchContext:
 *
 * How a program is to be launched and followed: arguments, environment, directory, how often and how closely to look,
 * and who hears of its processes.
 *
 * It begins with the environment and the directory of the caller. A backend changes it in
 * [method@Roast.MetricsBackend.prepare_launch]; once the launch has begun, changes have no effect.
 *
 * Since: 0.9
 */
struct _RoastLaunchContext
{
  GObject parent_instance;

  char **argv;
  char **environment;
  char *directory;
  gint64 interval;
  gint64 grace;
  RoastPssMode pss_mode;
  RoastWaitMode wait_mode;
  RoastAccounting accounting;
  gboolean ignore_sigpipe;
  GPtrArray *observers;
};

G_DEFINE_FINAL_TYPE (RoastLaunchContext, roast_launch_context, G_TYPE_OBJECT)

static void
roast_launch_context_finalize (GObject *object)
{
  RoastLaunchContext *self = ROAST_LAUNCH_CONTEXT (object);

  g_strfreev (self->argv);
  g_strfreev (self->environment);
  g_free (self->directory);
  g_ptr_array_unref (self->observers);

  G_OBJECT_CLASS (roast_launch_context_parent_class)->finalize (object);
}

static void
roast_launch_context_class_init (RoastLaunchContextClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_launch_context_finalize;
}

static void
roast_launch_context_init (RoastLaunchContext *self)
{
  self->environment = g_get_environ ();
  self->interval = DEFAULT_INTERVAL;
  self->grace = DEFAULT_GRACE;
  self->accounting = (ROAST_ACCOUNTING_CHILDREN << 1) - 1;
  self->observers = g_ptr_array_new_with_free_func (g_object_unref);
}

/**
 * roast_launch_context_new:
 * @argv: (nullable) (array zero-terminated=1) (element-type filename): the program and its arguments; %NULL or empty
 *   if something that runs already is to be followed
 *
 * Makes a context with the environment of this process. A program without a slash is looked up in the `PATH` of the
 * context's environment.
 *
 * Returns: (transfer full): a context
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
 * Returns: (array zero-terminated=1) (element-type filename) (transfer none): the arguments, perhaps none
 *
 * Since: 0.9
 */
const char *const *
roast_launch_context_get_argv (RoastLaunchContext *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), NULL);

  return (const char *const *) self->argv;
}

/**
 * roast_launch_context_getenv:
 * @self: a context
 * @name: (type filename): name of a variable
 *
 * Gets a variable of the environment that the program will have.
 *
 * Returns: (type filename) (nullable) (transfer none): its value, valid until the environment is changed; %NULL if it
 *   is not set
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
 * @value: (type filename): its value
 *
 * Sets a variable of the environment that the program will have.
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
 * Removes a variable from the environment that the program will have.
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
 * roast_launch_context_dup_environment:
 * @self: a context
 *
 * Gets the whole environment that the program will have, as NAME=VALUE.
 *
 * Returns: (array zero-terminated=1) (element-type filename) (transfer full): the environment
 *
 * Since: 0.9
 */
char **
roast_launch_context_dup_environment (RoastLaunchContext *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), NULL);

  return g_strdupv (self->environment);
}

/**
 * roast_launch_context_get_directory:
 * @self: a context
 *
 * Gets the directory in which the program will start.
 *
 * Returns: (transfer none) (type filename) (nullable): a directory; %NULL for that of this process
 *
 * Since: 0.9
 */
const char *
roast_launch_context_get_directory (RoastLaunchContext *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), NULL);

  return self->directory;
}

/**
 * roast_launch_context_set_directory:
 * @self: a context
 * @directory: (type filename) (nullable): a directory; %NULL for that of this process
 *
 * Sets the directory in which the program will start.
 *
 * Since: 0.9
 */
void
roast_launch_context_set_directory (RoastLaunchContext *self, const char *directory)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));

  if (g_strcmp0 (self->directory, directory) == 0)
    return;

  g_free (self->directory);
  self->directory = g_strdup (directory);
}

/**
 * roast_launch_context_get_interval:
 * @self: a context
 *
 * Gets the time between two samples.
 *
 * Returns: µs
 *
 * Since: 0.9
 */
gint64
roast_launch_context_get_interval (RoastLaunchContext *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), -1);

  return self->interval;
}

/**
 * roast_launch_context_set_interval:
 * @self: a context
 * @interval: µs, at least 10 ms
 *
 * Sets the time between two samples; one second at first.
 *
 * Since: 0.9
 */
void
roast_launch_context_set_interval (RoastLaunchContext *self, gint64 interval)
{
  g_return_if_fail (ROAST_IS_LAUNCH_CONTEXT (self));
  g_return_if_fail (interval >= MIN_INTERVAL);

  self->interval = interval;
}

/**
 * roast_launch_context_get_pss_mode:
 * @self: a context
 *
 * Gets how often the proportional set size is read.
 *
 * Returns: the mode
 *
 * Since: 0.9
 */
RoastPssMode
roast_launch_context_get_pss_mode (RoastLaunchContext *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), ROAST_PSS_MODE_AUTO);

  return self->pss_mode;
}

/**
 * roast_launch_context_set_pss_mode:
 * @self: a context
 * @mode: a mode
 *
 * Sets how often the proportional set size is read; %ROAST_PSS_MODE_AUTO at first.
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
 * roast_launch_context_get_wait_mode:
 * @self: a context
 *
 * Gets how long the tree is followed.
 *
 * Returns: the mode
 *
 * Since: 0.9
 */
RoastWaitMode
roast_launch_context_get_wait_mode (RoastLaunchContext *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), ROAST_WAIT_MODE_MAIN);

  return self->wait_mode;
}

/**
 * roast_launch_context_set_wait_mode:
 * @self: a context
 * @mode: a mode
 *
 * Sets how long the tree is followed; %ROAST_WAIT_MODE_MAIN at first.
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
 * roast_launch_context_get_grace:
 * @self: a context
 *
 * Gets how long processes that the main process leaves behind are waited for.
 *
 * Returns: µs
 *
 * Since: 0.9
 */
gint64
roast_launch_context_get_grace (RoastLaunchContext *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), -1);

  return self->grace;
}

/**
 * roast_launch_context_set_grace:
 * @self: a context
 * @grace: µs, 0 or more
 *
 * Sets how long processes that the main process leaves behind are waited for, with %ROAST_WAIT_MODE_MAIN; two seconds
 * at first.
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
 * Gets the mechanisms that may be used.
 *
 * Returns: mechanisms
 *
 * Since: 0.9
 */
RoastAccounting
roast_launch_context_get_accounting (RoastLaunchContext *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), 0);

  return self->accounting;
}

/**
 * roast_launch_context_set_accounting:
 * @self: a context
 * @allowed: mechanisms
 *
 * Sets the mechanisms that may be used; all at first. Which of them the machine offers is found out at the launch.
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
 * roast_launch_context_get_ignore_sigpipe:
 * @self: a context
 *
 * Gets whether the program starts with `SIGPIPE` ignored.
 *
 * Returns: whether it does
 *
 * Since: 0.9
 */
gboolean
roast_launch_context_get_ignore_sigpipe (RoastLaunchContext *self)
{
  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), FALSE);

  return self->ignore_sigpipe;
}

/**
 * roast_launch_context_set_ignore_sigpipe:
 * @self: a context
 * @ignore: whether it does
 *
 * Sets whether the program starts with `SIGPIPE` ignored; not at first, although the application (Python, for one) may
 * ignore it itself. A command line tool passes on what it was started with.
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
 * Has an observer told of the processes; it is kept alive while they are followed.
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

/**
 * roast_launch_context_list_observers:
 * @self: a context
 *
 * Lists the observers, in the order in which they were added.
 *
 * Returns: (transfer container) (element-type RoastProcessObserver): the observers
 *
 * Since: 0.9
 */
GPtrArray *
roast_launch_context_list_observers (RoastLaunchContext *self)
{
  g_autoptr (GPtrArray) list = NULL;

  g_return_val_if_fail (ROAST_IS_LAUNCH_CONTEXT (self), NULL);

  list = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < self->observers->len; i++)
    g_ptr_array_add (list, g_object_ref (g_ptr_array_index (self->observers, i)));

  return g_steal_pointer (&list);
}
