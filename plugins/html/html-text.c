/* SPDX-License-Identifier: BSD-3-Clause */

#include "html-text.h"

#include <string.h>

#include "harmless.h"

/* Shorten a text to @most characters. A text with spaces counts as a sentence and loses its end. A text without spaces
 * counts as a name and loses its middle, because similar names often differ at their ends. */
static char *
shorten (const char *valid, glong most)
{
  glong length = g_utf8_strlen (valid, -1);
  glong start = strchr (valid, ' ') != NULL ? most - 1 : most / 3;
  g_autofree char *first = NULL;

  if (length <= most)
    return g_strdup (valid);
  first = g_utf8_substring (valid, 0, start);

  return g_strconcat (first, "…", g_utf8_offset_to_pointer (valid, length - (most - 1 - start)), NULL);
}

char *
html_printable (const char *text, glong most)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *shown = shorten (valid, most);
  GString *safe = g_string_new (NULL);

  for (const char *c = shown; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar u = g_utf8_get_char (c);

      if (is_harmless (u) || u == '\n' || u == '\t')
        g_string_append_unichar (safe, u);
      else
        g_string_append_printf (safe, u < 0x100 ? "\\x%02x" : "\\u%04x", u);
    }

  return g_string_free (safe, FALSE);
}

void
html_append_text (GString *page, const char *text, glong most)
{
  g_autofree char *safe = html_printable (text, most);
  g_autofree char *escaped = g_markup_escape_text (safe, -1);

  g_string_append (page, escaped);
}

char *
html_slug (const char *text)
{
  GString *slug = g_string_new (NULL);

  for (const char *c = text; *c != '\0' && slug->len < 80; c++)
    {
      if (g_ascii_isalnum (*c) || *c == '_')
        g_string_append_c (slug, g_ascii_tolower (*c));
      else if (slug->len > 0 && slug->str[slug->len - 1] != '-')
        g_string_append_c (slug, '-');
    }

  return g_string_free (slug, FALSE);
}
