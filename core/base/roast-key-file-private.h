/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Finds a value that ends in an incomplete escape. GKeyFile sets an error twice, and warns, if such a value also has a
 * bad escape. Returns NULL if there is none, otherwise its location as "KEY of group [GROUP]". */
char *roast_key_file_find_half_escape (GKeyFile *key_file);
