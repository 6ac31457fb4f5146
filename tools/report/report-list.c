/* SPDX-License-Identifier: BSD-3-Clause */

/* Lists, shows and removes runs. */

#include "report.h"
#include "rows-output.h"
#include "run-entry.h"

static void
add_meta (RowsOutput *rows, RoastRunFile *file, const char *key)
{
  g_autofree char *text = file != NULL ? roast_run_file_dup_meta (file, key) : NULL;

  rows_output_add_text (rows, text);
}

/* Adds @for_person to a table, because people read tables. Adds @number to CSV or JSON, because programs read these.
 * Takes ownership of both strings. */
static void
add_number (RowsOutput *rows, gboolean is_table, RowsCell type_for_person, char *for_person, char *number)
{
  g_autofree char *first = for_person;
  g_autofree char *second = number;

  rows_output_add_cell (rows, is_table ? type_for_person : ROWS_CELL_NUMBER, is_table ? first : second);
}

static void
add_numbers (RowsOutput *rows, const RunEntry *run, gboolean is_table)
{
  gint64 started = run_entry_get_started (run);
  double seconds = run_entry_get_duration (run);
  guint64 size = run_entry_get_size (run);

  if (started >= 0)
    add_number (rows, is_table, ROWS_CELL_TEXT, report_format_time (started),
                g_strdup_printf ("%" G_GINT64_FORMAT, started));
  else
    rows_output_add_text (rows, NULL);
  if (seconds >= 0)
    add_number (rows, is_table, ROWS_CELL_NUMBER, roast_format_number (seconds, "duration"),
                g_strdup_printf ("%.6f", seconds));
  else
    rows_output_add_text (rows, NULL);
  add_number (rows, is_table, ROWS_CELL_NUMBER, roast_format_number ((double) size, "bytes"),
              g_strdup_printf ("%" G_GUINT64_FORMAT, size));
}

static gboolean
add_run (RowsOutput *rows, const RunEntry *run, ReportFormat format, GError **error)
{
  rows_output_add_text (rows, run->id);
  add_numbers (rows, run, format == REPORT_FORMAT_TABLE);
  rows_output_add_text (rows, run_entry_get_state (run));
  add_meta (rows, run->file, "status");
  add_meta (rows, run->file, "tags");
  if (run->file != NULL)
    add_meta (rows, run->file, "command");
  else
    rows_output_add_text (rows, run->error->message);
  if (format != REPORT_FORMAT_TABLE)
    rows_output_add_text (rows, run->path);

  return rows_output_end_row (rows, error);
}

gboolean
report_list (ReportOptions *options, GError **error)
{
  const gboolean is_table = options->format == REPORT_FORMAT_TABLE;
  const char *const columns[] = {
    "id", "started", "duration", "size", "state", "status", "tags", "command", is_table ? NULL : "path", NULL
  };
  g_autoptr (RoastRuns) runs = roast_runs_new (error);
  g_autoptr (RowsOutput) rows = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  guint n_runs = 0;

  if (runs == NULL)
    return FALSE;
  entries = run_entry_list (runs, error);
  n_runs = entries != NULL ? entries->len : 0;
  if (entries == NULL || !run_entry_select (entries, options->arguments, options->sort, error))
    return FALSE;
  if (roast_runs_get_reason (runs) != NULL)
    g_printerr ("roast-report: runs are in %s, because %s\n", roast_runs_get_directory (runs),
                roast_runs_get_reason (runs));
  if (n_runs == 0)
    g_printerr ("roast-report: no runs in %s\n", roast_runs_get_directory (runs));
  else if (entries->len == 0)
    g_printerr ("roast-report: none of the %u runs meets these conditions\n", n_runs);
  rows = rows_output_new (options->format, columns);
  for (guint i = 0; i < entries->len; i++)
    if (!add_run (rows, g_ptr_array_index (entries, i), options->format, error))
      return FALSE;
  if (entries->len == 0 && is_table)
    return TRUE;

  return rows_output_end (rows, error);
}

static gboolean
add_pair (RowsOutput *rows, const char *key, const char *value, GError **error)
{
  rows_output_add_text (rows, key);
  rows_output_add_text (rows, value);

  return rows_output_end_row (rows, error);
}

static gboolean
list_add_tables (RowsOutput *rows, RoastRecording *recording, GError **error)
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

/* Returns the value that the command show prints for a key. Returns NULL if the key only belongs to the file format. If
 * the format is a table, makes times readable. */
static char *
list_dup_shown (RoastRunFile *file, const char *key, ReportFormat format)
{
  g_autofree char *value = g_str_has_prefix (key, "roast.") ? NULL : roast_run_file_dup_meta (file, key);

  if (value != NULL && format == REPORT_FORMAT_TABLE && (g_str_equal (key, "started") || g_str_equal (key, "ended")))
    return report_format_time (g_ascii_strtoll (value, NULL, 10));
  if (value != NULL && format == REPORT_FORMAT_TABLE && g_str_equal (key, "tree-elapsed"))
    return roast_format_number ((double) g_ascii_strtoll (value, NULL, 10) / G_USEC_PER_SEC, "duration");

  return g_steal_pointer (&value);
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
      !add_pair (rows, "state", report_run_state_name (run->file), error))
    return FALSE;
  keys = roast_run_file_dup_meta_keys (run->file);
  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_autofree char *value = list_dup_shown (run->file, keys[i], options->format);

      if (value != NULL && !add_pair (rows, keys[i], value, error))
        return FALSE;
    }

  return list_add_tables (rows, run->recording, error) && rows_output_end (rows, error);
}

/* Look up all names before removing any run, so that no run is removed if one of the names is wrong. */
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
