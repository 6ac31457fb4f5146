/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "exchange.h"

/* Keys of the lines of a stream. Lines that declare tables and lines that are rows have other keys. The first line of a
 * stream is {"roast-stream": 1}; the last line is {"end": true}. */
#define STREAM_MAGIC "roast-stream"
#define STREAM_VERSION 1
#define STREAM_META "meta"         /* metadata of the run file */
#define STREAM_METADATA "metadata" /* metadata of the recording */
#define STREAM_VALUE "value"
#define STREAM_END "end"

/* Fills the recording from the lines of @file, and closes @file. If @file is NULL, reads the file at the path of
 * @import. */
gboolean stream_import (ExchangeImport *import, FILE *file, GError **error);
/* Writes the run with the name @name to a new file at @path. If @name is NULL, writes the last run. If @path is NULL,
 * writes to standard output. */
gboolean stream_export (const char *name, const char *path, GError **error);
