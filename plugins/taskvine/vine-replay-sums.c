/* SPDX-License-Identifier: BSD-3-Clause */

/* What workers did for each kind of task, as cumulative sums: seconds of cores in tasks, seconds of tasks in all that
 * is around it. */

#include <math.h>
#include <string.h>

#include "span-totals.h"
#include "vine-replay-private.h"

/* In the order of the type Sum. What is in `execute` adds up to the time in tasks. */
static const struct
{
  const char *context, *activity, *unit;
} kinds[N_SUMS] = {
  [SUM_CPU] = { "execute", "thread-cpu", "seconds" },
  [SUM_NONCPU] = { "execute", "thread-noncpu", "seconds" },
  [SUM_UNMEASURED] = { "execute", "unmeasured", "seconds" },
  [SUM_FAILED] = { "execute", "failed", "seconds" },
  [SUM_EXHAUSTED] = { "execute", "exhausted", "seconds" },
  [SUM_CANCELLED] = { "execute", "cancelled", "seconds" },
  [SUM_LOST] = { "execute", "lost", "seconds" },
  [SUM_UNFINISHED] = { "execute", "unfinished", "seconds" },
  [SUM_DISK_READ] = { "execute", "disk-read", "bytes" },
  [SUM_DISK_WRITE] = { "execute", "disk-write", "bytes" },
  [SUM_QUEUE] = { "queue", "waiting", "seconds" },
  [SUM_INPUT] = { "input", "network", "seconds" },
  [SUM_INPUT_BYTES] = { "input", "network", "bytes" },
  [SUM_STAGING] = { "stage-in", "waiting", "seconds" },
  [SUM_WAITING] = { "retrieval", "waiting", "seconds" },
  [SUM_OUTPUT] = { "output", "network", "seconds" },
  [SUM_OUTPUT_BYTES] = { "output", "network", "bytes" },
  [SUM_RETURN] = { "return", "waiting", "seconds" },
};

enum
{
  ACTIVITY_SOURCE,
  ACTIVITY_TIME,
  ACTIVITY_SPAN,
  ACTIVITY_WORKER,
  ACTIVITY_CONTEXT,
  ACTIVITY_PREFIX,
  ACTIVITY_ACTIVITY,
  ACTIVITY_UNIT,
  ACTIVITY_VALUE
};
static const char *const activity_columns[] = { "source",   "time",     "span", "worker", "context",
                                                "category", "activity", "unit", "value",  NULL };

enum
{
  STATE_SOURCE,
  STATE_TIME,
  STATE_PREFIX,
  STATE_STATE,
  STATE_TASKS
};
static const char *const state_columns[] = { "source", "time", "category", "state", "tasks", NULL };

static guint
cell_hash (const Cell *cell)
{
  guint64 hash = (guint64) (gsize) cell->worker * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  hash = (hash ^ (guint64) (gsize) cell->category) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  hash = (hash ^ (guint64) (gsize) cell->span) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint) (hash >> 32);
}

static gboolean
cell_equal (const Cell *a, const Cell *b)
{
  return a->worker == b->worker && a->category == b->category && a->span == b->span;
}

void
vine_replay_open_sums (VineReplay *self)
{
  self->cells = g_hash_table_new_full ((GHashFunc) cell_hash, (GEqualFunc) cell_equal, g_free, NULL);
  sheet_open (&self->sheet_activities, self->recording, "activities", activity_columns);
  sheet_open (&self->sheet_states, self->recording, "category_states", state_columns);
}

void
vine_replay_clear_sums (VineReplay *self)
{
  g_hash_table_unref (self->cells);
}

static Cell *
get_cell (VineReplay *self, const Attempt *attempt)
{
  Cell key = { attempt->worker, attempt->category, attempt->span, FALSE, { 0 }, 0 };
  Cell *cell = g_hash_table_lookup (self->cells, &key);

  if (cell != NULL)
    return cell;
  cell = g_memdup2 (&key, sizeof key);
  g_hash_table_add (self->cells, cell);

  return cell;
}

static void
add (Cell *cell, Sum sum, double value)
{
  if (isnan (value))
    return;
  cell->value[sum] += value;
  cell->told |= 1u << sum;
  cell->changed = TRUE;
}

/* NaN if one of the two is not known. */
static double
between (gint64 from, gint64 to)
{
  return from >= 0 && to >= 0 ? MAX (0.0, (double) (to - from) / G_USEC_PER_SEC) : NAN;
}

static double
bytes (gint64 n)
{
  return n >= 0 ? (double) n : NAN;
}

/* A task that was given no core, as function calls are, has one. */
static double
cores_of (const Attempt *attempt)
{
  return attempt->cores >= 1 ? attempt->cores : 1;
}

/* Core seconds. Threads beyond the cores that were given compute as well: then nothing waits. */
static void
add_measured (Cell *cell, const Attempt *attempt, double seconds)
{
  add (cell, SUM_CPU, attempt->cpu);
  add (cell, SUM_NONCPU, MAX (0.0, seconds - attempt->cpu));
}

