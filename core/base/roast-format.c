/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-format-private.h"

#include <math.h>
#include <string.h>

/* Format "1234567" as "1 234 567". A space cannot be mistaken for a decimal point in any locale. */
static char *
group_digits (const char *digits)
{
  gboolean negative = *digits == '-';
  gsize n = strlen (digits + negative);
  GString *text = g_string_new (negative && strcmp (digits, "-0") != 0 ? "-" : "");

  digits += negative;
  for (gsize i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0)
        g_string_append (text, "\u202f");
      g_string_append_c (text, digits[i]);
    }

  return g_string_free (text, FALSE);
}

static char *
format_count (double value)
{
  g_autofree char *digits = g_strdup_printf ("%.0f", value);

  return group_digits (digits);
}

static char *
format_int64 (gint64 value, const char *format)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, value);

  if (g_str_equal (format, "id"))
    return g_steal_pointer (&digits);

  return g_str_equal (format, "count") || g_str_equal (format, "number") ? group_digits (digits)
                                                                         : roast_format_number ((double) value, format);
}

/* Use at least three significant digits, and no exponent for everyday sizes. */
static char *
format_short (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  double size = fabs (value);
  const char *format = size == 0 || size >= 99.95 ? "%.0f"
                       : size >= 9.995            ? "%.1f"
                       : size >= 0.9995           ? "%.2f"
                       : size >= 0.09995          ? "%.3f"
                                                  : "%.3g";

  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, format, value));
}

static char *
with_unit (double value, const char *unit)
{
  g_autofree char *number = format_short (value);

  return g_strconcat (number, " ", unit, NULL);
}

static const char *const bytes_units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", NULL };
static const char *const bytes_rate_units[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s", NULL };
static const char *const bits_rate_units[] = { "bps", "kbps", "Mbps", "Gbps", "Tbps", NULL };
static const char *const rate_units[] = { "Hz", "kHz", "MHz", "GHz", NULL };

static char *
format_scaled (double value, double base, const char *const *units)
{
  guint i = 0;

  /* Show a number of bytes without decimals, because there are no fractions of a byte. */
  if (base == 1024 && fabs (value) < 1023.5)
    return g_strdup_printf ("%.0f %s", value, units[0]);
  /* Use the next larger unit from 999.5 on, because 999.6 kB would be rounded to "1000 kB". */
  while (fabs (value) >= base * 0.9995 && units[i + 1] != NULL)
    {
      value /= base;
      i++;
    }

  return with_unit (value, units[i]);
}

static char *
format_duration (double seconds)
{
  gint64 whole = 0;

  if (fabs (seconds) < 59.95)
    {
      if (seconds == 0 || fabs (seconds) >= 0.9995)
        return with_unit (seconds, "s");
      return fabs (seconds) >= 0.0009995 ? with_unit (seconds * 1e3, "ms") : with_unit (seconds * 1e6, "µs");
    }

  whole = (gint64) llround (fabs (seconds));
  if (whole < 3600)
    return g_strdup_printf ("%s%d min %02d s", seconds < 0 ? "-" : "", (int) (whole / 60), (int) (whole % 60));

  return g_strdup_printf ("%s%" G_GINT64_FORMAT " h %02d min %02d s", seconds < 0 ? "-" : "", whole / 3600,
                          (int) (whole / 60 % 60), (int) (whole % 60));
}

/**
 * roast_format_number:
 * @value: a number, in its base unit
 * @format: the format, as in a schema: `duration`, `bytes`, `bytes-rate`, `bits-rate`, `rate`, `count`, `id`,
 *   `percent`, or `number`; any other text means `number`
 *
 * Formats a number with its unit for human readers. The digits of a count are grouped; those of an id are not. Bytes
 * use powers of 1024 (KiB, MiB); rates use powers of 1000 (MB/s, Gbps, kHz).
 *
 * Returns: (transfer full): the formatted text
 *
 * Since: 0.9
 */
char *
roast_format_number (double value, const char *format)
{
  g_return_val_if_fail (format != NULL, NULL);

  if (!isfinite (value))
    return g_strdup ("not available");
  if (g_str_equal (format, "duration"))
    return format_duration (value);
  if (g_str_equal (format, "bytes"))
    return format_scaled (value, 1024, bytes_units);
  if (g_str_equal (format, "bytes-rate"))
    return format_scaled (value, 1000, bytes_rate_units);
  if (g_str_equal (format, "bits-rate"))
    return format_scaled (value, 1000, bits_rate_units);
  if (g_str_equal (format, "rate"))
    return format_scaled (value, 1000, rate_units);
  if (g_str_equal (format, "count"))
    return format_count (value);
  if (g_str_equal (format, "percent"))
    return with_unit (value * 100, "%");

  return fabs (value) >= 1000 ? format_count (value) : format_short (value);
}

/**
 * roast_format_value:
 * @value: (nullable): a value as `d`, `x`, `b` or `s`
 * @format: the format: see [func@Roast.format_number]
 *
 * Formats a value for human readers.
 *
 * Returns: (transfer full): the formatted text; "not available" for %NULL
 *
 * Since: 0.9
 */
char *
roast_format_value (GVariant *value, const char *format)
{
  g_return_val_if_fail (format != NULL, NULL);

  if (value == NULL)
    return g_strdup ("not available");
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return g_variant_dup_string (value, NULL);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return g_strdup (g_variant_get_boolean (value) ? "yes" : "no");
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return format_int64 (g_variant_get_int64 (value), format);
  g_return_val_if_fail (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE), NULL);

  return roast_format_number (g_variant_get_double (value), format);
}

