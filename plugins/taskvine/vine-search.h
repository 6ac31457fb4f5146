/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-managers.h"

G_BEGIN_DECLS

/* Looks for managers of a program, as long as it runs, and adds them to those that are measured. */
typedef struct _VineSearch VineSearch;

/* @directory: where the program was started, at @since (µs since the epoch); NULL if only its processes are looked at
 */
VineSearch *vine_search_new (VineManagers *managers, RoastRecording *recording, int pid, const char *directory,
                             gint64 since);
void vine_search_free (VineSearch *self);
/* Looks, if it is time: less often when nothing new comes. To be called every 100 ms. */
void vine_search_tick (VineSearch *self);
void vine_search_now (VineSearch *self);
/* The program is over: what it left in its directory is looked at as well. */
void vine_search_exited (VineSearch *self);

G_END_DECLS
