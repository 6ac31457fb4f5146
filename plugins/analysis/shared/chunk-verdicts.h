/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "cell-cursor.h"

G_BEGIN_DECLS

/* What a row of the table `chunks` counts as. */
typedef enum
{
  CHUNK_COUNTED,     /* it is in the result; or nothing says which chunks are */
  CHUNK_FAILED,      /* with an error, of a program that has no calls: one of its chunks */
  CHUNK_LOST,        /* a failed attempt in a call: no chunk, but it took time and bytes */
  CHUNK_WASTED,      /* it was processed, but is not in the result */
  CHUNK_PREPARATION, /* of the framework: no chunk of the analysis */
  CHUNK_REPEATED,    /* a second row for an attempt that was seen before */
} ChunkVerdict;

typedef struct _ChunkVerdicts ChunkVerdicts;

/* Judges all rows, or gets what was found before for the same snapshot. */
ChunkVerdicts *chunk_verdicts_get (RoastRecordingSnapshot *recording);
void chunk_verdicts_unref (ChunkVerdicts *self);

/* By the number of the row in the table. */
ChunkVerdict chunk_verdicts_judge (ChunkVerdicts *self, guint64 row);

/* Chunks that are in a result but have no row. */
gint64 chunk_verdicts_get_n_unreported (ChunkVerdicts *self);

/* Chunks that were counted although their call gave no result. */
gint64 chunk_verdicts_get_n_open (ChunkVerdicts *self);

/* Whether the program said anything of its calls or its results. */
gboolean chunk_verdicts_are_known (ChunkVerdicts *self);

/* Chunks that are in a result. */
gint64 chunk_verdicts_get_n_results (ChunkVerdicts *self);

/* Whether the task that made the call was executed again: then the later call counts. */
gboolean chunk_verdicts_is_superseded (ChunkVerdicts *self, const char *call);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChunkVerdicts, chunk_verdicts_unref)

G_END_DECLS
