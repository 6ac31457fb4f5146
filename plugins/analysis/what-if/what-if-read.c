/* SPDX-License-Identifier: BSD-3-Clause */

/* Read the attempts and the slots of the executor that ran most of the run's tasks. */

#include "group-element.h"
#include "what-if.h"

#include <math.h>

#define SMALLEST_UNIT (1.0 / 64) /* smallest part of a core that a slot may be */

static gboolean
is_usable (RoastTableReader *tasks)
{
  return roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE &&
         roast_table_reader_has (tasks, ROAST_TASKS_STARTED) && roast_table_reader_has (tasks, ROAST_TASKS_ENDED) &&
         roast_table_reader_has (tasks, ROAST_TASKS_SUBMITTED);
}

/* Return the source with the most attempts that can be replayed; NULL if there is none. */
static char *
find_source (RoastTableReader *tasks)
{
  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (guint));
  guint most = 0;
  char *source = NULL;

  GROUP_BY (tasks, ROAST_TASKS_SOURCE);
  while (roast_table_reader_next (tasks))
    {
      guint group = roast_table_reader_get_group (tasks);
      guint *count = NULL;

      if (!is_usable (tasks))
        continue;
      if (group >= counts->len)
        g_array_set_size (counts, group + 1);
      count = &g_array_index (counts, guint, group);
      if (++*count <= most)
        continue;
      most = *count;
      if (g_strcmp0 (source, roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE)) != 0)
        {
          g_free (source);
          source = g_strdup (roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE));
        }
    }
  roast_table_reader_rewind (tasks);

  return source;
}

static double
get_seconds (RoastTableReader *tasks, guint slot, double otherwise)
{
  double time = roast_table_reader_get_double (tasks, slot);

  return isnan (time) ? otherwise : time / G_USEC_PER_SEC;
}

static int
what_if_read_compare_starts (const Attempt *a, const Attempt *b)
{
  if (a->started != b->started)
    return a->started < b->started ? -1 : 1;

  return (a->row > b->row) - (a->row < b->row);
}

static void
take_worker (Run *self, RoastTableReader *tasks, const Attempt *attempt, GHashTable *workers)
{
  const char *name = roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER);
  double unknown = 0;

  if (attempt->worker < self->joined->len)
    return;
  while (self->joined->len <= attempt->worker)
    g_array_append_val (self->joined, unknown);
  g_hash_table_insert (workers, g_strdup (name != NULL ? name : ""), GUINT_TO_POINTER (attempt->worker + 1));
}

static double
take_attempt (Run *self, RoastTableReader *tasks, GHashTable *workers)
{
  double submitted = get_seconds (tasks, ROAST_TASKS_SUBMITTED, NAN);
  double ended = get_seconds (tasks, ROAST_TASKS_ENDED, NAN);
  double known = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES);
  Attempt attempt = {
    .submitted = submitted,
    .ready = fmax (get_seconds (tasks, ROAST_TASKS_READY, submitted), submitted),
    .started = get_seconds (tasks, ROAST_TASKS_STARTED, NAN),
    .ended = ended,
    .noticed = fmax (get_seconds (tasks, ROAST_TASKS_NOTICED, ended), ended),
    .row = (guint32) roast_table_reader_get_row (tasks),
    .category = (guint32) (roast_table_reader_get_code (tasks, ROAST_TASKS_CATEGORY) + 1),
    .worker = (guint32) (roast_table_reader_get_code (tasks, ROAST_TASKS_WORKER) + 1),
    .cores = known > 0 ? (float) known : 1,
  };

  g_array_append_val (self->attempts, attempt);
  take_worker (self, tasks, &attempt, workers);

  return submitted;
}

/* Set the number of cores that one slot stands for, and the number of slots that each attempt holds. Call this after
 * the attempts were sorted by start. */
static void
set_slots (Run *self)
{
  guint n = self->attempts->len;

  self->unit = INFINITY;
  for (guint i = 0; i < n; i++)
    self->unit = fmin (self->unit, g_array_index (self->attempts, Attempt, i).cores);
  /* The number may be a fraction, because an attempt in a library may hold only part of a core. */
  self->unit = self->unit < 1 ? 1 / round (1 / fmax (self->unit, SMALLEST_UNIT)) : round (self->unit);
  self->seconds = g_new (float, n);
  self->slots = g_new (guint32, n);
  for (guint i = 0; i < n; i++)
    {
      const Attempt *attempt = &g_array_index (self->attempts, Attempt, i);

      self->seconds[i] = (float) (attempt->ended - attempt->started);
      self->slots[i] = (guint32) fmax (1, round (attempt->cores / self->unit));
    }
}

