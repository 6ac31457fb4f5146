/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Asks a manager for its status at intervals, and less often while it does not answer. */
typedef struct _VineStatusPoller VineStatusPoller;

/* @what: `manager` or `worker` */
typedef void (*VineStatusFunction) (const char *what, JsonArray *status, gpointer user_data);

/* @interval: µs. @function is called with each answer until the poller is stopped. */
VineStatusPoller *vine_status_poller_new (const char *host, guint16 port, gint64 interval, VineStatusFunction function,
                                          gpointer user_data);
/* Stops it, cancels a request that is under way, and frees it. */
void vine_status_poller_stop (VineStatusPoller *self);
/* Asks if it is time (@now: monotonic, µs). */
void vine_status_poller_tick (VineStatusPoller *self, gint64 now);
guint vine_status_poller_get_n_answers (VineStatusPoller *self);
/* Failures since the last answer. */
guint vine_status_poller_get_n_failures (VineStatusPoller *self);
/* The last error; NULL if there was none. */
const GError *vine_status_poller_get_error (VineStatusPoller *self);

G_END_DECLS
