/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "elapsed.h"

G_BEGIN_DECLS

/* Return how long the chunk of the current row took, in s; NaN if its start or end is missing. The reader @chunks must
 * have been opened with all columns. */
static inline double
chunk_time_get (RoastTableReader *chunks)
{
  return elapsed_get (chunks, ROAST_CHUNKS_STARTED, ROAST_CHUNKS_ENDED);
}

G_END_DECLS
