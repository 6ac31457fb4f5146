/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A period in which a table of a source lacks some or all rows. */
typedef struct
{
  char *source;    /* NULL for any source */
  guint state;     /* word of the vocabulary coverage_state */
  gboolean is_end; /* only rows at the end are missing */
  char *reason;    /* may be NULL */
} Coverage;

/* List the incomplete periods of a table or of one of its columns. @column is NULL for whole rows. Older recordings
 * list those of tasks in the table sources. */
GPtrArray *coverage_list (RoastRecordingSnapshot *recording, const char *table, const char *column);

/* Return why a source has no rows of a table at all, so that other sources do not stand for the run; NULL if all have
 * their rows. */
char *coverage_dup_none (RoastRecordingSnapshot *recording, const char *table);

G_END_DECLS
