/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* A part of a plugin that needs libraries which most runs do not need. This part is a separate module in the same
 * directory as the plugin's module. It is opened only if it is needed. It exports a structure whose first member is the
 * version of roast (const char *). */
typedef struct
{
  const char *what; /* option for which the module is needed, such as "format=png" */
  const char *file, *symbol;
  const char *package; /* Debian package that contains the libraries */
  const char *instead; /* alternative to name in the error message, such as "format=svg needs no module" */
} SideModule;

/* Returns the path of @file in the directory of the plugin that contains this code. */
char *side_module_dup_path (const char *file);
/* Opens the module, and returns the structure that it exports. The module stays open. If the module cannot be opened,
 * @error names the package to install. */
gconstpointer side_module_open (const SideModule *self, GError **error);
