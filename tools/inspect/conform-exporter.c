/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks an exporter with an empty report and with the report of a program. Writes each report to memory, to a file or
 * directory (as the flags of the exporter require), and to a full device. */

#include "conform.h"

#include <fcntl.h>
#include <unistd.h>

/* Creates the exporter. Does not report an error, because an earlier check has already reported it. */
static RoastExporter *
conform_exporter_create (ConformCase *checked, RoastRegistry *registry)
{
  return roast_registry_create_exporter (registry, checked->name, NULL, NULL);
}

static gsize
count_bytes (RoastOutput *output, gboolean *is_text)
{
  g_auto (GStrv) names = roast_output_dup_names (output);
  gsize size = 0;

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GBytes) bytes = roast_output_dup_bytes (output, *name);

      size += g_bytes_get_size (bytes);
      *is_text = *is_text && g_utf8_validate_len (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), NULL);
    }
  return size;
}

/* Checks the output that the exporter wrote to memory. Returns FALSE if more checks would only repeat an error. */
static gboolean
check_written (ConformCase *checked, RoastExporter *exporter, RoastReport *report, RoastOutput *output,
               const char *what)
{
  g_autoptr (GPtrArray) metrics = roast_report_list_metrics (report);
  g_auto (GStrv) names = roast_output_dup_names (output);
  gboolean is_text = TRUE;
  gsize size = count_bytes (output, &is_text);

  if (!is_text && (roast_exporter_get_flags (exporter) & ROAST_EXPORTER_FLAGS_BINARY) == 0)
    inspect_child_finding (checked->plugin, "Return ROAST_EXPORTER_FLAGS_BINARY from get_flags, or write UTF-8",
                           "the output is not UTF-8, but the exporter lacks the flag for binary output");
  if (names[0] == NULL)
    inspect_child_finding (checked->plugin, "Open the output that roast passes, write the report, and close the stream",
                           "the export of %s succeeds, but opens no output", what);
  /* Accept an empty file for a report without metrics. */
  else if (size == 0 && metrics->len > 0)
    inspect_child_finding (checked->plugin,
                           "Write to the stream of the output, and flush and close each stream that wraps this stream",
                           "the export of %s succeeds, but the output is empty", what);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_export (ConformCase *checked, RoastRegistry *registry, RoastRecording *recording, RoastReport *report,
              const char *what)
{
  g_autoptr (RoastExporter) exporter = conform_exporter_create (checked, registry);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autofree char *step = g_strdup_printf ("the exporter writes %s", what);
  g_autoptr (GError) error = NULL;

  if (exporter == NULL)
    return FALSE;
  inspect_child_step (step);
  if (roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error))
    return check_written (checked, exporter, report, output, what);
  inspect_child_finding (checked->plugin, "Write every report, even a report without metrics",
                         "the exporter cannot write %s: %s", what, error->message);
  return FALSE;
}

/* Exports to a file or a directory in the same way as roast-run. */
static void
check_place (ConformCase *checked, RoastRegistry *registry, RoastRecording *recording, RoastReport *report)
{
  g_autoptr (RoastExporter) exporter = conform_exporter_create (checked, registry);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autofree char *path = g_build_filename (checked->directory, "report", NULL);
  gboolean directory = (roast_exporter_get_flags (exporter) & ROAST_EXPORTER_FLAGS_DIRECTORY) != 0;
  g_autoptr (RoastOutput) output = directory ? roast_output_new_for_directory (path) : roast_output_new_for_file (path);
  g_auto (GStrv) names = NULL;
  g_autoptr (GError) error = NULL;

  inspect_child_step (directory ? "the exporter writes to a directory" : "the exporter writes to a file");
  if (!roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error))
    {
      inspect_child_finding (checked->plugin,
                             directory
                                 ? "Give each stream a plain name, or do not return ROAST_EXPORTER_FLAGS_DIRECTORY"
                                 : "Open the output once, or return ROAST_EXPORTER_FLAGS_DIRECTORY from get_flags",
                             "the exporter cannot write to a %s: %s", directory ? "directory" : "file", error->message);
      return;
    }
  names = roast_output_dup_names (output);
  if (names[0] == NULL)
    inspect_child_finding (checked->plugin, "Only close the stream: roast commits or discards the output",
                           "the exporter commits or discards the output, although the report may still fail");
  else if (!roast_output_commit (output, &error))
    inspect_child_finding (checked->plugin, "Write to the given output, and change no other files",
                           "the output of the exporter cannot be moved into place: %s", error->message);
}

static void
conform_exporter_check_files (ConformCase *checked, RoastRegistry *registry, RoastRecording *recording,
                              RoastReport *report)
{
  guint before = conform_count_files ();

  check_place (checked, registry, recording, report);
  if (conform_count_files () > before)
    inspect_child_finding (checked->plugin, "Close and release each stream", "the exporter leaves files open");
}

static void
check_full (ConformCase *checked, RoastRegistry *registry, RoastRecording *recording, RoastReport *report)
{
  g_autoptr (RoastExporter) exporter = conform_exporter_create (checked, registry);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastOutput) output = NULL;
  g_autoptr (GError) error = NULL;
  int fd;

  if (exporter == NULL || (roast_exporter_get_flags (exporter) & ROAST_EXPORTER_FLAGS_DIRECTORY) != 0)
    return;
  fd = open ("/dev/full", O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  inspect_child_step ("the exporter writes to an output that is full");
  output = roast_output_new_for_fd (fd, "/dev/full");
  if (roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error) &&
      roast_output_commit (output, &error))
    inspect_child_finding (checked->plugin,
                           "Return FALSE if g_output_stream_write_all() or g_output_stream_close() fails",
                           "the exporter returns TRUE although the output is full");
  else if (g_error_matches (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_BAD_IMPLEMENTATION))
    inspect_child_finding (checked->plugin, "Let the exporter pass on the error of the stream",
                           "the exporter failed when the output was full, but its error does not say why: %s",
                           error->message);
  close (fd);
}

void
conform_exporter (gpointer data)
{
  ConformCase *checked = data;
  g_autoptr (RoastRegistry) registry = conform_registry_new (checked->plugin);
  g_autoptr (RoastRecording) empty = roast_recording_new (roast_registry_get_schema (registry));
  g_autoptr (RoastReport) nothing = roast_report_new (roast_registry_get_schema (registry));
  g_autoptr (ConformRun) run = NULL;

  inspect_child_step ("roast runs a program whose report is exported");
  run = conform_run (registry, NULL, NULL, NULL, NULL);
  if (run->error == NULL)
    {
      RoastRecording *recording = roast_session_get_recording (run->session);
      RoastReport *report = roast_session_get_report (run->session);

      if (check_export (checked, registry, recording, report, "the report of a program"))
        {
          conform_exporter_check_files (checked, registry, recording, report);
          check_full (checked, registry, recording, report);
        }
    }
  check_export (checked, registry, empty, nothing, "an empty report");
}
