/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-plugin-path-private.h"

#include <sys/auxv.h>

#include "base/roast-place-private.h"
#include "roast/roast-version.h"

static void
add_directories (GPtrArray *directories, const char *search_path)
{
  g_auto (GStrv) parts = g_strsplit (search_path != NULL ? search_path : "", G_SEARCHPATH_SEPARATOR_S, -1);

  for (char **part = parts; *part != NULL; part++)
    {
      g_autofree char *directory = **part != '\0' ? g_canonicalize_filename (*part, NULL) : NULL;

      if (directory != NULL && !g_ptr_array_find_with_equal_func (directories, directory, g_str_equal, NULL))
        g_ptr_array_add (directories, g_steal_pointer (&directory));
    }
}

static char **
plugin_path_finish (GPtrArray *directories)
{
  g_ptr_array_add (directories, NULL);
  return (char **) g_ptr_array_free (directories, FALSE);
}

char **
roast_plugin_path_split (const char *search_path)
{
  GPtrArray *directories = g_ptr_array_new ();

  add_directories (directories, search_path);
  return plugin_path_finish (directories);
}

char **
roast_plugin_path_dup_default (void)
{
  GPtrArray *directories = g_ptr_array_new ();
  /* A program with more privileges than its caller must not open modules in directories that the caller controls. */
  gboolean is_secure = getauxval (AT_SECURE) != 0;
  const char *system_path = is_secure ? NULL : g_getenv ("ROAST_PLUGIN_SYSTEM_PATH");
  g_autofree char *versioned = g_strdup_printf ("roast-%d", ROAST_API_MAJOR);
  g_autofree char *installed = roast_place_dup (ROAST_PLUGINS_DIR);
  g_autofree char *user = g_build_filename (g_get_user_data_dir (), versioned, "plugins", NULL);

  if (!is_secure)
    add_directories (directories, g_getenv ("ROAST_PLUGIN_PATH"));
  if (system_path != NULL)
    {
      add_directories (directories, system_path);
      return plugin_path_finish (directories);
    }
  if (!is_secure)
    add_directories (directories, user);
  add_directories (directories, installed);
  return plugin_path_finish (directories);
}
