/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-note.h"

void
vine_note (RoastRecording *recording, const char *source, gint64 time, RoastSeverity severity, const char *kind,
           const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  roast_recording_add_event (recording, source, time, severity, kind, message);
}

void
vine_gap (RoastRecording *recording, const char *source, const char *table, const char *column, guint state,
          const char *reason)
{
  g_autoptr (RoastTableWriter) writer = roast_coverage_write (recording, source);

  roast_table_writer_set_string (writer, ROAST_COVERAGE_TABLE, table);
  roast_table_writer_set_string (writer, ROAST_COVERAGE_COLUMN, column);
  roast_table_writer_set_word (writer, ROAST_COVERAGE_STATE, state);
  roast_table_writer_set_string (writer, ROAST_COVERAGE_REASON, reason);
  roast_table_writer_end (writer, NULL);
}
