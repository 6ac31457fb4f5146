/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Read values from the metadata of a recording. */

/* Read a value of any integer type. Return FALSE if the key does not exist. */
gboolean metadata_get_int64 (RoastRecordingSnapshot *recording, const char *key, gint64 *value);
gboolean metadata_get_double (RoastRecordingSnapshot *recording, const char *key, double *value);
/* Read a string. Return NULL if the key does not exist. */
char *metadata_dup_string (RoastRecordingSnapshot *recording, const char *key);
/* Return whether the key exists and is true. */
gboolean metadata_is_true (RoastRecordingSnapshot *recording, const char *key);

G_END_DECLS
