/* SPDX-License-Identifier: BSD-3-Clause */

/* Lists runs, and finds one by what the user calls it. */

#include <string.h>

#include "roast-runs-files-private.h"
#include "roast-runs-private.h"
#include "roast/roast-error.h"

/**
 * roast_runs_list:
 * @self: the runs
 * @error: return location for an error
 *
 * Lists the files of all runs, also of those that are being written or were interrupted.
 *
 * Returns: (transfer full) (array zero-terminated=1) (element-type filename): the files, the newest first; %NULL with
 * %ROAST_STORE_ERROR_OPEN
 *
 * Since: 0.9
 */
char **
roast_runs_list (RoastRuns *self, GError **error)
{
  g_autoptr (GPtrArray) names = NULL;
  char **paths = NULL;

  g_return_val_if_fail (ROAST_IS_RUNS (self), NULL);

  names = roast_runs_files_list (self->directory, error);
  if (names == NULL)
    return NULL;
  paths = g_new0 (char *, names->len + 1);
  for (guint i = 0; i < names->len; i++)
    paths[i] = g_build_filename (self->directory, g_ptr_array_index (names, names->len - 1 - i), NULL);

  return paths;
}

static gboolean
matches (const char *name, const char *wanted)
{
  g_autofree char *stem = g_strndup (name, ROAST_RUNS_FILES_STEM);

  return g_str_has_prefix (name, wanted) || g_str_has_prefix (stem + ROAST_RUNS_FILES_ID, wanted);
}

/* "last" or "last~2": how many runs before the newest. */
static gboolean
parse_last (const char *name, guint64 *before)
{
  *before = 0;
  if (g_str_equal (name, "last"))
    return TRUE;

  return g_str_has_prefix (name, "last~") && g_ascii_string_to_unsigned (name + 5, 10, 0, G_MAXUINT32, before, NULL);
}

static char *
refuse (RoastRuns *self, GError **error, const char *what, const char *advice)
{
  g_set_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "%s in %s; %s", what, self->directory, advice);

  return NULL;
}

static char *
find_by_name (RoastRuns *self, char **paths, const char *name, GError **error)
{
  g_autoptr (GString) found = g_string_new (NULL);
  g_autofree char *what = NULL;
  const char *last = NULL;
  guint n = 0;

  for (guint i = 0; *name != '\0' && paths[i] != NULL; i++)
    {
      const char *base = strrchr (paths[i], '/') + 1;

      if (!matches (base, name))
        continue;
      g_string_append_printf (found, "%s%.*s", n > 0 ? ", " : "", (int) (ROAST_RUNS_FILES_STEM), base);
      last = paths[i];
      n++;
    }
  if (n == 1)
    return g_strdup (last);
  if (n == 0)
    {
      what = g_strdup_printf ("there is no run “%s”, neither as a file nor", name);
      return refuse (self, error, what, "“roast-report list” shows the runs");
    }
  what = g_strdup_printf ("“%s” stands for %u runs", name, n);
  g_string_append (found, ". Give more of the name");

  return refuse (self, error, what, found->str);
}

/**
 * roast_runs_find:
 * @self: the runs
 * @name: (type filename): a file; or `last`, `last~1` for the one before it; or an ID, or the first part of an ID or
 * of a name
 * @error: return location for an error
 *
 * Finds a run.
 *
 * Returns: (transfer full) (type filename): its file; %NULL with %ROAST_STORE_ERROR_OPEN if there is none, or more than
 * one
 *
 * Since: 0.9
 */
char *
roast_runs_find (RoastRuns *self, const char *name, GError **error)
{
  g_auto (GStrv) paths = NULL;
  guint64 before = 0;
  gboolean is_last;
  g_autofree char *what = NULL;

  g_return_val_if_fail (ROAST_IS_RUNS (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  is_last = parse_last (name, &before);
  if (!is_last && g_file_test (name, G_FILE_TEST_EXISTS))
    return g_strdup (name);
  paths = roast_runs_list (self, error);
  if (paths == NULL)
    return NULL;
  if (paths[0] == NULL)
    return refuse (self, error, "there are no runs", "“roast-run -- PROGRAM” makes one");
  if (!is_last)
    return find_by_name (self, paths, name, error);
  if (before < g_strv_length (paths))
    return g_strdup (paths[before]);
  what = g_strdup_printf ("there is no run %s: there are %u", name, g_strv_length (paths));

  return refuse (self, error, what, "“roast-report list” shows the runs");
}
