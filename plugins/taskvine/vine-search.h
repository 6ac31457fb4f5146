/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-managers.h"

G_BEGIN_DECLS

/* Searches for the managers of a running program, and adds them to the measured managers. */
typedef struct _VineSearch VineSearch;

/* @directory: where the program was started at @since (µs since the epoch), or NULL to search only its processes;
 * @watch_directory: search at once when a directory appears there */
VineSearch *vine_search_new (VineManagers *managers, RoastRecording *recording, int pid, const char *directory,
                             gint64 since, gboolean watch_directory);
void vine_search_free (VineSearch *self);
/* Search if due. Call it every 100 ms or less often. Searches become less frequent while nothing new appears, and if
 * they take long. */
void vine_search_tick (VineSearch *self);
void vine_search_now (VineSearch *self);
/* Search the program's directory as well, after the program has ended. */
void vine_search_exited (VineSearch *self);

G_END_DECLS
