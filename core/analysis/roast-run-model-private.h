/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-run-model.h"

/* The parts of a model that live as long as it. */
struct _RoastRunModel
{
  GObject parent_instance;

  RoastRecordingSnapshot *recording; /* weak: the snapshot owns the model */
  GStringChunk *strings;
  GArray *sources, *workers, *processes, *calls;
  GHashTable *by_name;   /* source and worker to the index of the worker + 1 */
  GHashTable *framework; /* sources and categories of framework tasks */
  const char *tree;
  double started, ended; /* µs; NaN if unknown */
};

/* Returns the text of a cell, owned by the model; NULL if it is missing. */
const char *roast_run_model_get_text (RoastRunModel *self, RoastTableReader *table, guint slot);

void roast_run_model_add_processes (RoastRunModel *self);
void roast_run_model_add_calls (RoastRunModel *self);
