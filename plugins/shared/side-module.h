/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A part of a plugin that needs libraries which most runs do without: a module beside the plugin's, opened when it is
 * needed. It exports a structure that begins with the version of roast (const char *). */
typedef struct
{
  const char *what; /* "format=png": what needs it */
  const char *file, *symbol;
  const char *package; /* of Debian */
  const char *instead; /* "format=svg needs nothing" */
} SideModule;

/* The structure; the module stays open. NULL with an error that says what to install. */
gconstpointer side_module_open (const SideModule *self, GError **error);

G_END_DECLS
