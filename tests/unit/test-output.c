/* SPDX-License-Identifier: BSD-3-Clause */

/* Where exporters write to: what is complete stands in its place, what is not leaves what was there. */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <roast/roast.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *directory;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->directory = g_dir_make_tmp ("roast-output-XXXXXX", &error);
  g_assert_no_error (error);
}

static guint
count_files (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        remove_tree (child);
      else
        g_assert_cmpint (g_remove (child), ==, 0);
    }
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_chmod (fixture->directory, 0700);
  remove_tree (fixture->directory);
  g_free (fixture->directory);
}

static char *
in (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->directory, name, NULL);
}

static void
put (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
assert_content (const char *path, const char *text)
{
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &content, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (content, ==, text);
}

static void
write_to (RoastOutput *output, const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GOutputStream) stream = roast_output_open (output, name, &error);

  g_assert_no_error (error);
  g_assert_true (g_output_stream_write_all (stream, text, strlen (text), NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_output_stream_close (stream, NULL, &error));
  g_assert_no_error (error);
}

static void
commit (RoastOutput *output)
{
  g_autoptr (GError) error = NULL;

  roast_output_commit (output, &error);
  g_assert_no_error (error);
}

/* The message has the name of the place and another word. */
static void
assert_refused (RoastOutput *output, const char *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (roast_output_prepare (output, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
  g_assert_nonnull (strstr (error->message, roast_output_get_name (output)));
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = in (fixture, "report");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (roast_output_get_kind (output), ==, ROAST_OUTPUT_FILE);
  g_assert_cmpstr (roast_output_get_name (output), ==, path);
  put (path, "old");
  g_assert_true (roast_output_prepare (output, &error));
  g_assert_no_error (error);
  write_to (output, NULL, "new");
  assert_content (path, "old");
  commit (output);
  assert_content (path, "new");
  g_assert_cmpuint (count_files (fixture->directory), ==, 1);

  g_assert_null (roast_output_open (output, NULL, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
}

static void
test_file_opened_twice (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = in (fixture, "report");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);
  g_autoptr (GError) error = NULL;

  write_to (output, "name is ignored", "text");
  g_assert_null (roast_output_open (output, NULL, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
}

static void
test_discard (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = in (fixture, "report");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);

  put (path, "old");
  write_to (output, NULL, "half of the n");
  roast_output_discard (output);
  assert_content (path, "old");
  g_assert_cmpuint (count_files (fixture->directory), ==, 1);

  write_to (output, NULL, "again");
  commit (output);
  assert_content (path, "again");
}

/* Neither what is only forgotten nor what was never written replaces anything. */
static void
test_not_written (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = in (fixture, "report");
  RoastOutput *forgotten = roast_output_new_for_file (path);
  g_autoptr (RoastOutput) unopened = roast_output_new_for_file (path);

  put (path, "old");
  write_to (forgotten, NULL, "new");
  g_object_unref (forgotten);
  assert_content (path, "old");

  g_assert_true (roast_output_prepare (unopened, NULL));
  g_assert_cmpuint (count_files (fixture->directory), ==, 2);
  commit (unopened);
  assert_content (path, "old");
  g_assert_cmpuint (count_files (fixture->directory), ==, 1);
}

static void
test_mode (Fixture *fixture, gconstpointer data)
{
  g_autofree char *old = in (fixture, "old");
  g_autofree char *new = in (fixture, "new");
  mode_t mask = umask (027);
  struct stat st;

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (RoastOutput) output = roast_output_new_for_file (i == 0 ? old : new);

      if (i == 0)
        put (old, "");
      if (i == 0)
        g_assert_cmpint (g_chmod (old, 0604), ==, 0);
      write_to (output, NULL, "text");
      commit (output);
    }
  umask (mask);
  g_assert_cmpint (stat (old, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0604);
  g_assert_cmpint (stat (new, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0640);
}

static void
test_links (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "to-file", "to-nothing" };
  g_autofree char *directory = in (fixture, "elsewhere");

  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *link = in (fixture, names[i]);
      g_autofree char *between = g_build_filename (directory, names[i], NULL);
      g_autofree char *relative = g_strconcat ("elsewhere/", names[i], NULL);
      g_autofree char *name = g_strconcat ("target-of-", names[i], NULL);
      g_autofree char *target = g_build_filename (directory, name, NULL);
      g_autoptr (RoastOutput) output = roast_output_new_for_file (link);

      g_assert_cmpint (symlink (relative, link), ==, 0);
      g_assert_cmpint (symlink (name, between), ==, 0);
      if (i == 0)
        put (target, "old");
      write_to (output, NULL, "new");
      commit (output);
      assert_content (target, "new");
      g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
      g_assert_true (g_file_test (between, G_FILE_TEST_IS_SYMLINK));
    }
}

static void
test_link_to_itself (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = in (fixture, "loop");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);

  g_assert_cmpint (symlink ("loop", path), ==, 0);
  write_to (output, NULL, "text");
  commit (output);
  assert_content (path, "text");
}

static void
test_long_name (Fixture *fixture, gconstpointer data)
{
  g_autofree char *name = g_strnfill (255, 'x');
  g_autofree char *path = in (fixture, name);
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);

  write_to (output, NULL, "text");
  commit (output);
  assert_content (path, "text");
}

static void
test_bad_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *missing = in (fixture, "no/such/file");
  g_autofree char *file = in (fixture, "file");
  g_autofree char *below_file = in (fixture, "file/below");
  g_autoptr (RoastOutput) in_missing = roast_output_new_for_file (missing);
  g_autoptr (RoastOutput) directory = roast_output_new_for_file (fixture->directory);
  g_autoptr (RoastOutput) in_file = roast_output_new_for_file (below_file);
  g_autoptr (RoastOutput) in_proc = roast_output_new_for_file ("/proc/roast");

  put (file, "");
  assert_refused (in_missing, "Create the directory of this file first");
  assert_refused (directory, "Name a file in this directory");
  assert_refused (in_file, "a part of this path is a file");
  assert_refused (in_proc, "/proc/roast");
}

static void
test_no_permission (Fixture *fixture, gconstpointer data)
{
  g_autofree char *locked = in (fixture, "locked");
  g_autofree char *in_locked = in (fixture, "locked/file");
  g_autofree char *file = in (fixture, "file");
  g_autoptr (RoastOutput) new = roast_output_new_for_file (in_locked);
  g_autoptr (RoastOutput) read_only = roast_output_new_for_file (file);
  g_autoptr (RoastOutput) directory = roast_output_new_for_directory (locked);

  put (file, "old");
  g_assert_cmpint (g_chmod (file, 0400), ==, 0);
  g_assert_cmpint (g_mkdir (locked, 0500), ==, 0);
  if (g_access (file, W_OK) == 0)
    {
      g_test_skip ("the superuser may write everywhere");
      return;
    }
  assert_refused (new, "write permission for the file");
  assert_refused (read_only, "write permission for the file");
  assert_refused (directory, "write permission for the file");
  assert_content (file, "old");
}

static void
test_device (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastOutput) output = roast_output_new_for_file ("/dev/full");
  g_autoptr (RoastOutput) null = roast_output_new_for_file ("/dev/null");
  g_autoptr (GError) error = NULL;
  g_autoptr (GOutputStream) stream = roast_output_open (output, NULL, &error);

  g_assert_no_error (error);
  g_assert_false (g_output_stream_write_all (stream, "x", 1, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  roast_output_discard (output);
  g_assert_true (g_file_test ("/dev/full", G_FILE_TEST_EXISTS));

  write_to (null, NULL, "text");
  commit (null);
}

static void
test_pipe (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = in (fixture, "pipe");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);
  char buffer[5] = { 0 };
  int fd;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  write_to (output, NULL, "text");
  commit (output);
  g_assert_cmpint (read (fd, buffer, sizeof buffer), ==, 4);
  g_assert_cmpstr (buffer, ==, "text");
  g_assert_cmpint (read (fd, buffer, sizeof buffer), ==, 0);
  close (fd);
}

/* A path to what is open already: the file is neither replaced nor overwritten. */
static void
test_open_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = in (fixture, "stdout");
  int fd = g_open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  g_autofree char *in_dev = g_strdup_printf ("/dev/fd/%d", fd);
  g_autofree char *link = in (fixture, "link");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (in_dev);
  g_autoptr (RoastOutput) linked = roast_output_new_for_file (link);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (symlink (in_dev, link), ==, 0);
  g_assert_cmpint (write (fd, "before ", 7), ==, 7);
  write_to (output, NULL, "text ");
  commit (output);
  write_to (linked, NULL, "more");
  commit (linked);
  assert_content (path, "before text more");
  close (fd);
}

