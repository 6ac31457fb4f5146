/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#define ROAST_JSON_MAX_DEPTH 64

/* Reads JSON (RFC 8259) in UTF-8 where it lies, piece by piece, and checks every byte once. Text from outside is
 * checked before json-glib parses it, which takes more than JSON (comments, octal numbers, `var x =`), follows any
 * nesting, and makes -1 of 18446744073709551615.
 *
 * Each function starts at @at and moves it behind the piece. FALSE sets @fault: the reason, in a few words. */
typedef struct
{
  const char *at;
  const char *end;
  const char *fault;
  gboolean has_infinite; /* NaN, Infinity and -Infinity, which Python writes, are values, too */
} RoastJsonScan;

typedef struct
{
  gboolean integer; /* neither a point nor an exponent: the value is in @whole, too */
  gint64 whole;
  double real; /* the value in either case; may be infinite */
} RoastJsonNumber;

gboolean roast_json_scan_fail (RoastJsonScan *self, const char *fault);
void roast_json_scan_space (RoastJsonScan *self);
/* Whether @c comes next; moves behind it if so. */
gboolean roast_json_scan_take (RoastJsonScan *self, char c);
/* After the opening quote, behind the closing one. @escaped (optional): whether the text holds escapes. */
gboolean roast_json_scan_string (RoastJsonScan *self, gboolean *escaped);
/* The name of a member, up to the value behind its colon. The name lies between @begin and @end (optional), escapes and
 * all. */
gboolean roast_json_scan_key (RoastJsonScan *self, const char **begin, const char **end);
/* @number is optional, and then something must follow the number. */
gboolean roast_json_scan_number (RoastJsonScan *self, RoastJsonNumber *number);
/* Whether a word without quotation marks comes next; moves behind it if so. */
gboolean roast_json_scan_take_word (RoastJsonScan *self, const char *word);
/* The same of the values that @has_infinite adds. */
gboolean roast_json_scan_take_infinite (RoastJsonScan *self);
/* true, false or null. */
gboolean roast_json_scan_word (RoastJsonScan *self);
/* Any value, objects and arrays nested no deeper than @max_depth (at most ROAST_JSON_MAX_DEPTH). */
gboolean roast_json_scan_value (RoastJsonScan *self, guint max_depth);
/* Nothing but space may follow. */
gboolean roast_json_scan_end (RoastJsonScan *self);

/* Replaces the escapes of a text that was scanned; gives its new length. */
gsize roast_json_unescape (char *text, gsize length);
