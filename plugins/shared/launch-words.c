/* SPDX-License-Identifier: BSD-3-Clause */

#include "launch-words.h"

#include <glib/gstdio.h>
#include <string.h>

#define MAX_FILE (1 << 20)
#define MAX_ARGUMENTS 16

static gboolean
has_word (const char *text, gsize length, const char *const *words)
{
  for (; *words != NULL; words++)
    if (g_strstr_len (text, (gssize) length, *words) != NULL)
      return TRUE;

  return FALSE;
}

static gboolean
is_in_file (const char *directory, const char *name, const char *const *words)
{
  g_autofree char *path = g_canonicalize_filename (name, directory);
  g_autofree char *text = NULL;
  gsize length = 0;
  GStatBuf about;

  return g_stat (path, &about) == 0 && S_ISREG (about.st_mode) && about.st_size <= MAX_FILE &&
         g_file_get_contents (path, &text, &length, NULL) && has_word (text, length, words);
}

gboolean
launch_words_find (RoastLaunchContext *context, const char *const *words)
{
  const char *const *argv = roast_launch_context_get_argv (context);
  const char *directory = roast_launch_context_get_directory (context);

  /* Do not search the text of argv[0], because one of the words may be part of the name of its directory. */
  for (guint i = 0; i < MAX_ARGUMENTS && argv[i] != NULL; i++)
    if ((i > 0 && has_word (argv[i], strlen (argv[i]), words)) || is_in_file (directory, argv[i], words))
      return TRUE;

  return FALSE;
}
