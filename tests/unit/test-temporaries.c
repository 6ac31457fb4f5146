/* SPDX-License-Identifier: BSD-3-Clause */

/* Files that live as long as a run: removed at once on request, and by others only if their process is gone. */

#include "base/roast-temporaries-private.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  char *directory;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->directory = g_dir_make_tmp ("test-temporaries-XXXXXX", NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (g_rmdir (self->directory), ==, 0);
  g_free (self->directory);
}

/* In another process, which ends without cleaning up. The path that it made. */
static char *
leave (Fixture *self, gboolean directory)
{
  int channel[2];
  char path[512] = "";
  pid_t pid;

  g_assert_cmpint (pipe (channel), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      char *made = NULL;
      int fd = -1;

      if (directory)
        made = roast_temporaries_make_directory (self->directory, &fd);
      else
        fd = roast_temporaries_open_file (self->directory, "report", &made);
      _exit (fd >= 0 && write (channel[1], made, strlen (made)) > 0 ? 0 : 1);
    }
  close (channel[1]);
  g_assert_cmpint (read (channel[0], path, sizeof path - 1), >, 0);
  close (channel[0]);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);

  return g_strdup (path);
}

static void
test_file (Fixture *self, gconstpointer data)
{
  g_autofree char *own = NULL;
  g_autofree char *stale = leave (self, FALSE);
  g_autofree char *prefix = g_build_filename (self->directory, ".report.roast-", NULL);
  g_autofree char *foreign = NULL;
  int fd = roast_temporaries_open_file (self->directory, "report", &own);

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_str_has_prefix (own, prefix));
  g_assert_cmpuint (strlen (own), ==, strlen (prefix) + strlen ("123456-XXXXXX"));
  g_assert_cmpint (fcntl (fd, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
  /* Of another machine. */
  foreign = g_strdup (stale);
  foreign[strlen (prefix)] = foreign[strlen (prefix)] == '0' ? '1' : '0';
  g_assert_true (g_file_set_contents (foreign, "", 0, NULL));

  roast_temporaries_remove_stale_files (self->directory);
  g_assert_true (g_file_test (own, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (foreign, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (stale, G_FILE_TEST_EXISTS));
  g_unlink (foreign);

  roast_remove_temporaries ();
  g_assert_false (g_file_test (own, G_FILE_TEST_EXISTS));
  close (fd);
}

static void
make_socket (const char *path)
{
  g_assert_no_errno (mknod (path, S_IFSOCK | 0600, 0));
}

static void
test_directory (Fixture *self, gconstpointer data)
{
  g_autofree char *own = NULL;
  g_autofree char *stale = leave (self, TRUE);
  g_autofree char *socket = NULL;
  g_autofree char *empty = g_build_filename (self->directory, "roast-abcdef", NULL);
  g_autofree char *in_stale = g_build_filename (stale, "socket", NULL);
  int lock = -1;

  own = roast_temporaries_make_directory (self->directory, &lock);
  g_assert_nonnull (own);
  socket = g_build_filename (own, "socket", NULL);
  make_socket (in_stale);
  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);

  roast_temporaries_remove_stale_directories (self->directory);
  g_assert_false (g_file_test (stale, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (own, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (empty, G_FILE_TEST_EXISTS));
  g_rmdir (empty);

  g_assert_true (g_file_set_contents (socket, "", 0, NULL));
  roast_temporaries_add (socket);
  roast_remove_temporaries ();
  g_assert_false (g_file_test (own, G_FILE_TEST_EXISTS));
  close (lock);
}

static void
put_file (const char *directory, const char *name, const char *content)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  g_assert_true (g_file_set_contents (path, content, -1, NULL));
}

/* A file is there, with this content unless it is NULL; removes it. */
static void
check_file (const char *directory, const char *name, const char *content)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autofree char *found = NULL;

  g_assert_true (g_file_get_contents (path, &found, NULL, NULL));
  if (content != NULL)
    g_assert_cmpstr (found, ==, content);
  g_assert_no_errno (g_unlink (path));
}

/* A directory of the user looks like one of roast, but its lock is not one that roast made for it. */
static void
test_user_directory (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->directory, "roast-backup", NULL);
  g_autofree char *below = g_build_filename (path, "below", NULL);
  g_autofree char *stale = leave (self, TRUE);
  g_autofree char *lock = g_build_filename (stale, "lock", NULL);
  g_autofree char *copy = g_build_filename (path, "lock", NULL);
  g_autofree char *marker = NULL;

  g_assert_true (g_file_get_contents (lock, &marker, NULL, NULL));
  g_assert_no_errno (g_mkdir (path, 0700));
  put_file (path, "data", "precious");
  put_file (path, "lock", "");
  roast_temporaries_remove_stale_directories (self->directory);
  g_assert_false (g_file_test (stale, G_FILE_TEST_EXISTS));
  check_file (path, "lock", "");
  check_file (path, "data", "precious");
  /* With nothing but a lock that was copied, */
  put_file (path, "lock", marker);
  roast_temporaries_remove_stale_directories (self->directory);
  check_file (path, "lock", marker);
  /* with a link as its lock, */
  put_file (self->directory, "target", marker);
  g_assert_no_errno (symlink ("../target", copy));
  roast_temporaries_remove_stale_directories (self->directory);
  g_assert_true (g_file_test (copy, G_FILE_TEST_IS_SYMLINK));
  g_assert_no_errno (g_unlink (copy));
  check_file (self->directory, "target", marker);
  /* and with a directory in it. */
  put_file (path, "lock", "");
  g_assert_no_errno (g_mkdir (below, 0700));
  roast_temporaries_remove_stale_directories (self->directory);
  check_file (path, "lock", "");
  g_assert_no_errno (g_rmdir (below));
  g_assert_no_errno (g_rmdir (path));
}

/* Other files in a directory that roast made, and links to one, stay with all that is in it. */
static void
test_other_entries (Fixture *self, gconstpointer data)
{
  g_autofree char *path = leave (self, TRUE);
  g_autofree char *lock = g_build_filename (path, "lock", NULL);
  g_autofree char *below = g_build_filename (path, "below", NULL);
  g_autofree char *link = g_build_filename (self->directory, "roast-linker", NULL);
  g_autofree char *moved = g_build_filename (self->directory, "moved", NULL);
  g_autofree char *own = NULL;
  int fd = -1;

  put_file (path, "data", "precious");
  roast_temporaries_remove_stale_directories (self->directory);
  g_assert_true (g_file_test (lock, G_FILE_TEST_EXISTS));
  check_file (path, "data", "precious");
  put_file (path, "socket", "a file");
  roast_temporaries_remove_stale_directories (self->directory);
  g_assert_true (g_file_test (lock, G_FILE_TEST_EXISTS));
  check_file (path, "socket", "a file");
  g_assert_no_errno (g_mkdir (below, 0700));
  roast_temporaries_remove_stale_directories (self->directory);
  g_assert_true (g_file_test (lock, G_FILE_TEST_EXISTS));
  g_assert_no_errno (g_rmdir (below));
  g_assert_no_errno (g_rename (path, moved));
  g_assert_no_errno (symlink ("moved", link));
  roast_temporaries_remove_stale_directories (self->directory);
  g_assert_true (g_file_test (link, G_FILE_TEST_EXISTS));
  g_assert_no_errno (g_unlink (link));
  g_assert_no_errno (g_rename (moved, path));
  roast_temporaries_remove_stale_directories (self->directory);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  own = roast_temporaries_make_directory (self->directory, &fd);
  put_file (own, "data", "precious");
  roast_temporaries_remove_directory (own, fd);
  check_file (own, "lock", NULL);
  check_file (own, "data", "precious");
  g_assert_no_errno (g_rmdir (own));
}

/* What is removed in the ordinary way is forgotten: another file may have its name later. */
static void
test_forgotten (Fixture *self, gconstpointer data)
{
  g_autofree char *file = NULL;
  g_autofree char *directory = NULL;
  int lock = -1;
  int fd = roast_temporaries_open_file (self->directory, "report", &file);

  roast_temporaries_forget (file);
  directory = roast_temporaries_make_directory (self->directory, &lock);
  roast_temporaries_remove_directory (directory, lock);
  g_assert_false (g_file_test (directory, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);

  roast_remove_temporaries ();
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (directory, G_FILE_TEST_EXISTS));
  g_unlink (file);
  g_rmdir (directory);
  close (fd);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/temporaries/file", Fixture, NULL, set_up, test_file, tear_down);
  g_test_add ("/temporaries/directory", Fixture, NULL, set_up, test_directory, tear_down);
  g_test_add ("/temporaries/user-directory", Fixture, NULL, set_up, test_user_directory, tear_down);
  g_test_add ("/temporaries/other-entries", Fixture, NULL, set_up, test_other_entries, tear_down);
  g_test_add ("/temporaries/forgotten", Fixture, NULL, set_up, test_forgotten, tear_down);

  return g_test_run ();
}
