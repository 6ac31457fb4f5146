/* SPDX-License-Identifier: BSD-3-Clause */

/* Run files for a network file system, which is one in whose path this test puts a word. */

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "run-file-fixture.h"

/* The kernel's numbers, from its sources. */
#define EXT4 0xef53
#define NFS 0x6969

static guint n_asked;

/* In the place of that of the C library, also for the library of roast. */
int
statfs (const char *path, struct statfs *info)
{
  n_asked++;
  if (syscall (SYS_statfs, path, info) != 0)
    return -1;
  info->f_type = strstr (path, "/network") != NULL ? NFS : EXT4;

  return 0;
}

static const char schema_text[] = "[table cells]\nDescription=A row\n[columns cells]\nsource=category: source\n"
                                  "number=int64: number\n";

typedef struct
{
  Fixture base;
  char *network; /* directory */
  char *path;    /* of a file in it */
  RoastRecording *recording;
  RoastRunFile *file;
  char *local; /* where the file grows */
} Network;

static void
begin (Network *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  set_up (&self->base, data);
  self->network = g_build_filename (self->base.directory, "network", NULL);
  self->path = g_build_filename (self->network, "run.roast", NULL);
  g_assert_no_errno (g_mkdir (self->network, 0700));
  self->recording = new_recording_of (schema_text);
  self->file = roast_run_file_create (self->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_asked, >, 0);
  self->local = g_strdup (roast_run_file_get_path (self->file));
  roast_run_file_attach (self->file, self->recording);
}

static void
end (Network *self, gconstpointer data)
{
  g_autofree char *directory = g_path_get_dirname (self->local);

  g_clear_object (&self->file);
  g_clear_object (&self->recording);
  g_unlink (self->local);
  g_unlink (self->path);
  /* Unless another process uses them. */
  g_rmdir (directory);
  g_assert_no_errno (g_rmdir (self->network));
  tear_down (&self->base, data);
  g_free (self->local);
  g_free (self->path);
  g_free (self->network);
}

static void
fill (RoastRecording *recording, guint n_rows)
{
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, "cells", "src", NULL, NULL);

  for (guint i = 0; i < n_rows; i++)
    {
      roast_table_writer_set_int64 (writer, 1, i);
      g_assert_true (roast_table_writer_end (writer, NULL));
    }
}

static void
check (RoastRecording *recording, guint n_rows)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, "cells", NULL, NULL);
  guint n = 0;

  for (; roast_table_reader_next (reader); n++)
    g_assert_cmpint (roast_table_reader_get_int64 (reader, 1, -1), ==, n);
  g_assert_cmpuint (n, ==, n_rows);
}

static void
check_file (const char *path, guint n_rows)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRecording) recording = roast_recording_open (path, &error);

  g_assert_no_error (error);
  check (recording, n_rows);
}

static gboolean
exists (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* It grows elsewhere, and is there when it is closed. */
static void
test_moved (Network *self, gconstpointer data)
{
  g_autofree char *user = g_strdup_printf ("/var/tmp/roast-%u/", (guint) getuid ());
  g_autoptr (GError) error = NULL;
  GStatBuf info;

  g_assert_true (g_str_has_prefix (self->local, user));
  fill (self->recording, 100000);
  g_assert_true (roast_run_file_flush (self->file, &error));
  g_assert_true (exists (self->local));
  g_assert_false (exists (self->path));
  g_assert_no_errno (g_stat (self->local, &info));
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);
  g_assert_true (roast_run_file_close (self->file, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (roast_run_file_get_path (self->file), ==, self->path);
  g_assert_false (exists (self->local));
  g_assert_no_errno (g_stat (self->path, &info));
  g_assert_cmpuint (info.st_mode & 0777, ==, 0600);
  check_file (self->path, 100000);
  /* Blocks of the recording that are not in memory. */
  check (self->recording, 100000);
}

/* It stays where it is, and the error says where, until it can be moved. */
static void
test_stays (Network *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fill (self->recording, 1000);
  g_assert_no_errno (g_rmdir (self->network));
  g_assert_false (roast_run_file_close (self->file, &error));
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, self->local));
  g_assert_nonnull (strstr (error->message, self->path));
  g_assert_nonnull (strstr (error->message, g_strerror (ENOENT)));
  g_clear_error (&error);
  g_assert_cmpstr (roast_run_file_get_path (self->file), ==, self->local);
  g_assert_cmpint (roast_run_file_get_state (self->file), ==, ROAST_RUN_FILE_STATE_CLOSED);
  check_file (self->local, 1000);
  g_assert_no_errno (g_mkdir (self->network, 0700));
  g_assert_true (roast_run_file_close (self->file, &error));
  g_assert_no_error (error);
  check_file (self->path, 1000);
  g_assert_false (exists (self->local));
}

/* What has got its name in the meantime is not overwritten. */
static void
test_taken (Network *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *content = NULL;
  g_autoptr (GDir) directory = NULL;

  fill (self->recording, 1000);
  g_assert_true (g_file_set_contents (self->path, "mine", -1, NULL));
  g_assert_false (roast_run_file_close (self->file, &error));
  g_assert_nonnull (strstr (error->message, g_strerror (EEXIST)));
  g_assert_true (g_file_get_contents (self->path, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "mine");
  check_file (self->local, 1000);
  directory = g_dir_open (self->network, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (directory), ==, "run.roast");
  g_assert_null (g_dir_read_name (directory));
}

static void
test_exists (Network *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = NULL;

  g_assert_true (roast_run_file_close (self->file, &error));
  file = roast_run_file_create (self->path, &error);
  g_assert_null (file);
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  g_assert_nonnull (strstr (error->message, self->path));
}

#define ADD(name, function) g_test_add ("/run-file-network/" name, Network, NULL, begin, function, end)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  ADD ("moved", test_moved);
  ADD ("stays", test_stays);
  ADD ("taken", test_taken);
  ADD ("exists", test_exists);

  return g_test_run ();
}
