/* SPDX-License-Identifier: BSD-3-Clause */

/* A backend: it is told to start, appends rows to a recording, and is told to stop. This one notes the load of the
 * machine before and after the program. Replace what it measures by what your executor tells. */

#include <roast/roast.h>
#include <stdlib.h>

typedef struct
{
  GObject parent_instance;
  RoastTable *samples;
} @Type @Backend;

/* One row: names of columns and their values. What is not known is left out, and never 0. */
static void
sample (@Type @Backend *self)
{
  double load;
  if (getloadavg (&load, 1) == 1)
    roast_table_add_variant (self->samples,
                             g_variant_new_parsed ("{'time': <%x>, 'load': <%d>}", g_get_real_time (), load), NULL);
}

/* A slot with a task completes it when it has done its work, now or later, with TRUE or an error. */
static void
start_tracking (RoastMetricsBackend *backend, RoastRecording *recording, gint64 interval, GTask *task)
{
  @Type @Backend *self = (@Type @Backend *) backend;
  self->samples = roast_table_new ("@id@_samples", ROAST_TABLE_KIND_LOG, "The machine at one time");
  roast_table_add_column (self->samples, "time", ROAST_COLUMN_TYPE_INT64, "us", "when", NULL);
  roast_table_add_column (self->samples, "load", ROAST_COLUMN_TYPE_DOUBLE, NULL, "the load, over a minute", NULL);
  roast_recording_add_table (recording, self->samples, NULL);
  sample (self);
  g_task_return_boolean (task, TRUE);
}

static void
stop_tracking (RoastMetricsBackend *backend, GTask *task)
{
  @Type @Backend *self = (@Type @Backend *) backend;
  sample (self);
  g_clear_object (&self->samples);
  g_task_return_boolean (task, TRUE);
}

ROAST_DEFINE_BACKEND (@Type @Backend, @id @_backend, iface->start_tracking = start_tracking;
                      iface->stop_tracking = stop_tracking)
ROAST_DEFINE_PLUGIN ("@name@", PLUGIN_VERSION, ROAST_PLUGIN_BACKEND ("@name@", @id @_backend_get_type))
