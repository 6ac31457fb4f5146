/* SPDX-License-Identifier: BSD-3-Clause */
#include "run-live.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

#define NICENESS 10
#define RUN_LIVE_PATIENCE (10 * G_USEC_PER_SEC) /* µs; maximum wait for the end of roast-report and roast-top */
#define POLL 5000                               /* µs between two checks of roast-report and roast-top */
#define TERMINAL "/dev/tty"

struct _RunLive
{
  GPid pids[2]; /* process IDs of roast-report and roast-top */
  guint n;
};

/* Prepares the child process that becomes roast-report. Lowers its priority, so that it leaves the cores to the
 * program. Moves it into another process group, so that Ctrl-C does not reach it. */
static void
begin_report (gpointer nothing)
{
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  setpgid (0, 0);
  if (nice (NICENESS) < 0)
    return;
}

static void
begin_top (gpointer nothing)
{
  int fd = open (TERMINAL, O_RDWR);

  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (fd < 0)
    return;
  dup2 (fd, STDIN_FILENO);
  dup2 (fd, STDOUT_FILENO);
  close (fd);
}

static void
spawn (RunLive *self, GPtrArray *command, GSpawnChildSetupFunc begin)
{
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (command, NULL);
  if (g_spawn_async (NULL, (char **) command->pdata, NULL,
                     G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, begin, NULL,
                     &self->pids[self->n], &error))
    self->n++;
  else
    g_printerr ("roast-run: cannot show the run in progress: %s\n", error->message);
}

static void
start_report (RunLive *self, const RunOptions *options, const char *path)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (command, tool_find ("roast-report"));
  g_ptr_array_add (command, g_strdup ("--follow"));
  for (guint i = 0; i < options->exports->len; i++)
    {
      const ExportOption *export = g_ptr_array_index (options->exports, i);
      g_autofree char *text = export_option_dup_text (export, "/dev/null");

      if (export_option_may_be_live (export))
        g_ptr_array_add (command, g_strconcat ("--export=", text, NULL));
    }
  if (command->len == 2)
    return;
  if (path == NULL)
    {
      g_printerr ("roast-run: live exporters write nothing during the run, because the run is not kept in a file\n");
      return;
    }
  g_ptr_array_add (command, g_strdup (path));
  spawn (self, command, begin_report);
}

/* Returns whether this process is in the foreground of a terminal. If it is in the background, the terminal would stop
 * roast-top. */
static gboolean
has_terminal (void)
{
  int fd = open (TERMINAL, O_RDWR | O_NOCTTY | O_CLOEXEC);
  gboolean is_in_front = fd >= 0 && tcgetpgrp (fd) == getpgrp ();

  if (fd >= 0)
    close (fd);

  return is_in_front;
}

/* Starts roast-top, unless the program writes to the terminal, because roast-top would hide this output. */
static void
start_top (RunLive *self, const RunOptions *options, const char *path)
{
  g_autoptr (GPtrArray) command = g_ptr_array_new_with_free_func (g_free);
  gboolean is_used = options->program != NULL && (isatty (STDOUT_FILENO) || isatty (STDERR_FILENO));
  g_autofree char *quoted = path != NULL ? g_shell_quote (path) : NULL;

  if (path == NULL)
    g_printerr ("roast-run: --top shows nothing, because the run is not kept in a file\n");
  else if (is_used)
    g_printerr ("roast-run: the program uses the terminal; to see the run, use “roast-top %s” in another terminal\n",
                quoted);
  else if (!has_terminal ())
    g_printerr ("roast-run: --top has no terminal; to see the run, use “roast-top %s” in a terminal\n", quoted);
  else
    {
      g_ptr_array_add (command, tool_find ("roast-top"));
      g_ptr_array_add (command, g_strdup (path));
      spawn (self, command, begin_top);
    }
}

RunLive *
run_live_start (const RunOptions *options, const char *path)
{
  RunLive *self = g_new0 (RunLive, 1);

  start_report (self, options, path);
  if (options->top)
    start_top (self, options, path);

  return self;
}

static gboolean
has_ended (GPid pid, int options)
{
  int status = 0;

  return waitpid (pid, &status, options) != 0;
}

void
run_live_stop (RunLive *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    {
      kill (self->pids[i], SIGTERM);
      kill (self->pids[i], SIGCONT);
    }
  for (guint i = 0; i < self->n; i++)
    {
      gint64 end = g_get_monotonic_time () + RUN_LIVE_PATIENCE;
      gboolean is_over = has_ended (self->pids[i], WNOHANG);

      for (; !is_over && g_get_monotonic_time () < end; is_over = has_ended (self->pids[i], WNOHANG))
        g_usleep (POLL);
      if (!is_over)
        kill (self->pids[i], SIGKILL);
      if (!is_over)
        has_ended (self->pids[i], 0);
    }
  g_free (self);
}
