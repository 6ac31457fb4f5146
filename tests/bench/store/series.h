/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Samples of workers, one a second of each, with ten series. Integers: resident memory, a random walk of pages of 4 KiB
 * around a level of its own; managed memory, which changes at every fifth sample by a chunk; spilled memory, 0 for most
 * workers; the bytes of results; threads, nearly constant; tasks assigned and executed, small numbers. Doubles: CPU
 * time so far, in ticks of 10 ms; CPU use in tenths of a percent; received bytes a second, a quotient that uses all
 * bits. */

#define SERIES_N 10
#define SERIES_N_INTEGERS 7
#define SERIES_FIRST_SLOT 2 /* of a series; before it, the time and the worker */
#define SERIES_START G_GINT64_CONSTANT (1700000000000000)

extern const char *const series_columns[];
extern const char *const series_limited_columns[];

typedef struct
{
  gint64 integers[SERIES_N_INTEGERS];
  double doubles[SERIES_N - SERIES_N_INTEGERS];
} SeriesSample;

typedef struct _Series Series;

Series *series_new (guint n_workers);
void series_free (Series *self);

/* The samples of the next second, by worker: until the next call. */
const SeriesSample *series_step (Series *self);
/* These, as rows of worker_samples. */
void series_write (Series *self, RoastTableWriter *writer);
/* The rows have this limit of the memory, too, in the slot behind the series. */
void series_set_limit (Series *self, gint64 limit);
const char *series_get_worker (Series *self, guint worker);
/* All of them; the array is the caller's. */
const char *const *series_list_workers (Series *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Series, series_free)

G_END_DECLS
