/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#define ROAST_JSON_MAX_DEPTH 64
#define ROAST_MAX_EXACT 9007199254740992.0 /* 2^53: a double can hold every integer up to this value */

/* Scans UTF-8 JSON (RFC 8259) in place, piece by piece, and checks each byte once. JSON that roast did not write is
 * checked here before json-glib parses it, because json-glib also accepts text that is not JSON (comments, octal
 * numbers, `var x =`), allows any depth of nesting, and turns 18446744073709551615 into -1.
 *
 * Each function starts at @at and moves @at past the piece that it scans. A function that returns FALSE sets @fault to
 * the reason, in a few words. */
typedef struct
{
  const char *at;
  const char *end;
  const char *fault;
} RoastJsonScan;

typedef struct
{
  gboolean integer; /* the number has neither a point nor an exponent; @whole also holds its value */
  gint64 whole;
  double real; /* value of the number, also if it is an integer; may be infinite */
} RoastJsonNumber;

gboolean roast_json_scan_fail (RoastJsonScan *self, const char *fault);
void roast_json_scan_space (RoastJsonScan *self);
/* Skips the next character if it is @c. Returns whether the character was @c. */
gboolean roast_json_scan_take (RoastJsonScan *self, char c);
/* Scans a string, from after the opening quote to after the closing quote. @escaped (optional) is set to whether the
 * string contains escapes. */
gboolean roast_json_scan_string (RoastJsonScan *self, gboolean *escaped);
/* Scans a member's name and the colon, up to the value. The name, including its escapes, lies between @begin and @end
 * (both optional). */
gboolean roast_json_scan_key (RoastJsonScan *self, const char **begin, const char **end);
/* Scans a number. @number is optional. If @number is not NULL, more text must follow the number. */
gboolean roast_json_scan_number (RoastJsonScan *self, RoastJsonNumber *number);
/* Scans true, false or null. */
gboolean roast_json_scan_word (RoastJsonScan *self);
/* Scans any value. Objects and arrays must not nest deeper than @max_depth (at most ROAST_JSON_MAX_DEPTH). */
gboolean roast_json_scan_value (RoastJsonScan *self, guint max_depth);
/* Checks that only white space follows. */
gboolean roast_json_scan_end (RoastJsonScan *self);

/* Replaces the escapes of a scanned string in place. Returns its new length. */
gsize roast_json_unescape (char *text, gsize length);
