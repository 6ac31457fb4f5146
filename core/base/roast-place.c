/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds roast's data files from the path of the loaded library. An installed roast can therefore be moved to another
 * directory, and a Python wheel works wherever it is unpacked. */

#include "roast-place-private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* If @path is inside @directory, return the rest of @path after @directory, with its leading slash; otherwise NULL. */
static const char *
below (const char *path, const char *directory)
{
  gsize length = strlen (directory);

  return strncmp (path, directory, length) == 0 && path[length] == G_DIR_SEPARATOR ? path + length : NULL;
}

/* Replaces the compiled-in prefix of @path by the actual prefix of the installation, which is derived from @library,
 * the path of the loaded library with symbolic links resolved. Returns a copy of @path if the directory of @library
 * does not end like the compiled-in library directory: in a build directory, for example. */
char *
roast_place_relocate (const char *library, const char *path)
{
  const char *libdir = below (ROAST_LIBDIR, ROAST_PREFIX);
  const char *rest = below (path, ROAST_PREFIX);
  g_autofree char *directory = g_path_get_dirname (library);

  if (libdir == NULL || rest == NULL || !g_str_has_suffix (directory, libdir))
    return g_strdup (path);
  directory[strlen (directory) - strlen (libdir)] = '\0';

  return g_strconcat (directory, rest, NULL);
}

char *
roast_place_dup (const char *path)
{
  Dl_info info = { 0 };
  char *library = NULL; /* path of the library; allocated by realpath () */
  g_autofree char *relocated = NULL;

  /* dladdr () finds the library, or the program if the library is linked into it statically. */
  if (dladdr ((gpointer) roast_place_dup, &info) != 0 && info.dli_fname != NULL)
    library = realpath (info.dli_fname, NULL);
  if (library != NULL)
    relocated = roast_place_relocate (library, path);
  free (library);

  /* If the data files were not copied together with the library, use the installed data files. */
  return relocated != NULL && g_file_test (relocated, G_FILE_TEST_EXISTS) ? g_steal_pointer (&relocated)
                                                                          : g_strdup (path);
}
