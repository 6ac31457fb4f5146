/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-recording.h>

G_BEGIN_DECLS

/**
 * RoastRunFileState:
 * @ROAST_RUN_FILE_STATE_GROWING: the writer of the file is running
 * @ROAST_RUN_FILE_STATE_CLOSED: the writer has closed the file, which is therefore complete
 * @ROAST_RUN_FILE_STATE_INTERRUPTED: the writer ended without closing the file, or the file is a copy of a growing file
 *
 * The state of a run file, which shows whether the file is complete.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_RUN_FILE_STATE_GROWING,
  ROAST_RUN_FILE_STATE_CLOSED,
  ROAST_RUN_FILE_STATE_INTERRUPTED,
} RoastRunFileState;

#define ROAST_TYPE_RUN_FILE (roast_run_file_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastRunFile, roast_run_file, ROAST, RUN_FILE, GObject)

/* Writing. */

ROAST_AVAILABLE_IN_0_9
RoastRunFile *roast_run_file_create (const char *path, GError **error);
ROAST_AVAILABLE_IN_0_9
void roast_run_file_set_meta (RoastRunFile *self, const char *key, const char *value);
ROAST_AVAILABLE_IN_0_9
void roast_run_file_set_memory_bound (RoastRunFile *self, gsize bytes);
ROAST_AVAILABLE_IN_0_9
void roast_run_file_set_max_size (RoastRunFile *self, guint64 bytes);
ROAST_AVAILABLE_IN_0_9
void roast_run_file_attach (RoastRunFile *self, RoastRecording *recording);
ROAST_AVAILABLE_IN_0_9
gboolean roast_run_file_flush (RoastRunFile *self, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_run_file_close (RoastRunFile *self, GError **error);
ROAST_AVAILABLE_IN_0_9
gint64 roast_run_file_get_missing_since (RoastRunFile *self);
ROAST_AVAILABLE_IN_0_9
char *roast_run_file_dup_problem (RoastRunFile *self);

/* Reading. */

ROAST_AVAILABLE_IN_0_9
RoastRunFile *roast_run_file_open (const char *path, GError **error);
ROAST_AVAILABLE_IN_0_9
RoastRunFileState roast_run_file_get_state (RoastRunFile *self);
ROAST_AVAILABLE_IN_0_9
gint64 roast_run_file_get_reach (RoastRunFile *self);
ROAST_AVAILABLE_IN_0_9
RoastRecording *roast_run_file_read (RoastRunFile *self, GError **error);
ROAST_AVAILABLE_IN_0_9
gboolean roast_run_file_amend (RoastRunFile *self, const char *meta_key, const char *meta_value, const char *key,
                               GVariant *value, GError **error);
ROAST_AVAILABLE_IN_0_9
RoastRecording *roast_recording_open (const char *path, GError **error);

/* Writing and reading. */

ROAST_AVAILABLE_IN_0_9
const char *roast_run_file_get_path (RoastRunFile *self);
ROAST_AVAILABLE_IN_0_9
char *roast_run_file_dup_meta (RoastRunFile *self, const char *key);
ROAST_AVAILABLE_IN_0_9
char **roast_run_file_dup_meta_keys (RoastRunFile *self);

G_END_DECLS
