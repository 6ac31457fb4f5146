/* SPDX-License-Identifier: BSD-3-Clause */

/* Runs two commands alternately, so that changes on the machine affect both. */

#include <sys/wait.h>

#include "compare.h"
#include "core/base/roast-fail-private.h"
#include "tool.h"

static gboolean
run (char **command, const char *path, GError **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  int status = 0;

  g_ptr_array_add (argv, tool_find ("roast-run"));
  g_ptr_array_add (argv, g_strdup ("--quiet"));
  g_ptr_array_add (argv, g_strconcat ("--save=", path, NULL));
  g_ptr_array_add (argv, g_strdup ("--"));
  for (; *command != NULL; command++)
    g_ptr_array_add (argv, g_strdup (*command));
  g_ptr_array_add (argv, NULL);
  if (!g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL,
                     NULL, NULL, &status, error))
    return FALSE;
  if (WIFSIGNALED (status) && (WTERMSIG (status) == SIGINT || WTERMSIG (status) == SIGTERM))
    return roast_fail (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "interrupted");
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return roast_fail (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the command was not measured");

  return TRUE;
}

static gboolean
run_side (char **command, const char *directory, const char *side, int number, GPtrArray *paths, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s-%03d.roast", side, number);
  char *path = g_build_filename (directory, name, NULL);

  g_ptr_array_add (paths, path);

  return run (command, path, error);
}

gboolean
compare_trials_run (const CompareOptions *options, const char *directory, GPtrArray *runs, GPtrArray *reference,
                    GError **error)
{
  /* Alternate which command comes first, too. */
  for (int i = 1; i <= options->trials; i++)
    for (int turn = 0; turn < 2; turn++)
      {
        gboolean is_new = (i + turn) % 2 == 1;

        if (!run_side (is_new ? options->runs : options->reference, directory, is_new ? "new" : "reference", i,
                       is_new ? runs : reference, error))
          return FALSE;
      }

  return TRUE;
}
