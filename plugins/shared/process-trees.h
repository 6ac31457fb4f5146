/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Sources that are process trees: the process accounting, and sources whose workers are processes. Executors must be
 * kept separate, because an executor's worker is a process too and must not count twice. */
typedef struct
{
  GHashTable *names;
  char *sampled;    /* source with process samples, else with accounting; or NULL */
  gboolean are_all; /* the recording has no other source */
} ProcessTrees;

void process_trees_init (ProcessTrees *self, RoastRecordingSnapshot *recording);
void process_trees_clear (ProcessTrees *self);
/* @source: may be NULL */
gboolean process_trees_contain (const ProcessTrees *self, const char *source);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ProcessTrees, process_trees_clear)

G_END_DECLS
