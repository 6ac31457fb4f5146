/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-scheduler.h"

G_BEGIN_DECLS

/* A way by which the lines of one scheduler come: the run's socket, its HTTP server, or a client of it. */

#define DASK_TYPE_TRANSPORT (dask_transport_get_type ())
G_DECLARE_DERIVABLE_TYPE (DaskTransport, dask_transport, DASK, TRANSPORT, GObject)

struct _DaskTransportClass
{
  GObjectClass parent_class;

  /* Asks for all that workers know, and for the answer {"flushed": number}. FALSE if nobody can be asked. */
  gboolean (*send_flush) (DaskTransport *self, guint64 number);
  void (*shut) (DaskTransport *self);
};

/* Emits "changed" when a flush was answered, when it says hello, and when it closes. */
DaskScheduler *dask_transport_get_scheduler (DaskTransport *self);
gboolean dask_transport_is_open (DaskTransport *self);
/* Why it closed, if that was no good end; or NULL. */
const GError *dask_transport_get_error (DaskTransport *self);

gboolean dask_transport_flush (DaskTransport *self, guint64 number);
void dask_transport_shut (DaskTransport *self);

/* For those who implement one. */
void dask_transport_set_recording (DaskTransport *self, RoastRecording *recording, guint64 max_tasks);
void dask_transport_take_line (DaskTransport *self, const char *line, gsize length);
void dask_transport_end (DaskTransport *self, GError *error);

/* What speaks on the run's socket. */
DaskTransport *dask_transport_new_for_connection (RoastRunConnection *connection, RoastRecording *recording,
                                                  guint64 max_tasks);
/* http://HOST:PORT[/PREFIX] or https://…, with the token of the probe there. @ca_file may be NULL. */
DaskTransport *dask_transport_new_for_url (const char *url, const char *token, const char *ca_file,
                                           RoastRecording *recording, guint64 max_tasks, GError **error);
/* tcp://HOST:PORT and the like, through a client in @python. */
DaskTransport *dask_transport_new_for_address (const char *address, const char *python, gint64 interval, gboolean tasks,
                                               RoastRecording *recording, guint64 max_tasks, GError **error);

G_END_DECLS
