/* SPDX-License-Identifier: BSD-3-Clause */
#include "series.h"

#define COLUMNS                                                                                                        \
  "time", "worker", "memory", "managed", "spilled_memory", "nbytes", "threads", "active_tasks", "executing_tasks",     \
      "cpu", "cpu_percent", "net_read_rate"

const char *const series_columns[] = { COLUMNS, NULL };
const char *const series_limited_columns[] = { COLUMNS, "memory_limit", NULL };

enum
{
  MEMORY,
  MANAGED,
  SPILLED,
  NBYTES,
  THREADS,
  ACTIVE,
  EXECUTING,
};

enum
{
  CPU,
  CPU_PERCENT,
  RECEIVED,
};

struct _Series
{
  GRand *rand;
  guint n_workers;
  GPtrArray *names;
  SeriesSample *samples; /* by worker */
  double *ticks;         /* by worker */
  gint64 second;
  gint64 limit; /* 0: rows have none */
};

Series *
series_new (guint n_workers)
{
  Series *self = g_new0 (Series, 1);

  self->rand = g_rand_new_with_seed (1);
  self->n_workers = n_workers;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->samples = g_new0 (SeriesSample, n_workers);
  self->ticks = g_new0 (double, n_workers);
  self->second = -1;
  for (guint i = 0; i < n_workers; i++)
    {
      gint64 *integers = self->samples[i].integers;

      g_ptr_array_add (self->names, g_strdup_printf ("tcp://10.0.%u.%u:%u", i / 250, i % 250, 40000 + i));
      integers[MEMORY] = (gint64) g_rand_int_range (self->rand, 50000, 400000) * 4096;
      integers[SPILLED] = g_rand_int_range (self->rand, 0, 20) == 0 ? g_rand_int (self->rand) : 0;
      integers[THREADS] = g_rand_int_range (self->rand, 8, 12);
    }

  return self;
}

void
series_free (Series *self)
{
  g_rand_free (self->rand);
  g_ptr_array_unref (self->names);
  g_free (self->samples);
  g_free (self->ticks);
  g_free (self);
}

const char *
series_get_worker (Series *self, guint worker)
{
  return g_ptr_array_index (self->names, worker);
}

const char *const *
series_list_workers (Series *self)
{
  const char **names = g_new0 (const char *, self->n_workers + 1);

  for (guint i = 0; i < self->n_workers; i++)
    names[i] = series_get_worker (self, i);

  return names;
}

static void
step_worker (Series *self, guint worker)
{
  GRand *rand = self->rand;
  gint64 *integers = self->samples[worker].integers;
  double *doubles = self->samples[worker].doubles;

  integers[MEMORY] += (gint64) g_rand_int_range (rand, -200, 201) * 4096;
  if (g_rand_int_range (rand, 0, 5) == 0)
    integers[MANAGED] = (gint64) g_rand_int_range (rand, 0, 1000) * 65536;
  if (g_rand_int_range (rand, 0, 10) == 0)
    integers[NBYTES] += g_rand_int_range (rand, 0, 100000);
  if (integers[SPILLED] != 0 && g_rand_int_range (rand, 0, 10) == 0)
    integers[SPILLED] += g_rand_int_range (rand, 0, 1 << 20);
  integers[ACTIVE] = g_rand_int_range (rand, 0, 10);
  integers[EXECUTING] = MIN (integers[ACTIVE], 2);
  self->ticks[worker] += (double) g_rand_int_range (rand, 60, 101);
  doubles[CPU] = self->ticks[worker] / 100;
  doubles[CPU_PERCENT] = (double) g_rand_int_range (rand, 600, 1010) / 10;
  doubles[RECEIVED] = g_rand_double (rand) * 1e6 / 0.9998;
}

void
series_set_limit (Series *self, gint64 limit)
{
  self->limit = limit;
}

const SeriesSample *
series_step (Series *self)
{
  self->second++;
  for (guint i = 0; i < self->n_workers; i++)
    step_worker (self, i);

  return self->samples;
}

void
series_write (Series *self, RoastTableWriter *writer)
{
  gint64 time = SERIES_START + self->second * G_USEC_PER_SEC;
  gint64 apart = G_USEC_PER_SEC / (self->n_workers + 1);

  for (guint worker = 0; worker < self->n_workers; worker++)
    {
      const SeriesSample *sample = &self->samples[worker];

      roast_table_writer_set_int64 (writer, 0, time + worker * apart);
      roast_table_writer_set_string (writer, 1, g_ptr_array_index (self->names, worker));
      for (guint i = 0; i < SERIES_N_INTEGERS; i++)
        roast_table_writer_set_int64 (writer, SERIES_FIRST_SLOT + i, sample->integers[i]);
      for (guint i = 0; i < SERIES_N - SERIES_N_INTEGERS; i++)
        roast_table_writer_set_double (writer, SERIES_FIRST_SLOT + SERIES_N_INTEGERS + i, sample->doubles[i]);
      if (self->limit > 0)
        roast_table_writer_set_int64 (writer, SERIES_FIRST_SLOT + SERIES_N, self->limit);
      if (!roast_table_writer_end (writer, NULL))
        g_error ("a row was refused");
    }
}
