/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Asks a manager for its status now and then, and less often if it does not answer. */
typedef struct _VineStatusPoller VineStatusPoller;

typedef void (*VineStatusPollerFunction) (const char *what, JsonArray *status, gpointer user_data);

/* @interval: µs. The function is called with each answer, until it is stopped. */
VineStatusPoller *vine_status_poller_new (const char *host, guint16 port, gint64 interval,
                                          VineStatusPollerFunction function, gpointer user_data);
/* Stops what is under way, too. */
void vine_status_poller_stop (VineStatusPoller *self);
/* Asks, if it is time (monotonic, µs). */
void vine_status_poller_tick (VineStatusPoller *self, gint64 now);
guint vine_status_poller_get_n_answers (VineStatusPoller *self);
/* Failures since the last answer. */
guint vine_status_poller_get_n_failures (VineStatusPoller *self);
/* What went wrong last; NULL if nothing did. */
const GError *vine_status_poller_get_error (VineStatusPoller *self);

G_END_DECLS
