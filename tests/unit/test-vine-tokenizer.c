/* SPDX-License-Identifier: BSD-3-Clause */

/* Words, numbers and resources in lines of a log. */

#include <math.h>
#include <string.h>

#include "vine-resources.h"

/* In a block of its own, so that a sanitizer notices reads beyond its end. */
static VineToken
make_token (const char *text)
{
  gsize length = strlen (text);

  return (VineToken) { g_memdup2 (text, MAX (length, 1)), length };
}

static void
assert_token (VineToken token, const char *expected)
{
  g_autofree char *text = g_strndup (token.start, token.length);

  g_assert_cmpstr (text, ==, expected);
}

/* ---- words ---- */

static void
test_next (void)
{
  static const char *const words[] = { "a",           "seven_c", "eight_ch",
                                       "nine_char",   "TASK",    "worker-0123456789abcdef",
                                       "caf\xc3\xa9", "a\001b",  "!",
                                       "12345678!" };
  g_autofree char *text =
      g_strdup ("  a\tseven_c  eight_ch\r nine_char TASK worker-0123456789abcdef caf\xc3\xa9 a\001b ! 12345678! \t");
  VineToken all = make_token (text);
  VineToken rest = all;
  VineToken word;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_assert_true (vine_token_next (&rest, &word));
      assert_token (word, words[i]);
    }
  g_assert_false (vine_token_next (&rest, &word));
  g_assert_cmpuint (word.length, ==, 0);
  g_assert_cmpuint (rest.length, ==, 0);
  g_free ((char *) all.start);
}

static void
test_last (void)
{
  VineToken all = make_token (" name with  blanks 17 \t99\r ");
  VineToken rest = all;
  VineToken word;

  g_assert_true (vine_token_last (&rest, &word));
  assert_token (word, "99");
  assert_token (rest, " name with  blanks 17");
  g_assert_true (vine_token_last (&rest, &word));
  assert_token (word, "17");
  assert_token (rest, " name with  blanks");
  for (guint i = 0; i < 3; i++)
    g_assert_true (vine_token_last (&rest, &word));
  assert_token (word, "name");
  g_assert_cmpuint (rest.length, ==, 0);
  g_assert_false (vine_token_last (&rest, &word));
  g_free ((char *) all.start);
}

