/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording.h"
#include "roast/roast-wire-reader.h"

G_BEGIN_DECLS

#define ROAST_RUN_PROTOCOL_VERSION 2
#define ROAST_RUN_PROTOCOL_MAX_LINE 65536
#define ROAST_RUN_PROTOCOL_MAX_DEPTH 16

/* One connection as the protocol sees it: takes lines as text, caps first, then parsed, then appended to the recording.
 * Pure but for the recording, so that a fuzzer can call it. */
typedef struct _RoastRunPeer RoastRunPeer;

/* @source may be NULL and set later. */
RoastRunPeer *roast_run_peer_new (RoastRecording *recording, const char *source, const char *token);
void roast_run_peer_free (RoastRunPeer *self);
/* Overwrites the line if it is a row. The first line must be the greeting. FALSE if a line does not count, which is
 * remembered; one of a type that is not known is no error. */
gboolean roast_run_peer_read_line (RoastRunPeer *self, char *line, gsize length, GError **error);
/* A line that was too long to be kept. */
void roast_run_peer_skip_line (RoastRunPeer *self);

/* Who it is, as the kernel tells. */
void roast_run_peer_set_pid (RoastRunPeer *self, gint64 pid);
void roast_run_peer_set_source (RoastRunPeer *self, const char *source);
/* Holds the line that was read last. */
RoastWireReader *roast_run_peer_get_reader (RoastRunPeer *self);
/* Whether it showed the token. */
gboolean roast_run_peer_is_greeted (RoastRunPeer *self);

/* The backend for which its lines are, as it said in the greeting: these are only checked here. NULL if they are for
 * the core. */
const char *roast_run_peer_get_backend (RoastRunPeer *self);
/* As it calls itself; or NULL. */
const char *roast_run_peer_get_program (RoastRunPeer *self);
/* Takes back the greeting. */
void roast_run_peer_refuse (RoastRunPeer *self, const char *reason);

/* Lines that do not count. */
guint64 roast_run_peer_get_bad (RoastRunPeer *self);
/* Messages and members that are not known: ignored. */
guint64 roast_run_peer_get_unknown (RoastRunPeer *self);
/* What of it does not count and why, in a sentence; NULL if all does. */
char *roast_run_peer_dup_complaint (RoastRunPeer *self);
/* What of it was ignored, in a sentence; NULL if nothing was. */
char *roast_run_peer_dup_remark (RoastRunPeer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunPeer, roast_run_peer_free)

G_END_DECLS
