/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Verdict on a row of the table `chunks`. */
typedef enum
{
  CHUNK_COUNTED,     /* the chunk is in the result, or the chunks of the result are unknown */
  CHUNK_FAILED,      /* a failed chunk that belongs to no call */
  CHUNK_LOST,        /* a failed attempt at a chunk of a call; its time and bytes count, but not the chunk */
  CHUNK_WASTED,      /* the chunk was processed, but is not in the result */
  CHUNK_PREPARATION, /* a chunk that the framework processed to prepare the analysis */
  CHUNK_REPEATED,    /* a second row of the same attempt */
} ChunkVerdict;

typedef struct
{
  gatomicrefcount references;
  GByteArray *rows;    /* elements are ChunkVerdict, by row number */
  gint64 n_results;    /* number of chunks in results */
  gint64 n_unreported; /* number of chunks that are in a result but have no row */
  gint64 n_open;       /* number of chunks that were counted although their call returned no result */
  gboolean known;      /* the program reported calls or results */
} ChunkVerdicts;

/* Return the verdicts on all rows of the table chunks. They are computed once for each snapshot. */
ChunkVerdicts *chunk_verdicts_get (RoastRecordingSnapshot *recording);
void chunk_verdicts_unref (ChunkVerdicts *self);

/* Return the verdict on the row with number @row. */
ChunkVerdict chunk_verdicts_judge (ChunkVerdicts *self, guint64 row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChunkVerdicts, chunk_verdicts_unref)

G_END_DECLS
