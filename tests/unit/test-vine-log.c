/* SPDX-License-Identifier: BSD-3-Clause */

/* A file that another process writes to, truncates or deletes, and paths that are not files. */

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vine-log.h"

#define LONGEST (1 << 18)

typedef struct
{
  char *directory, *path;
  GString *lines; /* all that were read, each followed by a | */
  gsize longest;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("roast-vine-log-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->directory, "transactions", NULL);
  fixture->lines = g_string_new (NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->path);
  g_rmdir (fixture->directory);
  g_free (fixture->path);
  g_free (fixture->directory);
  g_string_free (fixture->lines, TRUE);
}

static void
append (Fixture *fixture, const char *text, gsize length)
{
  FILE *file = fopen (fixture->path, "a");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (text, 1, length, file), ==, length);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
append_text (Fixture *fixture, const char *text)
{
  append (fixture, text, strlen (text));
}

static void
append_many (Fixture *fixture, char c, gsize n)
{
  g_autofree char *text = g_strnfill (n, c);

  append (fixture, text, n);
}

static void
on_line (const char *line, gsize length, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->longest = MAX (fixture->longest, length);
  g_string_append_len (fixture->lines, line, (gssize) MIN (length, 100));
  g_string_append_c (fixture->lines, '|');
}

static VineLog *
open_log (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  VineLog *log = vine_log_open (fixture->path, &error);

  g_assert_no_error (error);

  return log;
}

static void
assert_read (Fixture *fixture, VineLog *log, VineLogState state, const char *lines)
{
  g_string_truncate (fixture->lines, 0);
  g_assert_cmpint (vine_log_read (log, G_MAXSIZE, on_line, fixture), ==, state);
  g_assert_cmpstr (fixture->lines->str, ==, lines);
}

/* The file grows during the read. A line is read once it has its end. */
static void
test_grows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (VineLog) log = NULL;

  append_text (fixture, "one\n\ntw");
  log = open_log (fixture);
  assert_read (fixture, log, VINE_LOG_END, "one||");
  g_assert_cmpuint (vine_log_get_torn (log), ==, 2);
  assert_read (fixture, log, VINE_LOG_END, "");
  append_text (fixture, "o");
  assert_read (fixture, log, VINE_LOG_END, "");
  g_assert_cmpuint (vine_log_get_torn (log), ==, 3);
  append_text (fixture, "\nthree\n");
  assert_read (fixture, log, VINE_LOG_END, "two|three|");
  g_assert_cmpuint (vine_log_get_torn (log), ==, 0);
  g_assert_cmpuint (vine_log_get_offset (log), ==, (guint64) vine_log_get_status (log).st_size);
}

/* Reads are limited in size, and read nothing twice. */
static void
test_pieces (Fixture *fixture, gconstpointer data)
{
  g_autoptr (VineLog) log = NULL;
  guint reads = 0;

  for (guint i = 0; i < 20; i++)
    {
      append_many (fixture, (char) ('a' + i), 50000);
      append_text (fixture, "\n");
    }
  log = open_log (fixture);
  while (vine_log_read (log, 1, on_line, fixture) == VINE_LOG_MORE)
    reads++;
  g_assert_cmpuint (reads, >, 3);
  g_assert_cmpuint (fixture->lines->len, ==, 20 * 101);
  for (guint i = 0; i < 20; i++)
    g_assert_cmpint (fixture->lines->str[i * 101 + 99], ==, 'a' + (int) i);
  g_assert_cmpuint (fixture->longest, ==, 50000);
}

