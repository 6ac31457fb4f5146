/* SPDX-License-Identifier: BSD-3-Clause */

/* What belongs to the library is found where the library was loaded from. A directory into which roast was installed
 * can be moved, and a wheel is unpacked wherever the user's Python is. */

#include "roast-place-private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The part of PATH below DIRECTORY, which begins with a slash, or NULL if PATH is elsewhere. */
static const char *
below (const char *path, const char *directory)
{
  gsize length = strlen (directory);

  return strncmp (path, directory, length) == 0 && path[length] == G_DIR_SEPARATOR ? path + length : NULL;
}

/* PATH is a compiled-in path below the prefix. LIBRARY is the file of the library, without symbolic links. Returns the
 * path at the same distance from the library as the build has it, or PATH itself if the library does not lie in a
 * directory named as the build names it, as in a build directory. */
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
  char *library = NULL; /* of realpath () */
  g_autofree char *relocated = NULL;

  /* A function of this file is in the library; in a program that contains the library's objects it is in the program.
   */
  if (dladdr ((gpointer) roast_place_dup, &info) != 0 && info.dli_fname != NULL)
    library = realpath (info.dli_fname, NULL);
  if (library != NULL)
    relocated = roast_place_relocate (library, path);
  free (library);

  /* A library that was put alone into another directory still belongs to what is installed. */
  return relocated != NULL && g_file_test (relocated, G_FILE_TEST_EXISTS) ? g_steal_pointer (&relocated)
                                                                          : g_strdup (path);
}
