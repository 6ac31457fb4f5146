/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-transport.h"

#define MAX_DEPTH 16

struct _DaskTransport
{
  GObject parent_instance;

  const DaskTransportKind *kind;
  gpointer link;
  RoastWireReader *reader;
  DaskScheduler *scheduler;
  gboolean open;
  GError *error;
};

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (DaskTransport, dask_transport, G_TYPE_OBJECT)

static void
dask_transport_finalize (GObject *object)
{
  DaskTransport *self = DASK_TRANSPORT (object);

  self->kind->free (self->link);
  g_clear_pointer (&self->scheduler, dask_scheduler_free);
  g_clear_object (&self->reader);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (dask_transport_parent_class)->finalize (object);
}

static void
dask_transport_class_init (DaskTransportClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dask_transport_finalize;
  signals[SIGNAL_CHANGED] =
      g_signal_new ("changed", DASK_TYPE_TRANSPORT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
dask_transport_init (DaskTransport *self)
{
  self->open = TRUE;
}

DaskTransport *
dask_transport_new (const DaskTransportKind *kind, gpointer link, const DaskOutput *output, RoastWireReader *reader)
{
  DaskTransport *self = g_object_new (DASK_TYPE_TRANSPORT, NULL);

  self->kind = kind;
  self->link = link;
  self->reader = reader != NULL ? g_object_ref (reader) : roast_wire_reader_new (DASK_MAX_LINE, MAX_DEPTH);
  self->scheduler = dask_scheduler_new (output->recording, self->reader, output->roles, output->max_tasks);

  return self;
}

DaskScheduler *
dask_transport_get_scheduler (DaskTransport *self)
{
  return self->scheduler;
}

gboolean
dask_transport_is_open (DaskTransport *self)
{
  return self->open;
}

const GError *
dask_transport_get_error (DaskTransport *self)
{
  return self->error;
}

gboolean
dask_transport_flush (DaskTransport *self, guint64 number, gboolean is_last)
{
  if (!self->open)
    return FALSE;
  dask_scheduler_expect_flush (self->scheduler, number);

  return self->kind->send_flush (self->link, number, is_last);
}

/* Take no more lines. */
void
dask_transport_shut (DaskTransport *self)
{
  if (!self->open)
    return;
  self->open = FALSE;
  self->kind->shut (self->link);
}

/* Refused lines are counted, and the scheduler object reports their number at its end. If a line is refused before the
 * hello, close the connection, because the peer is not the probe. */
void
dask_transport_take_line (DaskTransport *self, char *line, gsize length)
{
  gboolean known = dask_scheduler_is_known (self->scheduler);
  gboolean over = dask_scheduler_is_over (self->scheduler);
  guint64 flushed = dask_scheduler_get_flushed (self->scheduler);
  g_autoptr (GError) error = NULL;

  if (!self->open)
    return;
  if (line != NULL && !roast_wire_reader_read (self->reader, line, length, &error))
    dask_scheduler_note_refused (self->scheduler, error);
  else
    dask_scheduler_take_line (self->scheduler, &error);
  if (error != NULL && !dask_scheduler_is_known (self->scheduler))
    dask_transport_end (self, g_steal_pointer (&error));
  else if (known != dask_scheduler_is_known (self->scheduler) || over != dask_scheduler_is_over (self->scheduler) ||
           flushed != dask_scheduler_get_flushed (self->scheduler))
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
dask_transport_end (DaskTransport *self, GError *error)
{
  if (!self->open)
    {
      g_clear_error (&error);
      return;
    }
  g_object_ref (self);
  dask_transport_shut (self);
  self->error = error;
  dask_scheduler_finish (self->scheduler);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  g_object_unref (self);
}
