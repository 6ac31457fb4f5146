/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* An option, as OPTION=VALUE or as OPTION alone, whose value is NULL. */
typedef struct
{
  char *name;
  char *value;
} RoastOptionText;

/* Returns a copy of the first item of *@text. Advances *@text to the comma after the item, or to the end of the
 * text. */
char *roast_option_text_take_item (const char **text);
/* Splits options such as "one=1,two=a\,b,three". In a value, `\,` stands for a comma and `\\` for a backslash. Fails
 * with ROAST_OPTION_ERROR_SYNTAX. */
GPtrArray *roast_option_text_split (const char *text, GError **error);
