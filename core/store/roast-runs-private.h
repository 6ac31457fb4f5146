/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-runs.h"

struct _RoastRuns
{
  GObject parent_instance;

  char *directory;
  char *reason;
  gboolean private; /* in a directory in which others write */
  guint max_runs;
  guint64 max_size;
  guint64 max_run_size;
  GHashTable *locks; /* path to descriptor, of runs that this process writes */
};
