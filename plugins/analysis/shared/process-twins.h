/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A worker's process as the table of processes has it: the same process, seen from outside. */
typedef struct
{
  gint64 started;           /* µs since the epoch */
  double cpu;               /* s, its own */
  double queue;             /* s in which it waited for a core; NaN if not known */
  gboolean is_final;        /* that is all of it, not the last sample */
  gint64 memory_peak;       /* bytes; -1 if not known */
  int memory_bound;         /* of the vocabulary bound; -1 if not known */
  gint64 exit_code, signal; /* -1 if not known */

  /*< private >*/
  gint64 parent;       /* its number; -1 if not known */
  const char *command; /* or NULL */
} ProcessTwin;

/* Those of all workers of a recording. */
typedef struct _ProcessTwins ProcessTwins;

ProcessTwins *process_twins_new (RoastRecordingSnapshot *recording);
void process_twins_free (ProcessTwins *self);

/* NULL if the worker of the current row ran on another machine, or nothing observed its process. */
const ProcessTwin *process_twins_find (ProcessTwins *self, RoastTableReader *workers);
/* CPU time that processes used after their last sample, s: an upper bound for those that were found, since it is known
 * only as the sum of all that one parent waited for, or that have one name. */
double process_twins_sum_rest (ProcessTwins *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ProcessTwins, process_twins_free)

G_END_DECLS
