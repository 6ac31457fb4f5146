/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#define JSON_WRITER_FLUSH_AT 65536

/* Writes as it goes: a recording may be too large to be in memory twice. The first error is kept. */
typedef struct
{
  GOutputStream *stream; /* NULL: all of it stays in `text` */
  GCancellable *cancellable;
  GString *text;
  gsize limit; /* of `text`, beyond which texts are not added, since its owner discards it; 0: none */
  GError *error;
  guint depth;
  gboolean first; /* in its object or array */
  gboolean indent;
  gboolean in_html; /* “<”, “>”, “&” and invisible characters are escaped */
} JsonWriter;

/* Writes what there is if it is at least so much. */
void json_writer_flush (JsonWriter *w, gsize at_least);
void json_writer_begin (JsonWriter *w, char bracket);
void json_writer_end (JsonWriter *w, char bracket);
/* A comma where one is needed, before an element of an array. */
void json_writer_next (JsonWriter *w);
/* The same and a name, before a value in an object. */
void json_writer_member (JsonWriter *w, const char *name);
void json_writer_string_member (JsonWriter *w, const char *name, const char *value);
/* NULL is null, as are numbers that are not finite. */
void json_writer_put_string (JsonWriter *w, const char *text);
void json_writer_put_double (JsonWriter *w, double value);
/* A value of metadata or of a metric. */
void json_writer_put_variant (JsonWriter *w, GVariant *value);
