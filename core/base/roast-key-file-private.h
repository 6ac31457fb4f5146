/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Finds a value that ends in an incomplete escape. If such a value also has a bad escape, GKeyFile sets an error twice
 * and warns. Returns the location of the value as "KEY of group [GROUP]", or NULL if there is no such value. */
char *roast_key_file_find_half_escape (GKeyFile *key_file);
