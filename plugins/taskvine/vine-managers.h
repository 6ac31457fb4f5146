/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-manager.h"

/* All managers that are measured from their logs. Also searches for managers of a running program. */
typedef struct _VineManagers VineManagers;

VineManagers *vine_managers_new (RoastRecording *recording, const VineManagerOptions *options);
void vine_managers_free (VineManagers *self);
guint vine_managers_get_length (VineManagers *self);
/* Add the manager of @logs, unless a manager with the same log was already added. Takes ownership of the files. */
void vine_managers_add (VineManagers *self, VineLogs *logs);

/* Begin to search the processes of a program for managers. @directory: working directory of the program; NULL if the
 * program was already running before @since. @since: start of the program, µs since the epoch */
void vine_managers_start_search (VineManagers *self, int pid, const char *directory, gint64 since);
void vine_managers_search (VineManagers *self);
/* Search if it is time for a search. Searches become less frequent if no manager appears, and if they take long. */
void vine_managers_tick (VineManagers *self);
/* After the program has ended, search its processes and its directory once more. */
void vine_managers_exited (VineManagers *self);

/* Each of these functions calls the function of the same name in vine-manager.h for all managers. */
gboolean vine_managers_read (VineManagers *self, gsize bytes);
/* Return the fraction of all logs that was read so far, from 0 to 1. */
double vine_managers_get_progress (VineManagers *self);
void vine_managers_flush (VineManagers *self, gboolean with_sums);
void vine_managers_ask (VineManagers *self, gint64 now);
gboolean vine_managers_finish_ended (VineManagers *self, const char *why);
void vine_managers_finish (VineManagers *self, const char *why, gboolean late);
/* Return whether all managers ran on this machine when their logs were found. */
gboolean vine_managers_run_here (VineManagers *self);
void vine_managers_add_totals (VineManagers *self, GHashTable *totals);

/* Get the earliest start and the latest end of all managers, and whether all ends are known. Returns FALSE if no log
 * contains a line. */
gboolean vine_managers_get_times (VineManagers *self, gint64 *started, gint64 *ended, gboolean *have_end);