static void
test_directory (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = in (fixture, "a/b");
  g_autofree char *one = in (fixture, "a/b/one.csv");
  g_autofree char *two = in (fixture, "a/b/two.csv");
  g_autoptr (RoastOutput) output = roast_output_new_for_directory (path);
  g_auto (GStrv) names = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (roast_output_prepare (output, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count_files (path), ==, 0);
  put (one, "old");
  write_to (output, "one.csv", "1");
  write_to (output, "two.csv", "2");
  assert_content (one, "old");
  names = roast_output_dup_names (output);
  g_assert_cmpuint (g_strv_length (names), ==, 2);
  g_assert_cmpstr (names[1], ==, "two.csv");
  commit (output);
  assert_content (one, "1");
  assert_content (two, "2");
  g_assert_cmpuint (count_files (path), ==, 2);
}

static void
test_bad_names (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "", ".", "..", ".hidden", "a/b", "../x", NULL };
  g_autoptr (RoastOutput) output = roast_output_new_for_directory (fixture->directory);

  write_to (output, "twice", "text");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (roast_output_open (output, names[i], &error));
      g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
    }
  g_assert_null (roast_output_open (output, "twice", NULL));
  roast_output_discard (output);
  g_assert_cmpuint (count_files (fixture->directory), ==, 0);
}

