/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-schema.h>
#include <roast/roast-table-reader.h>

G_BEGIN_DECLS

#define ROAST_TYPE_RECORDING_SNAPSHOT (roast_recording_snapshot_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastRecordingSnapshot, roast_recording_snapshot, ROAST, RECORDING_SNAPSHOT, GObject)

ROAST_AVAILABLE_IN_0_9
RoastTableReader *roast_recording_snapshot_read_table (RoastRecordingSnapshot *self, const char *table,
                                                       const char *const *columns, GError **error);
ROAST_AVAILABLE_IN_0_9
char **roast_recording_snapshot_dup_table_names (RoastRecordingSnapshot *self);
ROAST_AVAILABLE_IN_0_9
RoastSchema *roast_recording_snapshot_get_schema (RoastRecordingSnapshot *self);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_recording_snapshot_get_metadata (RoastRecordingSnapshot *self);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_recording_snapshot_lookup_metadata (RoastRecordingSnapshot *self, const char *key,
                                                    const GVariantType *type);

G_END_DECLS
