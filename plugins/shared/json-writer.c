/* SPDX-License-Identifier: BSD-3-Clause */

#include "json-writer.h"

#include <math.h>

#include "exact-number.h"
#include "harmless.h"

void
json_writer_flush (JsonWriter *w, gsize at_least)
{
  if (w->stream == NULL || w->text->len < at_least)
    return;
  if (w->error == NULL && !g_cancellable_set_error_if_cancelled (w->cancellable, &w->error))
    g_output_stream_write_all (w->stream, w->text->str, w->text->len, NULL, w->cancellable, &w->error);
  g_string_truncate (w->text, 0);
}

static void
put_escaped (JsonWriter *w, guchar c)
{
  if (c == '"' || c == '\\')
    g_string_append_printf (w->text, "\\%c", c);
  else
    g_string_append_printf (w->text, "\\u%04x", c);
}

static gboolean
needs_escape (const JsonWriter *w, guchar c)
{
  return c < 0x20 || c == '"' || c == '\\' || c == 0x7f || (w->in_html && (c == '<' || c == '>' || c == '&'));
}

/* Escape invisible characters, and characters that change the direction of text, because they could mislead people who
 * read the source of the page. */
static void
put_for_html (JsonWriter *w, const char *valid)
{
  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar u = g_utf8_get_char (c);

      if (u < 0x80 && needs_escape (w, (guchar) u))
        put_escaped (w, (guchar) u);
      else if (u < 0x80 || is_harmless (u))
        g_string_append_unichar (w->text, u);
      else if (u < 0x10000)
        g_string_append_printf (w->text, "\\u%04x", u);
      else
        g_string_append_printf (w->text, "\\u%04x\\u%04x", 0xd800 + ((u - 0x10000) >> 10), 0xdc00 + (u & 0x3ff));
    }
}

static void
put_plain (JsonWriter *w, const char *valid)
{
  const guchar *run = (const guchar *) valid;
  const guchar *c = run;

  for (; *c != '\0'; c++)
    {
      if (!needs_escape (w, *c))
        continue;
      g_string_append_len (w->text, (const char *) run, c - run);
      put_escaped (w, *c);
      run = c + 1;
    }
  g_string_append_len (w->text, (const char *) run, c - run);
}

/* Make the text valid UTF-8, because JSON requires it and a text from a plugin may be invalid. */
void
json_writer_put_string (JsonWriter *w, const char *text)
{
  g_autofree char *valid = NULL;

  if (w->limit > 0 && w->text->len > w->limit)
    return;
  if (text == NULL)
    {
      g_string_append (w->text, "null");
      return;
    }
  if (!g_utf8_validate (text, -1, NULL))
    text = valid = g_utf8_make_valid (text, -1);
  g_string_append_c (w->text, '"');
  if (w->in_html)
    put_for_html (w, text);
  else
    put_plain (w, text);
  g_string_append_c (w->text, '"');
}

void
json_writer_put_double (JsonWriter *w, double value)
{
  if (isfinite (value))
    exact_number_append_double (w->text, value);
  else
    g_string_append (w->text, "null");
}

static void
break_line (JsonWriter *w)
{
  if (!w->indent)
    return;
  g_string_append_c (w->text, '\n');
  for (guint i = 0; i < w->depth; i++)
    g_string_append (w->text, "  ");
}

void
json_writer_next (JsonWriter *w)
{
  if (!w->first)
    g_string_append_c (w->text, ',');
  break_line (w);
  w->first = FALSE;
  json_writer_flush (w, JSON_WRITER_FLUSH_AT);
}

void
json_writer_member (JsonWriter *w, const char *name)
{
  json_writer_next (w);
  json_writer_put_string (w, name);
  g_string_append (w->text, w->indent ? ": " : ":");
}

void
json_writer_begin (JsonWriter *w, char bracket)
{
  g_string_append_c (w->text, bracket);
  w->depth++;
  w->first = TRUE;
}

void
json_writer_begin_member (JsonWriter *w, const char *name, char bracket)
{
  json_writer_member (w, name);
  json_writer_begin (w, bracket);
}

