/* SPDX-License-Identifier: BSD-3-Clause */

/* What roastcoffea sampled of workers. Its series are by quantity and worker, those of roast have all quantities of a
 * worker in one row: the series of each worker are merged by time. */

#include <math.h>
#include <string.h>

#include "roastcoffea-cursor.h"

#define MAX_WORKERS 1000000
#define QUARTER (15 * 60 * G_USEC_PER_SEC) /* zones of the world are multiples of it */

typedef enum
{
  MEMORY,
  MEMORY_LIMIT,
  ACTIVE_TASKS,
  CORES,
  NBYTES,
  OCCUPANCY,
  EXECUTING,
  LAST_SEEN,
  CPU,
  N_SERIES,
} Series;

static const struct
{
  const char *name;
  int slot; /* of worker_samples; -1: a column of workers has it */
} series[N_SERIES] = {
  [MEMORY] = { "worker_memory", ROAST_WORKER_SAMPLES_MEMORY },
  [MEMORY_LIMIT] = { "worker_memory_limit", -1 },
  [ACTIVE_TASKS] = { "worker_active_tasks", ROAST_WORKER_SAMPLES_ACTIVE_TASKS },
  [CORES] = { "worker_cores", -1 },
  [NBYTES] = { "worker_nbytes", ROAST_WORKER_SAMPLES_NBYTES },
  [OCCUPANCY] = { "worker_occupancy", ROAST_WORKER_SAMPLES_OCCUPANCY },
  [EXECUTING] = { "worker_executing", ROAST_WORKER_SAMPLES_EXECUTING_TASKS },
  [LAST_SEEN] = { "worker_last_seen", ROAST_WORKER_SAMPLES_LAST_SEEN },
  [CPU] = { "worker_cpu", ROAST_WORKER_SAMPLES_CPU_PERCENT },
};

typedef struct
{
  char *name;
  const char *at[N_SERIES]; /* where each series begins, or NULL */
} Worker;

typedef struct
{
  Roastcoffea *roastcoffea;
  GPtrArray *workers; /* of Worker, in the order of the file */
  GHashTable *names;  /* to an element of workers */
  const char *counts;
  GArray *times; /* of gint64: samples of the number of workers */
  RoastTableWriter *samples, *rows;
  GString *text;
  guint n_changed; /* workers whose limit or cores changed */
} Tracking;

static void
worker_free (Worker *worker)
{
  g_free (worker->name);
  g_free (worker);
}

static void
tracking_clear (Tracking *self)
{
  g_ptr_array_unref (self->workers);
  g_hash_table_unref (self->names);
  g_array_unref (self->times);
  g_clear_object (&self->samples);
  g_clear_object (&self->rows);
  g_string_free (self->text, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tracking, tracking_clear)

/* ---- where the series are ---- */

static Worker *
get_worker (Tracking *self)
{
  Worker *worker = g_hash_table_lookup (self->names, self->text->str);

  if (worker == NULL && self->workers->len < MAX_WORKERS)
    {
      worker = g_new0 (Worker, 1);
      worker->name = g_strdup (self->text->str);
      g_ptr_array_add (self->workers, worker);
      g_hash_table_insert (self->names, worker->name, worker);
    }

  return worker;
}

static gboolean
find_workers (Tracking *self, RoastJsonScan *scan, Series which)
{
  guint64 n = 0;

  if (!json_walk_open (scan, '{'))
    return FALSE;
  while (json_walk_next (scan, '{', &n))
    {
      Worker *worker = NULL;

      if (!json_walk_name (scan, self->text))
        return FALSE;
      worker = get_worker (self);
      if (worker == NULL)
        return roast_json_scan_fail (scan, "more than a million workers");
      worker->at[which] = scan->at;
      if (!json_walk_skip (scan))
        return FALSE;
    }

  return scan->fault == NULL;
}

static gboolean
find_series (Tracking *self, RoastJsonScan *scan)
{
  guint64 n = 0;

  if (!json_walk_open (scan, '{'))
    return FALSE;
  while (json_walk_next (scan, '{', &n))
    {
      guint which = 0;

      if (!json_walk_name (scan, self->text))
        return FALSE;
      while (which < N_SERIES && !g_str_equal (series[which].name, self->text->str))
        which++;
      if (g_str_equal (self->text->str, "worker_counts"))
        self->counts = scan->at;
      else if (which == N_SERIES)
        roastcoffea_leave_out (self->roastcoffea, self->text->str);
      if (which < N_SERIES ? !find_workers (self, scan, which) : !json_walk_skip (scan))
        return FALSE;
    }

  return scan->fault == NULL;
}

/* ---- series ---- */

/* Of a pair that breaks off no fault may be set. */
static gboolean
fail (Tracking *self, RoastcoffeaCursor *cursor, GError **error)
{
  if (cursor->scan.fault == NULL)
    cursor->scan.fault = "a time and a value are expected";

  return roastcoffea_fail (self->roastcoffea, &cursor->scan, error);
}

static void
set_cell (Tracking *self, Series which, double value)
{
  if (which == OCCUPANCY || which == CPU)
    roast_table_writer_set_double (self->samples, (guint) series[which].slot, value >= 0 ? value : NAN);
  else if (which != LAST_SEEN)
    roastcoffea_set_count (self->samples, (guint) series[which].slot, value, 1);
  else if (value > 0)
    roastcoffea_set_count (self->samples, (guint) series[which].slot, value, G_USEC_PER_SEC);
}

/* The next row of a worker: all that has the earliest time. */
static gboolean
take_row (Tracking *self, Worker *worker, RoastcoffeaCursor *cursors, gint64 time, double *constants, GError **error)
{
  roast_table_writer_set_int64 (self->samples, ROAST_WORKER_SAMPLES_TIME, time);
  roast_table_writer_set_string (self->samples, ROAST_WORKER_SAMPLES_WORKER, worker->name);
  for (guint i = 0; i < N_SERIES; i++)
    {
      if (!cursors[i].has || cursors[i].time != time)
        continue;
      if (series[i].slot >= 0)
        set_cell (self, i, cursors[i].value);
      else if (!isnan (cursors[i].value))
        {
          self->n_changed += !isnan (constants[i]) && constants[i] != cursors[i].value;
          constants[i] = cursors[i].value;
        }
      if (!roastcoffea_cursor_next (&cursors[i]))
        return fail (self, &cursors[i], error);
    }

  return roast_table_writer_close (self->samples, error);
}

/* The first sample without a worker is the latest time at which it can have left; -1 if there is none. */
static gint64
find_left (Tracking *self, gint64 last)
{
  guint low = 0, high = self->times->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->times, gint64, middle) <= last)
        low = middle + 1;
      else
        high = middle;
    }

  return low < self->times->len ? g_array_index (self->times, gint64, low) : -1;
}

