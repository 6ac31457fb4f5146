/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs two commands alternately, so that changes in the load of the machine affect both commands. */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "core/base/roast-fail-private.h"
#include "tool.h"

static volatile sig_atomic_t interrupted; /* signal that interrupted the trials; 0 if none did */
static volatile sig_atomic_t child;       /* process ID of roast-run; 0 if it does not run */

/* Forward signals to roast-run. Do not forward SIGINT, because a terminal sends it to roast-run, too. */
static void
on_signal (int number)
{
  interrupted = number;
  if (number != SIGINT && child > 0)
    kill (child, number);
}

/* Prepares the standard input so that all runs read the same bytes. Returns whether the runs inherit the standard
 * input. They inherit a terminal, or a file, which is rewound to its start. They do not inherit a pipe. */
static gboolean
prepare_input (void)
{
  struct pollfd input = { STDIN_FILENO, POLLIN, 0 };
  static gboolean has_warned;

  if (isatty (STDIN_FILENO) || lseek (STDIN_FILENO, 0, SEEK_SET) == 0)
    return TRUE;
  if (!has_warned && poll (&input, 1, 0) > 0 && (input.revents & POLLIN) != 0)
    g_printerr ("roast-compare: the commands get no input, because a pipe cannot be read more than once. Use a file: "
                "roast-compare … < FILE\n");
  has_warned = TRUE;

  return FALSE;
}

/* Returns the wait status of roast-run. On an error, returns -1. */
static int
wait_for (char **argv, GError **error)
{
  GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD;
  GPid pid = 0;
  int status = 0;

  if (prepare_input ())
    flags |= G_SPAWN_CHILD_INHERITS_STDIN;
  if (!g_spawn_async (NULL, argv, NULL, flags, NULL, NULL, &pid, error))
    return -1;
  child = pid;
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
  child = 0;

  return status;
}

/* Runs the command under roast-run. Sets @failed to whether the command failed. Returns FALSE if the command was not
 * measured. */
static gboolean
run (char **command, const char *path, gboolean *failed, GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  int status;

  g_ptr_array_add (argv, tool_find ("roast-run"));
  g_ptr_array_add (argv, g_strdup ("--quiet"));
  g_ptr_array_add (argv, g_strconcat ("--save=", path, NULL));
  g_ptr_array_add (argv, g_strdup ("--"));
  for (; *command != NULL; command++)
    g_ptr_array_add (argv, g_strdup (*command));
  g_ptr_array_add (argv, NULL);
  status = wait_for ((char **) argv->pdata, error);
  if (status == -1)
    return FALSE;
  if (interrupted == 0 && WIFSIGNALED (status) && (WTERMSIG (status) == SIGINT || WTERMSIG (status) == SIGTERM))
    interrupted = WTERMSIG (status);
  if (interrupted == 0 && !g_file_test (path, G_FILE_TEST_EXISTS))
    return roast_fail (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the command was not measured");
  *failed = status != 0;

  return TRUE;
}

/* A command and the files of its runs. */
typedef struct
{
  char **command;
  const char *name;
  GPtrArray *paths;
  guint n_failed;
} Side;

static gboolean
side_run (Side *self, const char *directory, int number, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s-%03d.roast", self->name, number);
  char *path = g_build_filename (directory, name, NULL);
  gboolean failed = FALSE;

  g_ptr_array_add (self->paths, path);
  if (!run (self->command, path, &failed, error))
    return FALSE;
  self->n_failed += failed;

  return TRUE;
}

/* Warn about failed runs, because a run that does less work may be faster. */
static void
side_warn (const Side *self)
{
  if (self->n_failed > 0)
    g_printerr ("roast-compare: %u of %u runs of “%s” failed, so the times of these runs may not be comparable\n",
                self->n_failed, self->paths->len, self->command[0]);
}

/* Tell a user who waits at a terminal which run begins. From the second trial on, predict the rest from the runs so
 * far. */
static void
show_progress (const Side *side, int done, int all, gint64 begun)
{
  double left = (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC / MAX (done, 1) * (all - done);
  g_autofree char *time = roast_format_number (left, "duration");
  g_autofree char *rest = g_strdup_printf ("; about %s left", time);

  if (!isatty (STDERR_FILENO))
    return;
  g_printerr ("roast-compare: run %d of %d, %s: “%s”%s\n", done + 1, all, side->name, side->command[0],
              done > 1 ? rest : "");
}

static gboolean
run_all (Side sides[2], int trials, const char *directory, GError **error)
{
  gint64 begun = g_get_monotonic_time ();

  /* Swap the order of the two commands after each trial. */
  for (int i = 1; i <= trials; i++)
    for (int turn = 0; turn < 2; turn++)
      {
        Side *side = &sides[(i + turn + 1) % 2];

        show_progress (side, 2 * (i - 1) + turn, 2 * trials, begun);
        if (!side_run (side, directory, i, error))
          return FALSE;
        if (interrupted != 0)
          return roast_fail (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "interrupted before all runs were measured");
      }

  return TRUE;
}

gboolean
compare_trials_run (const CompareOptions *options, const char *directory, GPtrArray *runs, GPtrArray *reference,
                    GError **error)
{
  static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction action = { .sa_handler = on_signal }, before[G_N_ELEMENTS (signals)];
  Side sides[] = { { options->runs, "new", runs, 0 }, { options->reference, "reference", reference, 0 } };
  gboolean is_done;

  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      sigaction (signals[i], NULL, &before[i]);
      if (before[i].sa_handler != SIG_IGN)
        sigaction (signals[i], &action, NULL);
    }
  is_done = run_all (sides, options->trials, directory, error);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    sigaction (signals[i], &before[i], NULL);
  if (is_done)
    {
      side_warn (&sides[0]);
      side_warn (&sides[1]);
    }

  return is_done;
}

int
compare_trials_get_signal (void)
{
  return interrupted;
}
