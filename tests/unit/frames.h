/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "core/process/roast-supervisor-wire.h"

G_BEGIN_DECLS

/* The stream of a supervisor, made by hand. A test plays it to a real launcher by being the supervisor itself. */

/* -1 in each member */
#define FRAMES_NO_USAGE { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 }

void frames_add (GByteArray *frames, guint32 type, gconstpointer payload, guint32 length);
/* With a second part, as of a process or a sample. */
void frames_add_with (GByteArray *frames, guint32 type, gconstpointer first, gsize first_length, gconstpointer second,
                      gsize second_length);
/* @arguments: (nullable): words between blanks */
void frames_add_process (GByteArray *frames, guint64 id, gint64 started, const char *command, const char *arguments);
void frames_add_sample (GByteArray *frames, gint64 time, const RoastWireSample *sample);
/* @info: (nullable): without it 4 cores, of which the quota allows 1.5 */
GByteArray *frames_new (const RoastWireInfo *info);

/* Whether this process is to be the supervisor: it has played the frames then, and main () returns 0. */
gboolean frames_are_played (int argc, char **argv);
/* Launches a program that does not run: the frames come instead of it. The stream may end early. */
void frames_play (GByteArray *frames, RoastRecording *recording, RoastProcessObserver *observer);

G_END_DECLS
