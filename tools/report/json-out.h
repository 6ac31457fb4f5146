/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdio.h>

#include "json-writer.h"

G_BEGIN_DECLS

/* Writes JSON piece by piece. A name is NULL for an element of an array. */
typedef struct
{
  JsonWriter json;
  FILE *file; /* NULL: all of it stays in the writer's text */
} JsonOut;

#define JSON_OUT_INIT(file_, text_) { .json = { .text = (text_), .indent = TRUE }, .file = (file_) }

void json_out_open (JsonOut *self, const char *name, char bracket);
void json_out_close (JsonOut *self, char bracket);
/* null for NaN */
void json_out_double (JsonOut *self, const char *name, double value);
void json_out_int64 (JsonOut *self, const char *name, gint64 value);
/* null for NULL */
void json_out_text (JsonOut *self, const char *name, const char *value);
/* Writes the rest. */
void json_out_flush (JsonOut *self);

G_END_DECLS
