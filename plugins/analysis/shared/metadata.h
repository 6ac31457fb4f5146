/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Read values of a recording's metadata. Return FALSE if there is no such key. */

/* Read a value of any integer type. */
gboolean metadata_get_int64 (RoastRecordingSnapshot *recording, const char *key, gint64 *value);
gboolean metadata_get_double (RoastRecordingSnapshot *recording, const char *key, double *value);
/* Return NULL if there is no such key. */
char *metadata_dup_string (RoastRecordingSnapshot *recording, const char *key);
/* Return FALSE if the key is false or missing. */
gboolean metadata_is_true (RoastRecordingSnapshot *recording, const char *key);

G_END_DECLS
