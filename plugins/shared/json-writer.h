/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#define JSON_WRITER_FLUSH_AT 65536

/* Writes JSON piece by piece to a stream, because a recording may be too large to hold its text in memory as well.
 * Keeps the first error. */
typedef struct
{
  GOutputStream *stream; /* NULL: keep all output in `text` */
  GCancellable *cancellable;
  GString *text;
  gsize limit; /* length of `text` above which strings are skipped, because its owner discards it; 0: no limit */
  GError *error;
  guint depth;
  gboolean first; /* the next element or member is the first of its array or object */
  gboolean indent;
  gboolean in_html; /* escape “<”, “>”, “&” and invisible characters */
} JsonWriter;

/* Writes `text` to the stream if it has at least @at_least bytes. */
void json_writer_flush (JsonWriter *w, gsize at_least);
void json_writer_begin (JsonWriter *w, char bracket);
void json_writer_end (JsonWriter *w, char bracket);
/* Begins an array element. Puts a comma before it unless it is the first. */
void json_writer_next (JsonWriter *w);
/* Begins an object member. Puts its name, after a comma unless it is the first member. */
void json_writer_member (JsonWriter *w, const char *name);
void json_writer_string_member (JsonWriter *w, const char *name, const char *value);
/* Put a value. A NULL text and a number that is not finite become null. */
void json_writer_put_string (JsonWriter *w, const char *text);
void json_writer_put_double (JsonWriter *w, double value);
/* Puts a value of metadata or of a metric. */
void json_writer_put_variant (JsonWriter *w, GVariant *value);