static gboolean
add_worker (Tracking *self, const Worker *worker, gint64 first, gint64 last, const double *constants, GError **error)
{
  gint64 left = find_left (self, last);

  roast_table_writer_set_string (self->rows, ROAST_WORKERS_WORKER, worker->name);
  roast_table_writer_set_int64 (self->rows, ROAST_WORKERS_JOINED, first);
  if (constants[CORES] > 0)
    roast_table_writer_set_double (self->rows, ROAST_WORKERS_CORES, constants[CORES]);
  if (constants[MEMORY_LIMIT] > 0)
    roastcoffea_set_count (self->rows, ROAST_WORKERS_MEMORY_LIMIT, constants[MEMORY_LIMIT], 1);
  if (left >= 0)
    {
      roast_table_writer_set_int64 (self->rows, ROAST_WORKERS_LEFT, left);
      roast_table_writer_set_double (self->rows, ROAST_WORKERS_TAIL_LOST, (double) (left - last) / G_USEC_PER_SEC);
    }

  return roast_table_writer_close (self->rows, error);
}

static gint64
find_earliest (const RoastcoffeaCursor *cursors)
{
  gint64 time = G_MAXINT64;

  for (guint i = 0; i < N_SERIES; i++)
    if (cursors[i].has)
      time = MIN (time, cursors[i].time);

  return time;
}

static gboolean
take_worker (Tracking *self, Worker *worker, GError **error)
{
  RoastcoffeaCursor cursors[N_SERIES] = { 0 };
  double constants[N_SERIES];
  gint64 first = G_MAXINT64;
  gint64 last = -1;
  gint64 time;

  for (guint i = 0; i < N_SERIES; i++)
    {
      constants[i] = NAN;
      if (!roastcoffea_cursor_begin (&cursors[i], self->roastcoffea, self->text, worker->at[i]))
        return fail (self, &cursors[i], error);
    }
  while ((time = find_earliest (cursors)) < G_MAXINT64)
    {
      if (!take_row (self, worker, cursors, time, constants, error))
        return FALSE;
      first = MIN (first, time);
      last = MAX (last, time);
    }
  if (last < 0)
    return TRUE;
  self->roastcoffea->first = MIN (self->roastcoffea->first, first);
  self->roastcoffea->last = MAX (self->roastcoffea->last, last);

  return add_worker (self, worker, first, last, constants, error);
}

/* ---- all ---- */

