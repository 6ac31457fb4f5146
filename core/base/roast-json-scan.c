/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-json-scan-private.h"

#include <string.h>

#define JSON_SCAN_MAX_EXACT (G_GUINT64_CONSTANT (1) << 53) /* a double can hold every integer up to this value */
#define MAX_EXACT_POWER 22                  /* a double can hold every power of ten up to this exponent */
#define MAX_EXPONENT 100000                 /* a number with a larger exponent is left to strtod */
#define MAX_MANTISSA (G_MAXUINT64 / 10 - 1) /* a larger mantissa takes no further digit, because it could overflow */

typedef enum
{
  PLAIN,
  QUOTE,
  BACKSLASH,
  CONTROL,
  MULTIBYTE,
} ByteClass;

static const guint8 byte_classes[256] = {
  [0x00 ... 0x1f] = CONTROL,
  ['"'] = QUOTE,
  ['\\'] = BACKSLASH,
  [0x80 ... 0xff] = MULTIBYTE,
};

gboolean
roast_json_scan_fail (RoastJsonScan *self, const char *fault)
{
  self->fault = fault;

  return FALSE;
}

static gboolean
is_next (const RoastJsonScan *self, char c)
{
  return self->at < self->end && *self->at == c;
}

gboolean
roast_json_scan_take (RoastJsonScan *self, char c)
{
  if (!is_next (self, c))
    return FALSE;
  self->at++;

  return TRUE;
}

void
roast_json_scan_space (RoastJsonScan *self)
{
  while (is_next (self, ' ') || is_next (self, '\t') || is_next (self, '\r') || is_next (self, '\n'))
    self->at++;
}

/* ---- strings ---- */

/* Read the four digits of \uXXXX. Return -1 if a digit is not hexadecimal. */
static int
take_unit (RoastJsonScan *self)
{
  int unit = 0;

  for (guint i = 0; i < 4; i++)
    {
      if (self->at >= self->end || !g_ascii_isxdigit (*self->at))
        return -1;
      unit = unit * 16 + g_ascii_xdigit_value (*self->at++);
    }

  return unit;
}

static gboolean
scan_unicode_escape (RoastJsonScan *self)
{
  int unit = take_unit (self);

  if (unit < 0)
    return roast_json_scan_fail (self, "not JSON: an invalid \\u escape");
  if (unit == 0)
    return roast_json_scan_fail (self, "a string contains \\u0000, which text cannot hold");
  if (unit < 0xd800 || unit > 0xdfff)
    return TRUE;
  if (unit <= 0xdbff && roast_json_scan_take (self, '\\') && roast_json_scan_take (self, 'u'))
    {
      unit = take_unit (self);
      if (unit >= 0xdc00 && unit <= 0xdfff)
        return TRUE;
    }

  return roast_json_scan_fail (self, "a string contains one half of a surrogate pair (\\ud800 to \\udfff): send text "
                                     "as UTF-8");
}

/* Scan the part of an escape after the backslash. */
static gboolean
scan_escape (RoastJsonScan *self)
{
  if (roast_json_scan_take (self, 'u'))
    return scan_unicode_escape (self);
  if (self->at >= self->end || *self->at == '\0' || strchr ("\"\\/bfnrt", *self->at) == NULL)
    return roast_json_scan_fail (self, "not JSON: an invalid escape in a string");
  self->at++;

  return TRUE;
}

static gboolean
scan_multibyte (RoastJsonScan *self)
{
  gunichar c = g_utf8_get_char_validated (self->at, self->end - self->at);

  if (c == (gunichar) -1 || c == (gunichar) -2)
    return roast_json_scan_fail (self, "not UTF-8");
  self->at = g_utf8_next_char (self->at);

  return TRUE;
}

gboolean
roast_json_scan_string (RoastJsonScan *self, gboolean *escaped)
{
  gboolean escapes = FALSE;

  while (self->at < self->end)
    switch ((ByteClass) byte_classes[(guchar) *self->at])
      {
      case PLAIN:
        self->at++;
        break;

      case QUOTE:
        self->at++;
        if (escaped != NULL)
          *escaped = escapes;
        return TRUE;

      case BACKSLASH:
        escapes = TRUE;
        self->at++;
        if (!scan_escape (self))
          return FALSE;
        break;

      case MULTIBYTE:
        if (!scan_multibyte (self))
          return FALSE;
        break;

      case CONTROL:
      default:
        return roast_json_scan_fail (self, "not JSON: a control character in a string");
      }

  return roast_json_scan_fail (self, "not JSON: an unterminated string");
}

