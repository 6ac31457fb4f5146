/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/roast-task-private.h"
#include "roast/roast-session.h"
#include "socket/roast-run-socket-private.h"

/* A session is one object in several files: what it is made of, its start, its end, what it exports, and the signal for
 * readers of live tables. */

typedef struct _RoastSessionSpan RoastSessionSpan;

struct _RoastSession
{
  GObject parent_instance;

  RoastRegistry *registry;
  RoastRecording *recording;
  GRecMutex report_lock; /* of the next two */
  RoastReport *report;   /* made when it is first asked for */
  gboolean making_report;
  RoastLauncher *launcher;
  RoastRunSocket *socket;
  GMainContext *context;

  GPtrArray *backends;      /* of RoastMetricsBackend */
  GPtrArray *backend_names; /* of char *, one for each backend */
  GPtrArray *instruments;   /* of RoastMetricsBackend: backends that were not named; not owned */
  GPtrArray *aggregators;
  GPtrArray *left_out; /* names of plugins whose aggregators do not run */
  gboolean reading;    /* the recording is over: nothing is added to it */
  GPtrArray *exporters;
  GPtrArray *outputs; /* beside exporters */
  GVariantDict *tags;

  RoastSessionState state;
  gint64 interval;
  gint64 deadline; /* µs for each operation of a backend */
  gboolean owns_process;
  GTask *starting;     /* launch or attach, until it is known how it went */
  gboolean stop_asked; /* while it was starting */
  RoastLaunchContext *launch_context;
  char *address;
  guint next_backend; /* that is to be started */
  guint pending;      /* that are being stopped */
  guint n_started;
  double cpu_before;
  RoastWaiters *waiters;
  GError *failure;

  GPtrArray *spans; /* of RoastSessionSpan, those that are open */
  guint n_spans;
  RoastTableWriter *span_writer; /* NULL before the first span */

  GSource *rows_source;
  GHashTable *rows_serials; /* name of a table to its serial when last told */
};

/* roast-session.c */
double roast_session_get_own_cpu (void);
void roast_session_set_state (RoastSession *self, RoastSessionState state);
gboolean roast_session_has_rows_handler (RoastSession *self);
/* A backend has read this part of what is over. */
void roast_session_emit_progress (RoastSession *self, double fraction);

/* roast-session-end.c */
/* Collects the last data of the backends, then finishes the recording. */
void roast_session_collect (RoastSession *self);
/* The report, made now if it was not yet; NULL before the session has finished. */
RoastReport *roast_session_make_report (RoastSession *self);

/* roast-session-instruments.c */
/* Sets the metadata “backends”: the names of those that were chosen, and of instruments that have measured something,
 * which “backends-found” has alone. */
void roast_session_note_found (RoastSession *self);
gboolean roast_session_is_instrument (RoastSession *self, RoastMetricsBackend *backend);
/* An instrument that fails is left out; returns FALSE if @backend is not one. */
gboolean roast_session_drop_instrument (RoastSession *self, RoastMetricsBackend *backend, const GError *error);

/* roast-session-span.c */
void roast_session_span_free (RoastSessionSpan *entry);

/* roast-session-rows.c */
void roast_session_watch_rows (RoastSession *self);
void roast_session_unwatch_rows (RoastSession *self);

/* roast-session-older.c: metrics that are not available because an older version recorded the run get that reason. */
void roast_session_explain_older (RoastReport *report, RoastRecordingSnapshot *snapshot);

/* roast-session-machine.c: kernel and cores, and the version of Python if the program is written in it. @program may be
 * NULL. */
void roast_session_describe_machine (RoastRecording *recording, RoastLaunchContext *program);
