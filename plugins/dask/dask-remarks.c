/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-remarks.h"

#include "dask-row.h"

#define MAX_EVENTS 500 /* maximum number of events that are written; further events are only counted */

struct _DaskRemarks
{
  RoastRecording *recording;
  char *source;
  guint64 n_events;
  guint64 n_refused;
  char *first_refused;
};

DaskRemarks *
dask_remarks_new (RoastRecording *recording, const char *source)
{
  DaskRemarks *self = g_new0 (DaskRemarks, 1);

  self->recording = g_object_ref (recording);
  self->source = g_strdup (source);

  return self;
}

void
dask_remarks_free (DaskRemarks *self)
{
  g_object_unref (self->recording);
  g_free (self->source);
  g_free (self->first_refused);
  g_free (self);
}

void
dask_remarks_add (DaskRemarks *self, gint64 time, RoastSeverity severity, const char *kind, const char *message)
{
  if (self->n_events++ < MAX_EVENTS)
    roast_recording_add_event (self->recording, self->source, time, severity, kind, message);
}

static RoastSeverity
read_severity (const char *word)
{
  if (g_str_equal (word, "error"))
    return ROAST_SEVERITY_ERROR;

  return g_str_equal (word, "warning") ? ROAST_SEVERITY_WARNING : ROAST_SEVERITY_INFO;
}

gboolean
dask_remarks_take (DaskRemarks *self, RoastWireReader *row, gint64 time, GError **error)
{
  const char *severity = NULL;
  const char *kind = NULL;
  const char *message = roast_wire_reader_get_string (row, ROAST_EVENTS_MESSAGE);

  if (!dask_row_get_name (row, ROAST_EVENTS_SEVERITY, &severity, error) ||
      !dask_row_get_name (row, ROAST_EVENTS_KIND, &kind, error) || !roast_wire_reader_check_row (row, error))
    return FALSE;
  if (message == NULL)
    return dask_row_refuse (error, "an event has no message");
  dask_remarks_add (self, time, read_severity (severity), kind, message);

  return TRUE;
}

void
dask_remarks_note_refused (DaskRemarks *self, const GError *error)
{
  self->n_refused++;
  if (self->first_refused == NULL)
    self->first_refused = g_strdup (error->message);
}

void
dask_remarks_finish (DaskRemarks *self)
{
  if (self->n_refused > 0)
    {
      g_autofree char *message =
          g_strdup_printf ("%" G_GUINT64_FORMAT
                           " line(s) from the scheduler were refused and do not count; the error of the first line: %s",
                           self->n_refused, self->first_refused);

      roast_recording_add_event (self->recording, self->source, -1, ROAST_SEVERITY_WARNING, "protocol", message);
    }
  if (self->n_events > MAX_EVENTS)
    {
      g_autofree char *message = g_strdup_printf ("%" G_GUINT64_FORMAT " more events of the scheduler are left out",
                                                  self->n_events - MAX_EVENTS);

      roast_recording_add_event (self->recording, self->source, -1, ROAST_SEVERITY_INFO, "remarks", message);
    }
}
