/* SPDX-License-Identifier: BSD-3-Clause */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <roast/roast.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *directory;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("roast-test-XXXXXX", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->directory, 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->directory, name, NULL);

      g_remove (path);
    }
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);
  g_free (fixture->directory);
}

static char *
path_of (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->directory, name, NULL);
}

static void
write_text (RoastOutput *output, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GOutputStream) stream = roast_output_open (output, name, &error);

  g_assert_no_error (error);
  g_output_stream_write_all (stream, text, strlen (text), NULL, NULL, &error);
  g_assert_no_error (error);
  g_output_stream_close (stream, NULL, &error);
  g_assert_no_error (error);
}

static void
assert_contents (const char *path, const char *text)
{
  g_autofree char *found = NULL;

  g_assert_true (g_file_get_contents (path, &found, NULL, NULL));
  g_assert_cmpstr (found, ==, text);
}

static guint
count_files (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->directory, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

/* What stands there stays until the new one is complete. */
static void
test_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = path_of (fixture, "report");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);
  struct stat st;

  g_assert_true (g_file_set_contents (path, "older", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  g_assert_true (roast_output_prepare (output, NULL));
  write_text (output, NULL, "newer");
  assert_contents (path, "older");
  g_assert_true (roast_output_commit (output, NULL));
  assert_contents (path, "newer");
  g_assert_cmpint (stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0640);
  g_assert_cmpuint (count_files (fixture), ==, 1);
}

static void
test_file_discarded (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = path_of (fixture, "report");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);

  g_assert_true (g_file_set_contents (path, "older", -1, NULL));
  write_text (output, NULL, "newer");
  g_clear_object (&output);
  assert_contents (path, "older");
  g_assert_cmpuint (count_files (fixture), ==, 1);
}

static void
test_link_is_followed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = path_of (fixture, "report");
  g_autofree char *link_path = path_of (fixture, "link");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (link_path);

  g_assert_true (g_file_set_contents (path, "older", -1, NULL));
  g_assert_cmpint (symlink (path, link_path), ==, 0);
  write_text (output, NULL, "newer");
  g_assert_true (roast_output_commit (output, NULL));
  assert_contents (path, "newer");
  g_assert_true (g_file_test (link_path, G_FILE_TEST_IS_SYMLINK));
}

static void
test_errors (Fixture *fixture, gconstpointer data)
{
  g_autofree char *below = path_of (fixture, "no/such");
  const char *paths[] = { below, fixture->directory, "/proc/version/x" };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (RoastOutput) output = roast_output_new_for_file (paths[i]);
      g_autoptr (GError) error = NULL;

      g_assert_false (roast_output_prepare (output, &error));
      g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
      g_assert_nonnull (strstr (error->message, paths[i]));
    }
}

static void
test_full_device (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastOutput) output = roast_output_new_for_file ("/dev/full");
  g_autoptr (GOutputStream) stream = roast_output_open (output, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (stream);
  g_assert_false (g_output_stream_write_all (stream, "x", 1, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
}

static void
test_directory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastOutput) output = roast_output_new_for_directory (fixture->directory);
  g_autofree char *a = path_of (fixture, "a.csv");
  g_autofree char *b = path_of (fixture, "b.csv");
  static const char *const wrong[] = { "", "../x", "a/b", ".hidden" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (roast_output_open (output, wrong[i], &error));
      g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
    }
  write_text (output, "a.csv", "1");
  write_text (output, "b.csv", "2");
  g_assert_false (g_file_test (a, G_FILE_TEST_EXISTS));
  g_assert_true (roast_output_commit (output, NULL));
  assert_contents (a, "1");
  assert_contents (b, "2");
  g_assert_cmpuint (count_files (fixture), ==, 2);
}

static void
test_memory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GBytes) bytes = NULL;
  g_auto (GStrv) names = NULL;

  write_text (output, "a", "one");
  write_text (output, "b", "two");
  bytes = roast_output_dup_bytes (output, "b");
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "two", 3);
  g_assert_null (roast_output_dup_bytes (output, "c"));
  names = roast_output_dup_names (output);
  g_assert_cmpuint (g_strv_length (names), ==, 2);
}

/* The caller's descriptor stays open. */
static void
test_stream (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = path_of (fixture, "stream");
  int fd = open (path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  g_autoptr (RoastOutput) output = roast_output_new_for_fd (fd, "a stream");

  write_text (output, NULL, "text");
  g_assert_true (roast_output_commit (output, NULL));
  g_assert_false (roast_output_is_terminal (output, NULL));
  g_clear_object (&output);
  g_assert_cmpint (write (fd, "!", 1), ==, 1);
  close (fd);
  assert_contents (path, "text!");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
  ADD ("/output/file", test_file);
  ADD ("/output/file-discarded", test_file_discarded);
  ADD ("/output/link-is-followed", test_link_is_followed);
  ADD ("/output/errors", test_errors);
  ADD ("/output/full-device", test_full_device);
  ADD ("/output/directory", test_directory);
  ADD ("/output/memory", test_memory);
  ADD ("/output/stream", test_stream);

  return g_test_run ();
}
