/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-json-line-private.h"

#include "roast/roast-format.h"

RoastJsonLine *
roast_json_line_new (void)
{
  return g_string_new ("{");
}

static void
append_quoted (GString *line, const char *text)
{
  g_string_append_c (line, '"');
  for (const char *c = text; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_printf (line, "\\%c", *c);
      else if (*c == '\n')
        g_string_append (line, "\\n");
      else if ((guchar) *c < 0x20)
        g_string_append_printf (line, "\\u%04x", (guint) *c);
      else
        g_string_append_c (line, *c);
    }
  g_string_append_c (line, '"');
}

static void
append_name (GString *line, const char *name)
{
  if (line->len > 1)
    g_string_append_c (line, ',');
  append_quoted (line, name);
  g_string_append_c (line, ':');
}

void
roast_json_line_add_text (RoastJsonLine *self, const char *name, const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  append_name (self, name);
  append_quoted (self, valid);
}

void
roast_json_line_add_int (RoastJsonLine *self, const char *name, gint64 value)
{
  append_name (self, name);
  g_string_append_printf (self, "%" G_GINT64_FORMAT, value);
}

void
roast_json_line_add_real (RoastJsonLine *self, const char *name, double value)
{
  append_name (self, name);
  roast_format_append_double (self, value);
}

char *
roast_json_line_end (RoastJsonLine *self)
{
  g_string_append_c (self, '}');

  return g_string_free (self, FALSE);
}
