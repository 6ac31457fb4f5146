/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report.h"

#include <stdio.h>

#include "core/base/roast-fail-private.h"

/* Helpers that all formats of import and export use. The table of formats is in formats.c. */

/* A run that is being imported. */
typedef struct
{
  const char *path; /* path as the user typed it */
  const char *name; /* name of the file for messages */
  RoastRecording *recording;
  RoastRunFile *run;
} ExchangeImport;

/* Opens the file to import. If @path is “-”, returns standard input. Refuses directories. Close the file with
 * exchange_close (). */
FILE *exchange_open (const char *path, GError **error);
void exchange_close (FILE *file);
/* Reads a line of at most @max bytes, without its line feed. The limit is necessary because a binary file may contain
 * no line feeds. Returns FALSE at the end of the file, and if an error occurs. */
gboolean exchange_read_line (FILE *file, GString *line, gsize max, gboolean *is_too_long);

/* Sets an error about the content of a file. Always returns FALSE. */
#define exchange_fail(error, ...) roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED, __VA_ARGS__)
/* Sets an error which says, from errno, why the output cannot be written. @path: NULL for standard output. Always
 * returns FALSE. */
gboolean exchange_set_output_error (GError **error, const char *path);

/* Opens the output of an export: a new file at @path. If @path is NULL, returns standard output. Returns NULL if the
 * file already exists or cannot be created. */
FILE *exchange_create (const char *path, GError **error);
gboolean exchange_finish (FILE *file, const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FILE, exchange_close)
