/* SPDX-License-Identifier: BSD-3-Clause */

/* The runs that are there, what one is, and their removal. */

#include <string.h>
#include <sys/stat.h>

#include "report.h"
#include "rows-output.h"

/* Bytes on disk, with those of the companions of a file that grows. */
static guint64
size_of (const char *path)
{
  static const char *const companions[] = { "", "-wal", "-shm" };
  guint64 size = 0;

  for (guint i = 0; i < G_N_ELEMENTS (companions); i++)
    {
      g_autofree char *file = g_strconcat (path, companions[i], NULL);
      struct stat info;

      if (stat (file, &info) == 0)
        size += (guint64) info.st_size;
    }

  return size;
}

/* 20261122-201600-a1b2.roast: the ID is at the end. */
static char *
dup_id (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  char *dash = strrchr (name, '-');
  char *dot = strrchr (name, '.');

  if (dot != NULL && dot > name)
    *dot = '\0';

  return g_strdup (dash != NULL ? dash + 1 : name);
}

static void
add_text (RowsOutput *rows, const char *text)
{
  rows_output_add_cell (rows, text != NULL ? ROWS_CELL_TEXT : ROWS_CELL_MISSING, text);
}

static void
add_meta (RowsOutput *rows, RoastRunFile *file, const char *key)
{
  g_autofree char *text = file != NULL ? roast_run_file_dup_meta (file, key) : NULL;

  add_text (rows, text);
}

static gint64
get_time (RoastRunFile *file, const char *key)
{
  g_autofree char *text = file != NULL ? roast_run_file_dup_meta (file, key) : NULL;

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : -1;
}

static void
add_start (RowsOutput *rows, RoastRunFile *file, ReportFormat format)
{
  gint64 started = get_time (file, "started");
  g_autofree char *text = NULL;

  if (started < 0)
    {
      add_text (rows, NULL);
      return;
    }
  text = format == REPORT_FORMAT_TABLE ? report_format_time (started) : g_strdup_printf ("%" G_GINT64_FORMAT, started);
  rows_output_add_cell (rows, format == REPORT_FORMAT_TABLE ? ROWS_CELL_TEXT : ROWS_CELL_NUMBER, text);
}

static void
add_duration (RowsOutput *rows, RoastRunFile *file, ReportFormat format)
{
  gint64 started = get_time (file, "started");
  gint64 ended = get_time (file, "ended");
  double seconds;
  g_autofree char *text = NULL;

  if (ended < 0 && file != NULL)
    ended = roast_run_file_get_reach (file);
  if (started < 0 || ended < started)
    {
      add_text (rows, NULL);
      return;
    }
  seconds = (double) (ended - started) / G_USEC_PER_SEC;
  text = format == REPORT_FORMAT_TABLE ? roast_format_number (seconds, "duration") : g_strdup_printf ("%.6f", seconds);
  rows_output_add_cell (rows, ROWS_CELL_NUMBER, text);
}

static void
add_size (RowsOutput *rows, const char *path, ReportFormat format)
{
  guint64 size = size_of (path);
  g_autofree char *text = format == REPORT_FORMAT_TABLE ? roast_format_number ((double) size, "bytes")
                                                        : g_strdup_printf ("%" G_GUINT64_FORMAT, size);

  rows_output_add_cell (rows, ROWS_CELL_NUMBER, text);
}

static gboolean
add_run (RowsOutput *rows, const char *path, ReportFormat format, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (RoastRunFile) file = roast_run_file_open (path, &local);
  g_autofree char *id = dup_id (path);

  add_text (rows, id);
  add_start (rows, file, format);
  add_duration (rows, file, format);
  add_size (rows, path, format);
  add_text (rows, file != NULL ? report_run_state_name (roast_run_file_get_state (file)) : "unreadable");
  add_meta (rows, file, "status");
  add_meta (rows, file, "tags");
  if (file != NULL)
    add_meta (rows, file, "command");
  else
    add_text (rows, local->message);
  if (format != REPORT_FORMAT_TABLE)
    add_text (rows, path);

  return rows_output_end_row (rows, error);
}

