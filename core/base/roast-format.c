/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-format.h"

#include <math.h>
#include <string.h>

/* "1234567" as "1 234 567": no locale calls a space a decimal point. */
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

  return g_str_equal (format, "count") || g_str_equal (format, "number") ? group_digits (digits)
                                                                         : roast_format_number ((double) value, format);
}

/* Three significant digits or more, never an exponent for what a person meets. */
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

static char *
format_scaled (double value, double base, const char *const *units)
{
  guint i = 0;

  /* There is no part of a byte. */
  if (base == 1024 && fabs (value) < 1023.5)
    return g_strdup_printf ("%.0f %s", value, units[0]);
  /* 999.6 kB would read as "1000 kB". */
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
 * @format: how it is to be read, as in a schema: `duration`, `bytes`, `bytes-rate`, `bits-rate`, `rate`, `count`,
 *   `percent`, or `number` (also for anything else)
 *
 * Writes a number with its unit as a person reads it. Bytes are counted in powers of 1024 (KiB, MiB), rates in powers
 * of 1000 (MB/s, Gbps, kHz).
 *
 * Returns: (transfer full): a text
 *
 * Since: 0.9
 */
char *
roast_format_number (double value, const char *format)
{
  static const char *const bytes[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", NULL };
  static const char *const bytes_rate[] = { "B/s", "kB/s", "MB/s", "GB/s", "TB/s", NULL };
  static const char *const bits_rate[] = { "bps", "kbps", "Mbps", "Gbps", "Tbps", NULL };
  static const char *const rate[] = { "Hz", "kHz", "MHz", "GHz", NULL };

  g_return_val_if_fail (format != NULL, NULL);

  if (!isfinite (value))
    return g_strdup ("not available");
  if (g_str_equal (format, "duration"))
    return format_duration (value);
  if (g_str_equal (format, "bytes"))
    return format_scaled (value, 1024, bytes);
  if (g_str_equal (format, "bytes-rate"))
    return format_scaled (value, 1000, bytes_rate);
  if (g_str_equal (format, "bits-rate"))
    return format_scaled (value, 1000, bits_rate);
  if (g_str_equal (format, "rate"))
    return format_scaled (value, 1000, rate);
  if (g_str_equal (format, "count"))
    return format_count (value);
  if (g_str_equal (format, "percent"))
    return with_unit (value * 100, "%");

  return fabs (value) >= 1000 ? format_count (value) : format_short (value);
}

/**
 * roast_format_value:
 * @value: (nullable): a value as `d`, `x`, `b` or `s`
 * @format: how it is to be read: see [func@Roast.format_number]
 *
 * Writes a value as a person reads it.
 *
 * Returns: (transfer full): a text; "not available" for %NULL
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
