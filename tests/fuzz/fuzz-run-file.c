/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever the bytes of a run file are: a recording that can be read to its end, or an error.
 *
 * The input says what is changed in a good file. Its first byte: bit 0 for a file that was growing, bit 1 for one that
 * is cut at the place which the next four bytes name. Then, for each change, four bytes for the place and one that is
 * combined with what is there. */

#include <glib/gstdio.h>
#include <roast/roast.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static char *directory;
static char *path;
static GBytes *good[2];

static void
fill (RoastRecording *recording)
{
  const char *const columns[] = { "time", "worker", "memory", "cpu", NULL };
  g_autofree char *source = roast_recording_add_source (recording, "dask", "tcp://h:1", "1", NULL);
  g_autoptr (RoastTableWriter) samples =
      roast_recording_write_table (recording, "worker_samples", source, columns, NULL);
  g_autoptr (RoastTableWriter) tasks =
      roast_recording_write_table (recording, "tasks", source, (const char *const[]) { "task", NULL }, NULL);

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *name = g_strdup_printf ("task-%u", i);

      roast_table_writer_set_int64 (samples, 0, i * 1000);
      roast_table_writer_set_string (samples, 1, i % 2 == 0 ? "a" : "b");
      roast_table_writer_set_int64 (samples, 2, i * 4096);
      roast_table_writer_set_double (samples, 3, i / 3.0);
      roast_table_writer_end (samples, NULL);
      roast_table_writer_set_string (tasks, 0, name);
      roast_table_writer_end (tasks, NULL);
    }
}

static GBytes *
take_file (const char *name)
{
  char *content = NULL;
  gsize size = 0;

  g_assert_true (g_file_get_contents (name, &content, &size, NULL));
  g_assert_no_errno (g_unlink (name));

  return g_bytes_new_take (content, size);
}

/* A file that grows, as one plain file. */
static GBytes *
take_growing (void)
{
  g_autofree char *copy = g_build_filename (directory, "copy.roast", NULL);
  g_autofree char *sql = g_strdup_printf ("VACUUM INTO '%s'", copy);
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);

  return take_file (copy);
}

static void
clean_up (void)
{
  g_unlink (path);
  g_rmdir (directory);
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_bytes_unref (good[i]);
  g_free (path);
  g_free (directory);
}

static void
make_good (void)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRunFile) file = NULL;

  directory = g_dir_make_tmp ("roast-fuzz-XXXXXX", NULL);
  path = g_build_filename (directory, "run.roast", NULL);
  file = roast_run_file_create (path, NULL);
  fill (recording);
  roast_run_file_set_meta (file, "command", "make");
  roast_recording_set_metadata (recording, "started", g_variant_new_int64 (1));
  roast_run_file_attach (file, recording);
  g_assert_true (roast_run_file_flush (file, NULL));
  good[1] = take_growing ();
  g_assert_true (roast_run_file_close (file, NULL));
  g_clear_object (&file);
  good[0] = take_file (path);
  atexit (clean_up);
}

static void
read_table (RoastRecording *recording, const char *table)
{
  g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, table, NULL, NULL);
  guint n = reader != NULL ? roast_table_reader_get_n_columns (reader) : 0;

  while (reader != NULL && roast_table_reader_next (reader))
    for (guint slot = 0; slot < n; slot++)
      {
        g_autoptr (GVariant) value = roast_table_reader_dup_value (reader, slot);

        g_assert_true (value == NULL || roast_table_reader_has (reader, slot));
      }
}

static void
read_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_open (path, &error);
  g_autoptr (RoastRecording) recording = file != NULL ? roast_run_file_read (file, &error) : NULL;
  g_auto (GStrv) names = NULL;

  g_assert_true ((recording == NULL) == (error != NULL));
  if (recording == NULL)
    return;
  names = roast_recording_dup_table_names (recording);
  for (char **name = names; *name != NULL; name++)
    read_table (recording, *name);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *content = NULL;
  gsize length = 0;
  uint32_t place = 0;

  if (directory == NULL)
    make_good ();
  length = g_bytes_get_size (good[size > 0 ? data[0] & 1 : 0]);
  content = g_memdup2 (g_bytes_get_data (good[size > 0 ? data[0] & 1 : 0], NULL), length);
  for (size_t at = size > 0 && (data[0] & 2) != 0 ? 5 : 1; at + sizeof place < size; at += sizeof place + 1)
    {
      memcpy (&place, data + at, sizeof place);
      content[place % length] ^= (char) data[at + sizeof place];
    }
  if (size >= 1 + sizeof place && (data[0] & 2) != 0)
    {
      memcpy (&place, data + 1, sizeof place);
      length = place % (length + 1);
    }
  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
  read_file ();

  return 0;
}