/* ---- axes ---- */

static double
find_scaled_unit (double size, double base, const char *const *units, const char **unit)
{
  double factor = 1;
  guint i = 0;

  for (; size >= base * factor * 0.9995 && units[i + 1] != NULL; i++)
    factor *= base;
  *unit = units[i];

  return factor;
}

static double
find_duration_unit (double size, const char **unit)
{
  static const struct
  {
    double least, factor;
    const char *unit;
  } units[] = { { 7200, 3600, "h" }, { 180, 60, "min" }, { 0.9995, 1, "s" }, { 9.995e-4, 1e-3, "ms" } };

  *unit = "s";
  if (size == 0)
    return 1;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (size >= units[i].least)
      {
        *unit = units[i].unit;
        return units[i].factor;
      }
  *unit = "µs";

  return 1e-6;
}

static double
find_count_unit (double size, const char **unit)
{
  *unit = size >= 1e13 ? "10¹²" : size >= 1e10 ? "10⁹" : size >= 1e7 ? "10⁶" : "";

  return size >= 1e13 ? 1e12 : size >= 1e10 ? 1e9 : size >= 1e7 ? 1e6 : 1;
}

double
roast_format_find_unit (double size, const char *format, const char **unit)
{
  size = fabs (size);
  if (g_str_equal (format, "duration"))
    return find_duration_unit (size, unit);
  if (g_str_equal (format, "bytes"))
    return find_scaled_unit (size, 1024, bytes_units, unit);
  if (g_str_equal (format, "bytes-rate"))
    return find_scaled_unit (size, 1000, bytes_rate_units, unit);
  if (g_str_equal (format, "bits-rate"))
    return find_scaled_unit (size, 1000, bits_rate_units, unit);
  if (g_str_equal (format, "rate"))
    return find_scaled_unit (size, 1000, rate_units, unit);
  if (g_str_equal (format, "percent"))
    {
      *unit = "%";
      return 0.01;
    }

  return find_count_unit (size, unit);
}

char *
roast_format_decimals (double value, guint decimals)
{
  static const char *const formats[] = { "%.0f", "%.1f", "%.2f", "%.3f", "%.4f", "%.5f", "%.6f" };
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    return g_strdup ("not available");
  /* Use an exponent for very large and very small values, because a reader cannot count so many zeros. */
  if (fabs (value) >= 1e15 || decimals >= G_N_ELEMENTS (formats))
    return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.12g", value));
  if (decimals == 0)
    return format_count (value);
  g_ascii_formatd (buffer, sizeof buffer, formats[decimals], value);
  if (*buffer == '-' && strspn (buffer, "-0.") == strlen (buffer))
    return g_strdup (buffer + 1);

  return g_strdup (buffer);
}
