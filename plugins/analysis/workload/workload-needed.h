/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Bytes that chunks of the result had to read from each file of each dataset. Each basket counts once. */
typedef struct _WorkloadNeeded WorkloadNeeded;

typedef struct
{
  double needed;          /* bytes; NaN if no chunk reported them */
  double amplified;       /* part of needed, for chunks that also report bytes read; NaN if none did */
  double bytes;           /* bytes that these chunks read */
  gint64 chunks, missing; /* chunks that report needed bytes, and chunks that do not */
  gint64 unread;          /* chunks of these that do not report bytes read */
  gboolean estimated;     /* it is unknown which baskets two chunks share */
} WorkloadNeed;

WorkloadNeeded *workload_needed_new (void);
void workload_needed_free (WorkloadNeeded *self);

/* Add the current row of @chunks: a chunk of the result that was processed. @chunks must be grouped by dataset and
 * file. */
void workload_needed_add (WorkloadNeeded *self, RoastTableReader *chunks);

/* Call this after the last row, and before the functions below. */
void workload_needed_finish (WorkloadNeeded *self, RoastRecordingSnapshot *recording);
WorkloadNeed workload_needed_get (WorkloadNeeded *self, guint group);
WorkloadNeed workload_needed_get_all (WorkloadNeeded *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WorkloadNeeded, workload_needed_free)

G_END_DECLS
