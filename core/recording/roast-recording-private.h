/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording.h"
#include "table/roast-table-private.h"

G_BEGIN_DECLS

/* The tables that have been used, in the order of the schema. */
GPtrArray *roast_recording_list_tables (RoastRecording *self);
/* A measured table of the schema. */
RoastTable *roast_recording_get_table (RoastRecording *self, const char *name);

G_END_DECLS