/* Return the time of the first submission, in s. */
static double
what_if_read_attempts (Run *self, RoastTableReader *tasks, GHashTable *workers)
{
  double first = INFINITY;

  while (roast_table_reader_next (tasks))
    if (is_usable (tasks) && g_strcmp0 (self->source, roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE)) == 0)
      first = fmin (first, take_attempt (self, tasks, workers));
  FOR_EACH (Attempt, attempt, self->attempts)
    {
      attempt->submitted -= first;
      attempt->ready -= first;
      attempt->started -= first;
      attempt->ended -= first;
      attempt->noticed -= first;
      self->elapsed = fmax (self->elapsed, attempt->noticed);
    }
  g_array_sort (self->attempts, (GCompareFunc) what_if_read_compare_starts);
  set_slots (self);

  return first;
}

static int
what_if_read_compare_steps (const Step *a, const Step *b)
{
  if (a->at != b->at)
    return a->at < b->at ? -1 : 1;

  return (a->change > b->change) - (a->change < b->change);
}

/* Add the slots of a worker from when it joined until it left. If the worker left after the last task had started, do
 * not remove its slots, because a longer run might have kept the worker. */
static void
what_if_read_add_worker (Run *self, RoastTableReader *workers, GHashTable *numbers, double first)
{
  const char *name = roast_table_reader_get_string (workers, ROAST_WORKERS_WORKER);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, name));
  double joined = get_seconds (workers, ROAST_WORKERS_JOINED, first) - first;
  double left = get_seconds (workers, ROAST_WORKERS_LEFT, NAN) - first;
  double last = g_array_index (self->attempts, Attempt, self->attempts->len - 1).started;
  guint n = (guint) fmin (roast_table_reader_get_double (workers, ROAST_WORKERS_CORES) / self->unit + 1e-6, 1e6);
  Step more = { fmax (joined, 0), n };
  Step fewer = { left, -more.change };

  if (number > 0)
    g_array_index (self->joined, double, number - 1) = joined;
  if (joined > last || left <= 0)
    return;
  self->per_worker = self->steps->len == 0 || self->per_worker == n ? n : 0;
  g_array_append_val (self->steps, more);
  if (left < last)
    g_array_append_val (self->steps, fewer);
}

/* Return the number of workers that ran tasks and whose number of cores is unknown. */
static guint
what_if_read_workers (Run *self, GHashTable *numbers, double first)
{
  g_autoptr (RoastTableReader) workers = roast_workers_read (self->recording);
  gint64 now = 0;
  guint n_unknown = g_hash_table_size (numbers) - (g_hash_table_contains (numbers, "") ? 1 : 0);

  while (roast_table_reader_next (workers))
    if (g_strcmp0 (self->source, roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE)) == 0 &&
        roast_table_reader_get_double (workers, ROAST_WORKERS_CORES) > 0)
      {
        n_unknown -=
            g_hash_table_contains (numbers, roast_table_reader_get_string (workers, ROAST_WORKERS_WORKER)) ? 1 : 0;
        what_if_read_add_worker (self, workers, numbers, first);
      }
  g_array_sort (self->steps, (GCompareFunc) what_if_read_compare_steps);
  for (guint i = 0; i < self->steps->len; i++)
    {
      now += g_array_index (self->steps, Step, i).change;
      self->n_slots = (guint) MAX (self->n_slots, now);
    }

  return n_unknown;
}

gboolean
run_read (Run *self, RoastRecordingSnapshot *recording, char **reason)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (recording);
  g_autoptr (GHashTable) workers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  double first;
  guint n_unknown;

  *self = (Run) { .recording = recording };
  self->attempts = g_array_new (FALSE, FALSE, sizeof (Attempt));
  self->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  self->joined = g_array_new (FALSE, FALSE, sizeof (double));
  self->source = find_source (tasks);
  if (self->source == NULL)
    {
      *reason = g_strdup ("no task with a result has times of submission, start and end");
      return FALSE;
    }
  first = what_if_read_attempts (self, tasks, workers);
  n_unknown = what_if_read_workers (self, workers, first);
  if (self->n_slots > 0 && n_unknown == 0)
    return TRUE;
  *reason = self->n_slots > 0
                ? g_strdup_printf ("the number of cores of %u of the workers that ran tasks is unknown", n_unknown)
                : g_strdup ("the number of cores of the workers is unknown");

  return FALSE;
}

void
run_clear (Run *self)
{
  g_free (self->source);
  g_array_unref (self->attempts);
  g_array_unref (self->steps);
  g_array_unref (self->joined);
  g_free (self->seconds);
  g_free (self->slots);
  g_free (self->order);
  g_free (self->results);
  g_free (self->releasers);
  g_free (self->releases);
  g_free (self->otherwise);
}
