/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-manager.h"

G_BEGIN_DECLS

/* All managers that are measured from their logs, each a source of the recording, and asked for what the logs lack. */
typedef struct _VineManagers VineManagers;

/* @status_interval: between two questions to each, µs; 0: nothing is asked */
VineManagers *vine_managers_new (RoastRecording *recording, const VineManagerOptions *options, gint64 status_interval);
void vine_managers_free (VineManagers *self);
guint vine_managers_get_length (VineManagers *self);
/* A VineSeenFunction: whether a log is one of theirs. */
gboolean vine_managers_contain (guint64 device, guint64 inode, gpointer self);
/* Takes the files of what is not there yet. */
void vine_managers_add (VineManagers *self, VineFinding *finding);

/* Reads at most @bytes of each log. FALSE if all that is there was read. */
gboolean vine_managers_read (VineManagers *self, gsize bytes);
void vine_managers_flush (VineManagers *self);
/* Asks whom it is time to ask (monotonic, µs). */
void vine_managers_ask (VineManagers *self, gint64 now);
/* Closes those that are over; TRUE if all are. @why: what is known of one whose log has no end. */
gboolean vine_managers_close_over (VineManagers *self, const char *why);
/* Closes all. @late: logs were not read to their ends. */
void vine_managers_finish (VineManagers *self, const char *why, gboolean late);

/* From the first start to the last end, or line; FALSE if nothing was told. */
gboolean vine_managers_get_times (VineManagers *self, gint64 *from, gint64 *to);
void vine_managers_add_totals (VineManagers *self, GHashTable *totals);

G_END_DECLS
