/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes tracking_data: a series for each quantity and worker. Reads the samples once per quantity to keep only one
 * quantity in memory. roastcoffea samples every worker whenever it counts them, and readers of these series treat a
 * worker without a sample as gone. roast samples only changes, so repeat the last value at each count. */

#include <math.h>

#include "roastcoffea-put.h"

typedef struct
{
  gint64 time;
  double value;
} Point;

typedef struct
{
  char *name;
  gint64 left;         /* G_MAXINT64 if the worker stayed to the end */
  double cores, limit; /* NaN if unknown */
  GArray *points;      /* of Point */
} Worker;

typedef struct
{
  RoastRecording *recording;
  char *source;
  GPtrArray *workers;
  GHashTable *names;
  GArray *ticks; /* of gint64: times when workers were counted, ascending */
} Tracking;

static void
worker_free (Worker *worker)
{
  g_free (worker->name);
  g_array_unref (worker->points);
  g_free (worker);
}

/* Returns the names of the sources that have workers. */
static GHashTable *
list_sources (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (workers))
    if (roast_table_reader_has (workers, ROAST_WORKERS_SOURCE))
      g_hash_table_add (found, g_strdup (roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE)));

  return found;
}

/* Returns a source with executor workers if there is one; otherwise a process tree, whose workers are processes. */
static char *
find_source (RoastRecording *recording)
{
  g_autoptr (GHashTable) with_workers = list_sources (recording);
  g_autoptr (RoastTableReader) sources =
      roast_recording_read_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);
  char *found = NULL;

  while (roast_table_reader_next (sources))
    {
      gboolean is_process =
          roast_table_reader_get_word (sources, ROAST_SOURCES_WORKER_KIND) == ROAST_WORKER_KIND_PROCESS;

      const char *source = roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE);

      if (source == NULL || !g_hash_table_contains (with_workers, source) || (found != NULL && is_process))
        continue;
      g_free (found);
      found = g_strdup (source);
      if (!is_process)
        return found;
    }

  return found;
}

static Worker *
get_worker (Tracking *self, const char *name)
{
  Worker *worker = g_hash_table_lookup (self->names, name);

  if (worker == NULL)
    {
      worker = g_new0 (Worker, 1);
      worker->name = g_strdup (name);
      worker->cores = worker->limit = NAN;
      worker->left = G_MAXINT64;
      worker->points = g_array_new (FALSE, FALSE, sizeof (Point));
      g_ptr_array_add (self->workers, worker);
      g_hash_table_insert (self->names, worker->name, worker);
    }

  return worker;
}

static void
read_workers (Tracking *self)
{
  g_autoptr (RoastTableReader) rows =
      roast_recording_read_table (self->recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);

  while (roast_table_reader_next (rows))
    {
      const char *name = roast_table_reader_get_string (rows, ROAST_WORKERS_WORKER);
      Worker *worker = NULL;

      if (name == NULL || g_strcmp0 (roast_table_reader_get_string (rows, ROAST_WORKERS_SOURCE), self->source) != 0)
        continue;
      worker = get_worker (self, name);
      worker->cores = roast_table_reader_get_double (rows, ROAST_WORKERS_CORES);
      worker->limit = roast_table_reader_get_double (rows, ROAST_WORKERS_MEMORY_LIMIT);
      worker->left = roast_table_reader_get_int64 (rows, ROAST_WORKERS_LEFT, G_MAXINT64);
    }
}

