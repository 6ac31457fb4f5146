/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#define ROAST_JSON_MAX_DEPTH 64
#define ROAST_MAX_EXACT 9007199254740992.0 /* 2^53: larger integers are not exact as doubles */

/* Scans UTF-8 JSON (RFC 8259) in place, piece by piece, and checks each byte once. External text is checked here before
 * json-glib parses it, because json-glib accepts more than JSON (comments, octal numbers, `var x =`), follows any depth
 * of nesting, and turns 18446744073709551615 into -1.
 *
 * Each function starts at @at and moves @at past the piece. A function that returns FALSE sets @fault to the reason, in
 * a few words. */
typedef struct
{
  const char *at;
  const char *end;
  const char *fault;
} RoastJsonScan;

typedef struct
{
  gboolean integer; /* has neither a point nor an exponent; the value is also in @whole */
  gint64 whole;
  double real; /* the value of either kind of number; may be infinite */
} RoastJsonNumber;

gboolean roast_json_scan_fail (RoastJsonScan *self, const char *fault);
void roast_json_scan_space (RoastJsonScan *self);
/* Skips @c if it comes next. Returns whether it did. */
gboolean roast_json_scan_take (RoastJsonScan *self, char c);
/* Starts after the opening quote and ends after the closing quote. @escaped (optional): whether the string contains
 * escapes. */
gboolean roast_json_scan_string (RoastJsonScan *self, gboolean *escaped);
/* Scans a member's name and the colon, up to the value. The name, including its escapes, lies between @begin and @end
 * (both optional). */
gboolean roast_json_scan_key (RoastJsonScan *self, const char **begin, const char **end);
/* @number is optional. If it is set, the number must not end the text. */
gboolean roast_json_scan_number (RoastJsonScan *self, RoastJsonNumber *number);
/* Scans true, false or null. */
gboolean roast_json_scan_word (RoastJsonScan *self);
/* Scans any value. Objects and arrays must not nest deeper than @max_depth (at most ROAST_JSON_MAX_DEPTH). */
gboolean roast_json_scan_value (RoastJsonScan *self, guint max_depth);
/* Checks that only white space follows. */
gboolean roast_json_scan_end (RoastJsonScan *self);

/* Replaces the escapes of a scanned string in place. Returns its new length. */
gsize roast_json_unescape (char *text, gsize length);
