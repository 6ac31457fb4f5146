/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report.h"

#include <stdio.h>

G_BEGIN_DECLS

/* What the formats of import and export share. The table of formats is in formats.c. */

/* A run that is being imported. */
typedef struct
{
  const char *path; /* as given */
  const char *name; /* for messages */
  RoastRecording *recording;
  RoastRunFile *run;
} ExchangeImport;

/* Opens the file of an import, or standard input for “-”. A directory is refused. Close it with exchange_close (). */
FILE *exchange_open (const char *path, GError **error);
void exchange_close (FILE *file);
/* All of a file: at most @max bytes. @text ends with a NUL that does not count. */
gboolean exchange_read (const char *path, gsize max, char **text, gsize *length, GError **error);

/* An error about what is in the file @name. */
void exchange_set_error (GError **error, const char *name, const char *format, ...) G_GNUC_PRINTF (3, 4);
void exchange_set_output_error (GError **error, const char *path);

/* Says on standard error what a file has, or a run, that the other does not have; nothing if @what is empty. */
void exchange_say_left_out (const char *name, const GPtrArray *what, const char *why);

/* Where an export goes: @path, or standard output if it is NULL. FALSE if it exists, or could not be written. */
FILE *exchange_create (const char *path, GError **error);
gboolean exchange_finish (FILE *file, const char *path, GError **error);

/* A number of the recording's metadata. */
gboolean exchange_get_metadata (RoastRecording *recording, const char *key, gint64 *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FILE, exchange_close)

G_END_DECLS
