/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The sources that are process trees: the accounting of processes, and a source whose workers are these processes. A
 * worker of an executor is a process as well: where there are both, it must not count twice. */
typedef struct
{
  GHashTable *names;
  char *sampled;    /* the source that has samples of the processes, or else their accounting; NULL if there is none */
  gboolean are_all; /* the recording has no other source */
} ProcessTrees;

void process_trees_init (ProcessTrees *self, RoastRecordingSnapshot *recording);
void process_trees_clear (ProcessTrees *self);
/* @source: may be NULL */
gboolean process_trees_contain (const ProcessTrees *self, const char *source);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ProcessTrees, process_trees_clear)

G_END_DECLS
