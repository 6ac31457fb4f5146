/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-transport.h"

#define MAX_DEPTH 16

typedef struct
{
  RoastWireReader *reader;
  DaskScheduler *scheduler;
  gboolean open;
  gboolean leaving;
  GError *error;
} DaskTransportPrivate;

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_TYPE_WITH_PRIVATE (DaskTransport, dask_transport, G_TYPE_OBJECT)

static DaskTransportPrivate *
get_private (DaskTransport *self)
{
  return dask_transport_get_instance_private (self);
}

static void
dask_transport_finalize (GObject *object)
{
  DaskTransportPrivate *priv = get_private (DASK_TRANSPORT (object));

  g_clear_pointer (&priv->scheduler, dask_scheduler_free);
  g_clear_object (&priv->reader);
  g_clear_error (&priv->error);

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
  get_private (self)->open = TRUE;
}

void
dask_transport_open (DaskTransport *self, const DaskOutput *output, RoastWireReader *reader)
{
  DaskTransportPrivate *priv = get_private (self);

  priv->reader = reader != NULL ? g_object_ref (reader) : roast_wire_reader_new (DASK_MAX_LINE, MAX_DEPTH);
  priv->scheduler = dask_scheduler_new (output->recording, priv->reader, output->roles, output->max_tasks);
}

DaskScheduler *
dask_transport_get_scheduler (DaskTransport *self)
{
  return get_private (self)->scheduler;
}

gboolean
dask_transport_is_open (DaskTransport *self)
{
  return get_private (self)->open;
}

const GError *
dask_transport_get_error (DaskTransport *self)
{
  return get_private (self)->error;
}

void
dask_transport_set_leaving (DaskTransport *self)
{
  get_private (self)->leaving = TRUE;
}

gboolean
dask_transport_is_leaving (DaskTransport *self)
{
  return get_private (self)->leaving;
}

gboolean
dask_transport_flush (DaskTransport *self, guint64 number)
{
  return dask_transport_is_open (self) && DASK_TRANSPORT_GET_CLASS (self)->send_flush (self, number);
}

/* From now on nothing is taken. */
void
dask_transport_shut (DaskTransport *self)
{
  DaskTransportPrivate *priv = get_private (self);

  if (!priv->open)
    return;
  priv->open = FALSE;
  DASK_TRANSPORT_GET_CLASS (self)->shut (self);
}

/* The scheduler remembers lines that were refused, and reports them at its end. Before it said hello such a line ends
 * all: then it is not the probe. */
static void
take (DaskTransport *self, char *line, gsize length)
{
  DaskTransportPrivate *priv = get_private (self);
  gboolean known = dask_scheduler_is_known (priv->scheduler);
  gboolean over = dask_scheduler_is_over (priv->scheduler);
  guint64 flushed = dask_scheduler_get_flushed (priv->scheduler);
  g_autoptr (GError) error = NULL;

  if (!priv->open)
    return;
  if (line != NULL && !roast_wire_reader_read (priv->reader, line, length, &error))
    dask_scheduler_note_refused (priv->scheduler, error);
  else
    dask_scheduler_take_line (priv->scheduler, &error);
  if (error != NULL && !dask_scheduler_is_known (priv->scheduler))
    dask_transport_end (self, g_steal_pointer (&error));
  else if (known != dask_scheduler_is_known (priv->scheduler) || over != dask_scheduler_is_over (priv->scheduler) ||
           flushed != dask_scheduler_get_flushed (priv->scheduler))
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
dask_transport_take_line (DaskTransport *self, char *line, gsize length)
{
  take (self, line, length);
}

void
dask_transport_take (DaskTransport *self)
{
  take (self, NULL, 0);
}

void
dask_transport_end (DaskTransport *self, GError *error)
{
  DaskTransportPrivate *priv = get_private (self);

  if (!priv->open)
    {
      g_clear_error (&error);
      return;
    }
  g_object_ref (self);
  dask_transport_shut (self);
  priv->error = error;
  dask_scheduler_finish (priv->scheduler);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  g_object_unref (self);
}
