/* SPDX-License-Identifier: BSD-3-Clause */
#include "json-walk.h"

#include <math.h>
#include <string.h>

gboolean
json_walk_open (RoastJsonScan *scan, char bracket)
{
  roast_json_scan_space (scan);

  return roast_json_scan_take (scan, bracket) ||
         roast_json_scan_fail (scan, bracket == '{' ? "an object is expected" : "an array is expected");
}

gboolean
json_walk_next (RoastJsonScan *scan, char bracket, guint64 *n)
{
  roast_json_scan_space (scan);
  if (scan->fault != NULL || roast_json_scan_take (scan, bracket == '{' ? '}' : ']'))
    return FALSE;
  if ((*n)++ > 0 && !roast_json_scan_take (scan, ','))
    return roast_json_scan_fail (scan, "a comma or the end of the object or array is expected");

  return TRUE;
}

/* After the opening quote. */
static gboolean
scan_text (RoastJsonScan *scan, GString *text)
{
  const char *start = scan->at;
  gboolean escaped = FALSE;

  if (!roast_json_scan_string (scan, &escaped))
    return FALSE;
  g_string_truncate (text, 0);
  g_string_append_len (text, start, scan->at - start - 1);
  if (escaped)
    g_string_truncate (text, roast_json_unescape (text->str, text->len));
  if (strlen (text->str) != text->len)
    return roast_json_scan_fail (scan, "a text with a zero byte");

  return TRUE;
}

static gboolean
take_word (RoastJsonScan *scan, const char *word)
{
  gsize length = strlen (word);

  if ((gsize) (scan->end - scan->at) < length || memcmp (scan->at, word, length) != 0)
    return FALSE;
  scan->at += length;

  return TRUE;
}

/* What Python writes for numbers that JSON does not have. */
static gboolean
take_infinite (RoastJsonScan *scan)
{
  return take_word (scan, "NaN") || take_word (scan, "Infinity") || take_word (scan, "-Infinity");
}

/* With the colon. @name is optional. */
static gboolean
scan_name (RoastJsonScan *scan, GString *name)
{
  roast_json_scan_space (scan);
  if (!roast_json_scan_take (scan, '"'))
    return roast_json_scan_fail (scan, "the name of a member is expected");
  if (name != NULL ? !scan_text (scan, name) : !roast_json_scan_string (scan, NULL))
    return FALSE;
  roast_json_scan_space (scan);

  return roast_json_scan_take (scan, ':') || roast_json_scan_fail (scan, "a colon is expected");
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
  if (take_word (scan, "null") || take_infinite (scan))
    return TRUE;
  if (scan->at == scan->end || (*scan->at != '-' && !g_ascii_isdigit (*scan->at)))
    return roast_json_scan_fail (scan, "a number is expected");
  if (!roast_json_scan_number (scan, &number))
    return FALSE;
  *value = isfinite (number.real) ? number.real : NAN;

  return TRUE;
}

gboolean
json_walk_text (RoastJsonScan *scan, GString *text, gboolean *is_null)
{
  roast_json_scan_space (scan);
  if (is_null != NULL)
    *is_null = take_word (scan, "null");
  if (is_null != NULL && *is_null)
    return TRUE;

  return roast_json_scan_take (scan, '"') ? scan_text (scan, text) : roast_json_scan_fail (scan, "a text is expected");
}

static gboolean skip (RoastJsonScan *scan, guint depth);

static gboolean
skip_elements (RoastJsonScan *scan, char bracket, guint depth)
{
  guint64 n = 0;

  scan->at++;
  if (depth == 0)
    return roast_json_scan_fail (scan, "nested too deep");
  while (json_walk_next (scan, bracket, &n))
    if ((bracket == '{' && !scan_name (scan, NULL)) || !skip (scan, depth - 1))
      return FALSE;

  return scan->fault == NULL;
}

static gboolean
skip (RoastJsonScan *scan, guint depth)
{
  roast_json_scan_space (scan);
  if (scan->at == scan->end)
    return roast_json_scan_fail (scan, "the end comes too early");
  switch (*scan->at)
    {
    case '{':
    case '[':
      return skip_elements (scan, *scan->at, depth);
    case '"':
      scan->at++;
      return roast_json_scan_string (scan, NULL);
    case 'N':
    case 'I':
      return take_infinite (scan) || roast_json_scan_fail (scan, "not JSON");
    case '-':
      return take_infinite (scan) || roast_json_scan_number (scan, NULL);
    case 't':
    case 'f':
    case 'n':
      return roast_json_scan_word (scan);
    default:
      return roast_json_scan_number (scan, NULL);
    }
}

gboolean
json_walk_skip (RoastJsonScan *scan)
{
  return skip (scan, JSON_WALK_MAX_DEPTH);
}
