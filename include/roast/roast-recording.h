/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-recording-snapshot.h>
#include <roast/roast-schema.h>
#include <roast/roast-table-reader.h>
#include <roast/roast-table-writer.h>

G_BEGIN_DECLS

/**
 * RoastSeverity:
 * @ROAST_SEVERITY_INFO: the event is worth knowing
 * @ROAST_SEVERITY_WARNING: a number is less complete than it could be
 * @ROAST_SEVERITY_ERROR: a part of the measurement failed and is missing
 *
 * The importance of an event for readers of the numbers.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_SEVERITY_INFO,
  ROAST_SEVERITY_WARNING,
  ROAST_SEVERITY_ERROR,
} RoastSeverity;

#define ROAST_TYPE_RECORDING (roast_recording_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastRecording, roast_recording, ROAST, RECORDING, GObject)

ROAST_AVAILABLE_IN_0_9
RoastRecording *roast_recording_new (RoastSchema *schema);
ROAST_AVAILABLE_IN_0_9
RoastSchema *roast_recording_get_schema (RoastRecording *self);
ROAST_AVAILABLE_IN_0_9
RoastTableWriter *roast_recording_write_table (RoastRecording *self, const char *table, const char *source,
                                               const char *const *columns, GError **error);
ROAST_AVAILABLE_IN_0_9
RoastTableReader *roast_recording_read_table (RoastRecording *self, const char *table, const char *const *columns,
                                              GError **error);
ROAST_AVAILABLE_IN_0_9
char **roast_recording_dup_table_names (RoastRecording *self);
ROAST_AVAILABLE_IN_0_9
gsize roast_recording_get_memory (RoastRecording *self, const char *table);
ROAST_AVAILABLE_IN_0_9
void roast_recording_set_times (RoastRecording *self, gint64 started, gint64 ended);
ROAST_AVAILABLE_IN_0_9
void roast_recording_finish (RoastRecording *self);
ROAST_AVAILABLE_IN_0_9
guint64 roast_recording_get_n_refused (RoastRecording *self);
ROAST_AVAILABLE_IN_0_9
void roast_recording_set_metadata (RoastRecording *self, const char *key, GVariant *value);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_recording_dup_metadata (RoastRecording *self);
ROAST_AVAILABLE_IN_0_9
char *roast_recording_add_source (RoastRecording *self, const char *backend, const char *address, const char *version,
                                  const char *capabilities);
ROAST_AVAILABLE_IN_0_9
void roast_recording_add_event (RoastRecording *self, const char *source, gint64 time, RoastSeverity severity,
                                const char *kind, const char *message);
ROAST_AVAILABLE_IN_0_9
RoastRecordingSnapshot *roast_recording_snapshot (RoastRecording *self);

G_END_DECLS
