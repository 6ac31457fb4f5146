/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-key-file-private.h"

#include <string.h>

static gboolean
ends_in_escape (const char *value)
{
  gsize length = strlen (value);
  gsize backslashes = 0;

  while (backslashes < length && value[length - 1 - backslashes] == '\\')
    backslashes++;

  return backslashes % 2 == 1;
}

char *
roast_key_file_find_half_escape (GKeyFile *key_file)
{
  g_auto (GStrv) groups = g_key_file_get_groups (key_file, NULL);

  for (char **group = groups; *group != NULL; group++)
    {
      g_auto (GStrv) keys = g_key_file_get_keys (key_file, *group, NULL, NULL);

      for (char **key = keys; key != NULL && *key != NULL; key++)
        {
          g_autofree char *value = g_key_file_get_value (key_file, *group, *key, NULL);

          if (value != NULL && ends_in_escape (value))
            return g_strdup_printf ("key %s of group [%s]", *key, *group);
        }
    }

  return NULL;
}
