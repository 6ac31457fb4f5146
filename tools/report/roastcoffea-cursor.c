/* SPDX-License-Identifier: BSD-3-Clause */
#include "roastcoffea-cursor.h"

gboolean
roastcoffea_read_time (const Roastcoffea *roastcoffea, RoastJsonScan *scan, GString *text, gint64 *time)
{
  if (!json_walk_text (scan, text, NULL))
    return FALSE;
  if (!roastcoffea_parse_time (text->str, text->len, time))
    return roast_json_scan_fail (scan, "a time like 2025-10-09T08:53:21.039575 is expected");
  *time -= roastcoffea->zone;

  return *time >= 0 || roast_json_scan_fail (scan, "a time before 1970");
}

gboolean
roastcoffea_cursor_next (RoastcoffeaCursor *self)
{
  RoastJsonScan *scan = &self->scan;
  guint64 n = 0;

  self->has = json_walk_next (scan, '[', &self->n);
  if (!self->has)
    return scan->fault == NULL;

  return json_walk_open (scan, '[') && json_walk_next (scan, '[', &n) &&
         roastcoffea_read_time (self->roastcoffea, scan, self->text, &self->time) && json_walk_next (scan, '[', &n) &&
         json_walk_number (scan, &self->value) &&
         (!json_walk_next (scan, '[', &n) || roast_json_scan_fail (scan, "a time and a value are expected"));
}

gboolean
roastcoffea_cursor_begin (RoastcoffeaCursor *self, const Roastcoffea *roastcoffea, GString *text, const char *at)
{
  self->roastcoffea = roastcoffea;
  self->text = text;
  if (at == NULL)
    return TRUE;
  self->scan = roastcoffea_scan (roastcoffea, at);

  return json_walk_open (&self->scan, '[') && roastcoffea_cursor_next (self);
}
