/* SPDX-License-Identifier: BSD-3-Clause */
#include "json-walk.h"

#include <math.h>
#include <string.h>

gboolean
json_walk_open (RoastJsonScan *scan, char bracket)
{
  roast_json_scan_space (scan);

  return roast_json_scan_take (scan, bracket) ||
         roast_json_scan_fail (scan, bracket == '{' ? "expected an object" : "expected an array");
}

gboolean
json_walk_next (RoastJsonScan *scan, char bracket, guint64 *n)
{
  roast_json_scan_space (scan);
  if (scan->fault != NULL || roast_json_scan_take (scan, bracket == '{' ? '}' : ']'))
    return FALSE;
  if ((*n)++ > 0 && !roast_json_scan_take (scan, ','))
    return roast_json_scan_fail (scan, "expected a comma or the end of the object or array");

  return TRUE;
}

static void
copy_text (GString *text, const char *begin, const char *end)
{
  g_string_truncate (text, 0);
  g_string_append_len (text, begin, end - begin);
  if (strchr (text->str, '\\') != NULL)
    g_string_truncate (text, roast_json_unescape (text->str, text->len));
}

/* Reads the name of a member and its colon. */
static gboolean
scan_name (RoastJsonScan *scan, GString *name)
{
  const char *begin, *end;

  if (!roast_json_scan_key (scan, &begin, &end))
    return FALSE;
  copy_text (name, begin, end);

  return TRUE;
}

gboolean
json_walk_each (RoastJsonScan *scan, char bracket, JsonWalkTake take, gpointer data)
{
  g_autoptr (GString) name = g_string_new (NULL);
  guint64 n = 0;

  if (!json_walk_open (scan, bracket))
    return FALSE;
  while (json_walk_next (scan, bracket, &n))
    if ((bracket == '{' && !scan_name (scan, name)) || !take (scan, name, data))
      return FALSE;

  return scan->fault == NULL;
}

gboolean
json_walk_number (RoastJsonScan *scan, double *value)
{
  RoastJsonNumber number;

  *value = NAN;
  roast_json_scan_space (scan);
  if (roast_json_scan_take_word (scan, "null") || roast_json_scan_take_infinite (scan))
    return TRUE;
  if (scan->at == scan->end || (*scan->at != '-' && !g_ascii_isdigit (*scan->at)))
    return roast_json_scan_fail (scan, "expected a number");
  if (!roast_json_scan_number (scan, &number))
    return FALSE;
  *value = isfinite (number.real) ? number.real : NAN;

  return TRUE;
}

gboolean
json_walk_text (RoastJsonScan *scan, GString *text, gboolean *is_null)
{
  const char *begin = NULL;

  roast_json_scan_space (scan);
  if (is_null != NULL)
    *is_null = roast_json_scan_take_word (scan, "null");
  if (is_null != NULL && *is_null)
    return TRUE;
  if (!roast_json_scan_take (scan, '"'))
    return roast_json_scan_fail (scan, "expected a string");
  begin = scan->at;
  if (!roast_json_scan_string (scan, NULL))
    return FALSE;
  copy_text (text, begin, scan->at - 1);

  return TRUE;
}

gboolean
json_walk_skip (RoastJsonScan *scan)
{
  return roast_json_scan_value (scan, JSON_WALK_MAX_DEPTH);
}
