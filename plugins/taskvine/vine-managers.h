/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-manager.h"

G_BEGIN_DECLS

/* All managers that are measured from their logs. */
typedef struct _VineManagers VineManagers;

VineManagers *vine_managers_new (RoastRecording *recording, const VineManagerOptions *options);
void vine_managers_free (VineManagers *self);
guint vine_managers_get_length (VineManagers *self);
/* A VineSeenFunction: whether a log belongs to one of them. */
gboolean vine_managers_contain (VineLog *transactions, gpointer self);
/* Adds the manager of @logs, whose files it takes, unless it is there already. */
void vine_managers_add (VineManagers *self, VineLogs *logs);

/* Do the same for all: see vine-manager.h. */
gboolean vine_managers_read (VineManagers *self, gsize bytes);
/* How much of all logs was read, from 0 to 1. */
double vine_managers_get_progress (VineManagers *self);
void vine_managers_flush (VineManagers *self);
void vine_managers_ask (VineManagers *self, gint64 now);
gboolean vine_managers_finish_ended (VineManagers *self, const char *why);
void vine_managers_finish (VineManagers *self, const char *why, gboolean late);
/* Whether that is so for all. */
gboolean vine_managers_have_end (VineManagers *self);
gboolean vine_managers_run_here (VineManagers *self);
void vine_managers_add_totals (VineManagers *self, GHashTable *totals);

/* From the first start to the last end. FALSE if no log has a line. */
gboolean vine_managers_get_times (VineManagers *self, gint64 *started, gint64 *ended);

G_END_DECLS
