/* SPDX-License-Identifier: BSD-3-Clause */

/* Numbers as people read them, and in the files that programs read. */

#include <locale.h>
#include <math.h>
#include <roast/roast.h>
#include <string.h>

#include "exact-number.h"

#define MANY 20000

static void
test_person (void)
{
  static const struct
  {
    double value;
    const char *format, *text;
  } cases[] = {
    { 0, "duration", "0 s" },
    { 1.234e-5, "duration", "12.3 µs" },
    { 0.0123, "duration", "12.3 ms" },
    { 0.9999, "duration", "1.00 s" },
    { 1.234, "duration", "1.23 s" },
    { -1.234, "duration", "-1.23 s" },
    { 59.96, "duration", "1 min 00 s" },
    { 3599.6, "duration", "1 h 00 min 00 s" },
    { 3725, "duration", "1 h 02 min 05 s" },
    { 0, "bytes", "0 B" },
    { 512, "bytes", "512 B" },
    { 1536, "bytes", "1.50 KiB" },
    { 1048576.0 * 1023.9, "bytes", "1.00 GiB" },
    { 2.5e9, "bits-rate", "2.50 Gbps" },
    { 999.96e6, "bits-rate", "1.00 Gbps" },
    { 12.5e6, "bytes-rate", "12.5 MB/s" },
    { 1234, "rate", "1.23 kHz" },
    { 0.5, "rate", "0.500 Hz" },
    { 999, "count", "999" },
    { 1234567, "count", "1\u202f234\u202f567" },
    { -0.1, "count", "0" },
    { -1234, "count", "-1\u202f234" },
    { 0.123, "percent", "12.3 %" },
    { 0, "percent", "0 %" },
    { 2, "number", "2.00" },
    { 12345.6, "number", "12\u202f346" },
    { NAN, "number", "not available" },
    { INFINITY, "duration", "not available" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = roast_format_number (cases[i].value, cases[i].format);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_values (void)
{
  g_autoptr (GVariant) values =
      g_variant_ref_sink (g_variant_new_parsed ("[<2.5>, <int64 9007199254740993>, <true>, <'text'>]"));
  static const char *const expected[] = { "2.50", "9\u202f007\u202f199\u202f254\u202f740\u202f993", "yes", "text" };
  g_autoptr (GVariant) process = g_variant_ref_sink (g_variant_new_int64 (4026531836));
  g_autofree char *none = roast_format_value (NULL, "count");
  g_autofree char *id = roast_format_value (process, "id");

  g_assert_cmpstr (none, ==, "not available");
  g_assert_cmpstr (id, ==, "4026531836");
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autoptr (GVariant) boxed = g_variant_get_child_value (values, i);
      g_autoptr (GVariant) value = g_variant_get_variant (boxed);
      g_autofree char *text = roast_format_value (value, i == 1 ? "count" : "number");

      g_assert_cmpstr (text, ==, expected[i]);
    }
}

static void
test_integers (void)
{
  static const gint64 values[] = { 0, 7, -7, 10, G_MAXINT64, G_MININT64 };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *expected = g_strdup_printf ("%" G_GINT64_FORMAT, values[i]);
      g_autoptr (GString) text = g_string_new (NULL);

      exact_number_append_int64 (text, values[i]);
      g_assert_cmpstr (text->str, ==, expected);
    }
}

static void
test_doubles (void)
{
  static const struct
  {
    double value;
    const char *text;
  } cases[] = {
    { 0, "0" },
    { -0.0, "-0" },
    { 1, "1" },
    { -1.5, "-1.5" },
    { 0.000001, "0.000001" },
    { -0.000001, "-0.000001" },
    { 9e9, "9000000000" },
    { 9.1e9, "9100000000" },
    { 0.1, "0.1" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { 1.0 / 3, "0.33333333333333331" },
    { 1234567.654321, "1234567.654321" },
    { 1e15, "1e+15" },
    { 1e22, "1e+22" },
    { 1e300, "1e+300" },
    { 2.5e-7, "2.5e-07" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      exact_number_append_double (text, cases[i].value);
      g_assert_cmpstr (text->str, ==, cases[i].text);
    }
}

static void
assert_exact (double value)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char *end = NULL;
  double parsed;

  exact_number_append_double (text, value);
  parsed = g_ascii_strtod (text->str, &end);
  g_assert_cmpstr (end, ==, "");
  g_assert_cmpint (memcmp (&parsed, &value, sizeof value), ==, 0);
  g_assert_cmpuint (text->len, <=, 24);
}

/* Whatever the bits are, a reader gets the same. */
static void
test_exact (void)
{
  for (int i = 0; i < MANY; i++)
    {
      guint64 bits = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
      double any;
      double decimal = g_test_rand_int () / 1e6;

      memcpy (&any, &bits, sizeof any);
      if (isfinite (any))
        assert_exact (any);
      assert_exact (decimal);
      assert_exact (nextafter (decimal, INFINITY));
      assert_exact (g_test_rand_double_range (-1e9, 1e9));
      assert_exact (g_test_rand_double () * 1e-9);
    }
  assert_exact (G_MAXDOUBLE);
  assert_exact (G_MINDOUBLE);
  assert_exact (4.9406564584124654e-324);
  assert_exact (9007199254740993.0);
}

/* A number of at most 15 digits comes with these, and no others. */
static void
test_shortest (void)
{
  for (int i = 0; i < MANY; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *shortest =
          g_strdup_printf ("%s%d.%07d%07de%c%02d", g_test_rand_bit () ? "-" : "", g_test_rand_int_range (1, 10),
                           g_test_rand_int_range (0, 10000000), g_test_rand_int_range (0, 10000000),
                           g_test_rand_bit () ? '-' : '+', g_test_rand_int_range (10, 99));
      char expected[G_ASCII_DTOSTR_BUF_SIZE];

      exact_number_append_double (text, g_ascii_strtod (shortest, NULL));
      g_ascii_formatd (expected, sizeof expected, "%.15g", g_ascii_strtod (shortest, NULL));
      g_assert_cmpstr (text->str, ==, expected);
    }
}

/* Neither comes with a comma. */
static void
test_locale (void)
{
  g_autofree char *before = g_strdup (setlocale (LC_ALL, NULL));
  g_autofree char *person = NULL;

  if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL)
    {
      g_test_skip ("there is no locale with a decimal comma");
      return;
    }
  assert_exact (0.1 + 0.2);
  assert_exact (0.5);
  person = roast_format_number (1.5, "duration");
  g_assert_cmpstr (person, ==, "1.50 s");
  setlocale (LC_ALL, before);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/format/person", test_person);
  g_test_add_func ("/format/values", test_values);
  g_test_add_func ("/format/integers", test_integers);
  g_test_add_func ("/format/doubles", test_doubles);
  g_test_add_func ("/format/exact", test_exact);
  g_test_add_func ("/format/shortest", test_shortest);
  g_test_add_func ("/format/locale", test_locale);

  return g_test_run ();
}
