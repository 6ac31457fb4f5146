/* SPDX-License-Identifier: BSD-3-Clause */

/* What is JSON and what is not, by RFC 8259. */

#include <string.h>

#include "base/roast-json-scan-private.h"

/* The fault of a text, in memory of just its size, so that reading on is seen. */
static const char *
check_text (const char *text, gsize length, guint max_depth)
{
  g_autofree char *copy = g_memdup2 (text, length > 0 ? length : 1);
  RoastJsonScan scan = { copy, copy + length, NULL };

  return roast_json_scan_value (&scan, max_depth) && roast_json_scan_end (&scan) ? NULL : scan.fault;
}

static const char *
check (const char *text, guint max_depth)
{
  return check_text (text, strlen (text), max_depth);
}

static void
test_good (void)
{
  static const char *const texts[] = {
    "{}",
    "[]",
    " [ ] ",
    "0",
    "-0",
    "-0.5e-3",
    "1E+9",
    "12.25",
    "true",
    "false",
    "null",
    "\"\"",
    "{\"a\":1}",
    "{\"a\":1,\"b\":[1,2,{\"c\":[]}],\"d\":{}}",
    "\t{ \"a\" : [ 1 , 2 ] }\r\n",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\"",
    "\"\\ud83d\\ude00\"",
    "\"ä😀\"",
    "\"[[[[\"",
    "123456789012345678",
    "9223372036854775807",
    "-9223372036854775808",
    "0.12345678901234567890123",
    "1e999",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_cmpstr (check (texts[i], 8), ==, NULL);
}

static void
test_bad (void)
{
  static const char *const texts[] = {
    "",
    " ",
    "{",
    "[",
    "}",
    "]",
    "[}",
    "{]",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "[1,]",
    "[,]",
    "[1 2]",
    "{a:1}",
    "{'a':1}",
    "{1:2}",
    "'a'",
    "01",
    "+1",
    ".5",
    "1.",
    "1e",
    "1e+",
    "-",
    "--1",
    "0x10",
    "NaN",
    "Infinity",
    "nul",
    "truefalse",
    "{} {}",
    "1 2",
    "{}x",
    "// x\n1",
    "/* x */1",
    "1/* \" */",
    "# x",
    "var x = 1;",
    "\"",
    "\"\\",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\\u12g4\"",
    "\"\n\"",
    "\"\x01\"",
    "\"\\ud800\"",
    "\"\\udc00\"",
    "\"\\ud800\\u0041\"",
    "\"\\ud800x\"",
    "\"\\u0000\"",
    "\xff",
    "\"\xc3\"",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551617",
    "[1234567890123456789012]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (check (texts[i], 8) == NULL)
      g_error ("“%s” was taken for JSON", texts[i]);
  g_assert_nonnull (check_text ("1\0", 2, 8));
}

static void
test_depth (void)
{
  g_assert_null (check ("[[[]]]", 3));
  g_assert_nonnull (check ("[[[[]]]]", 3));
  g_assert_null (check ("{\"a\":[{}]}", 3));
  g_assert_nonnull (check ("{\"a\":[{\"b\":[]}]}", 3));
  g_assert_null (check ("[[],[],[[]],[]]", 3));
  g_assert_null (check ("1", 0));
  g_assert_nonnull (check ("[]", 0));
  /* Objects and arrays do not take each other's place at any level. */
  g_assert_nonnull (check ("[{\"a\":[1}]]", 8));
  g_assert_nonnull (check ("[[1],{\"a\":1],2]", 8));
}

static void
test_all_levels (void)
{
  g_autofree char *open = g_strnfill (ROAST_JSON_MAX_DEPTH, '[');
  g_autofree char *close = g_strnfill (ROAST_JSON_MAX_DEPTH, ']');
  g_autofree char *text = g_strconcat (open, close, NULL);

  g_assert_null (check (text, ROAST_JSON_MAX_DEPTH));
  g_assert_nonnull (check (text, ROAST_JSON_MAX_DEPTH - 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json-scan/good", test_good);
  g_test_add_func ("/json-scan/bad", test_bad);
  g_test_add_func ("/json-scan/depth", test_depth);
  g_test_add_func ("/json-scan/all-levels", test_all_levels);

  return g_test_run ();
}
