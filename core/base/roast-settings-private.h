/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* The user's settings: the key file roast/settings in the directory of configurations. */
typedef struct
{
  guint max_runs;         /* runs that are kept */
  guint64 max_size;       /* bytes of all of them */
  guint64 max_run_size;   /* bytes of one */
  char **redact_patterns; /* regular expressions, or NULL */
} RoastSettings;

/* The settings of this process, read when they are first needed; NULL if something in the file is wrong. They are in
 * force from then on, the patterns too. */
const RoastSettings *roast_settings_get (GError **error);

/* Those of a text; without a text the defaults. */
RoastSettings *roast_settings_parse (const char *text, const char *path, GError **error);
void roast_settings_free (RoastSettings *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastSettings, roast_settings_free)
