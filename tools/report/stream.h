/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "exchange.h"

G_BEGIN_DECLS

/* Keys of the lines of a stream that are neither tables nor rows. The first line is {"roast-stream": 1}, the last
 * {"end": true}. */
#define STREAM_MAGIC "roast-stream"
#define STREAM_VERSION 1
#define STREAM_META "meta"         /* of the file */
#define STREAM_METADATA "metadata" /* of the recording */
#define STREAM_VALUE "value"
#define STREAM_END "end"

/* Fills the recording from the lines of @file, which is closed, or of the file at the import's path if @file is NULL.
 */
gboolean stream_import (ExchangeImport *import, FILE *file, GError **error);
/* Writes the run called @name, or the last one if it is NULL, to a new file at @path, or to standard output if @path is
 * NULL. */
gboolean stream_export (const char *name, const char *path, GError **error);

G_END_DECLS
