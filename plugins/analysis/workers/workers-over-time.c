/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the memory, the CPU use and the tasks of all workers together over time. A sample is written only if one of its
 * values has changed, so the values hold until the next sample of the same worker. The last sample holds until the
 * worker left. */

#include "workers.h"

#include <math.h>

#include "group-element.h"
#include "workers-tables.h"

#define N_INTERVALS 60

typedef enum
{
  WORKERS_OVER_TIME_MEMORY,
  WORKERS_OVER_TIME_MEMORY_SHARE,
  WORKERS_OVER_TIME_CPU,
  WORKERS_OVER_TIME_TASKS,
  WORKERS_OVER_TIME_N_VALUES,
} Value;

/* Sums of one value during one interval, over all workers of a source. */
typedef struct
{
  double sum;    /* integral of the value over time, summed over all workers */
  double weight; /* time during which the value is known, summed over all workers */
  double least;
  double most;
} Point;

typedef struct
{
  char *name;
  Point points[N_INTERVALS][WORKERS_OVER_TIME_N_VALUES];
} Source;

/* The last sample of a worker. */
typedef struct
{
  Source *source; /* NULL if the worker is left out, because it is a process of a process tree or has no name */
  char *worker;
  double time;
  double values[WORKERS_OVER_TIME_N_VALUES];
} Last;

typedef struct
{
  RoastRunModel *model;
  double started, ended; /* start and end of the run, µs */
  double length;         /* length of an interval, µs */
  GPtrArray *sources;    /* elements are Source * */
  GArray *workers;       /* Maps the group of a worker in the reader to its Last. */
} OverTime;

static void
source_free (gpointer data)
{
  Source *self = data;

  g_free (self->name);
  g_free (self);
}

static Source *
get_source (OverTime *self, const char *name)
{
  Source *source = NULL;

  for (guint i = 0; i < self->sources->len; i++)
    {
      source = g_ptr_array_index (self->sources, i);
      if (g_str_equal (source->name, name))
        return source;
    }
  source = g_new0 (Source, 1);
  source->name = g_strdup (name);
  for (guint i = 0; i < N_INTERVALS; i++)
    for (guint v = 0; v < WORKERS_OVER_TIME_N_VALUES; v++)
      source->points[i][v] = (Point) { 0, 0, INFINITY, -INFINITY };
  g_ptr_array_add (self->sources, source);

  return source;
}

static guint
workers_over_time_find_interval (const OverTime *self, double time)
{
  return (guint) CLAMP ((time - self->started) / self->length, 0, N_INTERVALS - 1);
}

/* Add the values of a worker's last sample to an interval, for the @time µs of this interval during which they hold.
 * This function must be fast, because it is called for each sample. */
static void
workers_over_time_add (Source *source, guint interval, const double *values, double time)
{
  for (guint v = 0; v < WORKERS_OVER_TIME_N_VALUES; v++)
    {
      Point *point = &source->points[interval][v];
      double value = values[v];

      if (isnan (value))
        continue;
      point->sum += value * time;
      point->weight += time;
      point->least = MIN (point->least, value);
      point->most = MAX (point->most, value);
    }
}

static void
hold (const OverTime *self, const Last *last, double until)
{
  double from = MAX (last->time, self->started);
  double to = MIN (until, self->ended);
  guint first = 0;
  guint end = 0;

  /* Skip the time before the worker's first sample, because its values are unknown then. */
  if (last->source == NULL || isnan (last->time) || !(to > from))
    return;
  first = workers_over_time_find_interval (self, from);
  end = workers_over_time_find_interval (self, to);
  for (guint i = first; i <= end; i++)
    {
      double begin = i == first ? from : self->started + i * self->length;
      double stop = i == end ? to : self->started + (i + 1) * self->length;

      if (stop > begin)
        workers_over_time_add (last->source, i, last->values, stop - begin);
    }
}

static Last *
workers_over_time_get_worker (OverTime *self, RoastTableReader *samples)
{
  guint group = roast_table_reader_get_group (samples);

  while (group >= self->workers->len)
    {
      Last last = { .time = NAN };

      if (group == self->workers->len)
        {
          const char *source = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_SOURCE);
          const char *worker = roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER);

          if (source != NULL && worker != NULL && !roast_run_model_is_process_tree (self->model, source))
            last = (Last) { .source = get_source (self, source), .worker = g_strdup (worker), .time = NAN };
        }
      g_array_append_val (self->workers, last);
    }

  return &g_array_index (self->workers, Last, group);
}

