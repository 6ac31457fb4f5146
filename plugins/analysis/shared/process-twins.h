/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A worker's process in the table processes: the same process, observed from outside. */
typedef struct
{
  gint64 started;           /* µs since the epoch */
  double cpu;               /* s, without its children */
  double queue;             /* s of waiting for a core; NaN if unknown */
  gboolean is_final;        /* the values are final, not from the last sample */
  gint64 memory_peak;       /* bytes; -1 if unknown */
  int memory_bound;         /* word of the vocabulary bound; -1 if unknown */
  gint64 exit_code, signal; /* -1 if unknown */

  /*< private >*/
  gint64 parent;       /* number of the parent process; -1 if unknown */
  const char *command; /* NULL if unknown */
} ProcessTwin;

/* The processes of all workers of a recording. */
typedef struct _ProcessTwins ProcessTwins;

ProcessTwins *process_twins_new (RoastRecordingSnapshot *recording);
void process_twins_free (ProcessTwins *self);

/* Return NULL if the worker of the current row ran on another machine, or if nothing observed its process. @start: slot
 * of the start of its process, which is when a process of a tree joined */
const ProcessTwin *process_twins_find (ProcessTwins *self, RoastTableReader *workers, guint start);
/* Return the CPU time in s that processes used after their last sample. It is an upper bound for the processes found so
 * far: only the sum over all processes with the same parent or the same name is known. */
double process_twins_sum_rest (ProcessTwins *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ProcessTwins, process_twins_free)

G_END_DECLS
