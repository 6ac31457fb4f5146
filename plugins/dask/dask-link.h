/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dask-scheduler.h"

G_BEGIN_DECLS

/* A way by which the lines of one scheduler come: the run's socket, its HTTP server, or a client of it. */

#define DASK_TYPE_LINK (dask_link_get_type ())
G_DECLARE_DERIVABLE_TYPE (DaskLink, dask_link, DASK, LINK, GObject)

struct _DaskLinkClass
{
  GObjectClass parent_class;

  /* Asks for all that workers know, and for the answer {"flushed": number}. FALSE if nobody can be asked. */
  gboolean (*send_flush) (DaskLink *self, guint64 number);
  void     (*shut)       (DaskLink *self);
};

/* Emits "changed" when a flush was answered, when it says hello, and when it closes. */
DaskScheduler *dask_link_get_scheduler (DaskLink *self);
gboolean       dask_link_is_open       (DaskLink *self);
/* Why it closed, if that was no good end; or NULL. */
const GError  *dask_link_get_error     (DaskLink *self);

gboolean       dask_link_flush         (DaskLink *self, guint64 number);
void           dask_link_shut          (DaskLink *self);

/* For those who implement one. */
void           dask_link_set_recording (DaskLink *self, RoastRecording *recording, guint64 max_tasks);
void           dask_link_take_line     (DaskLink *self, const char *line, gsize length);
void           dask_link_end           (DaskLink *self, GError *error);

/* What speaks on the run's socket. */
DaskLink      *dask_link_new_for_connection (RoastRunConnection *connection, RoastRecording *recording, guint64 max_tasks);
/* http://HOST:PORT[/PREFIX] or https://…, with the token of the probe there. @ca_file may be NULL. */
DaskLink      *dask_link_new_for_url   (const char *url, const char *token, const char *ca_file, RoastRecording *recording,
                                        guint64 max_tasks, GError **error);
/* tcp://HOST:PORT and the like, through a client in @python. */
DaskLink      *dask_link_new_for_address (const char *address, const char *python, gint64 interval, gboolean tasks,
                                        RoastRecording *recording, guint64 max_tasks, GError **error);

G_END_DECLS
