/* SPDX-License-Identifier: BSD-3-Clause */

/* The directory of runs: names, limits, many processes at once, what killed ones leave. */

#include <glib/gstdio.h>
#include <roast/roast.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_RUNS 30 /* in the settings that main () writes */

typedef struct
{
  char *directory;
  RoastRuns *runs;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *parent = g_dir_make_tmp ("roast-runs-XXXXXX", &error);

  g_assert_no_error (error);
  fixture->directory = g_build_filename (parent, "a", "runs", NULL);
  g_setenv ("ROAST_RUNS", fixture->directory, TRUE);
  fixture->runs = roast_runs_new (&error);
  g_assert_no_error (error);
  g_assert_cmpstr (roast_runs_get_directory (fixture->runs), ==, fixture->directory);
  g_assert_null (roast_runs_get_reason (fixture->runs));
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name = NULL;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (g_unlink (file) != 0)
        remove_tree (file);
    }
  g_rmdir (path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *middle = g_path_get_dirname (fixture->directory);
  g_autofree char *parent = g_path_get_dirname (middle);

  g_chmod (fixture->directory, 0700);
  remove_tree (parent);
  g_clear_object (&fixture->runs);
  g_free (fixture->directory);
}

static void
write_file (const char *path, gsize size)
{
  g_autofree char *content = g_malloc0 (size + 1);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (path, content, (gssize) size, G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
}

/* A run of long ago. */
static char *
make_run (Fixture *fixture, const char *name, gsize size)
{
  g_autofree char *file = g_strconcat (name, ".roast", NULL);
  char *path = g_build_filename (fixture->directory, file, NULL);

  g_assert_cmpint (g_mkdir_with_parents (fixture->directory, 0700), ==, 0);
  write_file (path, size);

  return path;
}

static char *
begin (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  char *path = roast_runs_begin (fixture->runs, &error);

  g_assert_no_error (error);

  return path;
}

static guint
count (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) paths = roast_runs_list (fixture->runs, &error);

  g_assert_no_error (error);

  return g_strv_length (paths);
}

static void
assert_finds (Fixture *fixture, const char *name, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = roast_runs_find (fixture->runs, name, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, path);
}

static void
assert_refuses (Fixture *fixture, const char *name, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *found = roast_runs_find (fixture->runs, name, &error);

  g_assert_null (found);
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  if (!g_pattern_match_simple (message, error->message))
    g_error ("“%s” does not match “%s”", error->message, message);
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = g_strdup ("");
  struct stat info;

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *path = begin (fixture);
      g_autofree char *name = g_path_get_basename (path);

      g_assert_true (g_regex_match_simple ("^\\d{8}-\\d{6}-[0-9a-f]{4}\\.roast$", name, 0, 0));
      g_assert_cmpstr (name, >, before);
      write_file (path, 1);
      roast_runs_end (fixture->runs, path);
      g_free (before);
      before = g_steal_pointer (&name);
    }
  g_assert_cmpuint (count (fixture), ==, 20);
  g_assert_cmpint (stat (fixture->directory, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);
}

static void
test_find (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *third = NULL;
  g_autofree char *other = NULL;

  assert_refuses (fixture, "last", "there are no runs in *; “roast-run -- PROGRAM”*");
  first = make_run (fixture, "20200101-100000-ab12", 1);
  second = make_run (fixture, "20200101-100001-ab34", 1);
  third = make_run (fixture, "20200102-090000-cd56", 1);
  other = make_run (fixture, "mine", 1);

  assert_finds (fixture, "last", third);
  assert_finds (fixture, "last~0", third);
  assert_finds (fixture, "last~2", first);
  assert_finds (fixture, "ab34", second);
  assert_finds (fixture, "c", third);
  assert_finds (fixture, "20200102", third);
  assert_finds (fixture, "20200101-100001-ab34.roast", second);
  assert_finds (fixture, other, other);
  assert_refuses (fixture, "last~3", "there is no run last~3: only 3 runs are kept in *; “roast-report list”*");
  assert_refuses (fixture, "last~x", "“last~x” is neither a file nor a run*");
  assert_refuses (fixture, "ab",
                  "“ab” matches 2 runs in *; 20200101-100001-ab34, 20200101-100000-ab12. Type more of the name");
  assert_refuses (fixture, "mine", "“mine” is neither a file nor a run in *; “roast-report list” shows the runs");
  assert_refuses (fixture, "", "“” is neither a file nor a run*");
}

