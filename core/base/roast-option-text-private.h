/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* One OPTION=VALUE; value is NULL if there was no '='. */
typedef struct
{
  char *name;
  char *value;
} RoastOptionText;

/* Splits "one=1,two=a\,b,three": `\,` is a comma and `\\` a backslash of a value. Fails with ROAST_OPTION_ERROR_SYNTAX.
 */
GPtrArray *roast_option_text_split (const char *text, GError **error);
