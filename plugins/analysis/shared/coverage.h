/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A period in which a source has only some rows, or none, of a table. */
typedef struct
{
  char *source;    /* name of the source; NULL if the period applies to all sources */
  guint state;     /* word of the vocabulary coverage_state */
  gboolean is_end; /* Only rows at the end of the run are missing. */
  char *reason;    /* may be NULL */
} Coverage;

/* Return the incomplete periods (Coverage) of @table. If @column is not NULL, return those of this column, else those
 * of whole rows. Older recordings keep the incomplete periods of the table tasks in the table sources. */
GPtrArray *coverage_list (RoastRecordingSnapshot *recording, const char *table, const char *column);

/* Return the reason why a source has no rows of @table at all, so that the other sources do not describe the whole run;
 * NULL if no source lacks all rows. */
char *coverage_dup_none (RoastRecordingSnapshot *recording, const char *table);

G_END_DECLS