static void
test_bad_directory (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = in (fixture, "file");
  g_autofree char *below = in (fixture, "file/directory");
  g_autoptr (RoastOutput) output = roast_output_new_for_directory (file);
  g_autoptr (RoastOutput) lower = roast_output_new_for_directory (below);

  put (file, "");
  assert_refused (output, "file");
  assert_refused (lower, "a part of this path is a file");
}

/* The descriptor stays the caller's, who may close it. */
static void
test_stream (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastOutput) output = NULL;
  char buffer[16] = { 0 };
  guint columns = 7;
  int fds[2];

  g_assert_cmpint (pipe2 (fds, O_CLOEXEC), ==, 0);
  output = roast_output_new_for_fd (fds[1], "standard output");
  g_assert_cmpint (write (fds[1], "zero ", 5), ==, 5);
  close (fds[1]);
  g_assert_cmpint (roast_output_get_kind (output), ==, ROAST_OUTPUT_STREAM);
  g_assert_false (roast_output_is_terminal (output, &columns));
  g_assert_cmpuint (columns, ==, 0);
  write_to (output, NULL, "one ");
  commit (output);
  write_to (output, NULL, "two");
  commit (output);
  g_clear_object (&output);
  g_assert_cmpint (read (fds[0], buffer, sizeof buffer), ==, 12);
  g_assert_cmpstr (buffer, ==, "zero one two");
  g_assert_cmpint (read (fds[0], buffer, sizeof buffer), ==, 0);
  close (fds[0]);
}

static void
test_bad_stream (Fixture *fixture, gconstpointer data)
{
  int fd = g_open ("/dev/null", O_RDONLY | O_CLOEXEC, 0);
  g_autoptr (RoastOutput) output = roast_output_new_for_fd (fd, "standard output");
  g_autoptr (RoastOutput) closed = roast_output_new_for_fd (-1, "standard error");

  assert_refused (output, "not open for writing");
  assert_refused (closed, "closed");
  close (fd);
}

static void
test_memory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (GBytes) one = NULL;
  g_autoptr (GBytes) nameless = NULL;

  write_to (output, "one", "first");
  write_to (output, "one", "1");
  write_to (output, NULL, "");
  commit (output);
  one = roast_output_dup_bytes (output, "one");
  nameless = roast_output_dup_bytes (output, NULL);
  g_assert_cmpmem (g_bytes_get_data (one, NULL), g_bytes_get_size (one), "1", 1);
  g_assert_cmpuint (g_bytes_get_size (nameless), ==, 0);
  g_assert_null (roast_output_dup_bytes (output, "two"));
}

/* Opened when there is something to write: its reader need not be there before. */
static void
test_fifo (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = in (fixture, "fifo");
  g_autoptr (RoastOutput) output = roast_output_new_for_file (path);
  g_autoptr (GError) error = NULL;
  char text[8] = "";
  int fd = -1;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_true (roast_output_prepare (output, &error));
  g_assert_null (roast_output_open (output, NULL, &error));
  g_assert_error (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_OUTPUT);
  g_assert_nonnull (strstr (error->message, "No process reads this pipe"));

  fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  write_to (output, NULL, "text");
  commit (output);
  g_assert_cmpint (read (fd, text, sizeof text), ==, 4);
  g_assert_cmpstr (text, ==, "text");
  close (fd);
}

