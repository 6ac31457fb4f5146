/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-run-faults-private.h"
#include "roast-run-quota-private.h"
#include "roast/roast-recording.h"
#include "roast/roast-wire-reader.h"

#define ROAST_RUN_PROTOCOL_VERSION 2
#define ROAST_RUN_PROTOCOL_MAX_LINE 65536
#define ROAST_RUN_PROTOCOL_MAX_DEPTH 16

/* The protocol state of one connection. Reads lines and writes their rows into the recording. This object does no I/O,
 * so that a fuzzer can call it. */
typedef struct _RoastRunPeer RoastRunPeer;

/* Creates the state of a new connection. @pid: process id of the other end, as the kernel reports it; 0 if unknown.
 * Errors are added to @faults. @faults and @quota must outlive the peer. */
RoastRunPeer *roast_run_peer_new (RoastRecording *recording, const char *token, gint64 pid, RoastRunFaults *faults,
                                  RoastRunQuota *quota);
void roast_run_peer_free (RoastRunPeer *self);
/* Sets the source of the rows. The caller must call this function after the greeting. */
void roast_run_peer_set_source (RoastRunPeer *self, const char *source);
/* Reads a line. The first line must be the greeting. If the line is a row, the text at @line is overwritten. Returns
 * FALSE if the line is refused. */
gboolean roast_run_peer_read_line (RoastRunPeer *self, char *line, gsize length);
/* Counts a line that was skipped because it exceeded the maximum length. */
void roast_run_peer_skip_line (RoastRunPeer *self);
/* Refuses the peer although its greeting was valid, and counts the refusal as a fault. */
void roast_run_peer_refuse (RoastRunPeer *self, const char *reason);

/* Gets the reader, which holds the last line. */
RoastWireReader *roast_run_peer_get_reader (RoastRunPeer *self);
/* Returns whether the peer has sent the right token. */
gboolean roast_run_peer_is_greeted (RoastRunPeer *self);
/* Gets the name of the backend in the greeting, or NULL if the lines are for the core. This object checks lines for a
 * backend, but only writes lines for the core into the recording. */
const char *roast_run_peer_get_backend (RoastRunPeer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunPeer, roast_run_peer_free)
