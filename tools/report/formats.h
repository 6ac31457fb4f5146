/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "exchange.h"

G_BEGIN_DECLS

/* A format that import reads and export writes. Both functions return FALSE on an error. */
typedef struct
{
  const char *name; /* for --format */
  /* Returns whether a file begins like this format; NULL if the format is a directory. */
  gboolean (*begins_like) (const char *start, gsize length);
  /* Fills the recording, and prints on standard error what it leaves out. */
  gboolean (*import) (ExchangeImport *import, GError **error);
  /* Writes to @path, or to standard output if @path is NULL, and prints on standard error what it leaves out. */
  gboolean (*export) (ReportRun *run, const char *path, GError **error);
} Format;

const Format *format_find (const char *name, GError **error);
/* Guesses the format of the file or directory at @path; assumes a stream for standard input. */
const Format *format_guess (const char *path, GError **error);

/* stream-import.c, stream-export.c */
gboolean stream_begins_like (const char *start, gsize length);
gboolean stream_import (ExchangeImport *import, GError **error);
gboolean stream_export (ReportRun *run, const char *path, GError **error);
/* prmon-text.c, prmon-json.c, prmon-export.c */
gboolean prmon_text_begins_like (const char *start, gsize length);
gboolean prmon_text_import (ExchangeImport *import, GError **error);
gboolean prmon_text_export (ReportRun *run, const char *path, GError **error);
gboolean prmon_json_begins_like (const char *start, gsize length);
gboolean prmon_json_import (ExchangeImport *import, GError **error);
gboolean prmon_json_export (ReportRun *run, const char *path, GError **error);
/* roastcoffea-import.c, roastcoffea-export.c */
gboolean roastcoffea_import (ExchangeImport *import, GError **error);
gboolean roastcoffea_export (ReportRun *run, const char *path, GError **error);

G_END_DECLS
