/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Asks a manager for its status now and then, and less often if it does not answer. */
typedef struct _VineAsking VineAsking;

typedef void (*VineAskingFunction) (const char *what, JsonArray *status, gpointer user_data);

/* @interval: µs. The function is called with each answer, until it is stopped. */
VineAsking   *vine_asking_new      (const char *host, guint16 port, gint64 interval, VineAskingFunction function, gpointer user_data);
/* Stops what is under way, too. */
void          vine_asking_stop     (VineAsking *self);
/* Asks, if it is time (monotonic, µs). */
void          vine_asking_tick     (VineAsking *self, gint64 now);
guint         vine_asking_get_n_answers (VineAsking *self);
/* Failures since the last answer. */
guint         vine_asking_get_n_failures (VineAsking *self);
/* What went wrong last; NULL if nothing did. */
const GError *vine_asking_get_error (VineAsking *self);

G_END_DECLS
