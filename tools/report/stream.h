/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "exchange.h"

G_BEGIN_DECLS

/* Keys of the lines of a stream, except the lines that declare tables and the lines that are rows. The first line of a
 * stream is {"roast-stream": 1}, the last line is {"end": true}. */
#define STREAM_MAGIC "roast-stream"
#define STREAM_VERSION 1
#define STREAM_META "meta"         /* metadata of the run file */
#define STREAM_METADATA "metadata" /* metadata of the recording */
#define STREAM_VALUE "value"
#define STREAM_END "end"

/* Fills the recording from the lines of @file, and closes @file. If @file is NULL, opens the file at the path of
 * @import. */
gboolean stream_import (ExchangeImport *import, FILE *file, GError **error);
/* Writes the run called @name to a new file at @path. Takes the last run if @name is NULL, and writes to standard
 * output if @path is NULL. */
gboolean stream_export (const char *name, const char *path, GError **error);

G_END_DECLS
