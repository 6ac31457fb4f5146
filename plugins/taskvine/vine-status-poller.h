/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

/* Receives an answer. @what: `manager` or `worker` */
typedef void (*VineStatusFunction) (const char *what, JsonArray *status, gpointer user_data);

/* Requests a manager's status at intervals. If the manager does not answer, the intervals become longer. */
typedef struct
{
  guint n_answers;
  guint n_failures; /* number of failures since the last answer */
  GError *error;    /* error of the last request; NULL if it succeeded */

  /*< private >*/
  char *host;
  guint16 port;
  gint64 interval, next;
  VineStatusFunction function; /* function that receives the answers; NULL after the poller was stopped */
  gpointer user_data;
  GCancellable *cancellable;
  gboolean waiting;   /* whether a request is pending */
  gboolean forbidden; /* the manager requires a password, so it is not asked again */
  guint question;     /* index of the last question */
} VineStatusPoller;

/* Create a poller. @interval: µs between requests; @function: called with each answer until the poller is stopped */
VineStatusPoller *vine_status_poller_new (const char *host, guint16 port, gint64 interval, VineStatusFunction function,
                                          gpointer user_data);
/* Stop the poller, cancel a pending request, and free the poller. */
void vine_status_poller_stop (VineStatusPoller *self);
/* Request the status if it is time for a request. @now: monotonic time, µs */
void vine_status_poller_tick (VineStatusPoller *self, gint64 now);
