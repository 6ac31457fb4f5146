/* SPDX-License-Identifier: BSD-3-Clause */
#include "tool.h"

#include <locale.h>
#include <roast/roast.h>

#include "plain-text.h"

void
tool_begin (void)
{
  setlocale (LC_CTYPE, "");
  plain_text_begin ();
}

gboolean
tool_answer (const char *tool, gboolean version, gboolean help, const char *usage)
{
  if (version)
    g_print ("%s %s\n", tool, ROAST_VERSION_S);
  else if (help)
    g_print ("%s", usage);

  return version || help;
}

int
tool_fail (const char *tool, const GError *error, gboolean is_command_line, int status)
{
  g_printerr ("%s: %s\n", tool, error->message);
  if (is_command_line)
    g_printerr ("Try “%s --help”.\n", tool);

  return status;
}

char *
tool_find (const char *name)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *directory = self != NULL ? g_path_get_dirname (self) : NULL;
  g_autofree char *path = directory != NULL ? g_build_filename (directory, name, NULL) : NULL;

  return path != NULL && g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer (&path) : g_strdup (name);
}
