/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Returns the number of terminal columns of a character. */
static inline gsize
text_char_width (gunichar c)
{
  return g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
}

/* Returns the number of terminal columns of a text. */
static inline gsize
text_width (const char *text)
{
  gsize width = 0;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    width += text_char_width (g_utf8_get_char (c));

  return width;
}