/* The oldest go; files of another name and runs that are being written stay. */
static void
test_number (Fixture *fixture, gconstpointer data)
{
  g_autofree char *mine = make_run (fixture, "mine", 1);
  g_autofree char *written = begin (fixture);
  g_autofree char *newest = NULL;

  write_file (written, 1);
  for (guint i = 0; i < MAX_RUNS; i++)
    {
      g_autofree char *name = g_strdup_printf ("20990101-0000%02u-0000", i);
      g_autofree char *path = make_run (fixture, name, 1);
      g_autofree char *wal = g_strconcat (path, "-wal", NULL);

      write_file (wal, 1);
    }
  newest = begin (fixture);
  g_assert_cmpuint (count (fixture), ==, MAX_RUNS - 1);
  g_assert_true (g_file_test (written, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (mine, G_FILE_TEST_EXISTS));
  assert_refuses (fixture, "20990101-000000", "* is neither a file nor a run*");
  assert_refuses (fixture, "20990101-000001", "* is neither a file nor a run*");
  {
    g_autofree char *wal = g_build_filename (fixture->directory, "20990101-000000-0000.roast-wal", NULL);

    g_assert_false (g_file_test (wal, G_FILE_TEST_EXISTS));
  }
  /* It is the oldest by name, and not written any more. */
  roast_runs_end (fixture->runs, written);
  write_file (newest, 1);
  roast_runs_end (fixture->runs, newest);
  g_assert_cmpuint (count (fixture), ==, MAX_RUNS);
}

/* 1 MB is the limit in the settings of this test. */
static void
test_size (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = make_run (fixture, "20200101-100000-0001", 400000);
  g_autofree char *second = make_run (fixture, "20200101-100000-0002", 400000);
  g_autofree char *path = begin (fixture);

  g_assert_cmpuint (count (fixture), ==, 2);
  write_file (path, 400000);
  roast_runs_end (fixture->runs, path);
  g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (second, G_FILE_TEST_EXISTS));

  g_free (path);
  path = begin (fixture);
  write_file (path, 5000000);
  roast_runs_end (fixture->runs, path);
  assert_finds (fixture, "last", path);
  g_assert_cmpuint (count (fixture), ==, 1);
}

