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
/* Guesses the format of the file or directory at @path; assumes a stream for standard input. */
const Format *format_guess (const char *path, GError **error);

/* Fills the recording. Prints on standard error which content of the file it leaves out. Returns FALSE on an error. */
gboolean format_import (const Format *self, ExchangeImport *import, GError **error);
/* Writes the run called @name to @path. Takes the last run if @name is NULL, and writes to standard output if @path is
 * NULL. Prints on standard error which content of the run it leaves out. Returns FALSE on an error. */
gboolean format_export (const Format *self, const char *name, const char *path, GError **error);
