/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-json-check-private.h"

#include <string.h>

#define MAX_DIGITS 18 /* of an integer: any such fits in 64 bits */

typedef struct
{
  const char *at;
  const char *end;
  guint depth;
  guint64 objects; /* a bit per level: object or array */
} Scanner;

static gboolean
is_next (const Scanner *scanner, char c)
{
  return scanner->at < scanner->end && *scanner->at == c;
}

static gboolean
take (Scanner *scanner, char c)
{
  if (!is_next (scanner, c))
    return FALSE;
  scanner->at++;

  return TRUE;
}

static void
skip_space (Scanner *scanner)
{
  while (is_next (scanner, ' ') || is_next (scanner, '\t') || is_next (scanner, '\r') || is_next (scanner, '\n'))
    scanner->at++;
}

/* The four digits of \uXXXX; -1 if they are not. */
static int
take_unit (Scanner *scanner)
{
  int unit = 0;

  for (guint i = 0; i < 4; i++)
    {
      if (scanner->at >= scanner->end || !g_ascii_isxdigit (*scanner->at))
        return -1;
      unit = unit * 16 + g_ascii_xdigit_value (*scanner->at++);
    }

  return unit;
}

static const char *
check_unicode (Scanner *scanner)
{
  int unit = take_unit (scanner);

  if (unit < 0)
    return "no JSON: a broken \\u escape";
  if (unit == 0)
    return "a text with \\u0000 in it";
  if (unit < 0xd800 || unit > 0xdfff)
    return NULL;
  if (unit <= 0xdbff && take (scanner, '\\') && take (scanner, 'u'))
    {
      unit = take_unit (scanner);
      if (unit >= 0xdc00 && unit <= 0xdfff)
        return NULL;
    }

  return "half a character (a lone \\ud800 to \\udfff): send text as UTF-8";
}

/* After the opening quote. */
static const char *
check_string (Scanner *scanner)
{
  while (scanner->at < scanner->end)
    {
      char c = *scanner->at++;
      const char *reason = NULL;

      if (c == '"')
        return NULL;
      if ((guchar) c < 0x20)
        return "no JSON: a control character in a text";
      if (c != '\\')
        continue;
      if (take (scanner, 'u'))
        reason = check_unicode (scanner);
      else if (scanner->at >= scanner->end || strchr ("\"\\/bfnrt", *scanner->at++) == NULL)
        reason = "no JSON: a broken escape in a text";
      if (reason != NULL)
        return reason;
    }

  return "no JSON: a text without an end";
}

static gboolean
take_digits (Scanner *scanner)
{
  const char *begin = scanner->at;

  while (scanner->at < scanner->end && g_ascii_isdigit (*scanner->at))
    scanner->at++;

  return scanner->at > begin;
}

static const char *
check_number (Scanner *scanner)
{
  const char *begin = NULL;
  gsize n_digits;
  gboolean integer = TRUE;

  take (scanner, '-');
  begin = scanner->at;
  if (!take_digits (scanner) || (*begin == '0' && scanner->at - begin > 1))
    return "no JSON: a broken number";
  n_digits = (gsize) (scanner->at - begin);
  if (take (scanner, '.'))
    {
      integer = FALSE;
      if (!take_digits (scanner))
        return "no JSON: a broken number";
    }
  if (take (scanner, 'e') || take (scanner, 'E'))
    {
      integer = FALSE;
      if (!take (scanner, '+'))
        take (scanner, '-');
      if (!take_digits (scanner))
        return "no JSON: a broken number";
    }

  return integer && n_digits > MAX_DIGITS ? "a number with too many digits" : NULL;
}

static const char *
check_word (Scanner *scanner)
{
  static const char *const words[] = { "true", "false", "null" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize length = strlen (words[i]);

      if ((gsize) (scanner->end - scanner->at) >= length && memcmp (scanner->at, words[i], length) == 0)
        {
          scanner->at += length;
          return NULL;
        }
    }

  return "no JSON";
}

static const char *
check_scalar (Scanner *scanner)
{
  if (take (scanner, '"'))
    return check_string (scanner);
  if (scanner->at < scanner->end && (*scanner->at == '-' || g_ascii_isdigit (*scanner->at)))
    return check_number (scanner);

  return check_word (scanner);
}

static gboolean
in_object (const Scanner *scanner)
{
  return scanner->depth > 0 && (scanner->objects >> (scanner->depth - 1) & 1) != 0;
}

static const char *
check_key (Scanner *scanner)
{
  const char *reason = NULL;

  skip_space (scanner);
  if (!take (scanner, '"'))
    return "no JSON: a member without a name in double quotes";
  reason = check_string (scanner);
  if (reason != NULL)
    return reason;
  skip_space (scanner);

  return take (scanner, ':') ? NULL : "no JSON: a name without a colon after it";
}

/* Opens objects and arrays down to a scalar or an empty one of these. */
static const char *
check_down (Scanner *scanner, guint max_depth)
{
  for (;;)
    {
      const char *reason = NULL;
      gboolean object = FALSE;

      skip_space (scanner);
      object = is_next (scanner, '{');
      if (!object && !is_next (scanner, '['))
        return check_scalar (scanner);
      if (scanner->depth == max_depth)
        return "nested too deeply";
      scanner->at++;
      scanner->objects =
          (scanner->objects & ~(G_GUINT64_CONSTANT (1) << scanner->depth)) | ((guint64) object << scanner->depth);
      scanner->depth++;
      skip_space (scanner);
      if (is_next (scanner, object ? '}' : ']'))
        return NULL;
      reason = object ? check_key (scanner) : NULL;
      if (reason != NULL)
        return reason;
    }
}

/* Closes what ends here; FALSE if another value follows. */
static gboolean
check_up (Scanner *scanner, const char **reason)
{
  for (;;)
    {
      skip_space (scanner);
      if (scanner->depth == 0)
        {
          *reason = scanner->at == scanner->end ? NULL : "no JSON: something after its end";
          return TRUE;
        }
      if (take (scanner, ','))
        {
          *reason = in_object (scanner) ? check_key (scanner) : NULL;
          return *reason != NULL;
        }
      if (!take (scanner, in_object (scanner) ? '}' : ']'))
        {
          *reason = scanner->at == scanner->end ? "no JSON: it breaks off" : "no JSON";
          return TRUE;
        }
      scanner->depth--;
    }
}

const char *
roast_json_find_fault (const char *text, gsize length, guint max_depth)
{
  Scanner scanner = { text, text + length, 0, 0 };
  const char *reason = NULL;

  g_return_val_if_fail (max_depth <= ROAST_JSON_MAX_DEPTH, "nested too deeply");

  if (memchr (text, '\0', length) != NULL || !g_utf8_validate (text, (gssize) length, NULL))
    return "no UTF-8 text";
  do
    {
      reason = check_down (&scanner, max_depth);
      if (reason != NULL)
        return reason;
    }
  while (!check_up (&scanner, &reason));

  return reason;
}
