/* SPDX-License-Identifier: BSD-3-Clause */

/* An exporter: the report of a program, one that is empty, and an output that is full. */

#include "conform.h"

#include <fcntl.h>
#include <unistd.h>

/* That it cannot be created was found before this. */
static RoastExporter *
create (ConformCase *checked, RoastRegistry *registry)
{
  return roast_registry_create_exporter (registry, checked->name, NULL, NULL);
}

/* Of a report without metrics there may be nothing to say: an empty file is a file. */
static gboolean
has_written (RoastOutput *output)
{
  g_auto (GStrv) names = roast_output_dup_names (output);

  return names[0] != NULL;
}

static void
check_export (ConformCase *checked, RoastRegistry *registry, RoastRecording *recording, RoastReport *report, const char *what)
{
  g_autoptr (RoastExporter) exporter = create (checked, registry);
  g_autoptr (RoastOutput) output = roast_output_new_for_memory ();
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autofree char *step = g_strdup_printf ("exporting %s", what);
  g_autoptr (GError) error = NULL;

  if (exporter == NULL)
    return;
  inspect_child_step (step);
  if (!roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error))
    inspect_child_finding (checked->plugin, "Write what there is: also a report without metrics is one", "it cannot write %s: %s",
                           what, error->message);
  else if (!has_written (output))
    inspect_child_finding (checked->plugin, "Open the output that it is given, write, and close the stream",
                           "it says that it wrote %s, and opened no output", what);
}

static void
check_full (ConformCase *checked, RoastRegistry *registry, RoastRecording *recording, RoastReport *report)
{
  g_autoptr (RoastExporter) exporter = create (checked, registry);
  g_autoptr (RoastRecordingSnapshot) snapshot = roast_recording_snapshot (recording);
  g_autoptr (RoastOutput) output = NULL;
  g_autoptr (GError) error = NULL;
  int fd;

  if (exporter == NULL || (roast_exporter_get_flags (exporter) & ROAST_EXPORTER_DIRECTORY) != 0)
    return;
  fd = open ("/dev/full", O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  inspect_child_step ("exporting to an output that is full");
  output = roast_output_new_for_fd (fd, "/dev/full");
  if (roast_exporter_export_report (exporter, snapshot, report, output, NULL, &error) && roast_output_commit (output, &error))
    inspect_child_finding (checked->plugin, "Hand on what g_output_stream_write_all() and g_output_stream_close() return",
                           "it does not notice that the output is full");
  else if (g_error_matches (error, ROAST_EXPORT_ERROR, ROAST_EXPORT_ERROR_BAD_IMPLEMENTATION))
    inspect_child_finding (checked->plugin, "Hand on the error of the stream", "it does not say why, if the output is full: %s",
                           error->message);
  close (fd);
}

void
conform_exporter (gpointer data)
{
  ConformCase *checked = data;
  g_autoptr (RoastRegistry) registry = conform_registry_new (checked->plugin);
  g_autoptr (RoastRecording) empty = roast_recording_new ();
  g_autoptr (RoastReport) nothing = roast_report_new (roast_registry_get_catalogue (registry));
  g_autoptr (ConformRun) run = NULL;

  inspect_child_step ("running a program to have something to export");
  run = conform_run (registry, NULL, NULL, NULL, NULL);
  if (run->error == NULL)
    {
      RoastRecording *recording = roast_session_get_recording (run->session);
      RoastReport *report = roast_session_get_report (run->session);

      check_export (checked, registry, recording, report, "the report of a program");
      check_full (checked, registry, recording, report);
    }
  check_export (checked, registry, empty, nothing, "an empty report");
}
