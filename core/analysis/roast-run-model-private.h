/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-run-model.h"

/* The model, which owns its parts: sources, workers, processes and calls. */
struct _RoastRunModel
{
  GObject parent_instance;

  RoastRecordingSnapshot *recording; /* snapshot that owns the model; a weak pointer */
  GStringChunk *strings;
  GArray *sources, *workers, *processes, *calls;
  GHashTable *by_name;   /* maps a source and a worker's identity to the index of the worker + 1 */
  GHashTable *framework; /* set of the pairs of a source and a category whose role is framework */
  const char *tree;
  double started, ended; /* times of the run's start and end, in µs; NaN if unknown */
};

/* Return the text of a cell, or NULL if the cell is missing. The model owns the text. */
const char *roast_run_model_get_text (RoastRunModel *self, RoastTableReader *table, guint slot);

void roast_run_model_add_processes (RoastRunModel *self);
void roast_run_model_add_calls (RoastRunModel *self);
