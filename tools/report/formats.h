/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "exchange.h"
#include "stream.h"

/* A file format that the command import reads and the command export writes. */
typedef struct
{
  const char *name;       /* name of the format, as in --format */
  const char *start;      /* first characters of a file; NULL: the format is not a file but a directory */
  const char *near_start; /* text that follows near the start of a file */
  const char *program;    /* program that converts this format from and to a stream; NULL for the stream format */
} Format;

const Format *format_find (const char *name, GError **error);
/* Guesses the format of the file or directory at @path. If @path is standard input, assumes a stream. */
const Format *format_guess (const char *path, GError **error);

/* Fills the recording. Prints on standard error which parts of the file are left out. Returns FALSE if an error
 * occurs. */
gboolean format_import (const Format *self, ExchangeImport *import, GError **error);
/* Writes the run with the name @name to @path. If @name is NULL, writes the last run. If @path is NULL, writes to
 * standard output. Prints on standard error which parts of the run are left out. Returns FALSE if an error occurs. */
gboolean format_export (const Format *self, const char *name, const char *path, GError **error);
