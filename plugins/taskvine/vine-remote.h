/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <json-glib/json-glib.h>
#include <roast/roast.h>

#include "framework-tasks.h"

/* A manager whose logs cannot be reached. All of its rows come from its status. */
typedef struct _VineRemote VineRemote;

/* Create a remote manager. @interval: µs between two answers to a status request; @roles: each category is added to it,
 * may be NULL */
VineRemote *vine_remote_new (RoastRecording *recording, const char *address, gint64 interval, FrameworkTasks *roles);
void vine_remote_free (VineRemote *self);
/* Take the latest status of the manager, or that of its workers. */
void vine_remote_take_manager (VineRemote *self, JsonArray *status);
void vine_remote_take_workers (VineRemote *self, JsonArray *status);
void vine_remote_finish (VineRemote *self);
