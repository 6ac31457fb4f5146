/* SPDX-License-Identifier: BSD-3-Clause */

/* Where runs are kept, with homes on file systems that this test makes up. */

#include <glib/gstdio.h>
#include <roast/roast.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "store/roast-runs-place-private.h"

/* The kernel's numbers, from its sources. */
#define EXT4 0xef53
#define NFS 0x6969
#define LUSTRE 0x0bd00bd0

static long home_type;
static long local_type;

/* As the kernel: a path that does not exist has no file system. */
int
fake_statfs (const char *path, struct statfs *info)
{
  if (g_str_has_prefix (path, "/home/me/") || strstr (path, "/roast-") != NULL)
    return -1;
  info->f_type = (__typeof__ (info->f_type)) (g_str_equal (path, "/home/me") ? home_type : local_type);

  return 0;
}

static void
assert_chosen (const char *wanted, const char *wanted_reason)
{
  g_autofree char *reason = NULL;
  g_autofree char *path = roast_runs_place_choose ("/home/me/.local/state", "/var/tmp", &reason);
  g_autofree char *wanted_path = NULL;

  if (strchr (wanted, '%') != NULL)
    {
      g_auto (GStrv) parts = g_strsplit (wanted, "%u", 2);

      wanted_path = g_strdup_printf ("%s%u%s", parts[0], (guint) getuid (), parts[1]);
    }
  g_assert_cmpstr (path, ==, wanted_path != NULL ? wanted_path : wanted);
  g_assert_cmpstr (reason, ==, wanted_reason);
}

static void
test_choose (void)
{
  home_type = EXT4;
  local_type = EXT4;
  assert_chosen ("/home/me/.local/state/roast/runs", NULL);
  home_type = NFS;
  assert_chosen ("/var/tmp/roast-%u/runs", "/home/me/.local/state is on a network file system (NFS)");
  home_type = LUSTRE;
  assert_chosen ("/var/tmp/roast-%u/runs", "/home/me/.local/state is on a network file system (Lustre)");
  /* A machine without disks. */
  local_type = NFS;
  assert_chosen ("/home/me/.local/state/roast/runs", NULL);
}

static void
test_networks (void)
{
  static const struct
  {
    guint32 magic;
    const char *name;
  } types[] = {
    { 0x6969, "NFS" },        { 0x0bd00bd0, "Lustre" }, { 0x47504653, "GPFS" }, { 0x5346414f, "AFS" },
    { 0x00c36400, "CephFS" }, { 0x65735546, "FUSE" },   { 0xff534d42, "CIFS" }, { 0xef53, NULL },
    { 0x58465342, NULL },     { 0x9123683e, NULL },     { 0x01021994, NULL },   { 0x794c7630, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      home_type = (long) types[i].magic;
      g_assert_cmpstr (roast_runs_place_get_network ("/home/me/a/b"), ==, types[i].name);
    }
}

static void
test_make (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *parent = g_dir_make_tmp ("roast-place-XXXXXX", NULL);
  g_autofree char *user = g_build_filename (parent, "roast-1", NULL);
  g_autofree char *path = g_build_filename (user, "runs", NULL);
  struct stat info;

  g_assert_cmpint (g_mkdir (user, 0777), ==, 0);
  g_assert_cmpint (g_chmod (user, 0777), ==, 0);
  g_assert_true (roast_runs_place_make (path, TRUE, &error));
  g_assert_no_error (error);
  g_assert_cmpint (stat (user, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);
  g_assert_cmpint (stat (path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);

  /* A link that somebody put there. */
  g_assert_cmpint (g_rmdir (path), ==, 0);
  g_assert_cmpint (g_rmdir (user), ==, 0);
  g_assert_cmpint (symlink (parent, user), ==, 0);
  g_assert_false (roast_runs_place_make (path, TRUE, &error));
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  g_assert_nonnull (strstr (error->message, "the path is not a directory"));
  g_clear_error (&error);
  g_unlink (user);

  if (getuid () == 0)
    {
      g_assert_cmpint (g_mkdir (user, 0700), ==, 0);
      g_assert_cmpint (chown (user, 12345, 12345), ==, 0);
      g_assert_false (roast_runs_place_make (path, TRUE, &error));
      g_assert_nonnull (strstr (error->message, "the directory belongs to another user"));
      g_rmdir (user);
    }
  g_rmdir (parent);
}

static void
test_no_home (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (roast_runs_place_make ("/no/such/home/.local/state/roast/runs", FALSE, &error));
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  g_assert_cmpstr (error->message, ==, "there is no home directory /no/such/home. Set ROAST_RUNS to another directory");
  g_assert_false (g_file_test ("/no", G_FILE_TEST_EXISTS));
  g_clear_error (&error);

  g_assert_false (roast_runs_place_make (".local/state/roast/runs", FALSE, &error));
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  g_assert_nonnull (strstr (error->message, "HOME or XDG_STATE_HOME is not an absolute path"));
  g_assert_false (g_file_test (".local/state/roast", G_FILE_TEST_EXISTS));
}

static void
test_state (void)
{
  const char *const unset[] = { NULL, "" };

  for (guint i = 0; i < G_N_ELEMENTS (unset); i++)
    {
      g_autofree char *state = NULL;

      if (unset[i] != NULL)
        g_setenv ("XDG_STATE_HOME", unset[i], TRUE);
      else
        g_unsetenv ("XDG_STATE_HOME");
      state = roast_runs_place_dup_state ();
      g_assert_cmpstr (state, ==, "/no/such/home/.local/state");
    }
  {
    g_autofree char *state = NULL;

    g_setenv ("XDG_STATE_HOME", "/states", TRUE);
    state = roast_runs_place_dup_state ();
    g_assert_cmpstr (state, ==, "/states");
  }
}

int
main (int argc, char *argv[])
{
  g_setenv ("HOME", "/no/such/home/", TRUE);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/runs-place/choose", test_choose);
  g_test_add_func ("/runs-place/networks", test_networks);
  g_test_add_func ("/runs-place/make", test_make);
  g_test_add_func ("/runs-place/no-home", test_no_home);
  g_test_add_func ("/runs-place/state", test_state);

  return g_test_run ();
}
