/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Requests a manager's status at intervals, and less often while it does not answer. */
typedef struct _VineStatusPoller VineStatusPoller;

/* @what: `manager` or `worker` */
typedef void (*VineStatusFunction) (const char *what, JsonArray *status, gpointer user_data);

/* @interval: µs; @function: called with each answer until the poller is stopped */
VineStatusPoller *vine_status_poller_new (const char *host, guint16 port, gint64 interval, VineStatusFunction function,
                                          gpointer user_data);
/* Stop the poller, cancel a pending request, and free the poller. */
void vine_status_poller_stop (VineStatusPoller *self);
/* Request the status if it is due (@now: monotonic, µs). */
void vine_status_poller_tick (VineStatusPoller *self, gint64 now);
guint vine_status_poller_get_n_answers (VineStatusPoller *self);
/* Return the number of failures since the last answer. */
guint vine_status_poller_get_n_failures (VineStatusPoller *self);
/* Return the last error, or NULL if there was none. */
const GError *vine_status_poller_get_error (VineStatusPoller *self);

G_END_DECLS
