/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-tokenizer.h"

#include <math.h>
#include <string.h>

#define MAX_DUP 200
#define MAX_NUMBER 64

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

gboolean
vine_token_next (VineToken *rest, VineToken *word)
{
  const char *end = rest->at + rest->length;
  const char *from = rest->at;
  const char *to;

  while (from < end && is_blank (*from))
    from++;
  for (to = from; to < end && !is_blank (*to);)
    to++;
  *word = (VineToken) { from, (gsize) (to - from) };
  *rest = (VineToken) { to, (gsize) (end - to) };

  return word->length > 0;
}

gboolean
vine_token_last (VineToken *rest, VineToken *word)
{
  const char *to = rest->at + rest->length;
  const char *from;

  while (to > rest->at && is_blank (to[-1]))
    to--;
  for (from = to; from > rest->at && !is_blank (from[-1]);)
    from--;
  *word = (VineToken) { from, (gsize) (to - from) };
  while (from > rest->at && is_blank (from[-1]))
    from--;
  rest->length = (gsize) (from - rest->at);

  return word->length > 0;
}

gboolean
vine_token_is_blank (VineToken text)
{
  while (text.length > 0 && is_blank (text.at[text.length - 1]))
    text.length--;

  return text.length == 0;
}

gboolean
vine_token_is (VineToken text, const char *word)
{
  return strlen (word) == text.length && memcmp (text.at, word, text.length) == 0;
}

gboolean
vine_token_integer (VineToken text, gint64 *value)
{
  gint64 sum = 0;

  if (text.length == 0 || text.length > 18)
    return FALSE;
  for (gsize i = 0; i < text.length; i++)
    {
      if (!g_ascii_isdigit (text.at[i]))
        return FALSE;
      sum = sum * 10 + (text.at[i] - '0');
    }
  *value = sum;

  return TRUE;
}

gboolean
vine_token_copy (VineToken text, char *buffer, gsize size)
{
  if (text.length >= size)
    return FALSE;
  memcpy (buffer, text.at, text.length);
  buffer[text.length] = '\0';

  return TRUE;
}

/* All other numbers. */
static gboolean
parse_slowly (VineToken text, double *value)
{
  char copy[MAX_NUMBER];
  char *end = NULL;

  if (text.length == 0 || !(g_ascii_isdigit (*text.at) || *text.at == '-') ||
      !vine_token_copy (text, copy, sizeof copy))
    return FALSE;
  *value = g_ascii_strtod (copy, &end);

  /* Hexadecimal ones are none to JSON, nor those that end with a point. */
  return end == copy + text.length && isfinite (*value) && end[-1] != '.' &&
         strspn (copy, "+-.0123456789eE") == text.length;
}

/*
 * Digits that are an integer below 2^53, divided by a power of ten up to 10^22: both are exact doubles, so that the
 * quotient is the nearest to the number (W. D. Clinger, "How to read floating point numbers accurately", 1990). That
 * are nearly all that come.
 */
gboolean
vine_token_number (VineToken text, double *value)
{
  static const double powers[] = { 1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                   1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16 };
  guint64 digits = 0;
  guint decimals = 0;
  gboolean point = FALSE;

  if (text.length == 0 || text.length > 17 || !g_ascii_isdigit (*text.at))
    return parse_slowly (text, value);
  for (gsize i = 0; i < text.length; i++)
    {
      char c = text.at[i];

      if (c == '.' && !point)
        point = TRUE;
      else if (!g_ascii_isdigit (c))
        return parse_slowly (text, value);
      else
        {
          digits = digits * 10 + (guint64) (c - '0');
          decimals += point ? 1 : 0;
        }
    }
  if (digits > (G_GUINT64_CONSTANT (1) << 53) || text.at[text.length - 1] == '.')
    return parse_slowly (text, value);
  *value = (double) digits / powers[decimals];

  return TRUE;
}

char *
vine_token_dup (VineToken text)
{
  return g_utf8_make_valid (text.at, (gssize) MIN (text.length, MAX_DUP));
}
