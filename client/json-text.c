/* SPDX-License-Identifier: BSD-3-Clause */

#include "json-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALLEST 128

void
text_clear (Text *self)
{
  self->length = 0;
  self->failed = false;
}

void
text_free (Text *self)
{
  free (self->data);
  *self = (Text) { 0 };
}

void
text_append (Text *self, const char *data, size_t length)
{
  if (self->failed || length == 0)
    return;
  if (self->size - self->length < length)
    {
      size_t size = self->size > 0 ? self->size : SMALLEST;
      char *grown = NULL;

      while (size - self->length < length)
        size *= 2;
      grown = realloc (self->data, size);
      if (grown == NULL)
        {
          self->failed = true;
          return;
        }
      self->data = grown;
      self->size = size;
    }
  memcpy (self->data + self->length, data, length);
  self->length += length;
}

void
text_append_plain (Text *self, const char *text)
{
  text_append (self, text, strlen (text));
}

void
text_cut (Text *self, size_t length)
{
  self->length -= length;
  memmove (self->data, self->data + length, self->length);
}

/* Return the length of the UTF-8 character at @text, or 0 if the character is invalid. */
static size_t
character_length (const unsigned char *text)
{
  /* The first byte of a character determines the number of further bytes and the range of the second byte. The range
   * excludes overlong forms, surrogates and values beyond Unicode. */
  size_t more = text[0] < 0x80                       ? 0
                : text[0] >= 0xc2 && text[0] <= 0xdf ? 1
                : text[0] >= 0xe0 && text[0] <= 0xef ? 2
                : text[0] >= 0xf0 && text[0] <= 0xf4 ? 3
                                                     : 4;
  unsigned char low = text[0] == 0xe0 ? 0xa0 : text[0] == 0xf0 ? 0x90 : 0x80;
  unsigned char high = text[0] == 0xed ? 0x9f : text[0] == 0xf4 ? 0x8f : 0xbf;

  if (more == 4)
    return 0;
  for (size_t i = 1; i <= more; i++, low = 0x80, high = 0xbf)
    if (text[i] < low || text[i] > high)
      return 0;

  return more + 1;
}

static bool
is_plain (unsigned char c)
{
  return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

void
text_append_string (Text *self, const char *value)
{
  const unsigned char *at = (const unsigned char *) value;

  text_append (self, "\"", 1);
  while (*at != '\0')
    {
      const unsigned char *begin = at;
      size_t length;
      char escape[8];

      while (is_plain (*at))
        at++;
      text_append (self, (const char *) begin, (size_t) (at - begin));
      if (*at == '\0')
        break;
      length = character_length (at);
      if (length > 1)
        text_append (self, (const char *) at, length);
      else if (length == 0)
        text_append_plain (self, "\xef\xbf\xbd"); /* U+FFFD, the replacement character */
      else if (snprintf (escape, sizeof escape, *at < 0x20 ? "\\u%04x" : "\\%c", *at) > 0)
        text_append_plain (self, escape);
      at += length > 0 ? length : 1;
    }
  text_append (self, "\"", 1);
}

void
text_append_int64 (Text *self, int64_t value)
{
  char digits[24];

  snprintf (digits, sizeof digits, "%" PRId64, value);
  text_append_plain (self, digits);
}

/* Append a number, but replace the decimal separator of the locale, which may have several bytes, by a point. */
static void
append_with_point (Text *self, const char *digits)
{
  bool point = false;

  for (; *digits != '\0'; digits++)
    if (strchr ("0123456789+-e", *digits) != NULL)
      {
        text_append (self, digits, 1);
      }
    else if (!point)
      {
        text_append (self, ".", 1);
        point = true;
      }
}

void
text_append_double (Text *self, double value)
{
  char digits[48];

  snprintf (digits, sizeof digits, "%.15g", value);
  if (strtod (digits, NULL) != value)
    snprintf (digits, sizeof digits, "%.17g", value);
  append_with_point (self, digits);
}
