/* SPDX-License-Identifier: BSD-3-Clause */
#include "roastcoffea.h"

static gboolean
read_digits (const char **at, const char *end, guint n, int *value)
{
  *value = 0;
  if (end - *at < (gssize) n)
    return FALSE;
  for (guint i = 0; i < n; i++, (*at)++)
    {
      if (!g_ascii_isdigit (**at))
        return FALSE;
      *value = *value * 10 + (**at - '0');
    }

  return TRUE;
}

static gboolean
take (const char **at, const char *end, char c)
{
  if (*at == end || **at != c)
    return FALSE;
  (*at)++;

  return TRUE;
}

/* Days from 1970-01-01 in the Gregorian calendar: a year that begins in March has its leap day at the end. */
static gint64
get_days (int year, int month, int day)
{
  gint64 y = year - (month <= 2);
  gint64 era = y / 400;
  gint64 year_of_era = y - era * 400;
  gint64 day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

/* Up to six decimals, as Python writes µs. */
static gboolean
read_fraction (const char **at, const char *end, gint64 *fraction)
{
  gint64 scale = G_USEC_PER_SEC / 10;

  *fraction = 0;
  if (!take (at, end, '.'))
    return TRUE;
  for (; *at < end && g_ascii_isdigit (**at) && scale > 0; (*at)++, scale /= 10)
    *fraction += (**at - '0') * scale;

  return scale < G_USEC_PER_SEC / 10;
}

/* "+02:00", which a time with a zone has. */
static gboolean
read_zone (const char **at, const char *end, gint64 *zone)
{
  gboolean is_ahead = take (at, end, '+');
  int hours, minutes;

  *zone = 0;
  if (!is_ahead && !take (at, end, '-'))
    return *at == end;
  if (!read_digits (at, end, 2, &hours) || !take (at, end, ':') || !read_digits (at, end, 2, &minutes) || hours > 24 ||
      minutes > 59)
    return FALSE;
  *zone = (hours * 60 + minutes) * (is_ahead ? 60 : -60) * G_USEC_PER_SEC;

  return *at == end;
}

gboolean
roastcoffea_parse_time (const char *text, gsize length, gint64 *time)
{
  const char *end = text + length;
  int year, month, day, hour, minute, second;
  gint64 fraction, zone;

  if (!read_digits (&text, end, 4, &year) || !take (&text, end, '-') || !read_digits (&text, end, 2, &month) ||
      !take (&text, end, '-') || !read_digits (&text, end, 2, &day) ||
      !(take (&text, end, 'T') || take (&text, end, ' ')))
    return FALSE;
  if (!read_digits (&text, end, 2, &hour) || !take (&text, end, ':') || !read_digits (&text, end, 2, &minute) ||
      !take (&text, end, ':') || !read_digits (&text, end, 2, &second) || !read_fraction (&text, end, &fraction) ||
      !read_zone (&text, end, &zone))
    return FALSE;
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
    return FALSE;
  *time = (get_days (year, month, day) * 86400 + hour * 3600 + minute * 60 + second) * G_USEC_PER_SEC + fraction - zone;

  return *time >= 0;
}