gboolean
report_list (ReportOptions *options, GError **error)
{
  static const char *const short_columns[] = { "id",     "started", "duration", "size", "state",
                                               "status", "tags",    "command",  NULL };
  static const char *const columns[] = { "id",     "started", "duration", "size", "state",
                                         "status", "tags",    "command",  "path", NULL };
  g_autoptr (RoastRuns) runs = roast_runs_new (error);
  g_autoptr (RowsOutput) rows = NULL;
  g_auto (GStrv) paths = NULL;

  if (runs == NULL)
    return FALSE;
  paths = roast_runs_list (runs, error);
  if (paths == NULL)
    return FALSE;
  if (roast_runs_get_reason (runs) != NULL)
    g_printerr ("roast-report: runs are in %s, because %s\n", roast_runs_get_directory (runs),
                roast_runs_get_reason (runs));
  if (paths[0] == NULL)
    g_printerr ("roast-report: there are no runs in %s\n", roast_runs_get_directory (runs));
  rows = rows_output_new (options->format, options->format == REPORT_FORMAT_TABLE ? short_columns : columns);
  for (guint i = 0; paths[i] != NULL; i++)
    if (!add_run (rows, paths[i], options->format, error))
      return FALSE;
  if (paths[0] == NULL && options->format == REPORT_FORMAT_TABLE)
    return TRUE;

  return rows_output_end (rows, error);
}

static gboolean
add_pair (RowsOutput *rows, const char *key, const char *value, GError **error)
{
  add_text (rows, key);
  add_text (rows, value);

  return rows_output_end_row (rows, error);
}

static gboolean
add_tables (RowsOutput *rows, RoastRecording *recording, GError **error)
{
  g_auto (GStrv) tables = roast_recording_dup_table_names (recording);

  for (guint i = 0; tables[i] != NULL; i++)
    {
      g_autoptr (RoastTableReader) reader = roast_recording_read_table (recording, tables[i], NULL, error);
      g_autofree char *key = g_strconcat ("rows of ", tables[i], NULL);
      g_autofree char *value = NULL;

      if (reader == NULL)
        return FALSE;
      value = g_strdup_printf ("%" G_GUINT64_FORMAT, roast_table_reader_get_n_rows (reader));
      if (!add_pair (rows, key, value, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
report_show (ReportOptions *options, GError **error)
{
  static const char *const columns[] = { "key", "value", NULL };
  g_autoptr (ReportRun) run = report_run_open (options->arguments[0], error);
  g_autoptr (RowsOutput) rows = NULL;
  g_auto (GStrv) keys = NULL;

  if (run == NULL)
    return FALSE;
  rows = rows_output_new (options->format, columns);
  if (!add_pair (rows, "file", roast_run_file_get_path (run->file), error) ||
      !add_pair (rows, "state", report_run_state_name (roast_run_file_get_state (run->file)), error))
    return FALSE;
  keys = roast_run_file_dup_meta_keys (run->file);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *value = roast_run_file_dup_meta (run->file, keys[i]);

      if (!add_pair (rows, keys[i], value, error))
        return FALSE;
    }

  return add_tables (rows, run->recording, error) && rows_output_end (rows, error);
}

/* All names are looked up before the first run is removed. */
gboolean
report_remove (ReportOptions *options, GError **error)
{
  g_autoptr (RoastRuns) runs = roast_runs_new (error);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  if (runs == NULL)
    return FALSE;
  for (guint i = 0; options->arguments[i] != NULL; i++)
    {
      char *path = roast_runs_find (runs, options->arguments[i], error);

      if (path == NULL)
        return FALSE;
      g_ptr_array_add (paths, path);
    }
  for (guint i = 0; i < paths->len; i++)
    {
      if (!roast_runs_remove (runs, g_ptr_array_index (paths, i), error))
        return FALSE;
      g_print ("removed %s\n", (char *) g_ptr_array_index (paths, i));
    }

  return TRUE;
}
