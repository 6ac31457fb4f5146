/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A stretch of time in which a table of a source lacks rows, or has none. */
typedef struct
{
  char *source;    /* NULL: any */
  guint state;     /* a word of the vocabulary coverage_state */
  gboolean is_end; /* only rows of its end are missing */
  char *reason;    /* may be NULL */
} Coverage;

/* Those of a table, or of one of its columns, that are not complete. @column: NULL for whole rows. Older recordings say
 * it of tasks in the table of sources. */
GPtrArray *coverage_list (RoastRecordingSnapshot *recording, const char *table, const char *column);

G_END_DECLS
