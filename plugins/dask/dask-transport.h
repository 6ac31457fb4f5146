/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-scheduler.h"

/* Carries the lines of one scheduler. The lines come through the socket of the run, through the HTTP server of the
 * scheduler, or through a client that is connected to the scheduler. */

#define DASK_TYPE_TRANSPORT (dask_transport_get_type ())
G_DECLARE_FINAL_TYPE (DaskTransport, dask_transport, DASK, TRANSPORT, GObject)

#define DASK_MAX_LINE 65536

/* Operations of one kind of transport. @link is the structure of this kind. */
typedef struct
{
  /* Request all data that the workers have, followed by a row which reports that flush @number is complete. Returns
   * FALSE if the request cannot be sent. */
  gboolean (*send_flush) (gpointer link, guint64 number, gboolean is_last);
  void (*shut) (gpointer link);
  GDestroyNotify free;
} DaskTransportKind;

/* Where the rows go. */
typedef struct
{
  RoastRecording *recording;
  FrameworkTasks *roles;
  guint64 max_tasks; /* largest number of attempts that get a row; 0 for no task rows */
} DaskOutput;

/* The transport emits "changed" when the response to a flush has arrived, when the hello of the scheduler has arrived,
 * and when the transport is closed. */
DaskScheduler *dask_transport_get_scheduler (DaskTransport *self);
gboolean dask_transport_is_open (DaskTransport *self);
/* Return the error because of which the transport was closed; NULL if it ended in the regular way. */
const GError *dask_transport_get_error (DaskTransport *self);

/* Request all data. @is_last: whether no more flushes will follow; a probe that was installed for this measurement is
 * then removed */
gboolean dask_transport_flush (DaskTransport *self, guint64 number, gboolean is_last);
void dask_transport_shut (DaskTransport *self);

/* Create a transport. Only implementations of transports call this function. @link: structure of the implementation;
 * takes ownership; @reader: reader of a connection that reads its lines itself, or NULL */
DaskTransport *dask_transport_new (const DaskTransportKind *kind, gpointer link, const DaskOutput *output,
                                   RoastWireReader *reader);
/* Take a line, and overwrite its text. @line: NULL to take the line that the reader of the connection has already
 * read */
void dask_transport_take_line (DaskTransport *self, char *line, gsize length);
void dask_transport_end (DaskTransport *self, GError *error);

DaskTransport *dask_transport_new_for_connection (RoastRunConnection *connection, const DaskOutput *output);
/* Connect to http://HOST:PORT[/PREFIX] or https://…. @token: token of the probe in this scheduler; @ca_file: may be
 * NULL */
DaskTransport *dask_transport_new_for_url (const char *url, const char *token, const char *ca_file,
                                           const DaskOutput *output, GError **error);
/* Connect to tcp://HOST:PORT, or to a similar address, through a Dask client that @python runs. */
DaskTransport *dask_transport_new_for_address (const char *address, const char *python, gint64 interval,
                                               const DaskOutput *output, GError **error);