static gunichar
read_unit (const char *digits)
{
  gunichar unit = 0;

  for (guint i = 0; i < 4; i++)
    unit = unit * 16 + (gunichar) g_ascii_xdigit_value (digits[i]);

  return unit;
}

/* Convert a \uXXXX escape to UTF-8. @from points to its u. Return the position after the escape. */
static const char *
unescape_unicode (const char *from, char **to)
{
  gunichar c = read_unit (from + 1);

  from += 5;
  if (c >= 0xd800 && c <= 0xdbff)
    {
      c = 0x10000 + ((c - 0xd800) << 10) + (read_unit (from + 2) - 0xdc00);
      from += 6;
    }
  *to += g_unichar_to_utf8 (c, *to);

  return from;
}

gsize
roast_json_unescape (char *text, gsize length)
{
  static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
  const char *from = text;
  const char *end = text + length;
  char *to = text;

  while (from < end)
    {
      const char *letter = NULL;

      if (*from != '\\')
        {
          *to++ = *from++;
          continue;
        }
      from++;
      if (*from == 'u')
        {
          from = unescape_unicode (from, &to);
          continue;
        }
      letter = strchr (letters, *from);
      *to++ = letter != NULL ? meant[letter - letters] : *from;
      from++;
    }

  return (gsize) (to - text);
}

/* ---- numbers ---- */

typedef struct
{
  guint64 mantissa;
  int exponent;     /* power of ten */
  gboolean rounded; /* the number has more digits than the mantissa holds */
} Decimal;

/* Append the digits that follow to the mantissa. Return the number of digits. */
static gsize
take_digits (RoastJsonScan *self, Decimal *decimal, gboolean fraction)
{
  const char *begin = self->at;

  for (; self->at < self->end && g_ascii_isdigit (*self->at); self->at++)
    if (decimal->mantissa > MAX_MANTISSA)
      {
        decimal->rounded = TRUE;
      }
    else
      {
        decimal->mantissa = decimal->mantissa * 10 + (guint64) (*self->at - '0');
        decimal->exponent -= fraction;
      }

  return (gsize) (self->at - begin);
}

/* Scan an exponent, from after the letter e. */
static gboolean
take_exponent (RoastJsonScan *self, Decimal *decimal)
{
  gboolean negative = FALSE;
  Decimal exponent = { 0 };

  if (!roast_json_scan_take (self, '+'))
    negative = roast_json_scan_take (self, '-');
  if (take_digits (self, &exponent, FALSE) == 0)
    return FALSE;
  if (exponent.mantissa > MAX_EXPONENT)
    decimal->rounded = TRUE;
  else
    decimal->exponent += (int) exponent.mantissa * (negative ? -1 : 1);

  return TRUE;
}

/* If a double can hold both the mantissa and the power of ten exactly, multiply or divide once, because the result is
 * then rounded correctly. Otherwise call strtod. */
