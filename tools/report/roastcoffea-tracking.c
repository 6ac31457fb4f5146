/* SPDX-License-Identifier: BSD-3-Clause */

/* Imports roastcoffea's samples of workers. It has one series per quantity and worker, while roast stores all
 * quantities of a worker in one row. So the series of each worker are merged by time. */

#include <math.h>

#include "roastcoffea.h"
#include "time-search.h"

#define MAX_WORKERS 1000000
#define QUARTER (15 * 60 * G_USEC_PER_SEC) /* time zones are multiples of a quarter of an hour */

/* Position in a series: [[time, value], …]. */
typedef struct
{
  RoastJsonScan scan;
  guint64 n;
  gboolean has; /* time and value are set */
  gint64 time;  /* µs since the epoch */
  double value;
} Cursor;

typedef struct
{
  char *name;
  const char *at[ROASTCOFFEA_N_SERIES]; /* start of each series, or NULL */
} Worker;

typedef struct
{
  Roastcoffea *roastcoffea;
  GPtrArray *workers; /* of Worker, in file order */
  GHashTable *names;  /* elements of workers, by name */
  const char *counts;
  GArray *times; /* of double: times when workers were counted */
  RoastTableWriter *samples, *rows, *counted;
  GString *text;
  guint n_changed; /* number of changes of a worker's memory limit or cores */
  guint which;     /* index of the series being read */
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
  g_clear_object (&self->counted);
  g_string_free (self->text, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tracking, tracking_clear)

/* ---- where the series are ---- */

static Worker *
get_worker (Tracking *self, const char *name)
{
  Worker *worker = g_hash_table_lookup (self->names, name);

  if (worker == NULL && self->workers->len < MAX_WORKERS)
    {
      worker = g_new0 (Worker, 1);
      worker->name = g_strdup (name);
      g_ptr_array_add (self->workers, worker);
      g_hash_table_insert (self->names, worker->name, worker);
    }

  return worker;
}

static gboolean
find_worker (RoastJsonScan *scan, GString *name, gpointer data)
{
  Tracking *self = data;
  Worker *worker = get_worker (self, name->str);

  if (worker == NULL)
    return roast_json_scan_fail (scan, "more than a million workers");
  worker->at[self->which] = scan->at;

  return json_walk_skip (scan);
}

static gboolean
find_series (RoastJsonScan *scan, GString *name, gpointer data)
{
  Tracking *self = data;

  for (self->which = 0; self->which < ROASTCOFFEA_N_SERIES; self->which++)
    if (g_str_equal (roastcoffea_series[self->which].name, name->str))
      return json_walk_each (scan, '{', find_worker, self);
  if (g_str_equal (name->str, "worker_counts"))
    self->counts = scan->at;
  else
    roastcoffea_leave_out (self->roastcoffea, name->str);

  return json_walk_skip (scan);
}

/* ---- series ---- */

/* Converts a time to UTC. */
static gboolean
convert_time (const Tracking *self, RoastJsonScan *scan, const char *text, gint64 *time)
{
  if (!roastcoffea_parse_time (text, time))
    return roast_json_scan_fail (scan, "expected a time such as 2025-10-09T08:53:21.039575");
  *time -= self->roastcoffea->zone;

  return *time >= 0 || roast_json_scan_fail (scan, "time before 1970");
}

static gboolean
read_pair (const Tracking *self, Cursor *cursor)
{
  RoastJsonScan *scan = &cursor->scan;
  guint64 n = 0;

  return json_walk_open (scan, '[') && json_walk_next (scan, '[', &n) && json_walk_text (scan, self->text, NULL) &&
         convert_time (self, scan, self->text->str, &cursor->time) && json_walk_next (scan, '[', &n) &&
         json_walk_number (scan, &cursor->value) && !json_walk_next (scan, '[', &n);
}

/* Moves to the next sample. read_pair () sets no fault for a pair that is too short or too long, so set it here. */
static gboolean
cursor_next (Tracking *self, Cursor *cursor)
{
  RoastJsonScan *scan = &cursor->scan;

  cursor->has = json_walk_next (scan, '[', &cursor->n);
  if (cursor->has && !read_pair (self, cursor) && scan->fault == NULL)
    roast_json_scan_fail (scan, "expected a time and a value");

  return scan->fault == NULL || roastcoffea_fail (self->roastcoffea, scan);
}

/* Moves to the first sample, if the series exists. */
static gboolean
cursor_begin (Tracking *self, Cursor *cursor, const char *at)
{
  cursor->scan = (RoastJsonScan) { .at = at, .end = self->roastcoffea->end, .has_infinite = TRUE };
  if (at == NULL)
    return TRUE;
  if (!json_walk_open (&cursor->scan, '['))
    return roastcoffea_fail (self->roastcoffea, &cursor->scan);

  return cursor_next (self, cursor);
}

static void
set_cell (Tracking *self, RoastcoffeaSeries which, double value)
{
  const RoastcoffeaWord *word = &roastcoffea_series[which];

  if (which == ROASTCOFFEA_OCCUPANCY || which == ROASTCOFFEA_CPU)
    roast_table_writer_set_double (self->samples, word->slot, value >= 0 ? value : NAN);
  else if (which != ROASTCOFFEA_LAST_SEEN || value > 0)
    roastcoffea_set_count (self->samples, word->slot, value, word->factor);
}

/* Writes the next row of a worker: all values with the earliest time. */
static gboolean
take_row (Tracking *self, Worker *worker, Cursor *cursors, gint64 time, double *constants)
{
  roast_table_writer_set_int64 (self->samples, ROAST_WORKER_SAMPLES_TIME, time);
  roast_table_writer_set_string (self->samples, ROAST_WORKER_SAMPLES_WORKER, worker->name);
  for (guint i = 0; i < ROASTCOFFEA_N_SERIES; i++)
    {
      if (!cursors[i].has || cursors[i].time != time)
        continue;
      if (i != ROASTCOFFEA_CORES && i != ROASTCOFFEA_MEMORY_LIMIT)
        set_cell (self, i, cursors[i].value);
      else if (!isnan (cursors[i].value))
        {
          self->n_changed += !isnan (constants[i]) && constants[i] != cursors[i].value;
          constants[i] = cursors[i].value;
        }
      if (!cursor_next (self, &cursors[i]))
        return FALSE;
    }

  return roastcoffea_end_row (self->roastcoffea, self->samples);
}

/* Returns the first count after the worker's last sample, which is the latest time at which it can have left; -1 if
 * there is none. */
static gint64
find_left (Tracking *self, gint64 last)
{
  guint i = time_search (self->times, 0, (double) (last + 1));

  return i < self->times->len ? (gint64) g_array_index (self->times, double, i) : -1;
}

static gboolean
add_worker (Tracking *self, const Worker *worker, gint64 first, gint64 last, const double *constants)
{
  gint64 left = find_left (self, last);

  roast_table_writer_set_string (self->rows, ROAST_WORKERS_WORKER, worker->name);
  roast_table_writer_set_int64 (self->rows, ROAST_WORKERS_JOINED, first);
  if (constants[ROASTCOFFEA_CORES] > 0)
    roast_table_writer_set_double (self->rows, ROAST_WORKERS_CORES, constants[ROASTCOFFEA_CORES]);
  if (constants[ROASTCOFFEA_MEMORY_LIMIT] > 0)
    roastcoffea_set_count (self->rows, ROAST_WORKERS_MEMORY_LIMIT, constants[ROASTCOFFEA_MEMORY_LIMIT], 1);
  if (left >= 0)
    {
      roast_table_writer_set_int64 (self->rows, ROAST_WORKERS_LEFT, left);
      roast_table_writer_set_double (self->rows, ROAST_WORKERS_TAIL_LOST, (double) (left - last) / G_USEC_PER_SEC);
    }

  return roastcoffea_end_row (self->roastcoffea, self->rows);
}

static gint64
find_earliest (const Cursor *cursors)
{
  gint64 time = G_MAXINT64;

  for (guint i = 0; i < ROASTCOFFEA_N_SERIES; i++)
    if (cursors[i].has)
      time = MIN (time, cursors[i].time);

  return time;
}

static void
note_time (Tracking *self, gint64 time)
{
  self->roastcoffea->first = MIN (self->roastcoffea->first, time);
  self->roastcoffea->last = MAX (self->roastcoffea->last, time);
}

static gboolean
take_worker (Tracking *self, Worker *worker)
{
  Cursor cursors[ROASTCOFFEA_N_SERIES] = { 0 };
  double constants[ROASTCOFFEA_N_SERIES];
  gint64 first = G_MAXINT64;
  gint64 last = -1;
  gint64 time;

  for (guint i = 0; i < ROASTCOFFEA_N_SERIES; i++)
    {
      constants[i] = NAN;
      if (!cursor_begin (self, &cursors[i], worker->at[i]))
        return FALSE;
    }
  while ((time = find_earliest (cursors)) < G_MAXINT64)
    {
      if (!take_row (self, worker, cursors, time, constants))
        return FALSE;
      first = MIN (first, time);
      last = MAX (last, time);
    }
  if (last < 0)
    return TRUE;
  note_time (self, first);
  note_time (self, last);

  return add_worker (self, worker, first, last, constants);
}

/* ---- all ---- */

static int
compare_times (const double *a, const double *b)
{
  return (*a > *b) - (*a < *b);
}

static gboolean
take_count (RoastJsonScan *scan, GString *name, gpointer data)
{
  Tracking *self = data;
  gint64 time;
  double count, at;

  if (!convert_time (self, scan, name->str, &time) || !json_walk_number (scan, &count))
    return FALSE;
  at = (double) time;
  g_array_append_val (self->times, at);
  note_time (self, time);
  roast_table_writer_set_int64 (self->counted, ROAST_CLUSTER_SAMPLES_TIME, time);
  roastcoffea_set_count (self->counted, ROAST_CLUSTER_SAMPLES_WORKERS, count, 1);

  return roastcoffea_end_row (self->roastcoffea, self->counted);
}

/* Derives the time zone: samples have local times without a zone, but worker_last_seen counts from the epoch and is at
 * most a few seconds older. */
static gboolean
find_zone (Tracking *self)
{
  double least = INFINITY;

  for (guint i = 0; i < self->workers->len; i++)
    {
      const Worker *worker = g_ptr_array_index (self->workers, i);
      Cursor cursor = { 0 };

      if (!cursor_begin (self, &cursor, worker->at[ROASTCOFFEA_LAST_SEEN]))
        return FALSE;
      if (cursor.has && cursor.value > 0)
        least = fmin (least, (double) cursor.time - cursor.value * G_USEC_PER_SEC);
    }
  if (fabs (least) <= 15.0 * 3600 * G_USEC_PER_SEC)
    self->roastcoffea->zone = llround (least / QUARTER) * QUARTER;

  return TRUE;
}

static gboolean
take_workers (Tracking *self)
{
  for (guint i = 0; i < self->workers->len; i++)
    if (!take_worker (self, g_ptr_array_index (self->workers, i)))
      return FALSE;

  return TRUE;
}

gboolean
roastcoffea_take_tracking (Roastcoffea *roastcoffea)
{
  g_auto (Tracking) self = { .roastcoffea = roastcoffea };

  self.workers = g_ptr_array_new_with_free_func ((GDestroyNotify) worker_free);
  self.names = g_hash_table_new (g_str_hash, g_str_equal);
  self.times = g_array_new (FALSE, FALSE, sizeof (double));
  self.text = g_string_new (NULL);
  self.samples = roastcoffea_write (roastcoffea, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns);
  self.rows = roastcoffea_write (roastcoffea, ROAST_TABLE_WORKERS, roast_workers_columns);
  self.counted = roastcoffea_write (roastcoffea, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns);
  if (!roastcoffea_walk (roastcoffea, roastcoffea->parts[ROASTCOFFEA_TRACKING], '{', find_series, &self) ||
      !find_zone (&self) || !roastcoffea_walk (roastcoffea, self.counts, '{', take_count, &self))
    return FALSE;
  g_array_sort (self.times, (GCompareFunc) compare_times);
  if (!take_workers (&self))
    return FALSE;
  if (self.n_changed > 0)
    roastcoffea_leave_out (roastcoffea, "changes of a worker's cores and memory limit");

  return TRUE;
}
