/* SPDX-License-Identifier: BSD-3-Clause */

#include "exact-number.h"

#include <math.h>

#define MICRO 1000000
#define MOST_EXACT 9e15 /* largest number of millionths used; below 2^53, all integers are exact as doubles */

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

/* Append @value with at most six decimals. Return FALSE if six decimals are not exact. They are exact for most measured
 * numbers. The text is exact if @value is equal to the quotient m / 10^6 for an integer m: a parser rounds the decimals
 * of m millionths to the same double as this quotient. */
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

/* Returns whether 15 digits may be enough to represent the double with these 17 digits. If they are, the 17 digits
 * differ from the 15 digits by at most 12 in the last two places. */
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

void
exact_number_append_int64 (GString *text, gint64 value)
{
  if (value < 0)
    g_string_append_c (text, '-');
  append_digits (text, value < 0 ? -(guint64) value : (guint64) value);
}

void
exact_number_append_double (GString *text, double value)
{
  char exact[G_ASCII_DTOSTR_BUF_SIZE];
  char shorter[G_ASCII_DTOSTR_BUF_SIZE];

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
