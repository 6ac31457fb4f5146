/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "vine-discovery.h"
#include <json-glib/json-glib.h>

#include "sheet.h"
#include "vine-replay.h"

G_BEGIN_DECLS

/* One manager that is measured from its logs: a source of the recording. */
typedef struct _VineManager VineManager;

typedef struct
{
  VineReplayOptions replay;
  double quiet; /* s: who wrote nothing for so long, and whose process cannot be seen, is taken for dead */
} VineManagerOptions;

/* Takes the files of @finding. */
VineManager *vine_manager_new (RoastRecording *recording, VineFinding *finding, const VineManagerOptions *options);
void vine_manager_free (VineManager *self);

/* Reads at most @bytes of each log. FALSE if all that is there was read. */
gboolean vine_manager_read (VineManager *self, gsize bytes);
/* Writes what is not written with each line. */
void vine_manager_flush (VineManager *self);
/* Reads nothing more. @why: if there is no end in the log, what is known of that; NULL if it goes on. */
void vine_manager_finish (VineManager *self, const char *why);
gboolean vine_manager_is_over (VineManager *self);
/* What was there was written anew: what follows is another manager's. NULL if it was not. */
VineManager *vine_manager_follow (VineManager *self);
/* Takes what the status tells: of `manager` or of `worker`. */
void vine_manager_take_status (VineManager *self, const char *what, JsonArray *status);

gboolean vine_manager_is_same (VineManager *self, guint64 device, guint64 inode);
VineReplay *vine_manager_get_replay (VineManager *self);
/* Whether it runs on this machine. */
gboolean vine_manager_is_local (VineManager *self);
guint16 vine_manager_get_port (VineManager *self);
const char *vine_manager_get_source (VineManager *self);
/* Tells whether somebody may still write to its logs. */
gboolean vine_manager_is_alive (VineManager *self);
/* The same, but late by some seconds at most, and cheap. */
gboolean vine_manager_seems_alive (VineManager *self);

G_END_DECLS
