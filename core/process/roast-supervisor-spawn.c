/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-supervisor-spawn-private.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/roast-fail-private.h"
#include "base/roast-place-private.h"
#include "base/roast-task-private.h"
#include "roast-launch-context-private.h"

#define REAP_POLL_MS 50

static char *
dup_supervisor_path (void)
{
  const char *override = getauxval (AT_SECURE) ? NULL : g_getenv ("ROAST_SUPERVISOR");

  if (override != NULL && *override != '\0')
    return g_canonicalize_filename (override, NULL);

  return roast_place_dup (ROAST_LIBEXEC_DIR "/roast-supervisor");
}

static char **
dup_supervisor_argv (RoastLaunchContext *context, int pid, const char *path, int control_fd)
{
  static const char *const pss_modes[] = { "auto", "exact", "off" };
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  gboolean tree = context->wait_mode == ROAST_WAIT_MODE_TREE;

  g_ptr_array_add (argv, g_strdup (path));
  g_ptr_array_add (argv, g_strdup_printf ("--control-fd=%d", control_fd));
  g_ptr_array_add (argv, g_strdup_printf ("--interval=%" G_GINT64_FORMAT, context->interval));
  g_ptr_array_add (argv, g_strdup_printf ("--pss=%s", pss_modes[context->pss_mode]));
  g_ptr_array_add (argv, g_strdup_printf ("--wait=%s", tree ? "tree" : "main"));
  g_ptr_array_add (argv, g_strdup_printf ("--grace=%" G_GINT64_FORMAT, context->grace));
  g_ptr_array_add (argv, g_strdup_printf ("--accounting=%u", (guint) context->accounting));
  if (context->ignore_sigpipe)
    g_ptr_array_add (argv, g_strdup ("--ignore-sigpipe"));
  if (context->directory != NULL)
    g_ptr_array_add (argv, g_strdup ("--in-directory"));

  if (pid > 0)
    {
      g_ptr_array_add (argv, g_strdup_printf ("--attach=%d", pid));
    }
  else
    {
      g_ptr_array_add (argv, g_strdup ("--"));
      for (guint i = 0; context->argv[i] != NULL; i++)
        g_ptr_array_add (argv, g_strdup (context->argv[i]));
    }

  g_ptr_array_add (argv, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&argv), FALSE);
}

/* Use posix_spawn(), which does not copy the application's memory and runs its file actions only in the child. A dup2()
 * of the child's end of the socket onto itself clears close-on-exec, in the child only. */
static int
spawn (const char *path, char **argv, char **environment, const char *directory, int control_fd, GPid *pid)
{
  posix_spawn_file_actions_t actions;
  int result;

  result = posix_spawn_file_actions_init (&actions);
  if (result != 0)
    return result;

  result = posix_spawn_file_actions_adddup2 (&actions, control_fd, control_fd);
  if (result == 0 && directory != NULL)
    result = posix_spawn_file_actions_addchdir_np (&actions, directory);
  if (result == 0)
    result = posix_spawn (pid, path, &actions, NULL, argv, environment);
  posix_spawn_file_actions_destroy (&actions);

  return result;
}

static gboolean
check_directory (const char *directory, GError **error)
{
  if (directory == NULL || (g_file_test (directory, G_FILE_TEST_IS_DIR) && access (directory, X_OK) == 0))
    return TRUE;

  return roast_fail (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_EXECUTABLE,
                     "cannot start the program in the directory “%s”: the directory does not exist, or access is "
                     "denied",
                     directory);
}

static void
set_spawn_error (GError **error, int code, const char *path)
{
  if (code == E2BIG)
    g_set_error_literal (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_NOT_EXECUTABLE,
                         "the arguments and the environment of the program are longer than the kernel allows. Pass "
                         "long lists in a file");
  else
    g_set_error (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                 "cannot start the supervisor %s: %s. Is roast installed completely? ROAST_SUPERVISOR can name "
                 "another supervisor",
                 path, g_strerror (code));
}

gboolean
roast_supervisor_spawn (RoastLaunchContext *context, int pid, int *fd, GPid *supervisor, GError **error)
{
  g_autofree char *path = dup_supervisor_path ();
  g_auto (GStrv) argv = NULL;
  int fds[2];
  int result;

  if (pid <= 0 && !check_directory (context->directory, error))
    return FALSE;
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    return roast_fail (error, ROAST_LAUNCH_ERROR, ROAST_LAUNCH_ERROR_SUPERVISOR,
                       "cannot create a socket for the supervisor: %s", g_strerror (errno));

  argv = dup_supervisor_argv (context, pid, path, fds[1]);
  result = spawn (path, argv, context->environment, context->directory, fds[1], supervisor);
  close (fds[1]);
  if (result == 0)
    {
      g_unix_set_fd_nonblocking (fds[0], TRUE, NULL);
      *fd = fds[0];
      return TRUE;
    }

  close (fds[0]);
  set_spawn_error (error, result, path);

  return FALSE;
}

/* Reap a process if it has ended. Return whether the process has been reaped, by this call or by another thread. */
static gboolean
try_reap (GPid pid)
{
  pid_t result;

  do
    result = waitpid (pid, NULL, WNOHANG);
  while (result < 0 && errno == EINTR);

  return result != 0;
}

typedef struct
{
  GPid pid;
  int fd; /* pidfd of the supervisor, or -1 */
  RoastReapedFunc on_reaped;
  gpointer user_data;
  GDestroyNotify destroy;
} Reaper;

/* Close the pidfd when the source is freed. The main context may be freed before the process ends. */
static void
reaper_free (gpointer data)
{
  Reaper *reaper = data;

  if (reaper->fd >= 0)
    close (reaper->fd);
  if (reaper->destroy != NULL)
    reaper->destroy (reaper->user_data);
  g_free (reaper);
}

static gboolean
on_reap_timeout (gpointer data)
{
  Reaper *reaper = data;

  if (!try_reap (reaper->pid))
    return G_SOURCE_CONTINUE;
  if (reaper->on_reaped != NULL)
    reaper->on_reaped (reaper->user_data);

  return G_SOURCE_REMOVE;
}

static gboolean
on_supervisor_ended (int fd, GIOCondition condition, gpointer data)
{
  return on_reap_timeout (data);
}

void
roast_supervisor_reap (GPid supervisor, GMainContext *context, RoastReapedFunc on_reaped, gpointer user_data,
                       GDestroyNotify destroy)
{
  g_autoptr (GSource) source = NULL;
  Reaper *reaper = g_new0 (Reaper, 1);

  reaper->pid = supervisor;
  reaper->on_reaped = on_reaped;
  reaper->user_data = user_data;
  reaper->destroy = destroy;
  reaper->fd = (int) syscall (SYS_pidfd_open, supervisor, 0);
  if (reaper->fd >= 0)
    source = roast_source_attach (g_unix_fd_source_new (reaper->fd, G_IO_IN), context,
                                  G_SOURCE_FUNC (on_supervisor_ended), reaper, reaper_free);
  else
    source = roast_source_attach (g_timeout_source_new (REAP_POLL_MS), context, on_reap_timeout, reaper, reaper_free);
}
