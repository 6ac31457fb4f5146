/* SPDX-License-Identifier: BSD-3-Clause */

#include "run-note.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gboolean
goes_to_standard_error (const ExportOption *export, const struct stat *standard_error)
{
  struct stat target;

  if (export->target == NULL)
    return TRUE;
  if (g_str_equal (export->target, "-") ? fstat (STDOUT_FILENO, &target) != 0 : stat (export->target, &target) != 0)
    return FALSE;

  return target.st_dev == standard_error->st_dev && target.st_ino == standard_error->st_ino;
}

gboolean
run_note_is_welcome (const RunOptions *options)
{
  struct stat standard_error;

  if (options->quiet || fstat (STDERR_FILENO, &standard_error) != 0)
    return FALSE;
  for (guint i = 0; i < options->exports->len; i++)
    {
      const ExportOption *export = g_ptr_array_index (options->exports, i);

      if (!g_str_equal (export->name, "table") && goes_to_standard_error (export, &standard_error))
        return FALSE;
    }

  return TRUE;
}

/* Quotes a path for a shell, if necessary. */
static char *
quote (const char *path)
{
  return g_regex_match_simple ("^[\\w@%+=:,./-]+$", path, 0, 0) ? g_strdup (path) : g_shell_quote (path);
}

char *
run_note_make (RoastRuns *runs, const char *path, const char *problem)
{
  g_autoptr (GString) text = g_string_new ("this run is kept");
  const char *reason = runs != NULL ? roast_runs_get_reason (runs) : NULL;
  g_autofree char *name = runs != NULL ? g_path_get_basename (path) : quote (path);

  if (reason != NULL)
    g_string_append_printf (text, " in %s, because %s", roast_runs_get_directory (runs), reason);
  if (problem != NULL)
    g_string_append_printf (text, ", but %s", problem);
  if (runs != NULL && g_str_has_suffix (name, ".roast"))
    name[strlen (name) - strlen (".roast")] = '\0';
  g_string_append_printf (text, "; “roast-report %s” shows it again", name);

  return g_string_free (g_steal_pointer (&text), FALSE);
}
