/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-kills.h"
#include "activity-sums.h"
#include "process-twins.h"

G_BEGIN_DECLS

/* How a worker ended, and what is not known of it: what it reported, and what was seen of its process from outside. */
typedef struct
{
  int cause;                /* a word of worker_end; -1 if it did not end, or nothing is known */
  gint64 exit_code, signal; /* -1 if not known */
  int memory_bound;         /* a word of bound; -1 if the peak is the greatest sample */
  char *missing;            /* or NULL */
} ActivityEnd;

/* The current row of @workers. @sum has the greatest sample of its memory, and gets the peak. */
void activity_end_init (ActivityEnd *self, RoastTableReader *workers, ActivitySum *sum, const ProcessTwin *twin,
                        const ActivityKills *kills);
void activity_end_clear (ActivityEnd *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ActivityEnd, activity_end_clear)

G_END_DECLS
