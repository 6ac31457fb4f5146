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
