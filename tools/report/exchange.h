/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report.h"

#include <json-glib/json-glib.h>
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

/* A line without its line feed, of at most @max bytes: what is no text may have no line feed at all. FALSE at the end,
 * and on an error. */
gboolean exchange_read_line (FILE *file, GString *line, gsize max, gboolean *is_too_long);
/* A text of JSON; NULL if it is not there. Accepts NULL. */
const char *exchange_get_text (JsonObject *object, const char *member);

/* Sets an error about the content of a file. Returns FALSE. */
gboolean exchange_fail (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The same about an output that cannot be written, NULL for standard output, by errno. */
gboolean exchange_set_output_error (GError **error, const char *path);

/* Says on standard error what a file has, or a run, that the other does not have; nothing if @what is empty. */
void exchange_say_left_out (const char *name, const GPtrArray *what, const char *why);

/* Where an export goes: @path, or standard output if it is NULL. FALSE if it exists, or could not be written. */
FILE *exchange_create (const char *path, GError **error);
gboolean exchange_finish (FILE *file, const char *path, GError **error);

/* What another tool measured, and why parts of it are missing. */
typedef struct
{
  const char *name;
  const char *version; /* or NULL */
  const char *capabilities;
  guint worker_kind;
  const char *tasks_missing, *processes_missing;
  const char *activities_missing; /* NULL: they are there */
} ExchangeSource;

/* Adds the only source of an import. Returns its name. */
char *exchange_add_source (RoastRecording *recording, const ExchangeSource *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FILE, exchange_close)

G_END_DECLS
