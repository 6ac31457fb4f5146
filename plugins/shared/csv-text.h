/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <string.h>

/* Appends a field of a CSV file, in quotation marks if necessary. An empty text becomes "", so that it differs from a
 * missing text. */
static inline void
csv_append_text (GString *line, const char *text, char separator)
{
  const char special[] = { '"', '\r', '\n', separator, '\0' };

  if (*text != '\0' && strpbrk (text, special) == NULL)
    {
      g_string_append (line, text);
      return;
    }
  g_string_append_c (line, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (line, '"');
      g_string_append_c (line, *c);
    }
  g_string_append_c (line, '"');
}
