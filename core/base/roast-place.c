/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds the library's data files relative to the loaded library. An installed roast can therefore be moved to another
 * directory, and a Python wheel works wherever it is unpacked. */

#include "roast-place-private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Return the part of PATH below DIRECTORY, with its leading slash, or NULL if PATH is not below it. */
static const char *
below (const char *path, const char *directory)
{
  gsize length = strlen (directory);

  return strncmp (path, directory, length) == 0 && path[length] == G_DIR_SEPARATOR ? path + length : NULL;
}

/* Moves PATH, a compiled-in path below the prefix, to the same relative position from LIBRARY as in the installation.
 * LIBRARY is the library's file, with symbolic links resolved. Returns PATH itself if the library's directory has
 * another name than the installed one, as in a build directory. */
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
  char *library = NULL; /* allocated by realpath () */
  g_autofree char *relocated = NULL;

  /* dladdr () finds the library, or the program if it links the library's objects statically. */
  if (dladdr ((gpointer) roast_place_dup, &info) != 0 && info.dli_fname != NULL)
    library = realpath (info.dli_fname, NULL);
  if (library != NULL)
    relocated = roast_place_relocate (library, path);
  free (library);

  /* If the data files were not copied together with the library, use the installed data files. */
  return relocated != NULL && g_file_test (relocated, G_FILE_TEST_EXISTS) ? g_steal_pointer (&relocated)
                                                                          : g_strdup (path);
}