static int
compare_times (const gint64 *a, const gint64 *b)
{
  return (*a > *b) - (*a < *b);
}

static gboolean
take_counts (Tracking *self, GError **error)
{
  Roastcoffea *roastcoffea = self->roastcoffea;
  g_autoptr (RoastTableWriter) rows = NULL;
  RoastJsonScan scan = roastcoffea_scan (roastcoffea, self->counts);
  guint64 n = 0;
  gint64 time;
  double count;

  rows = roast_recording_write_table (roastcoffea->recording, ROAST_TABLE_CLUSTER_SAMPLES, roastcoffea->source,
                                      roast_cluster_samples_columns, error);
  if (rows == NULL)
    return FALSE;
  if (!json_walk_open (&scan, '{'))
    return roastcoffea_fail (roastcoffea, &scan, error);
  while (json_walk_next (&scan, '{', &n))
    {
      if (!roastcoffea_read_time (roastcoffea, &scan, self->text, &time))
        return roastcoffea_fail (roastcoffea, &scan, error);
      roast_json_scan_space (&scan);
      if (!roast_json_scan_take (&scan, ':') || !json_walk_number (&scan, &count))
        return roastcoffea_fail (roastcoffea, &scan, error);
      g_array_append_val (self->times, time);
      roastcoffea->first = MIN (roastcoffea->first, time);
      roastcoffea->last = MAX (roastcoffea->last, time);
      roast_table_writer_set_int64 (rows, ROAST_CLUSTER_SAMPLES_TIME, time);
      roastcoffea_set_count (rows, ROAST_CLUSTER_SAMPLES_WORKERS, count, 1);
      if (!roast_table_writer_close (rows, error))
        return FALSE;
    }
  g_array_sort (self->times, (GCompareFunc) compare_times);

  return scan.fault == NULL || roastcoffea_fail (roastcoffea, &scan, error);
}

/* Samples have local times without a zone, but the last sign of life of a worker is since the epoch, and at most a
 * few seconds older. */
static gboolean
find_zone (Tracking *self, GError **error)
{
  double least = INFINITY;

  for (guint i = 0; i < self->workers->len; i++)
    {
      const Worker *worker = g_ptr_array_index (self->workers, i);
      RoastcoffeaCursor cursor = { 0 };

      if (!roastcoffea_cursor_begin (&cursor, self->roastcoffea, self->text, worker->at[LAST_SEEN]))
        return fail (self, &cursor, error);
      if (cursor.has && cursor.value > 0)
        least = fmin (least, (double) cursor.time - cursor.value * G_USEC_PER_SEC);
    }
  if (fabs (least) <= 15.0 * 3600 * G_USEC_PER_SEC)
    self->roastcoffea->zone = llround (least / QUARTER) * QUARTER;

  return TRUE;
}

static gboolean
take_all (Tracking *self, GError **error)
{
  Roastcoffea *roastcoffea = self->roastcoffea;
  RoastJsonScan scan = roastcoffea_scan (roastcoffea, roastcoffea->parts[ROASTCOFFEA_TRACKING]);

  if (!find_series (self, &scan))
    return roastcoffea_fail (roastcoffea, &scan, error);
  if (!find_zone (self, error) || (self->counts != NULL && !take_counts (self, error)))
    return FALSE;
  self->samples = roast_recording_write_table (roastcoffea->recording, ROAST_TABLE_WORKER_SAMPLES, roastcoffea->source,
                                               roast_worker_samples_columns, error);
  self->rows = self->samples != NULL ? roast_recording_write_table (roastcoffea->recording, ROAST_TABLE_WORKERS,
                                                                    roastcoffea->source, roast_workers_columns, error)
                                     : NULL;
  if (self->rows == NULL)
    return FALSE;
  for (guint i = 0; i < self->workers->len; i++)
    if (!take_worker (self, g_ptr_array_index (self->workers, i), error))
      return FALSE;

  return TRUE;
}

gboolean
roastcoffea_take_tracking (Roastcoffea *roastcoffea, GError **error)
{
  g_auto (Tracking) self = { .roastcoffea = roastcoffea };

  self.workers = g_ptr_array_new_with_free_func ((GDestroyNotify) worker_free);
  self.names = g_hash_table_new (g_str_hash, g_str_equal);
  self.times = g_array_new (FALSE, FALSE, sizeof (gint64));
  self.text = g_string_new (NULL);
  if (roastcoffea->parts[ROASTCOFFEA_TRACKING] == NULL)
    return TRUE;
  if (!take_all (&self, error))
    return FALSE;
  if (self.n_changed > 0)
    roastcoffea_leave_out (roastcoffea, "changes of a worker's cores and memory limit");

  return TRUE;
}
