/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-plugin.h"

#define ROAST_PLUGIN_KEY_FILE_SUFFIX ".roast-plugin"

/* The largest key file, in bytes. */
#define ROAST_PLUGIN_KEY_FILE_MAX (64 * 1024)

/* One item ROLE:NAME of the key Provides. */
typedef struct
{
  RoastRole role;
  char *name;
  GPtrArray *options;
  gboolean may_be_late; /* the item is an exporter with a group [Exporter NAME], so its plugin can be opened late */
  guint flags;          /* RoastExporterFlags of an exporter with such a group */
} RoastPluginProvided;

/* The content of a key file. A key that the file lacks is NULL. */
typedef struct
{
  char *module;
  char *name;
  char *api;
  guint api_major;
  guint api_minor;
  char *description;
  char *version;
  char *license;
  char *website;
  char *loader;
  char **capabilities;
  char **addresses;
  char **schemas;
  GPtrArray *provides;
} RoastPluginKeyFile;

RoastPluginKeyFile *roast_plugin_key_file_new (void);
void roast_plugin_key_file_free (RoastPluginKeyFile *self);
/* Parses a key file. After an error, the members for readable keys are set nevertheless, so that a broken plugin still
 * has a name. */
gboolean roast_plugin_key_file_parse (RoastPluginKeyFile *self, const char *data, gsize length, GError **error);
/* Returns whether the module is a shared library. */
gboolean roast_plugin_key_file_is_native (RoastPluginKeyFile *self);
RoastPluginProvided *roast_plugin_key_file_find (RoastPluginKeyFile *self, RoastRole role, const char *name);

const char *roast_role_to_string (RoastRole role);
GType roast_role_get_interface (RoastRole role);
/* Returns whether a name is valid: lower-case letters, digits and hyphens, with a letter at the start. */
gboolean roast_plugin_name_is_valid (const char *name);
