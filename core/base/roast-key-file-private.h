/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* GKeyFile sets one error over another, and warns, for a value with a bad escape that ends in half of one. NULL if
 * there is none such; else where it is, as "KEY of group [GROUP]". */
char *roast_key_file_find_half_escape (GKeyFile *key_file);
