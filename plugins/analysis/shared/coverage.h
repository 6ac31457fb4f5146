/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A period in which rows of a source are missing from a table, some of them or all. */
typedef struct
{
  char *source;    /* name of the source; NULL if the period applies to all sources */
  guint state;     /* word of the vocabulary coverage_state */
  gboolean is_end; /* rows are missing only at the end of the run */
  char *reason;    /* may be NULL */
} Coverage;

/* Return the incomplete periods (Coverage) of @table: if @column is NULL, those in which rows are missing, else those
 * in which cells of this column are missing. Older recordings keep the periods of the table tasks in the table
 * sources. */
GPtrArray *coverage_list (RoastRecordingSnapshot *recording, const char *table, const char *column);

/* Return the reason why a source has no rows in @table. The rows of other sources then do not describe the whole run.
 * Return NULL if each source has rows. */
char *coverage_dup_none (RoastRecordingSnapshot *recording, const char *table);

G_END_DECLS
