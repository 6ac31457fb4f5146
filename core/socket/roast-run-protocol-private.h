/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-run-faults-private.h"
#include "roast-run-quota-private.h"
#include "roast/roast-recording.h"
#include "roast/roast-wire-reader.h"

#define ROAST_RUN_PROTOCOL_VERSION 2
#define ROAST_RUN_PROTOCOL_MAX_LINE 65536
#define ROAST_RUN_PROTOCOL_MAX_DEPTH 16

/* One connection as the protocol sees it: reads lines and writes their rows into the recording. Does no I/O, so that a
 * fuzzer can call it. */
typedef struct _RoastRunPeer RoastRunPeer;

/* @pid: of the other end, as the kernel names it; 0 if unknown. What is wrong is added to @faults. That and
 * @quota must outlive the peer. */
RoastRunPeer *roast_run_peer_new (RoastRecording *recording, const char *token, gint64 pid, RoastRunFaults *faults,
                                  RoastRunQuota *quota);
void roast_run_peer_free (RoastRunPeer *self);
/* Of the rows; to be set after the greeting. */
void roast_run_peer_set_source (RoastRunPeer *self, const char *source);
/* The first line must be the greeting. A row is overwritten. FALSE if the line does not count. */
gboolean roast_run_peer_read_line (RoastRunPeer *self, char *line, gsize length);
/* A line was too long to be kept. */
void roast_run_peer_skip_line (RoastRunPeer *self);
/* Takes back the greeting. */
void roast_run_peer_refuse (RoastRunPeer *self, const char *reason);

/* Holds the line that was read last. */
RoastWireReader *roast_run_peer_get_reader (RoastRunPeer *self);
/* Whether it showed the token. */
gboolean roast_run_peer_is_greeted (RoastRunPeer *self);
/* The backend that its lines are for, as the greeting says: they are checked here and no more. NULL if they are for the
 * core. */
const char *roast_run_peer_get_backend (RoastRunPeer *self);
/* What it calls itself, or NULL. */
const char *roast_run_peer_get_program (RoastRunPeer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunPeer, roast_run_peer_free)