static void
read_points (Tracking *self, guint which)
{
  g_autoptr (RoastTableReader) rows =
      roast_recording_read_table (self->recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns, NULL);

  while (roast_table_reader_next (rows))
    {
      const char *name = roast_table_reader_get_string (rows, ROAST_WORKER_SAMPLES_WORKER);
      Point point = { roast_table_reader_get_int64 (rows, ROAST_WORKER_SAMPLES_TIME, -1),
                      roast_table_reader_get_double (rows, roastcoffea_series[which].slot) };
      Worker *worker = NULL;

      if (name == NULL || point.time < 0 ||
          g_strcmp0 (roast_table_reader_get_string (rows, ROAST_WORKER_SAMPLES_SOURCE), self->source) != 0)
        continue;
      worker = get_worker (self, name);
      /* roastcoffea also samples the memory limit and cores, which are constant in roast. */
      point.value = which == ROASTCOFFEA_MEMORY_LIMIT ? worker->limit
                    : which == ROASTCOFFEA_CORES      ? worker->cores
                                                      : point.value / roastcoffea_series[which].factor;
      if (!isnan (point.value))
        g_array_append_val (worker->points, point);
    }
}

static void
put_point (JsonOut *out, gint64 when, double value)
{
  char time[ROASTCOFFEA_TIME_SIZE];

  roastcoffea_format_time (when, time);
  json_out_open (out, NULL, '[');
  json_out_text (out, NULL, time);
  json_out_double (out, NULL, value);
  json_out_close (out, ']');
}

static void
put_points (const Tracking *self, JsonOut *out, const Worker *worker)
{
  guint tick = 0;

  json_out_open (out, worker->name, '[');
  for (guint i = 0; i < worker->points->len; i++)
    {
      const Point *point = &g_array_index (worker->points, Point, i);
      gint64 next = i + 1 < worker->points->len ? g_array_index (worker->points, Point, i + 1).time : worker->left;

      put_point (out, point->time, point->value);
      for (; tick < self->ticks->len && g_array_index (self->ticks, gint64, tick) < next; tick++)
        if (g_array_index (self->ticks, gint64, tick) > point->time)
          put_point (out, g_array_index (self->ticks, gint64, tick), point->value);
    }
  json_out_close (out, ']');
  g_array_set_size (worker->points, 0);
}

static void
put_counts (Tracking *self, JsonOut *out)
{
  g_autoptr (RoastTableReader) rows =
      roast_recording_read_table (self->recording, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns, NULL);
  char time[ROASTCOFFEA_TIME_SIZE];

  json_out_open (out, "worker_counts", '{');
  while (roast_table_reader_next (rows))
    {
      gint64 when = roast_table_reader_get_int64 (rows, ROAST_CLUSTER_SAMPLES_TIME, -1);
      gint64 n = roast_table_reader_get_int64 (rows, ROAST_CLUSTER_SAMPLES_WORKERS, -1);

      if (when < 0 || n < 0 ||
          g_strcmp0 (roast_table_reader_get_string (rows, ROAST_CLUSTER_SAMPLES_SOURCE), self->source) != 0)
        continue;
      roastcoffea_format_time (when, time);
      json_out_int64 (out, time, n);
      /* Skip counts of 0: the last worker has already ended, so there is no value to repeat. */
      if (n > 0 && (self->ticks->len == 0 || when > g_array_index (self->ticks, gint64, self->ticks->len - 1)))
        g_array_append_val (self->ticks, when);
    }
  json_out_close (out, '}');
}

void
roastcoffea_put_tracking (JsonOut *out, RoastRecording *recording)
{
  g_autoptr (GPtrArray) workers = g_ptr_array_new_with_free_func ((GDestroyNotify) worker_free);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) ticks = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *source = find_source (recording);
  Tracking self = { recording, source, workers, names, ticks };

  if (source == NULL)
    {
      json_out_text (out, "tracking_data", NULL);
      return;
    }
  read_workers (&self);
  json_out_open (out, "tracking_data", '{');
  put_counts (&self, out);
  for (guint i = 0; i < ROASTCOFFEA_N_SERIES; i++)
    {
      read_points (&self, i);
      json_out_open (out, roastcoffea_series[i].name, '{');
      for (guint j = 0; j < workers->len; j++)
        if (((const Worker *) g_ptr_array_index (workers, j))->points->len > 0)
          put_points (&self, out, g_ptr_array_index (workers, j));
      json_out_close (out, '}');
    }
  json_out_close (out, '}');
}
