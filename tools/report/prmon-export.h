/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "prmon.h"
#include "report.h"

G_BEGIN_DECLS

/* A sample of a run as prmon would have taken it. */
typedef struct
{
  gint64 time;                   /* s since the epoch */
  gint64 values[PRMON_N_FIELDS]; /* -1 if the run has no value */
} PrmonSample;

typedef struct
{
  GArray *samples;                /* of PrmonSample, at most one per second */
  guint64 n_read;                 /* number of samples in the run */
  gint64 max[PRMON_N_FIELDS];     /* maximum over all samples and, for sums, the final account; -1 if unknown */
  double average[PRMON_N_FIELDS]; /* mean over all samples or, for sums, per second; NaN if unknown */
  gint64 host_memory;             /* B; -1 if unknown */
  double cores;                   /* NaN if unknown */
} PrmonSeries;

/* Returns NULL if the run has no data on a process tree. */
PrmonSeries *prmon_series_new (RoastRecording *recording, GError **error);
void prmon_series_free (PrmonSeries *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PrmonSeries, prmon_series_free)

G_END_DECLS