/* As “program 2>file” has it: who writes after it does so behind it, and what was there stays. */
static void
test_own_descriptor (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = in (fixture, "file");
  g_autofree char *expected = g_strdup ("");
  int fd = open (file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *path = i == 0 ? g_strdup_printf ("/dev/fd/%d", fd) : g_strdup_printf ("/proc/self/fd/%d", fd);
      g_autoptr (RoastOutput) output = roast_output_new_for_file (path);
      char *longer = g_strconcat (expected, "before,report,after;", NULL);

      g_assert_true (roast_output_prepare (output, NULL));
      g_assert_cmpint (write (fd, "before,", 7), ==, 7);
      write_to (output, NULL, "report,");
      commit (output);
      g_assert_cmpint (write (fd, "after;", 6), ==, 6);
      g_free (expected);
      expected = longer;
    }
  close (fd);
  assert_content (file, expected);
}

static void
test_socket (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autoptr (RoastOutput) output = NULL;
  char text[8] = "";
  int fds[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  path = g_strdup_printf ("/dev/fd/%d", fds[1]);
  output = roast_output_new_for_file (path);
  write_to (output, NULL, "text");
  commit (output);
  g_assert_cmpint (read (fds[0], text, sizeof text), ==, 4);
  g_assert_cmpstr (text, ==, "text");
  close (fds[0]);
  close (fds[1]);
}

/* The process, or code of a plugin in it, changes its directory after the outputs were prepared. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = g_get_current_dir ();
  g_autofree char *file = in (fixture, "file");
  g_autofree char *kept = in (fixture, "kept");
  g_autofree char *in_directory = in (fixture, "directory/part");
  g_autofree char *fifo = in (fixture, "fifo");
  RoastOutput *outputs[] = { roast_output_new_for_file ("file"), roast_output_new_for_directory ("directory"),
                             roast_output_new_for_file ("fifo"), roast_output_new_for_file ("kept") };
  char text[8] = "";
  int fd;

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  put (kept, "old");
  g_assert_cmpint (g_chdir (fixture->directory), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    g_assert_true (roast_output_prepare (outputs[i], NULL));
  g_assert_cmpint (g_chdir ("/"), ==, 0);
  write_to (outputs[0], NULL, "text");
  write_to (outputs[1], "part", "text");
  fd = open (fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  write_to (outputs[2], NULL, "text");
  for (guint i = 0; i < 3; i++)
    commit (outputs[i]);
  roast_output_discard (outputs[3]);
  g_assert_cmpint (g_chdir (before), ==, 0);

  assert_content (file, "text");
  assert_content (in_directory, "text");
  assert_content (kept, "old");
  g_assert_cmpint (read (fd, text, sizeof text), ==, 4);
  close (fd);
  /* No temporary file is left. */
  g_assert_cmpuint (count_files (fixture->directory), ==, 4);
  g_assert_cmpstr (roast_output_get_name (outputs[0]), ==, "file");
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    g_object_unref (outputs[i]);
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*run) (Fixture *, gconstpointer);
  } tests[] = {
    { "/output/file", test_file },
    { "/output/file/opened-twice", test_file_opened_twice },
    { "/output/file/discard", test_discard },
    { "/output/file/not-written", test_not_written },
    { "/output/file/mode", test_mode },
    { "/output/file/links", test_links },
    { "/output/file/link-to-itself", test_link_to_itself },
    { "/output/file/long-name", test_long_name },
    { "/output/file/bad", test_bad_file },
    { "/output/file/no-permission", test_no_permission },
    { "/output/file/device", test_device },
    { "/output/file/pipe", test_pipe },
    { "/output/file/fifo", test_fifo },
    { "/output/file/open", test_open_file },
    { "/output/file/own-descriptor", test_own_descriptor },
    { "/output/file/socket", test_socket },
    { "/output/file/moved", test_moved },
    { "/output/directory", test_directory },
    { "/output/directory/bad-names", test_bad_names },
    { "/output/directory/bad", test_bad_directory },
    { "/output/stream", test_stream },
    { "/output/stream/bad", test_bad_stream },
    { "/output/memory", test_memory },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].run, tear_down);

  return g_test_run ();
}
