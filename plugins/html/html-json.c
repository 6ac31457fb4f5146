/* SPDX-License-Identifier: BSD-3-Clause */

/* The report in the page, for programs: as the exporter to JSON writes it, without tables. */

#include "html-page.h"
#include "report-json.h"

typedef struct
{
  JsonWriter writer;
  gsize limit;
  GPtrArray *left_out;
} Json;

/* What does not fit is left out as a whole: half of it would be taken for all of it. */
static void
keep_or_drop (Json *json, const char *name, gsize start, gboolean was_first)
{
  if (json->writer.text->len <= json->limit)
    return;
  g_string_truncate (json->writer.text, start);
  json->writer.first = was_first;
  g_ptr_array_add (json->left_out, (char *) name);
}

typedef void (*PutMember) (JsonWriter *w, RoastReport *report);

char *
html_make_json (const PageSource *source, gsize n_bytes)
{
  static const struct
  {
    const char *name;
    PutMember put;
  } members[] = {
    { "findings", report_json_put_findings },
    { "metrics", report_json_put_metrics },
    { "notes", report_json_put_notes },
  };
  g_autoptr (GPtrArray) left_out = g_ptr_array_new ();
  Json json = { .limit = n_bytes, .left_out = left_out };
  JsonWriter *w = &json.writer;
  gsize start = 0;

  w->text = g_string_new (NULL);
  w->in_html = TRUE;
  w->limit = n_bytes;
  json_writer_begin (w, '{');
  json_writer_string_member (w, "schema", "urn:roast:report:1");
  json_writer_string_member (w, "roast_version", PLUGIN_VERSION);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      start = w->text->len;
      members[i].put (w, source->report);
      keep_or_drop (&json, members[i].name, start, FALSE);
    }
  start = w->text->len;
  report_json_put_run (w, source->recording);
  keep_or_drop (&json, "run", start, FALSE);
  json_writer_member (w, "left_out");
  json_writer_begin (w, '[');
  for (guint i = 0; i < left_out->len; i++)
    {
      json_writer_next (w);
      json_writer_put_string (w, g_ptr_array_index (left_out, i));
    }
  json_writer_end (w, ']');
  json_writer_end (w, '}');

  return g_string_free (w->text, FALSE);
}
