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
  const char *end = rest->start + rest->length;
  const char *from = rest->start;
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
  const char *to = rest->start + rest->length;
  const char *from;

  while (to > rest->start && is_blank (to[-1]))
    to--;
  for (from = to; from > rest->start && !is_blank (from[-1]);)
    from--;
  *word = (VineToken) { from, (gsize) (to - from) };
  while (from > rest->start && is_blank (from[-1]))
    from--;
  rest->length = (gsize) (from - rest->start);

  return word->length > 0;
}

gboolean
vine_token_is_blank (VineToken token)
{
  while (token.length > 0 && is_blank (token.start[token.length - 1]))
    token.length--;

  return token.length == 0;
}

gboolean
vine_token_to_integer (VineToken token, gint64 *value)
{
  gint64 sum = 0;

  if (token.length == 0 || token.length > 18)
    return FALSE;
  for (gsize i = 0; i < token.length; i++)
    {
      if (!g_ascii_isdigit (token.start[i]))
        return FALSE;
      sum = sum * 10 + (token.start[i] - '0');
    }
  *value = sum;

  return TRUE;
}

gboolean
vine_token_copy (VineToken token, char *buffer, gsize size)
{
  if (token.length >= size)
    return FALSE;
  memcpy (buffer, token.start, token.length);
  buffer[token.length] = '\0';

  return TRUE;
}

/* strtod also reads hexadecimal numbers and a point at the end, which JSON does not have. */
static gboolean
parse_any (VineToken token, double *value)
{
  char copy[MAX_NUMBER];
  char *end = NULL;

  if (token.length == 0 || !(g_ascii_isdigit (*token.start) || *token.start == '-') ||
      !vine_token_copy (token, copy, sizeof copy))
    return FALSE;
  *value = g_ascii_strtod (copy, &end);

  return end == copy + token.length && isfinite (*value) && end[-1] != '.' &&
         strspn (copy, "+-.0123456789eE") == token.length;
}

/*
 * Digits that form an integer below 2^53, divided by a power of ten up to 10^22: both are exact doubles, so the
 * quotient is the double nearest to the number (W. D. Clinger, "How to read floating point numbers accurately", 1990).
 * Nearly all numbers in a log are of that kind; parse_any() reads the others.
 */
gboolean
vine_token_to_double (VineToken token, double *value)
{
  static const double powers[] = { 1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                   1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16 };
  guint64 digits = 0;
  guint decimals = 0;
  gboolean point = FALSE;

  if (token.length == 0 || token.length > 17 || !g_ascii_isdigit (*token.start))
    return parse_any (token, value);
  for (gsize i = 0; i < token.length; i++)
    {
      char c = token.start[i];

      if (c == '.' && !point)
        point = TRUE;
      else if (!g_ascii_isdigit (c))
        return parse_any (token, value);
      else
        {
          digits = digits * 10 + (guint64) (c - '0');
          decimals += point ? 1 : 0;
        }
    }
  if (digits > (G_GUINT64_CONSTANT (1) << 53) || token.start[token.length - 1] == '.')
    return parse_any (token, value);
  *value = (double) digits / powers[decimals];

  return TRUE;
}

char *
vine_token_dup (VineToken token)
{
  return g_utf8_make_valid (token.start, (gssize) MIN (token.length, MAX_DUP));
}
