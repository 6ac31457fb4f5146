/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-environment.h"

#include "side-module.h"

char *
dask_environment_dup_directory (GError **error)
{
  g_autofree char *preload = side_module_dup_path ("dask-preload.py");

  if (g_file_test (preload, G_FILE_TEST_IS_REGULAR))
    return g_path_get_dirname (preload);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "the file %s is missing: install roast again", preload);

  return NULL;
}

/* Do not escape non-ASCII bytes, because Python reads UTF-8. All other bytes are escaped as in C, which Python
 * understands. */
char *
dask_environment_quote (const char *text)
{
  char kept[129] = "";
  g_autofree char *escaped = NULL;

  for (guint i = 0; i < 128; i++)
    kept[i] = (char) (128 + i);
  escaped = g_strescape (text, kept);

  return g_strdup_printf ("\"%s\"", escaped);
}

static char *
make_text (const char *template, const char *directory, const char *kind)
{
  g_autoptr (GString) text = g_string_new (template);
  g_autofree char *file = g_strdup_printf ("dask-%s.py", kind);
  g_autofree char *quoted = dask_environment_quote (directory);

  g_string_replace (text, "@KIND@", kind, 0);
  g_string_replace (text, "@FILE@", file, 0);
  g_string_replace (text, "@DIRECTORY@", quoted, 0);

  return g_strdup (text->str);
}

/* Replace a Dask setting. Keep the user's own value in a variable ROAST_DASK_USER_…, where the preload module finds it.
 * If an outer roast-run has already set this variable, do not change it. */
static void
replace (RoastLaunchContext *context, const char *kind, const char *name, const char *value)
{
  g_autofree char *upper = g_ascii_strup (kind, -1);
  g_autofree char *variable = g_strdup_printf ("DASK_DISTRIBUTED__%s__%s", upper, name);
  g_autofree char *kept = g_strdup_printf ("ROAST_DASK_USER_%s_%s", upper, name);
  g_autofree char *mark = g_strdup_printf ("ROAST_DASK_%s", upper);
  const char *old = roast_launch_context_getenv (context, variable);

  if (roast_launch_context_getenv (context, mark) == NULL)
    {
      if (old != NULL)
        roast_launch_context_setenv (context, kept, old);
      else
        roast_launch_context_unsetenv (context, kept);
    }
  roast_launch_context_setenv (context, variable, value);
}

static void
add_preload (RoastLaunchContext *context, const char *template, const char *directory, const char *kind)
{
  g_autofree char *upper = g_ascii_strup (kind, -1);
  g_autofree char *mark = g_strdup_printf ("ROAST_DASK_%s", upper);
  g_autofree char *text = make_text (template, directory, kind);
  g_autofree char *quoted = dask_environment_quote (text);
  g_autofree char *list = g_strdup_printf ("[%s]", quoted);

  replace (context, kind, "PRELOAD", list);
  replace (context, kind, "PRELOAD_ARGV", "[]");
  roast_launch_context_setenv (context, mark, "1");
}

/* Raise the log level of Dask. Otherwise, Dask writes the whole text of each preload module to the program's standard
 * error. If DASK_LOGGING is set, do nothing: a user who configures logging also sees this text. */
static void
quieten (RoastLaunchContext *context)
{
  if (roast_launch_context_getenv (context, "DASK_LOGGING") != NULL)
    return;
  roast_launch_context_setenv (context, "DASK_LOGGING",
                               "{'distributed.preloading': 'warning', 'distributed.utils': 'warning'}");
  roast_launch_context_setenv (context, "ROAST_DASK_LOGGING", "1");
}

gboolean
dask_environment_prepare (RoastLaunchContext *context, const char *span, gboolean tasks, GError **error)
{
  g_autofree char *directory = dask_environment_dup_directory (error);
  g_autofree char *path = NULL;
  g_autofree char *template = NULL;
  char interval[G_ASCII_DTOSTR_BUF_SIZE];

  if (directory == NULL)
    return FALSE;
  path = g_build_filename (directory, "dask-preload.py", NULL);
  if (!g_file_get_contents (path, &template, NULL, error))
    return FALSE;
  add_preload (context, template, directory, "scheduler");
  add_preload (context, template, directory, "client");
  quieten (context);
  g_ascii_dtostr (interval, sizeof interval, (double) roast_launch_context_get_interval (context) / G_USEC_PER_SEC);
  roast_launch_context_setenv (context, "ROAST_DASK_INTERVAL", interval);
  roast_launch_context_setenv (context, "ROAST_DASK_TASKS", tasks ? "1" : "0");
  if (span != NULL)
    roast_launch_context_setenv (context, "ROAST_DASK_SPAN", span);
  else
    roast_launch_context_unsetenv (context, "ROAST_DASK_SPAN");

  return TRUE;
}
