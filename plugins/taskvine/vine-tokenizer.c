/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-tokenizer.h"

#include <math.h>
#include <string.h>

#define MAX_DUP 200
#define MAX_NUMBER 64
#define MAX_DIGITS 18 /* largest number of digits that always fits in 64 bits */

static inline gboolean
is_blank (char c)
{
  return (guchar) c <= ' ' && (c == ' ' || c == '\t' || c == '\r');
}

static inline gboolean
is_digit (char c)
{
  return (guchar) (c - '0') < 10;
}

gboolean
vine_token_next (VineToken *rest, VineToken *word)
{
  const char *end = rest->start + rest->length;
  const char *from = rest->start;
  const char *to;

  while (from < end && is_blank (*from))
    from++;
  for (to = from; to < end && !is_blank (*to); to++)
    ;
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
vine_token_copy (VineToken token, char *buffer, gsize size)
{
  if (token.length >= size)
    return FALSE;
  memcpy (buffer, token.start, token.length);
  buffer[token.length] = '\0';

  return TRUE;
}

/* ---- numbers ---- */

static inline const char *
take_digits (const char *at, const char *end, guint64 *digits)
{
  for (; at < end && is_digit (*at); at++)
    *digits = *digits * 10 + (guint64) (*at - '0');

  return at;
}

gboolean
vine_token_to_integer (VineToken token, gint64 *value)
{
  const char *end = token.start + token.length;
  guint64 digits = 0;

  if (token.length == 0 || token.length > MAX_DIGITS || take_digits (token.start, end, &digits) != end)
    return FALSE;
  *value = (gint64) digits;

  return TRUE;
}

static gboolean
is_of_number (char c)
{
  return is_digit (c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* Reject hexadecimal numbers and numbers that end with a point, because strtod accepts these although JSON does not
 * allow them. */
static gboolean
parse_any (VineToken token, double *value)
{
  char copy[MAX_NUMBER];
  char *end = NULL;

  if (token.length == 0 || !(is_digit (*token.start) || *token.start == '-') ||
      !vine_token_copy (token, copy, sizeof copy))
    return FALSE;
  *value = g_ascii_strtod (copy, &end);

  return end == copy + token.length && isfinite (*value) && end[-1] != '.';
}

/* Take any number that strtod can parse. */
static gboolean
take_any (VineToken *rest, double *value)
{
  VineToken number = { rest->start, 0 };

  while (number.length < rest->length && is_of_number (rest->start[number.length]))
    number.length++;
  rest->start += number.length;
  rest->length -= number.length;

  return parse_any (number, value);
}

/* Read a number quickly and exactly. If the digits form an integer below 2^53 and the power of ten is at most 10^22,
 * both are exact as doubles, so their quotient is the nearest double (W. D. Clinger, "How to read floating point
 * numbers accurately", 1990). Most numbers in a log are of this kind; take_any() reads all other numbers. */
gboolean
vine_token_take_double (VineToken *rest, double *value)
{
  static const double powers[MAX_DIGITS + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                                 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18 };
  const char *from = rest->start;
  const char *end = from + rest->length;
  const char *last = from + MIN (rest->length, MAX_DIGITS + 1);
  guint64 digits = 0;
  gsize decimals = 0;
  const char *at = take_digits (from, last, &digits);

  if (at == from)
    return take_any (rest, value);
  if (at < last && *at == '.')
    {
      const char *point = at++;

      at = take_digits (at, last, &digits);
      decimals = (gsize) (at - point) - 1;
      if (decimals == 0)
        return take_any (rest, value);
    }
  if ((at < end && is_of_number (*at)) || digits > (G_GUINT64_CONSTANT (1) << 53))
    return take_any (rest, value);
  *value = (double) digits / powers[decimals];
  *rest = (VineToken) { at, (gsize) (end - at) };

  return TRUE;
}

gboolean
vine_token_to_double (VineToken token, double *value)
{
  return vine_token_take_double (&token, value) && token.length == 0;
}

char *
vine_token_dup (VineToken token)
{
  return g_utf8_make_valid (token.start, (gssize) MIN (token.length, MAX_DUP));
}

gpointer
vine_token_lookup (VineToken token, GHashTable *table)
{
  char key[MAX_DUP + 1];
  g_autofree char *valid = NULL;
  gpointer found = vine_token_copy (token, key, sizeof key) ? g_hash_table_lookup (table, key) : NULL;

  if (found != NULL || g_utf8_validate (token.start, (gssize) token.length, NULL))
    return found;
  valid = vine_token_dup (token);

  return g_hash_table_lookup (table, valid);
}
