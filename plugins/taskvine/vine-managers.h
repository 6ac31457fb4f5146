/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-manager.h"

G_BEGIN_DECLS

/* All managers measured from their logs. */
typedef struct _VineManagers VineManagers;

VineManagers *vine_managers_new (RoastRecording *recording, const VineManagerOptions *options);
void vine_managers_free (VineManagers *self);
guint vine_managers_get_length (VineManagers *self);
/* Return whether a log belongs to one of the managers. This is a VineSeenFunction. */
gboolean vine_managers_contain (VineLog *transactions, gpointer self);
/* Add the manager of @logs and take over the files, unless it was already added. */
void vine_managers_add (VineManagers *self, VineLogs *logs);

/* These functions apply the ones in vine-manager.h to all managers. */
gboolean vine_managers_read (VineManagers *self, gsize bytes);
/* Return how much of all logs was read, from 0 to 1. */
double vine_managers_get_progress (VineManagers *self);
void vine_managers_flush (VineManagers *self);
void vine_managers_ask (VineManagers *self, gint64 now);
gboolean vine_managers_finish_ended (VineManagers *self, const char *why);
void vine_managers_finish (VineManagers *self, const char *why, gboolean late);
/* Return whether this is true of all managers. */
gboolean vine_managers_have_end (VineManagers *self);
gboolean vine_managers_run_here (VineManagers *self);
void vine_managers_add_totals (VineManagers *self, GHashTable *totals);

/* Get the first start and the last end. Returns FALSE if no log has a line. */
gboolean vine_managers_get_times (VineManagers *self, gint64 *started, gint64 *ended);

G_END_DECLS