static void
workers_over_time_take_sample (OverTime *self, RoastTableReader *samples, Last *last)
{
  double time = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_TIME);
  double memory = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_MEMORY);
  double limit = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_MEMORY_LIMIT);

  /* Skip a sample that is older than the previous sample, because the clock was set back. */
  if (last->source == NULL || isnan (time) || time < last->time)
    return;
  hold (self, last, time);
  last->time = time;
  last->values[WORKERS_OVER_TIME_MEMORY] = memory;
  last->values[WORKERS_OVER_TIME_MEMORY_SHARE] = limit > 0 ? memory / limit * 100 : NAN;
  last->values[WORKERS_OVER_TIME_CPU] = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_CPU_PERCENT);
  last->values[WORKERS_OVER_TIME_TASKS] = roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_ACTIVE_TASKS);
}

static void
finish (OverTime *self)
{
  FOR_EACH (Last, last, self->workers)
    {
      const RoastRunWorker *worker =
          last->source != NULL ? roast_run_model_find_worker (self->model, last->source->name, last->worker) : NULL;

      hold (self, last, worker != NULL && !isnan (worker->left) ? worker->left : self->ended);
      g_free (last->worker);
    }
}

static void
set_mean (RoastTableWriter *table, guint slot, const Point *point)
{
  if (!(point->weight > 0))
    return;
  roast_table_writer_set_double (table, slot, point->sum / point->weight);
  roast_table_writer_set_double (table, slot + 1, point->least);
  roast_table_writer_set_double (table, slot + 2, point->most);
}

static void
workers_over_time_write_source (const OverTime *self, const Source *source, RoastTableWriter *table)
{
  for (guint i = 0; i < N_INTERVALS; i++)
    {
      const Point *points = source->points[i];
      double started = self->started + i * self->length;

      roast_table_writer_set_string (table, ROAST_WORKERS_OVER_TIME_SOURCE, source->name);
      roast_table_writer_set_int64 (table, ROAST_WORKERS_OVER_TIME_STARTED, llround (started));
      roast_table_writer_set_int64 (table, ROAST_WORKERS_OVER_TIME_ENDED, llround (started + self->length));
      set_mean (table, ROAST_WORKERS_OVER_TIME_MEMORY_MEAN, &points[WORKERS_OVER_TIME_MEMORY]);
      set_mean (table, ROAST_WORKERS_OVER_TIME_SHARE_MEAN, &points[WORKERS_OVER_TIME_MEMORY_SHARE]);
      set_mean (table, ROAST_WORKERS_OVER_TIME_CPU_MEAN, &points[WORKERS_OVER_TIME_CPU]);
      if (points[WORKERS_OVER_TIME_TASKS].weight > 0)
        roast_table_writer_set_double (table, ROAST_WORKERS_OVER_TIME_ACTIVE_TASKS,
                                       points[WORKERS_OVER_TIME_TASKS].sum / self->length);
      roast_table_writer_end (table, NULL);
    }
}

static void
write_all (const OverTime *self, RoastReport *report)
{
  g_autoptr (RoastTableWriter) table = NULL;

  if (self->sources->len == 0)
    return;
  table = roast_workers_over_time_write (report);
  for (guint i = 0; i < self->sources->len; i++)
    workers_over_time_write_source (self, g_ptr_array_index (self->sources, i), table);
}

void
workers_write_over_time (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (source_free);
  g_autoptr (GArray) workers = g_array_new (FALSE, FALSE, sizeof (Last));
  g_autoptr (RoastTableReader) samples = NULL;
  OverTime self = { .model = roast_run_model_get (recording), .sources = sources, .workers = workers };

  if (!roast_run_model_get_times (self.model, &self.started, &self.ended))
    return;
  samples = roast_worker_samples_read (recording);
  self.length = (self.ended - self.started) / N_INTERVALS;
  GROUP_BY (samples, ROAST_WORKER_SAMPLES_SOURCE, ROAST_WORKER_SAMPLES_WORKER);
  while (roast_table_reader_next (samples))
    workers_over_time_take_sample (&self, samples, workers_over_time_get_worker (&self, samples));
  finish (&self);
  write_all (&self, report);
}