static void
test_blank (void)
{
  static const struct
  {
    const char *text;
    gboolean is_blank;
  } cases[] = { { "", TRUE }, { " ", TRUE }, { "\t \r", TRUE }, { "x", FALSE }, { "x ", FALSE }, { " x", FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VineToken token = make_token (cases[i].text);
      VineToken rest = token;
      VineToken word;

      g_assert_cmpint (vine_token_next (&rest, &word), ==, !cases[i].is_blank);
      g_free ((char *) token.start);
    }
}

static void
test_copies (void)
{
  g_autofree char *text = g_strnfill (300, 'x');
  g_autofree char *copy = vine_token_dup ((VineToken) { text, 300 });
  g_autofree char *valid = vine_token_dup ((VineToken) { "a\xff", 2 });
  char buffer[5] = "....";

  g_assert_cmpuint (strlen (copy), ==, 200);
  g_assert_cmpstr (valid, ==, "a\xef\xbf\xbd");
  g_assert_false (vine_token_copy ((VineToken) { "12345", 5 }, buffer, sizeof buffer));
  g_assert_true (vine_token_copy ((VineToken) { "1234", 4 }, buffer, sizeof buffer));
  g_assert_cmpstr (buffer, ==, "1234");
}

/* ---- numbers ---- */

static void
test_integers (void)
{
  static const struct
  {
    const char *text;
    gint64 value; /* -1 if it is none */
  } cases[] = {
    { "0", 0 },
    { "7", 7 },
    { "0012", 12 },
    { "1234567", 1234567 },
    { "12345678", 12345678 },
    { "123456789", 123456789 },
    { "9876543210123456", G_GINT64_CONSTANT (9876543210123456) },
    { "98765432101234567", G_GINT64_CONSTANT (98765432101234567) },
    { "999999999999999999", G_GINT64_CONSTANT (999999999999999999) },
    { "1000000000000000000", -1 },
    { "", -1 },
    { "-1", -1 },
    { "+1", -1 },
    { "1.0", -1 },
    { "1a", -1 },
    { "1234567:", -1 },
    { "/2345678", -1 },
    { "1234:678", -1 },
    { "12345678/", -1 },
    { "1234567890123x56", -1 },
    { "\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VineToken token = make_token (cases[i].text);
      gint64 value = -1;

      /* Not all are UTF-8, as lines of TAP must be. */
      g_test_message ("case %u", i);
      g_assert_cmpint (vine_token_to_integer (token, &value), ==, cases[i].value >= 0);
      g_assert_cmpint (value, ==, cases[i].value);
      g_free ((char *) token.start);
    }
}

/* All bytes in each place of eight digits. */
static void
test_digits (void)
{
  for (guint place = 0; place < 8; place++)
    for (guint byte = 1; byte < 256; byte++)
      {
        char text[] = "12345678";
        gint64 value = -1;

        text[place] = (char) byte;
        g_assert_cmpint (vine_token_to_integer ((VineToken) { text, 8 }, &value), ==, byte >= '0' && byte <= '9');
        if (byte >= '0' && byte <= '9')
          g_assert_cmpint (value, ==, g_ascii_strtoll (text, NULL, 10));
      }
}

/* To the last bit what the C library reads. */
static void
check_double (const char *text)
{
  VineToken token = make_token (text);
  double expected = g_ascii_strtod (text, NULL);
  double value = NAN;

  g_test_message ("%s", text);
  g_assert_true (vine_token_to_double (token, &value));
  g_assert_cmpint (memcmp (&value, &expected, sizeof value), ==, 0);
  g_free ((char *) token.start);
}

static void
test_doubles (void)
{
  static const char *const texts[] = {
    "0",
    "-0",
    "0.0",
    "1",
    "7.",
    "8.3e-05",
    "2e-06",
    "1e5",
    "1E5",
    "1e+5",
    "1.25e2",
    "12.5E-3",
    "1e22",
    "1e23",
    "1e-22",
    "1e-23",
    "123e20",
    "0.3e23",
    "1e000",
    "1e007",
    "1e308",
    "1e-320",
    "12345678e-330",
    "-1.5e3",
    "-12",
    "0.000001",
    "1795208347.710136",
    "1700000001.9",
    "9007199254740992",
    "9007199254740993",
    "9007199254740994",
    "90071992547409.93",
    "123456789012345678",
    "1234567890123456789",
    "12345678901234567890",
    "0.1234567890123456789",
    "1234567.87654321",
    "00000000000000000001",
    "0.00000000000000000001",
    "3.141592653589793",
    "18446744073709551616",
    "1.0000000000000001",
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (g_str_has_suffix (texts[i], "."))
      g_assert_false (vine_token_to_double ((VineToken) { texts[i], strlen (texts[i]) }, &(double) { 0 }));
    else
      check_double (texts[i]);
  for (guint i = 0; i < 3000; i++)
    {
      static const char *const formats[] = { "%.0f", "%.3f", "%.6f", "%.17g", "%.9g", "%.3e", "%.12e" };
      double scale = g_rand_double_range (rand, -25, 25);
      double number = g_rand_double (rand) * pow (10, scale);
      char text[G_ASCII_DTOSTR_BUF_SIZE + 64];

      check_double (g_ascii_formatd (text, sizeof text, formats[i % G_N_ELEMENTS (formats)], number));
    }
}

/* Not numbers of JSON, or infinite, or with something behind them. */
static void
test_no_doubles (void)
{
  static const char *const texts[] = { "",      ".",     ".5",    "1.",   "-",      "+1",  "e5",    "1e",
                                       "1e+",   "1e-",   "1e5x",  "1x",   "0x10",   "nan", "inf",   "1e999",
                                       "1.2.3", "1-2",   "1e5.5", "1e5-", "1..2",   "--1", "1 ",    " 1",
                                       "1,",    "1e5e5", "5.e",   "1.x",  "1.5e+x", "1+5", "1e0x2", "12345678x" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      VineToken token = make_token (texts[i]);
      double value;

      g_test_message ("“%s”", texts[i]);
      g_assert_false (vine_token_to_double (token, &value));
      g_free ((char *) token.start);
    }
}

/* Other numbers than those in logs: longer, and with more digits than a double has. */
static void
test_long_doubles (void)
{
  g_autoptr (GString) text = g_string_new ("0.");
  double value = 0;

  for (guint i = text->len; i < 62; i++)
    g_string_append_c (text, '3');
  check_double (text->str);
  g_string_append_c (text, '3');
  check_double (text->str);
  g_string_append_c (text, '3');
  g_assert_false (vine_token_to_double ((VineToken) { text->str, text->len }, &value));
}

static void
test_take_double (void)
{
  static const struct
  {
    const char *text, *rest;
    double value;
  } cases[] = {
    { "1.5,\"s\"", ",\"s\"", 1.5 },
    { "12345678 9", " 9", 12345678 },
    { "2e-3]", "]", 0.002 },
    { "-4]", "]", -4 },
    { "5x", "x", 5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VineToken all = make_token (cases[i].text);
      VineToken rest = all;
      double value = 0;

      g_assert_true (vine_token_take_double (&rest, &value));
      g_assert_cmpfloat (value, ==, cases[i].value);
      assert_token (rest, cases[i].rest);
      g_free ((char *) all.start);
    }
}

/* ---- resources ---- */

static const char *const names[VINE_N_RESOURCES] = {
  [VINE_CORES] = "cores",
  [VINE_MEMORY] = "memory",
  [VINE_DISK] = "disk",
  [VINE_GPUS] = "gpus",
  [VINE_COMMIT_START] = "time_commit_start",
  [VINE_COMMIT_END] = "time_commit_end",
  [VINE_INPUT_SIZE] = "size_input_mgr",
  [VINE_WORKER_START] = "time_worker_start",
  [VINE_WORKER_END] = "time_worker_end",
  [VINE_OUTPUT_TIME] = "time_output_mgr",
  [VINE_OUTPUT_SIZE] = "size_output_mgr",
  [VINE_CPU_TIME] = "cpu_time",
  [VINE_CORES_AVG] = "cores_avg",
  [VINE_BYTES_READ] = "bytes_read",
  [VINE_BYTES_WRITTEN] = "bytes_written",
};

/* All in their order and backwards, with unknown ones between them. */
static void
test_resources (void)
{
  for (guint backwards = 0; backwards < 2; backwards++)
    {
      g_autoptr (GString) text = g_string_new ("{");
      VineToken all, rest;
      VineResources resources;

      for (guint i = 0; i < VINE_N_RESOURCES; i++)
        {
          guint k = backwards ? VINE_N_RESOURCES - 1 - i : i;

          g_string_append_printf (text, "%s\"%s\":[%u.5,\"s\"],\"%s_\":[99,\"s\"],\"%.*s\":[98,\"s\"]",
                                  i > 0 ? "," : "", names[k], k, names[k], (int) strlen (names[k]) - 1, names[k]);
        }
      g_string_append (text, "} x");
      rest = all = make_token (text->str);
      g_assert_true (vine_resources_read (&resources, &rest));
      assert_token (rest, " x");
      for (guint i = 0; i < VINE_N_RESOURCES; i++)
        g_assert_cmpfloat (resources.value[i], ==, i + 0.5);
      g_free ((char *) all.start);
    }
}

static void
test_resource_texts (void)
{
  static const struct
  {
    const char *text;
    gboolean is_good;
  } cases[] = {
    { "{}", TRUE },
    { " { } ", TRUE },
    { "{\"cores\":[4,\"cores\"]}", TRUE },
    { " { \"cores\" : [ 4 , \"cores\" ] } ", TRUE },
    { "{\"cores\":[4,\"cores\"],\"memory\":[1,\"MB\"]}", TRUE },
    { "", FALSE },
    { "{", FALSE },
    { "}", FALSE },
    { "{\"cores\":[4,\"cores\"]", FALSE },
    { "{\"cores\":[4,\"cores\"],", FALSE },
    { "{\"cores\":[4,\"cores\"],}", FALSE },
    { "{\"cores\":[4,\"cores\"}", FALSE },
    { "{\"cores\":[4,\"cores]}", FALSE },
    { "{\"cores\":[4,\"\"]}", FALSE },
    { "{\"cores\":[4,]}", FALSE },
    { "{\"cores\":[4]}", FALSE },
    { "{\"cores\":[,\"cores\"]}", FALSE },
    { "{\"cores\":4,\"cores\"]}", FALSE },
    { "{\"cores\"[4,\"cores\"]}", FALSE },
    { "{\"\":[4,\"cores\"]}", FALSE },
    { "{\"cores:[4,]}", FALSE },
    { "{\"cores\"", FALSE },
    { "{\"cores", FALSE },
    { "{cores:[4,\"cores\"]}", FALSE },
    { "{\"cores\":[4,\"cores\"] \"memory\":[1,\"MB\"]}", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VineToken all = make_token (cases[i].text);
      VineToken rest = all;
      VineResources resources;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (vine_resources_read (&resources, &rest), ==, cases[i].is_good);
      if (cases[i].is_good)
        g_assert_cmpint (isnan (resources.value[VINE_CORES]) != 0, ==, strstr (cases[i].text, "cores") == NULL);
      g_assert_true (isnan (resources.value[VINE_DISK]));
      g_free ((char *) all.start);
    }
}

/* In the units of rows; what is missing, zero or out of range is unknown. */
static void
test_units (void)
{
  VineResources resources;

  vine_resources_clear (&resources);
  for (guint i = 0; i < VINE_N_RESOURCES; i++)
    g_assert_true (isnan (resources.value[i]));
  g_assert_cmpint (vine_resources_time (&resources, VINE_COMMIT_START), ==, -1);
  g_assert_cmpint (vine_resources_bytes (&resources, VINE_MEMORY), ==, -1);
  g_assert_true (isnan (vine_resources_seconds (&resources, VINE_CPU_TIME)));
  resources.value[VINE_COMMIT_START] = 1700000001.9000016;
  g_assert_cmpint (vine_resources_time (&resources, VINE_COMMIT_START), ==, G_GINT64_CONSTANT (1700000001900002));
  resources.value[VINE_COMMIT_START] = 0;
  g_assert_cmpint (vine_resources_time (&resources, VINE_COMMIT_START), ==, -1);
  resources.value[VINE_COMMIT_START] = 99999999999;
  g_assert_cmpint (vine_resources_time (&resources, VINE_COMMIT_START), ==, G_GINT64_CONSTANT (99999999999000000));
  resources.value[VINE_COMMIT_START] = 1e11;
  g_assert_cmpint (vine_resources_time (&resources, VINE_COMMIT_START), ==, -1);
  resources.value[VINE_MEMORY] = 0;
  g_assert_cmpint (vine_resources_bytes (&resources, VINE_MEMORY), ==, 0);
  resources.value[VINE_MEMORY] = 1.5;
  g_assert_cmpint (vine_resources_bytes (&resources, VINE_MEMORY), ==, 1572864);
  resources.value[VINE_MEMORY] = -1;
  g_assert_cmpint (vine_resources_bytes (&resources, VINE_MEMORY), ==, -1);
  resources.value[VINE_MEMORY] = 8e9;
  g_assert_cmpint (vine_resources_bytes (&resources, VINE_MEMORY), ==, G_GINT64_CONSTANT (8388608000000000));
  resources.value[VINE_MEMORY] = 9e9;
  g_assert_cmpint (vine_resources_bytes (&resources, VINE_MEMORY), ==, -1);
  resources.value[VINE_CPU_TIME] = 0;
  g_assert_cmpfloat (vine_resources_seconds (&resources, VINE_CPU_TIME), ==, 0);
  resources.value[VINE_CPU_TIME] = 999999999;
  g_assert_cmpfloat (vine_resources_seconds (&resources, VINE_CPU_TIME), ==, 999999999);
  resources.value[VINE_CPU_TIME] = 1e9;
  g_assert_true (isnan (vine_resources_seconds (&resources, VINE_CPU_TIME)));
  resources.value[VINE_CPU_TIME] = -1;
  g_assert_true (isnan (vine_resources_seconds (&resources, VINE_CPU_TIME)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/vine-tokenizer/next", test_next);
  g_test_add_func ("/vine-tokenizer/last", test_last);
  g_test_add_func ("/vine-tokenizer/blank", test_blank);
  g_test_add_func ("/vine-tokenizer/copies", test_copies);
  g_test_add_func ("/vine-tokenizer/integers", test_integers);
  g_test_add_func ("/vine-tokenizer/digits", test_digits);
  g_test_add_func ("/vine-tokenizer/doubles", test_doubles);
  g_test_add_func ("/vine-tokenizer/no-doubles", test_no_doubles);
  g_test_add_func ("/vine-tokenizer/long-doubles", test_long_doubles);
  g_test_add_func ("/vine-tokenizer/take-double", test_take_double);
  g_test_add_func ("/vine-tokenizer/resources", test_resources);
  g_test_add_func ("/vine-tokenizer/resource-texts", test_resource_texts);
  g_test_add_func ("/vine-tokenizer/units", test_units);

  return g_test_run ();
}
