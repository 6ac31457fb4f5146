/* SPDX-License-Identifier: BSD-3-Clause */
#include "json-out.h"

#include <math.h>

#include "exact-number.h"
#include "json-text.h"

static void
begin (JsonOut *self, const char *name)
{
  g_string_assign (self->text, self->comma ? ",\n" : "\n");
  self->comma = TRUE;
  if (name == NULL)
    return;
  json_text_append (self->text, name);
  g_string_append (self->text, ": ");
}

static void
put (JsonOut *self)
{
  fwrite (self->text->str, 1, self->text->len, self->file);
}

void
json_out_open (JsonOut *self, const char *name, char bracket)
{
  begin (self, name);
  g_string_append_c (self->text, bracket);
  put (self);
  self->comma = FALSE;
}

void
json_out_close (JsonOut *self, char bracket)
{
  fputc (bracket, self->file);
  self->comma = TRUE;
}

void
json_out_double (JsonOut *self, const char *name, double value)
{
  begin (self, name);
  if (isfinite (value))
    exact_number_append_double (self->text, value);
  else
    g_string_append (self->text, "null");
  put (self);
}

void
json_out_int64 (JsonOut *self, const char *name, gint64 value)
{
  begin (self, name);
  exact_number_append_int64 (self->text, value);
  put (self);
}

void
json_out_text (JsonOut *self, const char *name, const char *value)
{
  begin (self, name);
  if (value != NULL)
    json_text_append (self->text, value);
  else
    g_string_append (self->text, "null");
  put (self);
}
