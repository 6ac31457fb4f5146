/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A part of a plugin that needs libraries most runs can do without. It is a module beside the plugin's and is opened
 * on demand. It exports a structure that begins with the version of roast (const char *). */
typedef struct
{
  const char *what; /* option that needs the module: "format=png" */
  const char *file, *symbol;
  const char *package; /* Debian package */
  const char *instead; /* alternative: "format=svg needs no module" */
} SideModule;

/* Returns the path of a file beside the plugin that contains this code. */
char *side_module_dup_path (const char *file);
/* Returns the exported structure; the module stays open. If it fails, @error names the package to install. */
gconstpointer side_module_open (const SideModule *self, GError **error);

G_END_DECLS
