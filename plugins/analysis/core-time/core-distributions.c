/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table distributions: percentiles of how long attempts, their phases and chunks took. */

#include "chunk-time.h"
#include "chunk-verdicts.h"
#include "core-time.h"
#include "group-element.h"
#include "order.h"
#include "percentile.h"
#include "task-phases.h"

/* Values of one distribution, in the order of the rows. Computing a percentile changes this order. */
typedef struct
{
  double *items;
  gsize n, size;
  double total;
} DistributionsValues;

/* Durations of one source, kind, category and phase. */
typedef struct
{
  const char *source, *category;
  int kind, phase; /* phase: -1 for durations of whole attempts or chunks */
  DistributionsValues values;
} Distribution;

/* Maps each phase of one source and task category to the index of its distribution plus 1; 0 if there is no
 * distribution yet. */
typedef struct
{
  guint places[ROAST_PHASE_N_WORDS];
} Places;

static void
clear_distribution (gpointer data)
{
  g_free (((Distribution *) data)->values.items);
}

static void
distributions_add_value (DistributionsValues *self, double value)
{
  if (self->n == self->size)
    {
      self->size = self->size > 0 ? 2 * self->size : 16;
      self->items = g_renew (double, self->items, self->size);
    }
  self->items[self->n++] = value;
  self->total += value;
}

static guint
add_distribution (GArray *all, const char *source, const char *category, int kind, int phase)
{
  const Distribution first = { .source = source, .category = category, .kind = kind, .phase = phase };

  g_array_append_val (all, first);

  return all->len;
}

/* ---- rows ---- */

/* Read the phases of attempts. Skip the phase execute, because its duration is that of the whole attempt. */
static void
distributions_read_tasks (RoastTableReader *tasks, GArray *all)
{
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (Places));

  GROUP_BY (tasks, ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY);
  while (roast_table_reader_next (tasks))
    {
      Places *group = group_element (groups, tasks);
      double seconds[ROAST_PHASE_N_WORDS];

      task_phases_get (tasks, seconds);
      for (guint phase = 0; phase < ROAST_PHASE_N_WORDS; phase++)
        {
          gboolean is_task = phase == ROAST_PHASE_EXECUTE;

          if (isnan (seconds[phase]))
            continue;
          if (group->places[phase] == 0)
            group->places[phase] =
                add_distribution (all, roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE),
                                  roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY),
                                  is_task ? ROAST_DISTRIBUTION_KIND_TASK : ROAST_DISTRIBUTION_KIND_PHASE,
                                  is_task ? -1 : (int) phase);
          distributions_add_value (&g_array_index (all, Distribution, group->places[phase] - 1).values, seconds[phase]);
        }
    }
}

static void
distributions_read_chunks (RoastRecordingSnapshot *recording, RoastTableReader *chunks, GArray *all)
{
  g_autoptr (ChunkVerdicts) verdicts = chunk_verdicts_get (recording);
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (guint));

  GROUP_BY (chunks, ROAST_CHUNKS_SOURCE, ROAST_CHUNKS_DATASET);
  while (roast_table_reader_next (chunks))
    {
      double seconds = chunk_time_get (chunks);
      guint *place = group_element (groups, chunks);

      if (chunk_verdicts_judge (verdicts, roast_table_reader_get_row (chunks)) == CHUNK_PREPARATION || isnan (seconds))
        continue;
      if (*place == 0)
        *place = add_distribution (all, roast_table_reader_get_string (chunks, ROAST_CHUNKS_SOURCE),
                                   roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET),
                                   ROAST_DISTRIBUTION_KIND_CHUNK, -1);
      distributions_add_value (&g_array_index (all, Distribution, *place - 1).values, fmax (seconds, 0));
    }
}

static double
get_percentile (DistributionsValues *self, double share)
{
  return percentile_get (self->items, self->n, share);
}

/* ---- the table ---- */

static int
compare_distributions (gconstpointer a, gconstpointer b)
{
  const Distribution *first = a;
  const Distribution *second = b;
  int order = g_strcmp0 (first->source, second->source);

  if (order == 0)
    order = first->kind - second->kind;
  if (order == 0)
    order = order_rows (first->values.total, second->values.total, first->category, second->category);

  return order != 0 ? order : first->phase - second->phase;
}

static void
write_distribution (RoastTableWriter *table, Distribution *one)
{
  roast_table_writer_set_string (table, ROAST_DISTRIBUTIONS_SOURCE, one->source);
  roast_table_writer_set_word (table, ROAST_DISTRIBUTIONS_KIND, (guint) one->kind);
  roast_table_writer_set_string (table, ROAST_DISTRIBUTIONS_CATEGORY, one->category);
  if (one->phase >= 0)
    roast_table_writer_set_word (table, ROAST_DISTRIBUTIONS_PHASE, (guint) one->phase);
  roast_table_writer_set_int64 (table, ROAST_DISTRIBUTIONS_N, (gint64) one->values.n);
  roast_table_writer_set_double (table, ROAST_DISTRIBUTIONS_P50, get_percentile (&one->values, 0.5));
  roast_table_writer_set_double (table, ROAST_DISTRIBUTIONS_P90, get_percentile (&one->values, 0.9));
  roast_table_writer_set_double (table, ROAST_DISTRIBUTIONS_P99, get_percentile (&one->values, 0.99));
  roast_table_writer_set_double (table, ROAST_DISTRIBUTIONS_MAX, get_percentile (&one->values, 1));
  roast_table_writer_set_double (table, ROAST_DISTRIBUTIONS_TOTAL, one->values.total);
  roast_table_writer_end (table, NULL);
}

void
core_write_distributions (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (recording);
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Distribution));
  g_autoptr (RoastTableWriter) table = NULL;

  g_array_set_clear_func (all, clear_distribution);
  distributions_read_tasks (tasks, all);
  distributions_read_chunks (recording, chunks, all);
  if (all->len == 0)
    return;
  g_array_sort (all, compare_distributions);
  table = roast_distributions_write (report);
  for (guint i = 0; i < all->len; i++)
    write_distribution (table, &g_array_index (all, Distribution, i));
}
