/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "prmon.h"
#include "report.h"

G_BEGIN_DECLS

/* A run as prmon would have sampled it. */
typedef struct
{
  gint64 time;                   /* s since the epoch */
  gint64 values[PRMON_N_FIELDS]; /* -1 where the run does not have it */
} PrmonSample;

typedef struct
{
  GArray *samples;                /* of PrmonSample, one for each second at most */
  guint64 n_read;                 /* samples of the run */
  gint64 max[PRMON_N_FIELDS];     /* of all samples of the run and, of what only grows, the account at its end; -1 */
  double average[PRMON_N_FIELDS]; /* over all samples, or per second of what only grows; NaN */
  gint64 host_memory;             /* B; -1 */
  double cores;                   /* NaN */
} PrmonSeries;

/* NULL if the run has nothing about a process tree. */
PrmonSeries *prmon_series_new (RoastRecording *recording, GError **error);
void prmon_series_free (PrmonSeries *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PrmonSeries, prmon_series_free)

G_END_DECLS
