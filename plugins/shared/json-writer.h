/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#define JSON_WRITER_FLUSH_AT 65536

/* Writes incrementally, because a recording may be too large to hold twice in memory. Keeps the first error. */
typedef struct
{
  GOutputStream *stream; /* NULL: keep all output in `text` */
  GCancellable *cancellable;
  GString *text;
  gsize limit; /* length of `text` beyond which strings are skipped, since its owner discards it; 0: none */
  GError *error;
  guint depth;
  gboolean first; /* the next element is the first of its object or array */
  gboolean indent;
  gboolean in_html; /* escape “<”, “>”, “&” and invisible characters */
} JsonWriter;

/* Writes the pending text if it has at least @at_least bytes. */
void json_writer_flush (JsonWriter *w, gsize at_least);
void json_writer_begin (JsonWriter *w, char bracket);
void json_writer_end (JsonWriter *w, char bracket);
/* Begins an array element, after a comma if needed. */
void json_writer_next (JsonWriter *w);
/* Begins an object member: a comma if needed, and the name. */
void json_writer_member (JsonWriter *w, const char *name);
void json_writer_string_member (JsonWriter *w, const char *name, const char *value);
/* NULL and non-finite numbers are written as null. */
void json_writer_put_string (JsonWriter *w, const char *text);
void json_writer_put_double (JsonWriter *w, double value);
/* Writes a value of metadata or of a metric. */
void json_writer_put_variant (JsonWriter *w, GVariant *value);