static double
to_double (const Decimal *decimal, gboolean negative, const char *text)
{
  static const double powers[MAX_EXACT_POWER + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
  double value = (double) decimal->mantissa;

  if (decimal->rounded || decimal->mantissa > JSON_SCAN_MAX_EXACT || ABS (decimal->exponent) > MAX_EXACT_POWER)
    return g_ascii_strtod (text, NULL);
  value = decimal->exponent < 0 ? value / powers[-decimal->exponent] : value * powers[decimal->exponent];

  return negative ? -value : value;
}

gboolean
roast_json_scan_number (RoastJsonScan *self, RoastJsonNumber *number)
{
  const char *begin = self->at;
  gboolean negative = roast_json_scan_take (self, '-');
  gboolean zero = is_next (self, '0');
  gboolean integer = TRUE;
  Decimal decimal = { 0 };
  gsize n_digits = take_digits (self, &decimal, FALSE);

  if (n_digits == 0 || (zero && n_digits > 1))
    return roast_json_scan_fail (self, "not JSON: an invalid number");
  if (roast_json_scan_take (self, '.'))
    {
      integer = FALSE;
      if (take_digits (self, &decimal, TRUE) == 0)
        return roast_json_scan_fail (self, "not JSON: an invalid number");
    }
  if (roast_json_scan_take (self, 'e') || roast_json_scan_take (self, 'E'))
    {
      integer = FALSE;
      if (!take_exponent (self, &decimal))
        return roast_json_scan_fail (self, "not JSON: an invalid number");
    }
  if (integer && (decimal.rounded || decimal.mantissa > (guint64) G_MAXINT64 + (negative ? 1 : 0)))
    return roast_json_scan_fail (self, "an integer does not fit in 64 bits");
  if (number == NULL)
    return TRUE;
  if (self->at == self->end)
    return roast_json_scan_fail (self, "not JSON: the text ends too early");
  number->integer = integer;
  number->whole = integer ? (gint64) (negative ? -decimal.mantissa : decimal.mantissa) : 0;
  number->real = integer ? (double) number->whole : to_double (&decimal, negative, begin);

  return TRUE;
}

/* ---- values ---- */

/* Skip the unquoted @word if it is the next word. Return whether the word was skipped. */
static gboolean
scan_take_word (RoastJsonScan *self, const char *word)
{
  gsize length = strlen (word);

  if ((gsize) (self->end - self->at) < length || memcmp (self->at, word, length) != 0)
    return FALSE;
  self->at += length;

  return TRUE;
}

gboolean
roast_json_scan_word (RoastJsonScan *self)
{
  return scan_take_word (self, "true") || scan_take_word (self, "false") || scan_take_word (self, "null") ||
         roast_json_scan_fail (self, "not JSON");
}

static gboolean
scan_scalar (RoastJsonScan *self)
{
  if (roast_json_scan_take (self, '"'))
    return roast_json_scan_string (self, NULL);
  if (self->at < self->end && (*self->at == '-' || g_ascii_isdigit (*self->at)))
    return roast_json_scan_number (self, NULL);

  return roast_json_scan_word (self);
}

gboolean
roast_json_scan_key (RoastJsonScan *self, const char **begin, const char **end)
{
  roast_json_scan_space (self);
  if (!roast_json_scan_take (self, '"'))
    return roast_json_scan_fail (self, "not JSON: a member has no name in double quotes");
  if (begin != NULL)
    *begin = self->at;
  if (!roast_json_scan_string (self, NULL))
    return FALSE;
  if (end != NULL)
    *end = self->at - 1;
  roast_json_scan_space (self);
  if (!roast_json_scan_take (self, ':'))
    return roast_json_scan_fail (self, "not JSON: no colon follows the name of a member");
  roast_json_scan_space (self);

  return TRUE;
}

/* The objects and arrays around a value. */
typedef struct
{
  guint depth;
  guint64 objects; /* one bit per level: set for an object, clear for an array */
} Nesting;

static gboolean
in_object (const Nesting *nesting)
{
  return (nesting->objects >> (nesting->depth - 1) & 1) != 0;
}

/* Scan the start of a value: enter objects and arrays up to the first scalar, empty object or empty array. */
static gboolean
scan_down (RoastJsonScan *self, Nesting *nesting, guint max_depth)
{
  for (;;)
    {
      gboolean object = FALSE;

      roast_json_scan_space (self);
      object = is_next (self, '{');
      if (!object && !is_next (self, '['))
        return scan_scalar (self);
      if (nesting->depth == max_depth)
        return roast_json_scan_fail (self, "arrays and objects are nested too deeply");
      self->at++;
      nesting->objects =
          (nesting->objects & ~(G_GUINT64_CONSTANT (1) << nesting->depth)) | ((guint64) object << nesting->depth);
      nesting->depth++;
      roast_json_scan_space (self);
      if (is_next (self, object ? '}' : ']'))
        return TRUE;
      if (object && !roast_json_scan_key (self, NULL, NULL))
        return FALSE;
    }
}

/* Scan the ends of objects and arrays after a value. Stop after the outermost end, or after a comma. Set *more to TRUE
 * after a comma, because another value follows. */
static gboolean
scan_up (RoastJsonScan *self, Nesting *nesting, gboolean *more)
{
  for (*more = FALSE; nesting->depth > 0; nesting->depth--)
    {
      roast_json_scan_space (self);
      if (roast_json_scan_take (self, ','))
        {
          *more = TRUE;
          return !in_object (nesting) || roast_json_scan_key (self, NULL, NULL);
        }
      if (!roast_json_scan_take (self, in_object (nesting) ? '}' : ']'))
        return roast_json_scan_fail (self, self->at == self->end
                                               ? "not JSON: the text ends too early"
                                               : "not JSON: expected a comma or the end of the object or array");
    }

  return TRUE;
}

gboolean
roast_json_scan_value (RoastJsonScan *self, guint max_depth)
{
  Nesting nesting = { 0 };
  gboolean more = TRUE;

  while (more)
    if (!scan_down (self, &nesting, max_depth) || !scan_up (self, &nesting, &more))
      return FALSE;

  return TRUE;
}

gboolean
roast_json_scan_end (RoastJsonScan *self)
{
  roast_json_scan_space (self);

  return self->at == self->end || roast_json_scan_fail (self, "not JSON: more text follows the end of the value");
}
