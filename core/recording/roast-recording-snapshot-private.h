/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"

G_BEGIN_DECLS

/* Takes over the tables. */
RoastRecordingSnapshot *roast_recording_snapshot_new (RoastSchema *schema, GPtrArray *tables, GVariant *metadata);

G_END_DECLS
