/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/roast-task-private.h"
#include "roast/roast-session.h"
#include "socket/roast-run-socket-private.h"

/* The members of a session, and the functions that several of its source files use: start, end, export, spans, and the
 * signal for readers of live tables. */

typedef struct _RoastSessionSpan RoastSessionSpan;

struct _RoastSession
{
  GObject parent_instance;

  RoastRegistry *registry;
  RoastRecording *recording;
  GRecMutex report_lock; /* guards report and making_report */
  RoastReport *report;   /* report of the session; NULL until it is first requested */
  gboolean making_report;
  RoastLauncher *launcher;
  RoastRunSocket *socket;
  GMainContext *context;

  GPtrArray *backends;      /* RoastMetricsBackend elements: the backends of the session */
  GPtrArray *backend_names; /* char * elements: the name of each backend */
  GPtrArray *instruments;   /* RoastMetricsBackend elements: backends that the user did not name; not owned */
  GPtrArray *left_out;      /* names of plugins whose aggregators do not run */
  gboolean reading;         /* the session only reads a finished recording and adds nothing to the recording */
  GPtrArray *exporters;
  GPtrArray *outputs; /* outputs of the exporters, in the order of the exporters */
  GVariantDict *tags;

  RoastSessionState state;
  gint64 interval;
  gint64 deadline; /* maximum time in µs for an operation of a backend */
  gboolean owns_process;
  GTask *starting;     /* task of the pending launch or attach */
  gboolean stop_asked; /* whether a stop was requested during the start */
  RoastLaunchContext *launch_context;
  char *address;
  guint next_backend; /* index of the backend to start next */
  guint pending;      /* number of backends that have not stopped yet */
  guint n_started;
  gint64 began; /* µs; when the measurement began: the run itself may be older */
  double cpu_before;
  RoastWaiters *waiters;
  GError *failure;

  GPtrArray *spans; /* RoastSessionSpan elements: open spans */
  guint n_spans;
  RoastTableWriter *span_writer; /* writer of the table spans; NULL before the first span */

  GSource *rows_source;
  GHashTable *rows_serials; /* maps the name of a table to its serial number at the last signal */
};

/* roast-session.c */
double roast_session_get_own_cpu (void);
void roast_session_set_state (RoastSession *self, RoastSessionState state);
gboolean roast_session_has_rows_handler (RoastSession *self);
/* Emits “progress” when a backend has read this fraction of a past run. */
void roast_session_emit_progress (RoastSession *self, double fraction);

/* roast-session-end.c */
/* Collects the last data from the backends, and finishes the recording. */
void roast_session_collect (RoastSession *self);
/* Returns the report. The first call makes the report. Returns NULL before the session has finished. */
RoastReport *roast_session_make_report (RoastSession *self);

/* roast-session-instruments.c */
/* Sets the metadata “backends” to the names of the backends that the user chose and of the instruments that have
 * measured something. Sets the metadata “backends-found” to the names of these instruments only. */
void roast_session_note_found (RoastSession *self);
gboolean roast_session_is_instrument (RoastSession *self, RoastMetricsBackend *backend);
/* Drops an instrument that failed. Returns FALSE if @backend is not an instrument. */
gboolean roast_session_drop_instrument (RoastSession *self, RoastMetricsBackend *backend, const GError *error);

/* roast-session-span.c */
void roast_session_span_free (RoastSessionSpan *entry);

/* roast-session-rows.c */
void roast_session_watch_rows (RoastSession *self);
void roast_session_unwatch_rows (RoastSession *self);

/* Explains metrics that are not available because an older version recorded the run, or because nothing was recorded.
 * In roast-session-explain.c. */
void roast_session_explain_missing (RoastReport *report, RoastRecordingSnapshot *snapshot);

/* Records the kernel, the number of cores, and the Python version if the program runs in Python. @program may be NULL.
 * In roast-session-machine.c. */
void roast_session_describe_machine (RoastRecording *recording, RoastLaunchContext *program);
