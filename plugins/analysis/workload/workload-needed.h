/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "cell-cursor.h"

G_BEGIN_DECLS

/* Bytes that chunks of the result had to read, each basket once, of each file of each dataset. */
typedef struct _WorkloadNeeded WorkloadNeeded;

typedef struct
{
  double needed;          /* B; NaN if no chunk reported it */
  double amplified;       /* of that, what was needed by chunks that report what they read, too; NaN if none did */
  double bytes;           /* that these chunks read */
  gint64 chunks, missing; /* that report what they needed, and that do not */
  gint64 unread;          /* of chunks, those that do not report what they read */
  gboolean estimated;     /* which baskets two chunks have in common is unknown */
} WorkloadNeed;

WorkloadNeeded *workload_needed_new (void);
void workload_needed_free (WorkloadNeeded *self);

/* The current row of @chunks, which groups by dataset and file: a chunk of the result that was processed. */
void workload_needed_add (WorkloadNeeded *self, CellCursor *chunks);

/* After the last row; the others after this one. */
void workload_needed_finish (WorkloadNeeded *self, RoastRecordingSnapshot *recording);
WorkloadNeed workload_needed_get (WorkloadNeeded *self, guint group);
WorkloadNeed workload_needed_get_all (WorkloadNeeded *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WorkloadNeeded, workload_needed_free)

G_END_DECLS
