/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Whether a character from outside can be shown as it is: it moves no cursor, ends no line, and does not change the
 * order in which others are read. */
static inline gboolean
is_harmless (gunichar c)
{
  GUnicodeType type = g_unichar_type (c);

  return !g_unichar_iscntrl (c) && type != G_UNICODE_FORMAT && type != G_UNICODE_LINE_SEPARATOR &&
         type != G_UNICODE_PARAGRAPH_SEPARATOR;
}
