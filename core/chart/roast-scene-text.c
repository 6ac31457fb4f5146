/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-scene-text-private.h"

#include <string.h>

#define REPLACEMENT 0xfffd
#define ISOLATE "\u2068"
#define END_OF_ISOLATE "\u2069"
#define ELLIPSIS "\u2026"

/* Return whether a character changes the direction of text. After U+202E, for example, "txt.exe" reads as "exe.txt".
 * Also return TRUE for characters that begin or end an isolate. */
static gboolean
changes_direction (gunichar c)
{
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* Return whether a character is a letter of a right-to-left script, or the invisible right-to-left mark. */
static gboolean
is_right_to_left (gunichar c)
{
  return (c >= 0x0590 && c <= 0x08ff) || c == 0x200f || (c >= 0xfb1d && c <= 0xfdff) || (c >= 0xfe70 && c <= 0xfefe) ||
         (c >= 0x10800 && c <= 0x10fff) || (c >= 0x1e800 && c <= 0x1efff);
}

static gunichar
clean_character (gunichar c)
{
  if (c == '\t' || c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029)
    return ' ';
  /* Replace characters that XML forbids (U+FFFE and U+FFFF), noncharacters of all planes, and the invisible U+FEFF. */
  if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef) || c == 0xfeff ||
      changes_direction (c))
    return REPLACEMENT;

  return c;
}

/* Remove the isolate around a text that was already cleaned, so that cleaning the text twice has the same result as
 * cleaning it once. */
static void
strip_isolate (char *text)
{
  gsize length = strlen (text);
  gsize first = strlen (ISOLATE);
  gsize last = strlen (END_OF_ISOLATE);

  if (!g_str_has_prefix (text, ISOLATE) || !g_str_has_suffix (text, END_OF_ISOLATE) || length < first + last)
    return;
  text[length - last] = '\0';
  memmove (text, text + first, length - first - last + 1);
}

char *
roast_scene_text_clean (const char *text)
{
  /* Read at most four bytes per character. g_utf8_make_valid () replaces a character that this limit cuts in two. */
  gsize length = strnlen (text, 4 * (ROAST_SCENE_TEXT_MAX + 1));
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);
  GString *clean = g_string_new (NULL);
  gboolean right_to_left = FALSE;
  guint n = 0;

  strip_isolate (valid);
  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = clean_character (g_utf8_get_char (c));

      if (n++ == ROAST_SCENE_TEXT_MAX)
        {
          g_string_append (clean, ELLIPSIS);
          break;
        }
      right_to_left = right_to_left || is_right_to_left (character);
      g_string_append_unichar (clean, character);
    }
  if (right_to_left)
    {
      g_string_prepend (clean, ISOLATE);
      g_string_append (clean, END_OF_ISOLATE);
    }

  return g_string_free (clean, FALSE);
}

/* Widths of the characters from U+0020 to U+007E in DejaVu Sans, in thousandths of the font size. DejaVu Sans is the
 * widest of the usual fonts for "sans-serif", so texts in other fonts need less room. */
static const guint16 widths[] = {
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
  636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
  575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
  611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
  278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838,
};

static double
measure_character (gunichar c)
{
  if (c >= ' ' && c < ' ' + G_N_ELEMENTS (widths))
    return widths[c - ' '] / 1000.0;
  if (c == 0x202f) /* narrow space between groups of digits */
    return 0.2;
  if (g_unichar_iszerowidth (c) || changes_direction (c))
    return 0;

  return g_unichar_iswide (c) ? 1.05 : c < 0x250 ? 0.68 : 0.85;
}

/**
 * roast_scene_measure_text:
 * @text: one line of text, in UTF-8
 * @size: size of the text, in px
 *
 * Estimates the width of a text in a wide font, because the font that will show the picture is unknown when the picture
 * is made. Titles are bold, and about a tenth wider than this.
 *
 * Returns: the width, in px
 *
 * Since: 0.9
 */
double
roast_scene_measure_text (const char *text, double size)
{
  double width = 0;

  g_return_val_if_fail (text != NULL, 0);

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    width += measure_character (g_utf8_get_char (c));

  return width * size;
}

char *
roast_scene_text_fit (const char *text, double size, double width)
{
  g_autofree char *clean = roast_scene_text_clean (text);
  glong length = g_utf8_strlen (clean, -1);
  glong most = length;

  if (roast_scene_measure_text (clean, size) <= width)
    return g_steal_pointer (&clean);
  while (most-- > 1)
    {
      glong head = (most + 1) / 2;
      g_autofree char *begin = g_utf8_substring (clean, 0, head);
      g_autofree char *end = g_utf8_substring (clean, length - (most - head), length);
      g_autofree char *shorter = g_strconcat (begin, ELLIPSIS, end, NULL);

      if (roast_scene_measure_text (shorter, size) <= width)
        return g_steal_pointer (&shorter);
    }

  return g_strdup (ELLIPSIS);
}

char **
roast_scene_text_wrap (const char *text, double size, double width, guint most)
{
  g_autofree char *clean = roast_scene_text_clean (text);
  GPtrArray *lines = g_ptr_array_new ();
  const char *rest = clean;

  for (guint n = 1; n < most && roast_scene_measure_text (rest, size) > width; n++)
    {
      const char *cut = NULL;

      for (const char *space = strchr (rest, ' '); space != NULL; space = strchr (space + 1, ' '))
        {
          g_autofree char *line = g_strndup (rest, space - rest);

          if (roast_scene_measure_text (line, size) > width)
            break;
          cut = space;
        }
      if (cut == NULL)
        break;
      g_ptr_array_add (lines, g_strndup (rest, cut - rest));
      rest = cut + 1;
    }
  g_ptr_array_add (lines, roast_scene_text_fit (rest, size, width));
  g_ptr_array_add (lines, NULL);

  return (char **) g_ptr_array_free (lines, FALSE);
}
