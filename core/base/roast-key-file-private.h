/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Finds a value that ends in an incomplete escape. Returns its location as "KEY of group [GROUP]", or NULL if there is
 * no such value. Refuse such a key file before you read its values, because GKeyFile sets the error twice and warns if
 * the value also has a bad escape. */
char *roast_key_file_find_half_escape (GKeyFile *key_file);
