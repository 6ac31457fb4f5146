/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-format.h"

#include <math.h>

#define MICRO 1000000
#define MOST_EXACT 9e15 /* integers below are exact as doubles, 2^53 */

static void
append_digits (GString *text, guint64 value)
{
  char digits[20];
  char *start = digits + sizeof digits;

  do
    {
      *--start = (char) ('0' + value % 10);
      value /= 10;
    }
  while (value > 0);
  g_string_append_len (text, start, digits + sizeof digits - start);
}

/* Most numbers that are measured have at most six decimals. m / 10^6 is rounded once, as is a reader's parsing of those
 * decimals: so if it is the value, the reader gets the value. */
static gboolean
append_short (GString *text, double value)
{
  double scaled = value * MICRO;
  gint64 millionths;
  guint64 size;
  guint64 fraction;

  if (!(fabs (scaled) < MOST_EXACT) || (value == 0 && signbit (value)))
    return FALSE;
  millionths = llrint (scaled);
  if ((double) millionths / MICRO != value)
    return FALSE;

  if (millionths < 0)
    g_string_append_c (text, '-');
  size = (guint64) (millionths < 0 ? -millionths : millionths);
  append_digits (text, size / MICRO);
  fraction = size % MICRO;
  if (fraction == 0)
    return TRUE;
  g_string_append_c (text, '.');
  for (guint64 place = MICRO / 10; fraction > 0; place /= 10)
    {
      g_string_append_c (text, (char) ('0' + fraction / place));
      fraction %= place;
    }

  return TRUE;
}

/* Whether 15 digits may be enough: the double nearest to such a number is so near that its 17 digits end as the number
 * does, in 00, but for 12 at most. */
static gboolean
may_be_short (const char *digits17)
{
  guint n = 0;
  guint tail = 0;

  for (const char *c = digits17; *c != '\0' && *c != 'e'; c++)
    {
      if (!g_ascii_isdigit (*c) || (n == 0 && *c == '0'))
        continue;
      n++;
      tail = tail * 10 % 100 + (guint) (*c - '0');
    }

  return n < 17 || tail <= 12 || tail >= 88;
}

/**
 * roast_format_append_int64: (skip)
 * @text: a text
 * @value: a number
 *
 * Appends a number as programs read it: digits only, in every locale.
 *
 * Since: 0.9
 */
void
roast_format_append_int64 (GString *text, gint64 value)
{
  g_return_if_fail (text != NULL);

  if (value < 0)
    g_string_append_c (text, '-');
  append_digits (text, value < 0 ? -(guint64) value : (guint64) value);
}

/**
 * roast_format_append_double: (skip)
 * @text: a text
 * @value: a finite number
 *
 * Appends a number as programs read it: with a point in every locale, and with the digits that give exactly this number
 * when it is parsed, 15 if they are enough.
 *
 * Since: 0.9
 */
void
roast_format_append_double (GString *text, double value)
{
  char exact[G_ASCII_DTOSTR_BUF_SIZE];
  char shorter[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_if_fail (text != NULL);
  g_return_if_fail (isfinite (value));

  if (append_short (text, value))
    return;
  g_ascii_formatd (exact, sizeof exact, "%.17g", value);
  if (may_be_short (exact))
    {
      g_ascii_formatd (shorter, sizeof shorter, "%.15g", value);
      if (g_ascii_strtod (shorter, NULL) == value)
        {
          g_string_append (text, shorter);
          return;
        }
    }
  g_string_append (text, exact);
}