/* Of one without a result it is known when it was given up, not when it began: it is what it kept cores for at most. */
static void
add_execution (Cell *cell, const Attempt *attempt, const char *status)
{
  double seconds = between (attempt->started, attempt->ended) * cores_of (attempt);

  if (attempt->lost >= 0 && attempt->started < 0)
    add (cell, g_str_equal (status, "cancelled") ? SUM_CANCELLED : SUM_LOST,
         between (attempt->delivered, attempt->lost) * cores_of (attempt));
  else if (!isnan (attempt->cpu))
    add_measured (cell, attempt, seconds);
  else if (g_str_equal (status, "failed"))
    add (cell, SUM_FAILED, seconds);
  else if (g_str_equal (status, "exhausted"))
    add (cell, SUM_EXHAUSTED, seconds);
  else if (g_str_equal (status, "cancelled"))
    add (cell, SUM_CANCELLED, seconds);
  else
    add (cell, SUM_UNMEASURED, seconds);
}

void
vine_replay_add_unfinished (VineReplay *self, const Attempt *attempt)
{
  if (!attempt->library && attempt->lost < 0 && attempt->state == RUNNING)
    add (get_cell (self, attempt), SUM_UNFINISHED, between (attempt->delivered, self->now) * cores_of (attempt));
}

void
vine_replay_add_sums (VineReplay *self, const Attempt *attempt, const char *status, gint64 returned)
{
  Cell *cell = NULL;

  if (attempt->dispatched < 0)
    return;
  cell = get_cell (self, attempt);
  add_execution (cell, attempt, status);
  add (cell, SUM_DISK_READ, bytes (attempt->read));
  add (cell, SUM_DISK_WRITE, bytes (attempt->written));
  add (cell, SUM_QUEUE, between (attempt->submitted, attempt->dispatched));
  add (cell, SUM_INPUT, between (attempt->dispatched, attempt->delivered));
  add (cell, SUM_INPUT_BYTES, bytes (attempt->bytes_in));
  add (cell, SUM_STAGING, between (attempt->delivered, attempt->started));
  add (cell, SUM_WAITING, between (attempt->ended, attempt->fetched));
  add (cell, SUM_OUTPUT, between (attempt->fetched, attempt->retrieved));
  add (cell, SUM_OUTPUT_BYTES, bytes (attempt->bytes_out));
  add (cell, SUM_RETURN, between (attempt->retrieved, returned));
}

/* ---- rows ---- */

static void
write_activity (VineReplay *self, const Cell *cell, Sum sum)
{
  Sheet *sheet = &self->sheet_activities;

  sheet_begin (sheet, self->source);
  sheet_set_count (sheet, ACTIVITY_TIME, self->now);
  sheet_set_text (sheet, ACTIVITY_SPAN, cell->span);
  sheet_set_text (sheet, ACTIVITY_WORKER, cell->worker != NULL ? cell->worker->id : NULL);
  sheet_set_text (sheet, ACTIVITY_CONTEXT, kinds[sum].context);
  sheet_set_text (sheet, ACTIVITY_PREFIX, vine_replay_name_category (cell->category));
  sheet_set_text (sheet, ACTIVITY_ACTIVITY, kinds[sum].activity);
  sheet_set_text (sheet, ACTIVITY_UNIT, kinds[sum].unit);
  sheet_set_number (sheet, ACTIVITY_VALUE, cell->value[sum]);
  sheet_end (sheet);
}

static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const Cell *x = *(const Cell *const *) a;
  const Cell *y = *(const Cell *const *) b;
  int order = g_strcmp0 (x->worker != NULL ? x->worker->id : NULL, y->worker != NULL ? y->worker->id : NULL);

  if (order == 0)
    order = g_strcmp0 (x->category != NULL ? x->category->name : NULL, y->category != NULL ? y->category->name : NULL);

  return order != 0 ? order : g_strcmp0 (x->span, y->span);
}

/* In an order that does not depend on where things are in memory: the same log gives the same rows. */
void
vine_replay_write_sums (VineReplay *self)
{
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer cell;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &cell, NULL))
    if (((Cell *) cell)->changed)
      g_ptr_array_add (changed, cell);
  g_ptr_array_sort (changed, compare_cells);
  for (guint i = 0; i < changed->len; i++)
    {
      Cell *one = g_ptr_array_index (changed, i);

      for (guint sum = 0; sum < N_SUMS; sum++)
        if ((one->told & 1u << sum) != 0)
          write_activity (self, one, sum);
      one->changed = FALSE;
    }
}

static void
write_state (VineReplay *self, const Category *category, const char *state, gint64 tasks)
{
  Sheet *sheet = &self->sheet_states;

  sheet_begin (sheet, self->source);
  sheet_set_count (sheet, STATE_TIME, self->now);
  sheet_set_text (sheet, STATE_PREFIX, category->name);
  sheet_set_text (sheet, STATE_STATE, state);
  sheet_set_count (sheet, STATE_TASKS, tasks);
  sheet_end (sheet);
}

void
vine_replay_write_states (VineReplay *self)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->categories), (GCompareFunc) g_strcmp0);

  for (GList *l = names; l != NULL; l = l->next)
    {
      Category *category = g_hash_table_lookup (self->categories, l->data);

      if (!category->changed)
        continue;
      write_state (self, category, "waiting", category->waiting);
      write_state (self, category, "running", category->running);
      write_state (self, category, "done", category->done);
      write_state (self, category, "failed", category->failed);
      write_state (self, category, "lost", category->lost);
      category->changed = FALSE;
    }
}

void
vine_replay_add_totals (VineReplay *self, GHashTable *totals)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const Cell *cell = key;

      for (guint sum = 0; sum < N_SUMS; sum++)
        if ((cell->told & 1u << sum) != 0)
          span_totals_totals_add (totals, kinds[sum].context, vine_replay_name_category (cell->category),
                                  kinds[sum].activity, kinds[sum].unit, cell->value[sum]);
    }
}
