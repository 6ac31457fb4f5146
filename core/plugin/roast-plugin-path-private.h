/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The directories in which plugins are looked for, in order: of the environment, the user's, the system's. */
char **roast_plugin_path_dup_default (void);
/* Absolute directories of a list separated by colons, each once; NULL is an empty list. */
char **roast_plugin_path_split (const char *search_path);
