/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* The user's settings, from the key file roast/settings in the configuration directory. */
typedef struct
{
  guint max_runs;         /* maximum number of runs that are kept */
  guint64 max_size;       /* maximum size of all kept runs together, in bytes */
  guint64 max_run_size;   /* maximum size of one run, in bytes */
  char **redact_patterns; /* regular expressions, or NULL */
} RoastSettings;

/* Returns the settings of this process. The first successful call reads the settings and activates the redaction
 * patterns. Returns NULL if the file is invalid. */
const RoastSettings *roast_settings_get (GError **error);

/* Parses settings from a text; NULL gives the defaults. */
RoastSettings *roast_settings_parse (const char *text, const char *path, GError **error);
void roast_settings_free (RoastSettings *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastSettings, roast_settings_free)
