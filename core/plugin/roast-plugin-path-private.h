/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Returns the plugin directories in search order: the directories that the environment names, then the user's
 * directory, then the system's directory. */
char **roast_plugin_path_dup_default (void);
/* Splits a colon-separated list into absolute directories without duplicates. NULL gives an empty result. */
char **roast_plugin_path_split (const char *search_path);
