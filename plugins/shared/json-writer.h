/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#define JSON_WRITER_FLUSH_AT 65536

/* Writes JSON piece by piece to a stream, because a recording may be too large for its JSON text to fit in memory, too.
 * Keeps only the first error. */
typedef struct
{
  GOutputStream *stream; /* NULL to keep all output in `text` */
  GCancellable *cancellable;
  GString *text;
  gsize limit; /* if `text` is longer than this, skip strings: the caller discards the text anyway; 0: no limit */
  GError *error;
  guint depth;
  gboolean first; /* the next element or member is the first of its array or object */
  gboolean indent;
  gboolean in_html; /* escape “<”, “>”, “&” and invisible characters */
} JsonWriter;

/* Writes `text` to the stream, and empties it, if it has at least @at_least bytes. */
void json_writer_flush (JsonWriter *w, gsize at_least);
void json_writer_begin (JsonWriter *w, char bracket);
void json_writer_end (JsonWriter *w, char bracket);
/* Begins an element of an array. Puts a comma before all elements but the first. */
void json_writer_next (JsonWriter *w);
/* Begins a member of an object: puts its name. Puts a comma before all members but the first. */
void json_writer_member (JsonWriter *w, const char *name);
void json_writer_string_member (JsonWriter *w, const char *name, const char *value);
/* Puts a member whose value is an array of texts. @texts: may be NULL for an empty array. */
void json_writer_texts_member (JsonWriter *w, const char *name, const char *const *texts);
/* Begins an array or an object that is a member, or an element of an array. */
void json_writer_begin_member (JsonWriter *w, const char *name, char bracket);
void json_writer_begin_element (JsonWriter *w, char bracket);
/* Put a value. A text that is NULL, or a number that is not finite, is written as null. */
void json_writer_put_string (JsonWriter *w, const char *text);
void json_writer_put_double (JsonWriter *w, double value);
/* Puts a value of metadata or of a metric. */
void json_writer_put_variant (JsonWriter *w, GVariant *value);
