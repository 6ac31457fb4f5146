/* SPDX-License-Identifier: BSD-3-Clause */

/* A backend starts, adds rows to tables of a recording, and stops. This one records the load of the machine before and
 * after the program: replace that by what your executor reports. @name@.roast-schema declares the table; the build makes
 * @name@-tables.h of it. */

#include "@name@-tables.h"
#include <stdlib.h>

typedef struct { GObject parent_instance; RoastTableWriter *samples; double load; } @Type@Backend;

/* One row. A cell that is not set is missing, which is not 0. */
static gboolean sample (@Type@Backend *self, GError **error)
{
  roast_table_writer_set_int64 (self->samples, ROAST_@ID@_SAMPLES_TIME, g_get_real_time ());
  if (getloadavg (&self->load, 1) == 1)
    roast_table_writer_set_double (self->samples, ROAST_@ID@_SAMPLES_LOAD, self->load);
  return roast_table_writer_close (self->samples, error);
}

/* A function with a task completes it when its work is done, now or later, with TRUE or an error. */
static void start (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  @Type@Backend *self = (@Type@Backend *) backend;
  g_autofree char *source = roast_recording_add_source (recording, "@name@", NULL, NULL, NULL);
  GError *error = NULL;
  self->samples = roast_recording_write_table (recording, ROAST_TABLE_@ID@_SAMPLES, source, NULL, &error);
  if (self->samples != NULL && sample (self, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void stop (RoastMetricsBackend *backend, GTask *task)
{
  @Type@Backend *self = (@Type@Backend *) backend;
  sample (self, NULL); /* roast counts and reports a row that it refuses */
  g_clear_object (&self->samples);
  g_task_return_boolean (task, TRUE);
}

ROAST_DEFINE_BACKEND (@Type@Backend, @id@_backend, iface->start_tracking = start; iface->stop_tracking = stop)
ROAST_DEFINE_PLUGIN ("@name@", PLUGIN_VERSION, ROAST_PLUGIN_BACKEND ("@name@", @id@_backend_get_type))
