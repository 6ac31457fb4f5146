/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing text. If memory runs out, the text stays unchanged and @failed is set. */
typedef struct
{
  char *data;
  size_t length;
  size_t size;
  bool failed;
} Text;

/* Empties the text but keeps its memory. */
void text_clear (Text *self);
void text_free (Text *self);
void text_append (Text *self, const char *data, size_t length);
void text_append_plain (Text *self, const char *text);
/* Removes the first @length bytes of the text. */
void text_cut (Text *self, size_t length);

/* Append JSON values. A string is converted to valid UTF-8; a number must be finite. */
void text_append_string (Text *self, const char *value);
void text_append_int64 (Text *self, int64_t value);
void text_append_double (Text *self, double value);

#endif
