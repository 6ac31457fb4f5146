/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-managers.h"

G_BEGIN_DECLS

/* Searches for the managers of a program while it runs, and adds them to those that are measured. */
typedef struct _VineSearch VineSearch;

/* @directory: where the program was started, at @since (µs since the epoch); NULL to search its processes only
 * @watch_directory: search at once when a directory appears there */
VineSearch *vine_search_new (VineManagers *managers, RoastRecording *recording, int pid, const char *directory,
                             gint64 since, gboolean watch_directory);
void vine_search_free (VineSearch *self);
/* Call it every 100 ms, or less often. It searches less often while nothing new appears, and while a search takes long.
 */
void vine_search_tick (VineSearch *self);
void vine_search_now (VineSearch *self);
/* The program has ended: searches its directory as well. */
void vine_search_exited (VineSearch *self);

G_END_DECLS
