/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-sums.h"

#include <math.h>
#include <string.h>

/* The key of an activity: strings of dictionaries, of which each is there once, so that pointers tell them apart. */
enum
{
  SOURCE,
  WORKER,
  CONTEXT,
  SPAN,
  PREFIX,
  ACTIVITY,
  UNIT,
  N_KEY
};

typedef struct
{
  const char *part[N_KEY];
  double value;
} Cell;

static guint
cell_hash (const Cell *cell)
{
  guint64 hash = 0;

  for (guint i = 0; i < N_KEY; i++)
    hash = (hash ^ (guint64) (gsize) cell->part[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint) (hash >> 32);
}

static gboolean
cell_equal (const Cell *a, const Cell *b)
{
  return memcmp (a->part, b->part, sizeof a->part) == 0;
}

static ActivitySum *
get_sum (GHashTable *index, GPtrArray *all, const char *source, const char *name)
{
  g_autofree char *key = g_strjoin ("\n", source != NULL ? source : "", name, NULL);
  ActivitySum *sum = g_hash_table_lookup (index, key);

  if (sum == NULL)
    {
      sum = g_new0 (ActivitySum, 1);
      sum->name = name;
      sum->source = source;
      g_hash_table_insert (index, g_steal_pointer (&key), sum);
      g_ptr_array_add (all, sum);
    }

  return sum;
}

/* Dask names what a shuffle did WHERE/ACTIVITY in the context p2p. Where it is in the foreground the same is told in
 * execute, as p2p-ACTIVITY. */
static ActivityPlace
place_of (const char *context, const char *activity, const char **label)
{
  const char *slash = strchr (activity, '/');

  *label = activity;
  if (g_str_equal (context, "execute"))
    {
      if (g_str_has_prefix (activity, "p2p-"))
        *label = activity + strlen ("p2p-");
      return ACTIVITY_IN_TASKS;
    }
  if (!g_str_equal (context, "p2p"))
    return ACTIVITY_BETWEEN;
  if (slash != NULL)
    *label = slash + 1;

  return g_str_has_prefix (activity, "foreground/") ? ACTIVITY_TWICE : ACTIVITY_SHUFFLE;
}

static void
add_to_sum (ActivitySum *sum, const Cell *cell, const char *label)
{
  if (g_str_equal (cell->part[UNIT], "bytes"))
    {
      if (g_str_equal (label, "disk-read"))
        sum->disk_read += cell->value;
      else if (g_str_equal (label, "disk-write"))
        sum->disk_write += cell->value;
    }
  if (!g_str_equal (cell->part[UNIT], "seconds"))
    return;
  sum->busy += cell->value;
  if (g_str_equal (cell->part[ACTIVITY], "thread-cpu"))
    sum->cpu += cell->value;
  else if (g_str_equal (cell->part[ACTIVITY], "thread-noncpu"))
    sum->wait += cell->value;
}

static void
add_cell (ActivitySums *self, const Cell *cell)
{
  g_autofree char *key = g_strjoin ("\n", cell->part[CONTEXT], cell->part[ACTIVITY], cell->part[UNIT], NULL);
  Activity *activity = g_hash_table_lookup (self->by_activity, key);

  if (activity == NULL)
    {
      activity = g_new0 (Activity, 1);
      activity->context = cell->part[CONTEXT];
      activity->activity = cell->part[ACTIVITY];
      activity->unit = cell->part[UNIT];
      activity->place = place_of (activity->context, activity->activity, &activity->label);
      g_hash_table_insert (self->by_activity, g_steal_pointer (&key), activity);
      g_ptr_array_add (self->activities, activity);
    }
  activity->value += cell->value;
  if (activity->place != ACTIVITY_IN_TASKS)
    return;
  self->has_cpu |= g_str_equal (activity->activity, "thread-cpu") || g_str_equal (activity->activity, "thread-noncpu");
  if (g_str_equal (activity->activity, "unmeasured"))
    self->unmeasured += cell->value;
  if (g_str_equal (activity->activity, "lost") || g_str_equal (activity->activity, "unfinished"))
    self->vague += cell->value;
  if (cell->part[PREFIX] != NULL)
    add_to_sum (get_sum (self->by_prefix, self->prefixes, NULL, cell->part[PREFIX]), cell, activity->label);
  if (cell->part[WORKER] != NULL)
    add_to_sum (get_sum (self->by_worker, self->workers, cell->part[SOURCE], cell->part[WORKER]), cell,
                activity->label);
}

static void
find_columns (RoastTableSnapshot *table, const char *const *names, guint n, guint *columns)
{
  for (guint i = 0; i < n; i++)
    columns[i] = (guint) roast_table_snapshot_find_column (table, names[i]);
}

/* Values are cumulative: the last of a key is what counts. */
static void
read_activities (ActivitySums *self, RoastTableSnapshot *table)
{
  static const char *const names[] = { "source", "worker", "context", "span", "category", "activity", "unit", "value" };
  g_autoptr (GHashTable) cells = g_hash_table_new ((GHashFunc) cell_hash, (GEqualFunc) cell_equal);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (g_free);
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;
  guint columns[G_N_ELEMENTS (names)];

  if (n_rows == 0)
    return;
  self->has_activities = TRUE;
  find_columns (table, names, G_N_ELEMENTS (names), columns);
  for (guint64 row = 0; row < n_rows; row++)
    {
      Cell key;
      Cell *known;

      for (guint i = 0; i < N_KEY; i++)
        key.part[i] = roast_table_snapshot_get_string (table, row, columns[i]);
      key.value = roast_table_snapshot_get_double (table, row, columns[N_KEY]);
      if (key.part[CONTEXT] == NULL || key.part[ACTIVITY] == NULL || key.part[UNIT] == NULL || !isfinite (key.value))
        continue;
      known = g_hash_table_lookup (cells, &key);
      if (known != NULL)
        {
          known->value = key.value;
          continue;
        }
      known = g_memdup2 (&key, sizeof key);
      g_hash_table_add (cells, known);
      g_ptr_array_add (order, known);
      if (key.part[SOURCE] != NULL)
        g_hash_table_add (self->sources, (gpointer) key.part[SOURCE]);
    }
  /* In the order of rows: the same recording has the same sums, to the last bit. */
  for (guint i = 0; i < order->len; i++)
    add_cell (self, g_ptr_array_index (order, i));
}

enum
{
  TASK_SOURCE,
  TASK_PREFIX,
  TASK_WORKER,
  TASK_STARTED,
  TASK_ENDED,
  TASK_STATUS,
  TASK_BYTES,
  N_TASK
};

static void
add_task (ActivitySum *sum, gboolean failed, double seconds, double bytes)
{
  sum->has_tasks = TRUE;
  sum->tasks++;
  sum->failed += failed ? 1 : 0;
  sum->bytes_out += bytes;
  if (isnan (seconds))
    return;
  sum->timed++;
  sum->in_tasks += seconds;
  sum->longest = MAX (sum->longest, seconds);
}

static void
read_tasks (ActivitySums *self, RoastTableSnapshot *table)
{
  static const char *const names[N_TASK] = {
    "source", "category", "worker", "started", "ended", "status", "bytes_out"
  };
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;
  guint columns[N_TASK];

  if (n_rows > 0)
    find_columns (table, names, N_TASK, columns);
  self->n_tasks = n_rows;
  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *source = roast_table_snapshot_get_string (table, row, columns[TASK_SOURCE]);
      const char *prefix = roast_table_snapshot_get_string (table, row, columns[TASK_PREFIX]);
      const char *worker = roast_table_snapshot_get_string (table, row, columns[TASK_WORKER]);
      const char *status = roast_table_snapshot_get_string (table, row, columns[TASK_STATUS]);
      gboolean failed = g_strcmp0 (status, "failed") == 0 || g_strcmp0 (status, "exhausted") == 0;
      gboolean timed = roast_table_snapshot_is_valid (table, row, columns[TASK_STARTED]) &&
                       roast_table_snapshot_is_valid (table, row, columns[TASK_ENDED]);
      double seconds = timed ? (double) (roast_table_snapshot_get_int64 (table, row, columns[TASK_ENDED]) -
                                         roast_table_snapshot_get_int64 (table, row, columns[TASK_STARTED])) /
                                   G_USEC_PER_SEC
                             : NAN;
      double bytes = roast_table_snapshot_is_valid (table, row, columns[TASK_BYTES])
                         ? (double) roast_table_snapshot_get_int64 (table, row, columns[TASK_BYTES])
                         : 0;

      if (source != NULL)
        g_hash_table_add (self->sources, (gpointer) source);
      /* It was never given to anybody. */
      if (g_strcmp0 (status, "waiting") == 0 || (g_strcmp0 (status, "cancelled") == 0 && worker == NULL))
        continue;
      add_task (get_sum (self->by_prefix, self->prefixes, NULL, prefix != NULL ? prefix : "?"), failed, seconds, bytes);
      if (worker != NULL)
        add_task (get_sum (self->by_worker, self->workers, source, worker), failed, seconds, bytes);
    }
}