/* A shorter file has other content: the part that was read does not belong to it. */
static void
test_shrinks (Fixture *fixture, gconstpointer data)
{
  g_autoptr (VineLog) log = NULL;

  append_text (fixture, "one\ntwo\n");
  log = open_log (fixture);
  assert_read (fixture, log, VINE_LOG_END, "one|two|");
  g_assert_cmpint (truncate (fixture->path, 2), ==, 0);
  assert_read (fixture, log, VINE_LOG_SHORTER, "");
  assert_read (fixture, log, VINE_LOG_SHORTER, "");
  /* Another manager has written more lines than the first one had. */
  append_text (fixture, "other lines\nof another manager\n");
  assert_read (fixture, log, VINE_LOG_SHORTER, "");
}

static void
test_deleted (Fixture *fixture, gconstpointer data)
{
  g_autoptr (VineLog) log = NULL;
  struct stat status;

  append_text (fixture, "one\n");
  log = open_log (fixture);
  g_assert_cmpint (stat (fixture->path, &status), ==, 0);
  g_assert_true (vine_log_equal (log, log));
  g_assert_cmpuint (vine_log_get_status (log).st_ino, ==, status.st_ino);
  g_assert_cmpuint (vine_log_get_status (log).st_nlink, ==, 1);
  g_remove (fixture->path);
  g_assert_cmpuint (vine_log_get_status (log).st_nlink, ==, 0);
  assert_read (fixture, log, VINE_LOG_END, "one|");
}

static void
assert_no_log (const char *path, int code, const char *part)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (vine_log_open (path, &error));
  g_assert_error (error, G_IO_ERROR, code);
  g_assert_nonnull (strstr (error->message, part));
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_no_file (Fixture *fixture, gconstpointer data)
{
  assert_no_log (fixture->path, G_IO_ERROR_NOT_FOUND, "cannot read");
  assert_no_log (fixture->directory, G_IO_ERROR_NOT_REGULAR_FILE, "is not a regular file");
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  assert_no_log (fixture->path, G_IO_ERROR_NOT_REGULAR_FILE, "is not a regular file");
}

/* A file that can no longer be read is reported. */
static void
test_broken (Fixture *fixture, gconstpointer data)
{
  int fds[2];
  g_autoptr (VineLog) log = NULL;

  g_assert_cmpint (pipe (fds), ==, 0);
  log = vine_log_new_for_fd (fds[0]);
  assert_read (fixture, log, VINE_LOG_BROKEN, "");
  close (fds[1]);
}

/* A line that is too long is left out and counted once; the lines after it are read. */
static void
test_long (Fixture *fixture, gconstpointer data)
{
  g_autoptr (VineLog) log = NULL;

  append_text (fixture, "before\n");
  append_many (fixture, 'x', 3 * LONGEST + 17);
  append_text (fixture, "\nafter\n");
  append_many (fixture, 'y', LONGEST - 1);
  append_text (fixture, "\n");
  log = open_log (fixture);
  g_assert_cmpint (vine_log_read (log, G_MAXSIZE, on_line, fixture), ==, VINE_LOG_END);
  g_assert_true (g_str_has_prefix (fixture->lines->str, "before|after|yyy"));
  g_assert_cmpuint (fixture->longest, ==, LONGEST - 1);
  g_assert_cmpuint (vine_log_get_n_long (log), ==, 1);

  /* A long line that has no end yet. */
  append_many (fixture, 'z', LONGEST + 5);
  assert_read (fixture, log, VINE_LOG_END, "");
  g_assert_cmpuint (vine_log_get_n_long (log), ==, 2);
  append_many (fixture, 'z', LONGEST);
  assert_read (fixture, log, VINE_LOG_END, "");
  append_text (fixture, "z\nlast\n");
  assert_read (fixture, log, VINE_LOG_END, "last|");
  g_assert_cmpuint (vine_log_get_n_long (log), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function) g_test_add ("/vine-log/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("grows", test_grows);
  ADD ("pieces", test_pieces);
  ADD ("shrinks", test_shrinks);
  ADD ("deleted", test_deleted);
  ADD ("no-file", test_no_file);
  ADD ("broken", test_broken);
  ADD ("long", test_long);

  return g_test_run ();
}
