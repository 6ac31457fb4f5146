/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Computes how many bytes the chunks of the result had to read from each file of each dataset. A basket that several
 * chunks need counts once. */
typedef struct _WorkloadNeeded WorkloadNeeded;

typedef struct
{
  double needed;          /* bytes; NaN if no chunk reported how many it needed */
  double amplified;       /* part of @needed, for chunks that also report bytes read; NaN if no chunk does */
  double bytes;           /* bytes read, for the chunks that @amplified includes */
  gint64 chunks, missing; /* chunks that report needed bytes, and chunks that do not */
  gint64 unread;          /* chunks that report needed bytes, but not bytes read */
  gboolean estimated;     /* the numbers of bytes are estimates, because it is unknown which baskets chunks share */
} WorkloadNeed;

WorkloadNeeded *workload_needed_new (void);
void workload_needed_free (WorkloadNeeded *self);

/* Add the chunk in the current row of @chunks. The chunk must be in the result, and must not come from a checkpoint.
 * @chunks must be grouped by dataset and file. */
void workload_needed_add (WorkloadNeeded *self, RoastTableReader *chunks);

/* Compute the needed bytes. Call this function after the last chunk was added, and before the functions below. */
void workload_needed_finish (WorkloadNeeded *self, RoastRecordingSnapshot *recording);
WorkloadNeed workload_needed_get (WorkloadNeeded *self, guint group);
WorkloadNeed workload_needed_get_all (WorkloadNeeded *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WorkloadNeeded, workload_needed_free)
