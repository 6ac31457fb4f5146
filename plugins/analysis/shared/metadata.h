/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Numbers of a recording's metadata. FALSE if there is none of that name. */

/* Of any integer type. */
gboolean metadata_get_int64 (RoastRecordingSnapshot *recording, const char *key, gint64 *value);
gboolean metadata_get_double (RoastRecordingSnapshot *recording, const char *key, double *value);
/* NULL if there is none. */
char *metadata_dup_string (RoastRecordingSnapshot *recording, const char *key);
/* FALSE also if it is missing. */
gboolean metadata_is_true (RoastRecordingSnapshot *recording, const char *key);

G_END_DECLS
