/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A worker's process as the table of processes has it: the same process, seen from outside. */
typedef struct
{
  gint64 started;           /* µs since the epoch */
  double cpu;               /* s, its own */
  gboolean is_final;        /* that is all of it, not the last sample */
  gint64 memory_peak;       /* bytes; -1 if not known */
  int memory_bound;         /* of the vocabulary bound; -1 if not known */
  gint64 exit_code, signal; /* -1 if not known */

  /*< private >*/
  gint64 parent;       /* its number; -1 if not known */
  const char *command; /* or NULL */
} ActivityTwin;

/* Those of all workers of a recording. */
typedef struct _ActivityTwins ActivityTwins;

ActivityTwins *activity_twins_new (RoastRecordingSnapshot *recording);
void activity_twins_free (ActivityTwins *self);

/* NULL if the worker of the current row ran on another machine, or nothing observed its process. */
const ActivityTwin *activity_twins_find (ActivityTwins *self, RoastTableReader *workers);
/* CPU time that processes used after their last sample, s: an upper bound for those that were found, since it is known
 * only as the sum of all that one parent waited for, or that have one name. */
double activity_twins_sum_rest (ActivityTwins *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ActivityTwins, activity_twins_free)

G_END_DECLS