void
json_writer_begin_element (JsonWriter *w, char bracket)
{
  json_writer_next (w);
  json_writer_begin (w, bracket);
}

void
json_writer_end (JsonWriter *w, char bracket)
{
  gboolean empty = w->first;

  w->depth--;
  if (!empty)
    break_line (w);
  g_string_append_c (w->text, bracket);
  w->first = FALSE;
}

void
json_writer_string_member (JsonWriter *w, const char *name, const char *value)
{
  json_writer_member (w, name);
  json_writer_put_string (w, value);
}

void
json_writer_texts_member (JsonWriter *w, const char *name, const char *const *texts)
{
  json_writer_begin_member (w, name, '[');
  for (; texts != NULL && *texts != NULL; texts++)
    {
      json_writer_next (w);
      json_writer_put_string (w, *texts);
    }
  json_writer_end (w, ']');
}

static void
put_dictionary (JsonWriter *w, GVariant *value)
{
  json_writer_begin (w, '{');
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      g_autoptr (GVariant) entry = g_variant_get_child_value (value, i);
      g_autoptr (GVariant) name = g_variant_get_child_value (entry, 0);
      g_autoptr (GVariant) held = g_variant_get_child_value (entry, 1);

      json_writer_member (w, g_variant_get_string (name, NULL));
      json_writer_put_variant (w, held);
    }
  json_writer_end (w, '}');
}

static void
put_children (JsonWriter *w, GVariant *value)
{
  json_writer_begin (w, '[');
  for (gsize i = 0; i < g_variant_n_children (value); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (value, i);

      json_writer_next (w);
      json_writer_put_variant (w, child);
    }
  json_writer_end (w, ']');
}

/* Put the value inside a nested variant or a maybe value. */
static void
put_inner (JsonWriter *w, GVariant *value)
{
  g_autoptr (GVariant) inner = g_variant_n_children (value) > 0 ? g_variant_get_child_value (value, 0) : NULL;

  json_writer_put_variant (w, inner);
}

/* Put an integer as GVariant prints it. JSON has the same form. */
static void
put_printed (JsonWriter *w, GVariant *value)
{
  g_autofree char *text = g_variant_print (value, FALSE);

  g_string_append (w->text, text);
}

void
json_writer_put_variant (JsonWriter *w, GVariant *value)
{
  if (value == NULL)
    {
      g_string_append (w->text, "null");
      return;
    }

  switch (g_variant_classify (value))
    {
    case G_VARIANT_CLASS_STRING:
    case G_VARIANT_CLASS_OBJECT_PATH:
    case G_VARIANT_CLASS_SIGNATURE:
      json_writer_put_string (w, g_variant_get_string (value, NULL));
      break;
    case G_VARIANT_CLASS_DOUBLE:
      json_writer_put_double (w, g_variant_get_double (value));
      break;
    case G_VARIANT_CLASS_BOOLEAN:
      g_string_append (w->text, g_variant_get_boolean (value) ? "true" : "false");
      break;
    case G_VARIANT_CLASS_BYTE:
      exact_number_append_int64 (w->text, g_variant_get_byte (value));
      break;
    case G_VARIANT_CLASS_VARIANT:
    case G_VARIANT_CLASS_MAYBE:
      put_inner (w, value);
      break;
    case G_VARIANT_CLASS_ARRAY:
      if (g_variant_is_of_type (value, G_VARIANT_TYPE ("a{s*}")))
        put_dictionary (w, value);
      else
        put_children (w, value);
      break;
    case G_VARIANT_CLASS_TUPLE:
    case G_VARIANT_CLASS_DICT_ENTRY:
      put_children (w, value);
      break;
    case G_VARIANT_CLASS_INT16:
    case G_VARIANT_CLASS_UINT16:
    case G_VARIANT_CLASS_INT32:
    case G_VARIANT_CLASS_UINT32:
    case G_VARIANT_CLASS_INT64:
    case G_VARIANT_CLASS_UINT64:
    case G_VARIANT_CLASS_HANDLE:
    default:
      put_printed (w, value);
      break;
    }
}
