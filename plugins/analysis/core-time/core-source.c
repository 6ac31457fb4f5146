/* SPDX-License-Identifier: BSD-3-Clause */
#include "core-time.h"

static void
clear_command (gpointer data)
{
  g_free (((CoreCommand *) data)->name);
}

CoreSource *
core_source_new (const char *name, double started, double ended)
{
  CoreSource *self = g_new0 (CoreSource, 1);

  self->name = g_strdup (name);
  self->started = started;
  self->ended = ended;
  self->work_started = self->work_ended = NAN;
  self->events = core_events_new ();
  self->work = core_events_new ();
  self->workers = g_array_new (FALSE, TRUE, sizeof (CoreWorker));
  self->commands = g_array_new (FALSE, FALSE, sizeof (CoreCommand));
  g_array_set_clear_func (self->commands, clear_command);
  self->n_counted = -1;

  return self;
}

void
core_source_free (CoreSource *self)
{
  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    g_free (self->reasons[i]);
  core_events_free (self->events);
  core_events_free (self->work);
  g_array_unref (self->workers);
  g_array_unref (self->commands);
  g_free (self->name);
  g_free (self->missing);
  g_free (self->rough);
  g_free (self);
}
