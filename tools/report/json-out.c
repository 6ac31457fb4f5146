/* SPDX-License-Identifier: BSD-3-Clause */
#include "json-out.h"

#include "exact-number.h"

void
json_out_flush (JsonOut *self)
{
  fwrite (self->json.text->str, 1, self->json.text->len, self->file);
  g_string_truncate (self->json.text, 0);
}

static void
begin (JsonOut *self, const char *name)
{
  if (self->file != NULL && self->json.text->len >= JSON_WRITER_FLUSH_AT)
    json_out_flush (self);
  if (name != NULL)
    json_writer_member (&self->json, name);
  else if (self->json.depth > 0)
    json_writer_next (&self->json);
}

void
json_out_open (JsonOut *self, const char *name, char bracket)
{
  begin (self, name);
  json_writer_begin (&self->json, bracket);
}

void
json_out_close (JsonOut *self, char bracket)
{
  json_writer_end (&self->json, bracket);
}

void
json_out_double (JsonOut *self, const char *name, double value)
{
  begin (self, name);
  json_writer_put_double (&self->json, value);
}

void
json_out_int64 (JsonOut *self, const char *name, gint64 value)
{
  begin (self, name);
  exact_number_append_int64 (self->json.text, value);
}

void
json_out_text (JsonOut *self, const char *name, const char *value)
{
  begin (self, name);
  json_writer_put_string (&self->json, value);
}
