/* SPDX-License-Identifier: BSD-3-Clause */
#include "plain-text.h"

#include <stdio.h>
#include <string.h>

static const struct
{
  const char *sign;
  const char *plain;
} signs[] = {
  { "…", "..." }, { "“", "\"" }, { "”", "\"" }, { "‘", "'" },  { "’", "'" }, { "–", "-" },  { "—", "-" }, { "−", "-" },
  { "×", "x" },   { "µ", "u" },  { "≥", ">=" }, { "≤", "<=" }, { "≈", "~" }, { "→", "->" }, { "·", "|" },
};

/* Appends a character converted to charset. Returns its width in columns. */
static gsize
append_character (GString *plain, const char *character, gsize length, const char *charset)
{
  g_autofree char *converted = g_convert (character, (gssize) length, charset, "UTF-8", NULL, NULL, NULL);

  if (converted != NULL)
    {
      g_string_append (plain, converted);
      return 1;
    }
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (strncmp (character, signs[i].sign, length) == 0 && signs[i].sign[length] == '\0')
      {
        g_string_append (plain, signs[i].plain);
        return strlen (signs[i].plain);
      }
  /* Keep the bytes of any other character, as ls and cat do. The character may be part of a file name, and with “?”
   * instead of it, the output would name another file. */
  g_string_append_len (plain, character, (gssize) length);
  return 1;
}

/* Returns whether the character is a blank that may be dropped, because it follows another blank. Blanks are dropped
 * after a replacement that is longer than its sign, so that columns stay aligned. */
static gboolean
is_room (const char *text, const char *c)
{
  return *c == ' ' && c > text && c[-1] == ' ';
}

char *
plain_text_convert (const char *text, const char *charset)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  const char *c = text;
  gsize owed = 0;

  while (*c != '\0')
    {
      gunichar character = g_utf8_get_char_validated (c, -1);
      gsize length = character == (gunichar) -1 || character == (gunichar) -2 ? 1 : (gsize) (g_utf8_next_char (c) - c);

      if (*c == '\n')
        owed = 0;
      if (owed > 0 && is_room (text, c))
        owed--;
      else if (length == 1)
        g_string_append_c (plain, *c);
      else
        owed += append_character (plain, c, length, charset) - 1;
      c += length;
    }

  return g_strdup (plain->str);
}

static void
print_to (FILE *stream, const char *text)
{
  const char *charset;
  g_autofree char *plain = NULL;

  g_get_charset (&charset);
  plain = plain_text_convert (text, charset);
  fputs (plain, stream);
  fflush (stream);
}

static void
print_output (const char *text)
{
  print_to (stdout, text);
}

static void
print_error (const char *text)
{
  print_to (stderr, text);
}

void
plain_text_begin (void)
{
  if (g_get_charset (NULL))
    return;
  g_set_print_handler (print_output);
  g_set_printerr_handler (print_error);
}