/* A source that says nothing of it tells all. */
static void
read_sources (ActivitySums *self, RoastTableSnapshot *table)
{
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;
  guint fine = n_rows > 0 ? (guint) roast_table_snapshot_find_column (table, "task-activity") : 0;
  guint source = n_rows > 0 ? (guint) roast_table_snapshot_find_column (table, "source") : 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *told = roast_table_snapshot_get_string (table, row, fine);

      if (told != NULL && !g_str_equal (told, "all") &&
          g_hash_table_contains (self->sources, roast_table_snapshot_get_string (table, row, source)))
        self->is_limited = TRUE;
    }
}

/* An executor may tell no more of its tasks than how many there are. */
static void
read_states (ActivitySums *self, RoastTableSnapshot *table)
{
  guint64 n_rows = table != NULL ? roast_table_snapshot_get_n_rows (table) : 0;
  guint column = n_rows > 0 ? (guint) roast_table_snapshot_find_column (table, "source") : 0;

  for (guint64 row = 0; row < n_rows; row++)
    {
      const char *source = roast_table_snapshot_get_string (table, row, column);

      if (source != NULL)
        g_hash_table_add (self->sources, (gpointer) source);
    }
}

ActivitySums *
activity_sums_new (RoastRecordingSnapshot *recording)
{
  ActivitySums *self = g_new0 (ActivitySums, 1);

  self->prefixes = g_ptr_array_new_with_free_func (g_free);
  self->workers = g_ptr_array_new_with_free_func (g_free);
  self->activities = g_ptr_array_new_with_free_func (g_free);
  self->sources = g_hash_table_new (g_str_hash, g_str_equal);
  self->by_prefix = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_worker = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_activity = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  read_activities (self, roast_recording_snapshot_get_table (recording, "activities"));
  read_tasks (self, roast_recording_snapshot_get_table (recording, "tasks"));
  read_states (self, roast_recording_snapshot_get_table (recording, "category_states"));
  read_sources (self, roast_recording_snapshot_get_table (recording, "sources"));

  return self;
}

