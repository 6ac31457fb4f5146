/* SPDX-License-Identifier: BSD-3-Clause */

/* What belongs to the library is found relative to it, wherever it was unpacked. The test is built as if the prefix
 * were /opt/nowhere and the library's directory “unit” in it: the one in which the test is. */

#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/roast-place-private.h"

static void
test_relocate (void)
{
  static const struct
  {
    const char *library, *path, *expected;
  } cases[] = {
    /* Unpacked somewhere else, and where it was built for. */
    { "/home/a/venv/unit/libroast.so", "/opt/nowhere/unit/plugins", "/home/a/venv/unit/plugins" },
    { "/home/a/venv/unit/libroast.so", "/opt/nowhere/libexec/supervisor", "/home/a/venv/libexec/supervisor" },
    { "/opt/nowhere/unit/libroast.so", "/opt/nowhere/unit/plugins", "/opt/nowhere/unit/plugins" },
    { "/unit/libroast.so", "/opt/nowhere/unit/plugins", "/unit/plugins" },
    /* The last directory of that name counts. */
    { "/unit/x/unit/libroast.so", "/opt/nowhere/share/x", "/unit/x/share/x" },
    /* A build directory, a name that only ends in the same way, and a path that is not below the prefix. */
    { "/home/a/roast/b/core/libroast.so", "/opt/nowhere/unit/plugins", "/opt/nowhere/unit/plugins" },
    { "/home/a/myunit/libroast.so", "/opt/nowhere/unit/plugins", "/opt/nowhere/unit/plugins" },
    { "/home/a/unit/libroast.so", "/opt/nowhereelse/plugins", "/opt/nowhereelse/plugins" },
    { "/home/a/unit/libroast.so", "/etc/roast", "/etc/roast" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = roast_place_relocate (cases[i].library, cases[i].path);

      g_assert_cmpstr (path, ==, cases[i].expected);
    }
}

static void
test_dup (void)
{
  g_autofree char *myself = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *name = g_path_get_basename (myself);
  g_autofree char *built_for = g_build_filename ("/opt/nowhere/unit", name, NULL);
  g_autofree char *found = roast_place_dup (built_for);
  g_autofree char *missing = roast_place_dup ("/opt/nowhere/unit/missing");

  g_assert_cmpstr (found, ==, myself);
  /* What is not there is named as it was built: an error then shows the path that the packages install. */
  g_assert_cmpstr (missing, ==, "/opt/nowhere/unit/missing");
}

/* Commands are found through symbolic links, which pipx makes, for example. */
static void
test_link (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_dir_make_tmp ("roast-place-XXXXXX", &error);
  g_autofree char *link = g_build_filename (directory, "test-place", NULL);
  g_autofree char *myself = g_file_read_link ("/proc/self/exe", NULL);
  char *argv[] = { link, (char *) "--tap", (char *) "-p", (char *) "/place/dup", NULL };
  int status = -1;

  g_assert_no_error (error);
  g_assert_cmpint (symlink (myself, link), ==, 0);
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_unlink (link);
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/place/relocate", test_relocate);
  g_test_add_func ("/place/dup", test_dup);
  g_test_add_func ("/place/link", test_link);

  return g_test_run ();
}
