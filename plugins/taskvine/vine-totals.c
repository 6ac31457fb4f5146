/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-replay.h"

#include <math.h>
#include <string.h>

#include "span-totals.h"

/* Sums over attempts. The context `execute` has core-seconds and bytes of tasks. Its seconds add up to the time in
 * tasks. The contexts `input` and `output` have the files that the manager itself moved, for tasks and for libraries.
 * Durations of phases are not summed here, because they can be computed from rows of tasks. */
typedef enum
{
  SUM_CPU,
  SUM_NONCPU,
  SUM_UNMEASURED,
  SUM_FAILED,
  SUM_EXHAUSTED,
  SUM_CANCELLED,
  SUM_LOST,
  SUM_UNFINISHED,
  SUM_DISK_READ,
  SUM_DISK_WRITE,
  SUM_INPUT,
  SUM_INPUT_BYTES,
  SUM_OUTPUT,
  SUM_OUTPUT_BYTES,
  N_SUMS
} Sum;

static const struct
{
  guint context, activity, unit;
} sums[N_SUMS] = {
  [SUM_CPU] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_THREAD_CPU, ROAST_UNIT_SECONDS },
  [SUM_NONCPU] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_THREAD_NONCPU, ROAST_UNIT_SECONDS },
  [SUM_UNMEASURED] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_UNMEASURED, ROAST_UNIT_SECONDS },
  [SUM_FAILED] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_FAILED, ROAST_UNIT_SECONDS },
  [SUM_EXHAUSTED] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_EXHAUSTED, ROAST_UNIT_SECONDS },
  [SUM_CANCELLED] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_CANCELLED, ROAST_UNIT_SECONDS },
  [SUM_LOST] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_LOST, ROAST_UNIT_SECONDS },
  [SUM_UNFINISHED] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_UNFINISHED, ROAST_UNIT_SECONDS },
  [SUM_DISK_READ] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_DISK_READ, ROAST_UNIT_BYTES },
  [SUM_DISK_WRITE] = { ROAST_CONTEXT_EXECUTE, ROAST_ACTIVITY_DISK_WRITE, ROAST_UNIT_BYTES },
  [SUM_INPUT] = { ROAST_CONTEXT_INPUT, ROAST_ACTIVITY_NETWORK, ROAST_UNIT_SECONDS },
  [SUM_INPUT_BYTES] = { ROAST_CONTEXT_INPUT, ROAST_ACTIVITY_NETWORK, ROAST_UNIT_BYTES },
  [SUM_OUTPUT] = { ROAST_CONTEXT_OUTPUT, ROAST_ACTIVITY_NETWORK, ROAST_UNIT_SECONDS },
  [SUM_OUTPUT_BYTES] = { ROAST_CONTEXT_OUTPUT, ROAST_ACTIVITY_NETWORK, ROAST_UNIT_BYTES },
};

typedef struct
{
  const VineWorker *worker; /* may be NULL */
  const VineCategory *category;
  const char *span; /* may be NULL */
  double value[N_SUMS];
  guint32 known; /* bit mask of the sums that have received a value */
  gboolean changed;
} Cell;

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

GHashTable *
vine_totals_new_cells (void)
{
  return g_hash_table_new_full ((GHashFunc) cell_hash, (GEqualFunc) cell_equal, g_free, NULL);
}

/* ---- sums ---- */

static Cell *
get_cell (VineReplay *self, const VineWorker *worker, const VineCategory *category, const char *span)
{
  Cell key = { .worker = worker, .category = category, .span = span };
  Cell *cell = g_hash_table_lookup (self->cells, &key);

  if (cell != NULL)
    return cell;
  cell = g_memdup2 (&key, sizeof key);
  g_hash_table_add (self->cells, cell);

  return cell;
}

/* Add a value to a sum. Do nothing if @value is unknown (NaN or negative). */
static void
add (Cell *cell, Sum sum, double value)
{
  if (!(value >= 0))
    return;
  cell->value[sum] += value;
  cell->known |= 1u << sum;
  cell->changed = TRUE;
}

/* Return the core-seconds of an attempt between @from and @to. A task without cores counts as one core; a call counts
 * with the cores that it received from its library. @from must be known if @to is known. */
static double
core_seconds (const VineAttempt *attempt, gint64 from, gint64 to)
{
  if (!vine_is_known (to))
    return NAN;

  return MAX (0.0, (double) (to - from) / G_USEC_PER_SEC) *
         (attempt->cores > 0 || attempt->is_call ? attempt->cores : 1);
}

/* Return the sum that includes the core-seconds of an attempt with a result. */
static Sum
get_result_sum (guint status)
{
  return status == ROAST_STATUS_FAILED      ? SUM_FAILED
         : status == ROAST_STATUS_EXHAUSTED ? SUM_EXHAUSTED
         : status == ROAST_STATUS_CANCELLED ? SUM_CANCELLED
                                            : SUM_UNMEASURED;
}

/* Return the sum that includes the core-seconds of an attempt without a result. These core-seconds are an upper bound,
 * because the start of the attempt is unknown. */
