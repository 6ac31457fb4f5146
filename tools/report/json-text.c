/* SPDX-License-Identifier: BSD-3-Clause */
#include "json-text.h"

void
json_text_append (GString *line, const char *text)
{
  g_string_append_c (line, '"');
  for (const char *c = text; *c != '\0'; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (line, "\\%c", *c);
    else if ((guchar) *c < 0x20 || *c == 0x7f)
      g_string_append_printf (line, "\\u%04x", (guint) (guchar) *c);
    else
      g_string_append_c (line, *c);
  g_string_append_c (line, '"');
}
