/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-scheduler.h"

G_BEGIN_DECLS

/* A way by which the lines of one scheduler come: the run's socket, its HTTP server, or a client of it. */

#define DASK_TYPE_TRANSPORT (dask_transport_get_type ())
G_DECLARE_FINAL_TYPE (DaskTransport, dask_transport, DASK, TRANSPORT, GObject)

#define DASK_MAX_LINE 65536

/* What one of these ways does; @link is its own structure. */
typedef struct
{
  /* Asks for all that workers know, and for a row that the flush of that number is done. FALSE if that is not possible.
   */
  gboolean (*send_flush) (gpointer link, guint64 number, gboolean is_last);
  void (*shut) (gpointer link);
  GDestroyNotify free;
} DaskTransportKind;

/* Where the rows go. */
typedef struct
{
  RoastRecording *recording;
  FrameworkTasks *roles;
  guint64 max_tasks; /* 0: none */
} DaskOutput;

/* Emits "changed" when a flush was answered, when the scheduler says hello, and when the transport closes. */
DaskScheduler *dask_transport_get_scheduler (DaskTransport *self);
gboolean dask_transport_is_open (DaskTransport *self);
/* Why it closed, if that was not the regular end; or NULL. */
const GError *dask_transport_get_error (DaskTransport *self);

/* The next flush is the last: a probe that was put there for this measurement goes after it. */
void dask_transport_set_leaving (DaskTransport *self);
gboolean dask_transport_flush (DaskTransport *self, guint64 number);
void dask_transport_shut (DaskTransport *self);

/* For implementations. @link: taken; @reader: of a connection that reads its lines itself; else NULL */
DaskTransport *dask_transport_new (const DaskTransportKind *kind, gpointer link, const DaskOutput *output,
                                   RoastWireReader *reader);
/* A line, which is overwritten. */
void dask_transport_take_line (DaskTransport *self, char *line, gsize length);
/* The line that the reader has read already. */
void dask_transport_take (DaskTransport *self);
void dask_transport_end (DaskTransport *self, GError *error);

DaskTransport *dask_transport_new_for_connection (RoastRunConnection *connection, const DaskOutput *output);
/* http://HOST:PORT[/PREFIX] or https://…, with the token of the probe there. @ca_file may be NULL. */
DaskTransport *dask_transport_new_for_url (const char *url, const char *token, const char *ca_file,
                                           const DaskOutput *output, GError **error);
/* tcp://HOST:PORT and the like, through a client in @python. */
DaskTransport *dask_transport_new_for_address (const char *address, const char *python, gint64 interval,
                                               const DaskOutput *output, GError **error);

G_END_DECLS
