/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-scheduler.h"

G_BEGIN_DECLS

/* Carries the lines of one scheduler. They come through the run's socket, through the scheduler's HTTP server, or
 * through a client that is connected to the scheduler. */

#define DASK_TYPE_TRANSPORT (dask_transport_get_type ())
G_DECLARE_FINAL_TYPE (DaskTransport, dask_transport, DASK, TRANSPORT, GObject)

#define DASK_MAX_LINE 65536

/* Operations of one kind of transport. @link is the transport's own structure. */
typedef struct
{
  /* Request all data that the workers have, and a row that reports that flush @number is complete. Returns FALSE if the
   * request cannot be sent. */
  gboolean (*send_flush) (gpointer link, guint64 number, gboolean is_last);
  void (*shut) (gpointer link);
  GDestroyNotify free;
} DaskTransportKind;

/* Destination of the rows. */
typedef struct
{
  RoastRecording *recording;
  FrameworkTasks *roles;
  guint64 max_tasks; /* 0 for no task rows */
} DaskOutput;

/* The transport emits "changed" when a flush was answered, when the scheduler says hello, and when the transport
 * closes. */
DaskScheduler *dask_transport_get_scheduler (DaskTransport *self);
gboolean dask_transport_is_open (DaskTransport *self);
/* Return why the transport closed, or NULL after a regular end. */
const GError *dask_transport_get_error (DaskTransport *self);

/* Request all data. @is_last: whether this is the last flush; a probe that was installed for this measurement is then
 * removed */
gboolean dask_transport_flush (DaskTransport *self, guint64 number, gboolean is_last);
void dask_transport_shut (DaskTransport *self);

/* Create a transport; for implementations only. @link: structure of the implementation, owned by the transport from now
 * on; @reader: reader of a connection that reads its lines itself, else NULL */
DaskTransport *dask_transport_new (const DaskTransportKind *kind, gpointer link, const DaskOutput *output,
                                   RoastWireReader *reader);
/* Take a line; its text is overwritten. @line: NULL for the line that the connection's reader has already read */
void dask_transport_take_line (DaskTransport *self, char *line, gsize length);
void dask_transport_end (DaskTransport *self, GError *error);

DaskTransport *dask_transport_new_for_connection (RoastRunConnection *connection, const DaskOutput *output);
/* Connect to http://HOST:PORT[/PREFIX] or https://…. @token: token of the probe in that scheduler; @ca_file: may be
 * NULL */
DaskTransport *dask_transport_new_for_url (const char *url, const char *token, const char *ca_file,
                                           const DaskOutput *output, GError **error);
/* Connect to tcp://HOST:PORT or a similar address, through a Dask client run by @python. */
DaskTransport *dask_transport_new_for_address (const char *address, const char *python, gint64 interval,
                                               const DaskOutput *output, GError **error);

G_END_DECLS
