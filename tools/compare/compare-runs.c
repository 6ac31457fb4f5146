/* SPDX-License-Identifier: BSD-3-Clause */

/* Opens runs by name. */

#include <string.h>

#include "compare.h"
#include "core/base/roast-fail-private.h"
#include "core/base/roast-suggest-private.h"
#include "report-run.h"
#include "run-entry.h"

#define SUFFIX ".roast"

static gboolean
is_same_run (gconstpointer a, gconstpointer b)
{
  g_autoptr (GVariant) of_a = roast_recording_dup_metadata ((RoastRecording *) a);
  g_autoptr (GVariant) of_b = roast_recording_dup_metadata ((RoastRecording *) b);
  const char *id = NULL, *other = NULL;

  return g_variant_lookup (of_a, "run-id", "&s", &id) && g_variant_lookup (of_b, "run-id", "&s", &other) &&
         g_str_equal (id, other);
}

/* Adds a run, unless it was already added: with copies of a run, the runs would seem to vary less than they do. */
static gboolean
add_run (GPtrArray *all, const char *name, GError **error)
{
  ReportRun *run = report_run_open (name, error);

  if (run == NULL)
    {
      g_prefix_error (error, "%s: ", name);
      return FALSE;
    }
  if (!g_ptr_array_find_with_equal_func (all, run->recording, is_same_run, NULL))
    g_ptr_array_add (all, g_object_ref (run->recording));
  report_run_free (run);

  return TRUE;
}

static gboolean
add_directory (GPtrArray *all, const char *path, GError **error)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, error);
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  const char *name = NULL;

  if (directory == NULL)
    return FALSE;
  while ((name = g_dir_read_name (directory)) != NULL)
    if (g_str_has_suffix (name, SUFFIX))
      g_ptr_array_add (files, g_build_filename (path, name, NULL));
  g_ptr_array_sort (files, roast_compare_names);
  if (files->len == 0)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "the directory %s has no files *%s", path,
                       SUFFIX);
  for (guint i = 0; i < files->len; i++)
    if (!add_run (all, g_ptr_array_index (files, i), error))
      return FALSE;

  return TRUE;
}

/* Adds all kept runs that have the tag or property KEY=VALUE. */
static gboolean
add_selected (GPtrArray *all, const char *condition, GError **error)
{
  g_autoptr (RoastRuns) runs = roast_runs_new (error);
  g_autoptr (GPtrArray) entries = runs != NULL ? run_entry_list (runs, error) : NULL;
  char *conditions[] = { (char *) condition, NULL };

  if (entries == NULL || !run_entry_select (entries, conditions, NULL, error))
    return FALSE;
  if (entries->len == 0)
    return roast_fail (error, ROAST_OPTION_ERROR, ROAST_OPTION_ERROR_VALUE, "there are no kept runs with %s",
                       condition);
  for (guint i = 0; i < entries->len; i++)
    if (!add_run (all, ((const RunEntry *) g_ptr_array_index (entries, i))->path, error))
      return FALSE;

  return TRUE;
}

GPtrArray *
compare_runs_open (char **names, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean is_open = TRUE;

  for (; is_open && *names != NULL; names++)
    {
      if (g_file_test (*names, G_FILE_TEST_IS_DIR))
        is_open = add_directory (all, *names, error);
      else if (strchr (*names, '=') != NULL && !g_file_test (*names, G_FILE_TEST_EXISTS))
        is_open = add_selected (all, *names, error);
      else
        is_open = add_run (all, *names, error);
    }

  return is_open ? g_steal_pointer (&all) : NULL;
}
