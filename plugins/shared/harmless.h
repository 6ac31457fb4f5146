/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Returns whether an untrusted character can be shown as it is. Such a character does not move the cursor, end the
 * line, or change the direction of text. */
static inline gboolean
is_harmless (gunichar c)
{
  GUnicodeType type = g_unichar_type (c);

  return !g_unichar_iscntrl (c) && type != G_UNICODE_FORMAT && type != G_UNICODE_LINE_SEPARATOR &&
         type != G_UNICODE_PARAGRAPH_SEPARATOR;
}
