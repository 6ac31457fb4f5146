/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "exchange.h"
#include "stream.h"

G_BEGIN_DECLS

/* A format that import reads and export writes. */
typedef struct
{
  const char *name; /* for --format */
  /* Returns whether a file begins like this format; NULL if the format is a directory. */
  gboolean (*begins_like) (const char *start);
  const char *program; /* converts from and to a stream; NULL for the stream itself. See formats/_lines.py. */
} Format;

const Format *format_find (const char *name, GError **error);
/* Guesses the format of the file or directory at @path; assumes a stream for standard input. */
const Format *format_guess (const char *path, GError **error);

/* Fills the recording, and prints on standard error what it leaves out. Returns FALSE on an error. */
gboolean format_import (const Format *self, ExchangeImport *import, GError **error);
/* Writes the run called @name, or the last one if it is NULL, to @path, or to standard output if @path is NULL. Prints
 * on standard error what it leaves out. Returns FALSE on an error. */
gboolean format_export (const Format *self, const char *name, const char *path, GError **error);

G_END_DECLS