void
activity_sums_free (ActivitySums *self)
{
  g_hash_table_unref (self->by_prefix);
  g_hash_table_unref (self->by_worker);
  g_hash_table_unref (self->by_activity);
  g_hash_table_unref (self->sources);
  g_ptr_array_unref (self->prefixes);
  g_ptr_array_unref (self->workers);
  g_ptr_array_unref (self->activities);
  g_free (self);
}

double
activity_sums_activity (ActivitySums *self, ActivityPlace places, const char *label, const char *unit)
{
  double sum = 0;

  for (guint i = 0; i < self->activities->len; i++)
    {
      const Activity *one = g_ptr_array_index (self->activities, i);

      if ((one->place & places) != 0 && g_str_equal (one->label, label) && g_str_equal (one->unit, unit))
        sum += one->value;
    }

  return sum;
}

gboolean
activity_sums_tells (ActivitySums *self, ActivityPlace places, const char *label, const char *unit)
{
  for (guint i = 0; i < self->activities->len; i++)
    {
      const Activity *one = g_ptr_array_index (self->activities, i);

      if ((one->place & places) != 0 && g_str_equal (one->label, label) && g_str_equal (one->unit, unit))
        return TRUE;
    }

  return FALSE;
}

ActivitySum *
activity_sums_find_worker (ActivitySums *self, const char *source, const char *worker)
{
  g_autofree char *key = g_strjoin ("\n", source, worker, NULL);

  return g_hash_table_lookup (self->by_worker, key);
}