static Sum
get_held_sum (guint status)
{
  return status == ROAST_STATUS_CANCELLED                                      ? SUM_CANCELLED
         : status == ROAST_STATUS_UNFINISHED || status == ROAST_STATUS_RUNNING ? SUM_UNFINISHED
                                                                               : SUM_LOST;
}

static void
add_execution (Cell *cell, const VineAttempt *attempt)
{
  double seconds = core_seconds (attempt, attempt->started, attempt->ended);

  if (!vine_is_known (attempt->started) && vine_is_known (attempt->held_until))
    {
      add (cell, get_held_sum (attempt->status), core_seconds (attempt, attempt->delivered, attempt->held_until));
    }
  else if (isnan (attempt->cpu))
    {
      add (cell, get_result_sum (attempt->status), seconds);
    }
  else
    {
      add (cell, SUM_CPU, attempt->cpu);
      /* Do not let this become negative: a task with more threads than cores may use more CPU time than
       * core-seconds. */
      add (cell, SUM_NONCPU, MAX (0.0, seconds - attempt->cpu));
    }
}

void
vine_totals_add (VineReplay *self, const VineAttempt *attempt)
{
  Cell *cell = NULL;

  if (!vine_is_known (attempt->dispatched))
    return;
  cell = get_cell (self, attempt->worker, attempt->category, attempt->span);
  add_execution (cell, attempt);
  add (cell, SUM_DISK_READ, (double) attempt->bytes_read);
  add (cell, SUM_DISK_WRITE, (double) attempt->bytes_written);
}

void
vine_totals_add_moved (VineReplay *self, VineWorker *worker, const VineCategory *category, const char *span)
{
  Cell *cell = NULL;

  if (!worker->moved[0].is_known && !worker->moved[1].is_known)
    return;
  cell = get_cell (self, worker, category, span);
  for (guint i = 0; i < G_N_ELEMENTS (worker->moved); i++)
    {
      if (!worker->moved[i].is_known)
        continue;
      add (cell, i == 0 ? SUM_INPUT : SUM_OUTPUT, (double) worker->moved[i].us / G_USEC_PER_SEC);
      add (cell, i == 0 ? SUM_INPUT_BYTES : SUM_OUTPUT_BYTES, (double) worker->moved[i].bytes);
      worker->moved[i] = (VineMoved) { 0, 0, FALSE };
    }
}

/* ---- rows ---- */

static void
totals_write_row (VineReplay *self, const Cell *cell, Sum sum)
{
  roast_table_writer_set_count (self->activities, ROAST_ACTIVITIES_TIME, self->now);
  roast_table_writer_set_string (self->activities, ROAST_ACTIVITIES_SPAN, cell->span);
  roast_table_writer_set_string (self->activities, ROAST_ACTIVITIES_WORKER,
                                 cell->worker != NULL ? cell->worker->id : NULL);
  roast_table_writer_set_word (self->activities, ROAST_ACTIVITIES_CONTEXT, sums[sum].context);
  roast_table_writer_set_string (self->activities, ROAST_ACTIVITIES_CATEGORY, cell->category->name);
  roast_table_writer_set_word (self->activities, ROAST_ACTIVITIES_ACTIVITY, sums[sum].activity);
  roast_table_writer_set_word (self->activities, ROAST_ACTIVITIES_UNIT, sums[sum].unit);
  roast_table_writer_set_double (self->activities, ROAST_ACTIVITIES_VALUE, cell->value[sum]);
  roast_table_writer_end (self->activities, NULL);
}

static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const Cell *x = *(const Cell *const *) a;
  const Cell *y = *(const Cell *const *) b;
  int order = g_strcmp0 (x->worker != NULL ? x->worker->id : NULL, y->worker != NULL ? y->worker->id : NULL);

  if (order == 0)
    order = strcmp (x->category->name, y->category->name);

  return order != 0 ? order : g_strcmp0 (x->span, y->span);
}

/* Write the changed cells in a fixed order, so that the same log always gives the same rows. */
void
vine_totals_write (VineReplay *self)
{
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();
  GHashTableIter iter;
  Cell *cell;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, (gpointer *) &cell, NULL))
    if (cell->changed)
      g_ptr_array_add (changed, cell);
  g_ptr_array_sort (changed, compare_cells);
  for (guint i = 0; i < changed->len; i++)
    {
      cell = g_ptr_array_index (changed, i);
      for (guint sum = 0; sum < N_SUMS; sum++)
        if ((cell->known & 1u << sum) != 0)
          totals_write_row (self, cell, sum);
      cell->changed = FALSE;
    }
}

void
vine_totals_add_to (VineReplay *self, GHashTable *totals)
{
  GHashTableIter iter;
  Cell *cell;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, (gpointer *) &cell, NULL))
    for (guint sum = 0; sum < N_SUMS; sum++)
      if ((cell->known & 1u << sum) != 0)
        span_totals_totals_add (totals, roast_context_words[sums[sum].context], cell->category->name,
                                roast_activity_words[sums[sum].activity], roast_unit_words[sums[sum].unit],
                                cell->value[sum]);
}
