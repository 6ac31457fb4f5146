/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording.h"

G_BEGIN_DECLS

#define ROAST_RUN_PROTOCOL_VERSION 1
#define ROAST_RUN_PROTOCOL_MAX_LINE 65536
#define ROAST_RUN_PROTOCOL_MAX_DEPTH 16

/* One line of the protocol, as text: caps first, then parsed, then appended to the recording. Pure but for the
 * recording, so that a fuzzer can call it. */
typedef struct _RoastRunPeer RoastRunPeer;

RoastRunPeer *roast_run_peer_new       (RoastRecording *recording, const char *source, const char *token);
void          roast_run_peer_free      (RoastRunPeer *self);
gboolean      roast_run_peer_read_line (RoastRunPeer *self, const char *line, gsize length, GError **error);

/* Who it is, as the kernel tells. */
void          roast_run_peer_set_pid    (RoastRunPeer *self, gint64 pid);
/* Whether it showed the token. */
gboolean      roast_run_peer_is_greeted (RoastRunPeer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunPeer, roast_run_peer_free)

G_END_DECLS
