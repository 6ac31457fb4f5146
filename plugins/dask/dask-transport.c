/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-transport.h"

#define MAX_LINE 65536
#define MAX_DEPTH 16

typedef struct
{
  DaskScheduler *scheduler;
  gboolean open;
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
dask_transport_set_recording (DaskTransport *self, RoastRecording *recording, guint64 max_tasks)
{
  get_private (self)->scheduler = dask_scheduler_new (recording, max_tasks);
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

/* What is wrong in it the scheduler remembers, and tells at the end; only what makes all that follows useless ends it.
 */
void
dask_transport_take_line (DaskTransport *self, const char *line, gsize length)
{
  DaskTransportPrivate *priv = get_private (self);
  gboolean known = dask_scheduler_is_known (priv->scheduler);
  gboolean over = dask_scheduler_is_over (priv->scheduler);
  guint64 flushed = dask_scheduler_get_flushed (priv->scheduler, NULL);
  g_autofree char *copy = g_strndup (line, length);
  g_autoptr (GError) error = NULL;

  if (!priv->open)
    return;
  if (length > MAX_LINE)
    g_set_error (&error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL,
                 "a line of the scheduler has more than 64 KiB");
  else if (roast_json_check (copy, (gssize) length, MAX_DEPTH, &error))
    dask_scheduler_take_line (priv->scheduler, copy, &error);
  if (error != NULL && !dask_scheduler_is_known (priv->scheduler))
    {
      dask_transport_end (self, g_steal_pointer (&error));
      return;
    }
  if (known != dask_scheduler_is_known (priv->scheduler) || over != dask_scheduler_is_over (priv->scheduler) ||
      flushed != dask_scheduler_get_flushed (priv->scheduler, NULL))
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
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

/* ---- the run's socket ---- */

#define DASK_TYPE_CONNECTION_LINK (dask_connection_link_get_type ())
G_DECLARE_FINAL_TYPE (DaskConnectionLink, dask_connection_link, DASK, CONNECTION_LINK, DaskTransport)

struct _DaskConnectionLink
{
  DaskTransport parent_instance;

  RoastRunConnection *connection;
};

G_DEFINE_FINAL_TYPE (DaskConnectionLink, dask_connection_link, DASK_TYPE_TRANSPORT)

static gboolean
connection_send_flush (DaskTransport *link, guint64 number)
{
  DaskConnectionLink *self = DASK_CONNECTION_LINK (link);
  g_autofree char *order = g_strdup_printf ("{\"do\":\"flush\",\"id\":%" G_GUINT64_FORMAT "}", number);

  return roast_run_connection_send (self->connection, order, NULL);
}

static void
connection_shut (DaskTransport *link)
{
  DaskConnectionLink *self = DASK_CONNECTION_LINK (link);

  if (self->connection != NULL)
    g_signal_handlers_disconnect_by_data (self->connection, self);
}

static void
dask_connection_link_finalize (GObject *object)
{
  DaskConnectionLink *self = DASK_CONNECTION_LINK (object);

  connection_shut (DASK_TRANSPORT (self));
  g_clear_object (&self->connection);

  G_OBJECT_CLASS (dask_connection_link_parent_class)->finalize (object);
}

static void
dask_connection_link_class_init (DaskConnectionLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dask_connection_link_finalize;
  DASK_TRANSPORT_CLASS (klass)->send_flush = connection_send_flush;
  DASK_TRANSPORT_CLASS (klass)->shut = connection_shut;
}

static void
dask_connection_link_init (DaskConnectionLink *self)
{
}

static void
on_received (RoastRunConnection *connection, RoastWireReader *reader, DaskTransport *self)
{
  gsize length;
  const char *line = roast_wire_reader_get_line (reader, &length);

  dask_transport_take_line (self, line, length);
}

static void
on_closed (RoastRunConnection *connection, DaskTransport *self)
{
  dask_transport_end (self, NULL);
}

DaskTransport *
dask_transport_new_for_connection (RoastRunConnection *connection, RoastRecording *recording, guint64 max_tasks)
{
  DaskConnectionLink *self = g_object_new (DASK_TYPE_CONNECTION_LINK, NULL);

  dask_transport_set_recording (DASK_TRANSPORT (self), recording, max_tasks);
  self->connection = g_object_ref (connection);
  g_signal_connect (connection, "received", G_CALLBACK (on_received), self);
  g_signal_connect (connection, "closed", G_CALLBACK (on_closed), self);

  return DASK_TRANSPORT (self);
}