static void
test_remove (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = begin (fixture);
  g_autofree char *elsewhere = g_build_filename (g_get_tmp_dir (), "20200101-100000-0001.roast", NULL);
  g_autoptr (GError) error = NULL;

  write_file (path, 1);
  g_assert_false (roast_runs_remove (fixture->runs, path, &error));
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  g_assert_nonnull (strstr (error->message, "the run is still in progress; wait until the run ends"));
  g_clear_error (&error);
  roast_runs_end (fixture->runs, path);
  g_assert_true (roast_runs_remove (fixture->runs, path, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (count (fixture), ==, 0);

  g_assert_false (roast_runs_remove (fixture->runs, path, &error));
  g_assert_nonnull (strstr (error->message, g_strerror (ENOENT)));
  g_clear_error (&error);
  g_assert_false (roast_runs_remove (fixture->runs, elsewhere, &error));
  g_assert_nonnull (strstr (error->message, "this file is not a run in"));
}

/* What a killed process wrote is a run like any other; its lock is gone with it. */
static void
test_killed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *run = NULL;
  g_autoptr (GError) error = NULL;
  int ready[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe (ready), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      g_autofree char *path = begin (fixture);

      write_file (path, 1);
      if (write (ready[1], "x", 1) == 1)
        pause ();
      _exit (1);
    }
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  run = roast_runs_find (fixture->runs, "last", &error);
  g_assert_no_error (error);
  g_assert_false (roast_runs_remove (fixture->runs, run, &error));
  g_clear_error (&error);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  close (ready[0]);
  close (ready[1]);

  assert_finds (fixture, "last", run);
  g_assert_true (roast_runs_remove (fixture->runs, run, &error));
  g_assert_no_error (error);
}

static void
write_run (Fixture *fixture)
{
  g_autofree char *path = begin (fixture);

  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  write_file (path, 10000);
  roast_runs_end (fixture->runs, path);
}

/* Twenty processes with five runs each: no name is given twice, and the limit holds. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N = 20
  };
  pid_t pids[N];
  g_autoptr (GDir) dir = NULL;
  const char *name = NULL;

  for (guint i = 0; i < N; i++)
    {
      pids[i] = fork ();
      if (pids[i] == 0)
        {
          for (guint j = 0; j < 5; j++)
            write_run (fixture);
          _exit (0);
        }
    }
  for (guint i = 0; i < N; i++)
    {
      int status = -1;

      g_assert_cmpint (waitpid (pids[i], &status, 0), ==, pids[i]);
      g_assert_cmpint (status, ==, 0);
    }
  g_assert_cmpuint (count (fixture), ==, MAX_RUNS);
  dir = g_dir_open (fixture->directory, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_true (g_str_equal (name, ".lock") || g_str_has_suffix (name, ".roast"));
}

static void
test_no_directory (Fixture *fixture, gconstpointer data)
{
  g_autofree char *parent = g_path_get_dirname (fixture->directory);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  /* A file is where the directory should be. */
  write_file (parent, 1);
  path = roast_runs_begin (fixture->runs, &error);
  g_assert_null (path);
  g_assert_error (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN);
  g_assert_true (g_str_has_prefix (error->message, "cannot keep runs in "));
  g_assert_true (g_str_has_suffix (error->message, ". Set ROAST_RUNS to another directory"));
}

/* A run that is not to be kept, of a process that was killed, is there as long as its owner. */
static void
test_scratch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (RoastRuns) next = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  g_autofree char *wal = NULL;
  g_autofree char *others = NULL;
  pid_t owner = fork ();

  if (owner == 0)
    {
      pause ();
      _exit (0);
    }
  path = roast_runs_begin (fixture->runs, &error);
  g_assert_no_error (error);
  roast_runs_mark_scratch (fixture->runs, path, owner);
  wal = g_strconcat (path, "-wal", NULL);
  write_file (path, 10);
  write_file (wal, 10);
  g_clear_object (&fixture->runs);
  for (guint i = 0; i < 2; i++)
    {
      g_clear_object (&next);
      next = roast_runs_new (&error);
      g_assert_no_error (error);
      others = roast_runs_begin (next, &error);
      g_assert_no_error (error);
      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, i == 0);
      g_assert_cmpint (g_file_test (wal, G_FILE_TEST_EXISTS), ==, i == 0);
      roast_runs_end (next, others);
      g_clear_pointer (&others, g_free);
      if (i > 0)
        break;
      g_assert_cmpint (kill (owner, SIGKILL), ==, 0);
      g_assert_cmpint (waitpid (owner, NULL, 0), ==, owner);
    }
}

int
main (int argc, char *argv[])
{
  g_autofree char *config = g_dir_make_tmp ("roast-config-XXXXXX", NULL);
  g_autofree char *directory = g_build_filename (config, "roast", NULL);
  g_autofree char *settings = g_build_filename (directory, "settings", NULL);
  int status;

  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (settings, "[Runs]\nMaxRuns=30\nMaxSize=1M\n", -1, NULL));
  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
  g_test_init (&argc, &argv, NULL);

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)
  ADD ("/runs/scratch", test_scratch);
  ADD ("/runs/names", test_names);
  ADD ("/runs/find", test_find);
  ADD ("/runs/number", test_number);
  ADD ("/runs/size", test_size);
  ADD ("/runs/remove", test_remove);
  ADD ("/runs/killed", test_killed);
  ADD ("/runs/many", test_many);
  ADD ("/runs/no-directory", test_no_directory);
  status = g_test_run ();
  remove_tree (config);

  return status;
}
