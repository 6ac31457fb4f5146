/* SPDX-License-Identifier: BSD-3-Clause */

#include "text-renderer.h"
#include "harmless.h"

#include <string.h>
#include <wctype.h>

#define INDENT 3

const char *
text_renderer_style (const TextRenderer *page, const char *sequence)
{
  return page->colors ? sequence : "";
}

char *
text_renderer_printable (const TextRenderer *page, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *plain = page->ascii ? g_str_to_ascii (valid, "C") : g_strdup (valid);
  GString *safe = g_string_new (NULL);

  for (const char *c = plain; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar u = g_utf8_get_char (c);

      /* Escape characters that the locale cannot print, because the terminal may show them with another width. */
      if (is_harmless (u) && (u < 0x80 || iswprint ((wint_t) u)))
        g_string_append_unichar (safe, u);
      else
        g_string_append_printf (safe, u < 0x100 ? "\\x%02x" : "\\u%04x", u);
    }

  return g_string_free (safe, FALSE);
}

void
text_pad (GString *line, gsize width)
{
  for (gsize used = text_width (line->str); used < width; used++)
    g_string_append_c (line, ' ');
}

/* Return the position in @text after the first @width terminal columns. */
static const char *
advance (const char *text, gsize width)
{
  gsize used = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      used += text_char_width (g_utf8_get_char (text));
      if (used > width)
        break;
    }

  return text;
}

char *
text_cut (const TextRenderer *page, const char *text, gsize width)
{
  const char *mark = page->ascii ? "..." : "…";
  gsize room = width > text_width (mark) ? width - text_width (mark) : 0;
  g_autofree char *start = NULL;

  if (text_width (text) <= width)
    return g_strdup (text);
  start = g_strndup (text, (gsize) (advance (text, room) - text));

  return g_strconcat (start, mark, NULL);
}

/* Return the position in @text before the last @width terminal columns. */
static const char *
retreat (const char *text, gsize width)
{
  gsize left = text_width (text);

  while (left > width)
    {
      left -= text_char_width (g_utf8_get_char (text));
      text = g_utf8_next_char (text);
    }

  return text;
}

/* Returns whether @text is a sentence, of which the start is most important. All other texts are names or tuples, which
 * usually differ at their ends. */
static gboolean
is_sentence (const char *text)
{
  return strchr (text, ' ') != NULL && !(g_str_has_prefix (text, "(") && g_str_has_suffix (text, ")"));
}

char *
text_shorten (const TextRenderer *page, const char *text, gsize width)
{
  const char *mark = page->ascii ? ".." : "…";
  gsize room = width > text_width (mark) ? width - text_width (mark) : 0;
  g_autofree char *start = NULL;

  if (text_width (text) <= width)
    return g_strdup (text);
  if (is_sentence (text))
    return text_cut (page, text, width);
  start = g_strndup (text, (gsize) (advance (text, room / 3) - text));

  return g_strconcat (start, mark, retreat (text, room - text_width (start)), NULL);
}

/* Break the text at spaces. Break within a word only if this word is wider than a line. */
char **
text_wrap (const char *text, gsize width)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GPtrArray *lines = g_ptr_array_new ();
  GString *line = g_string_new (NULL);
  gsize used = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *word = words[i];

      if (i > 0 && used + 1 + text_width (word) > width)
        {
          g_ptr_array_add (lines, g_string_free (line, FALSE));
          line = g_string_new (NULL);
          used = 0;
        }
      else if (i > 0)
        {
          g_string_append_c (line, ' ');
          used++;
        }
      while (text_width (word) > width)
        {
          const char *end = advance (word, width);

          if (end == word)
            break;
          g_string_append_len (line, word, end - word);
          g_ptr_array_add (lines, g_string_free (line, FALSE));
          line = g_string_new (NULL);
          word = end;
        }
      g_string_append (line, word);
      used += text_width (word);
    }
  g_ptr_array_add (lines, g_string_free (line, FALSE));
  g_ptr_array_add (lines, NULL);

  return (char **) g_ptr_array_free (lines, FALSE);
}

void
text_renderer_line (TextRenderer *page, const char *sequence, const char *text)
{
  g_string_append_printf (page->text, "%s%s%s\n", text_renderer_style (page, sequence), text,
                          text_renderer_style (page, *sequence != '\0' ? PLAIN : ""));
}

void
text_renderer_heading (TextRenderer *page, const char *text)
{
  g_string_append_c (page->text, '\n');
  text_renderer_line (page, BOLD, text);
}

void
text_renderer_wrapped_heading (TextRenderer *page, const char *text)
{
  g_auto (GStrv) lines = text_wrap (text, page->width);

  text_renderer_heading (page, lines[0]);
  for (guint i = 1; lines[i] != NULL; i++)
    text_renderer_line (page, BOLD, lines[i]);
}

void
text_renderer_paragraph (TextRenderer *page, const char *sequence, const char *first, const char *text)
{
  g_autofree char *whole = g_strconcat (first, text, NULL);
  g_auto (GStrv) lines = text_wrap (whole, page->width - INDENT);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      /* Colour only the text @first. It is at the start of the first line. */
      if (i == 0 && g_str_has_prefix (lines[0], first))
        g_string_append_printf (page->text, " %s %s%s%s%s\n", page->ascii ? "*" : "•",
                                text_renderer_style (page, sequence), first,
                                text_renderer_style (page, *sequence != '\0' ? PLAIN : ""), lines[0] + strlen (first));
      else
        g_string_append_printf (page->text, "%*s%s\n", INDENT, "", lines[i]);
    }
}
