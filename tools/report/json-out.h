/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdio.h>

#include "json-writer.h"

G_BEGIN_DECLS

/* Writes JSON piece by piece. Pass NULL as the name of an array element. */
typedef struct
{
  JsonWriter json;
  FILE *file; /* NULL to keep all output in the writer's text */
} JsonOut;

#define JSON_OUT_INIT(file_, text_) { .json = { .text = (text_), .indent = TRUE }, .file = (file_) }

void json_out_open (JsonOut *self, const char *name, char bracket);
void json_out_close (JsonOut *self, char bracket);
/* Writes null for NaN. */
void json_out_double (JsonOut *self, const char *name, double value);
void json_out_int64 (JsonOut *self, const char *name, gint64 value);
/* Writes null for NULL. */
void json_out_text (JsonOut *self, const char *name, const char *value);
/* Writes the buffered text to the file. */
void json_out_flush (JsonOut *self);

G_END_DECLS
