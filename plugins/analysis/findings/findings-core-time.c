/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the table core_time and the stretches of the run. */

#include "findings.h"

#define LOST_SOME 0.05 /* lost time in the start-up counts as large from this share of the core time on */

static gboolean
is_run (RoastTableReader *core_time)
{
  return roast_table_reader_get_word (core_time, ROAST_CORE_TIME_WINDOW) == ROAST_WINDOW_KIND_RUN &&
         roast_table_reader_get_double (core_time, ROAST_CORE_TIME_CORE_SECONDS) > 0;
}

/* If there is an executor, ignore the process tree: the executor's workers offer the same cores as slots, and each core
 * must count once. */
static gboolean
has_executor (RoastTableReader *core_time, RoastRunModel *model)
{
  for (roast_table_reader_rewind (core_time); roast_table_reader_next (core_time);)
    if (is_run (core_time) &&
        !roast_run_model_is_process_tree (model, roast_table_reader_get_string (core_time, ROAST_CORE_TIME_SOURCE)))
      return TRUE;

  return FALSE;
}

static void
core_time_add_row (Findings *self, RoastTableReader *core_time)
{
  int stretch = roast_table_reader_get_word (core_time, ROAST_CORE_TIME_STRETCH);
  int part = roast_table_reader_get_word (core_time, ROAST_CORE_TIME_PART);
  double seconds = roast_table_reader_get_double (core_time, ROAST_CORE_TIME_CORE_SECONDS);

  if (stretch < 0 || part < 0)
    return;
  self->parts[stretch][part] += seconds;
  self->offered += seconds;
  if (self->missing == NULL &&
      roast_table_reader_get_word (core_time, ROAST_CORE_TIME_COMPLETE) == ROAST_COMPLETENESS_PARTIAL)
    self->missing = findings_keep (self, roast_table_reader_get_string (core_time, ROAST_CORE_TIME_REASON));
}

/* Reads the stretches of the source that offered the most core time. The start-up of the run ends as soon as the
 * start-up of one source has ended. */
static void
read_stretches (Findings *self, const char *source)
{
  g_autoptr (RoastTableReader) stretches = roast_stretches_read (self->report);

  while (roast_table_reader_next (stretches))
    {
      int stretch = roast_table_reader_get_word (stretches, ROAST_STRETCHES_NAME);
      const char *of = roast_table_reader_get_string (stretches, ROAST_STRETCHES_SOURCE);
      gboolean is_first = stretch == ROAST_STRETCH_STARTUP && of != NULL &&
                          roast_run_model_is_process_tree (self->model, of) == self->is_tree;
      double ended = roast_table_reader_get_double (stretches, ROAST_STRETCHES_ENDED);

      if (stretch < 0 || (!is_first && g_strcmp0 (of, source) != 0))
        continue;
      self->bounds[stretch][0] = roast_table_reader_get_double (stretches, ROAST_STRETCHES_STARTED);
      self->bounds[stretch][1] = is_first ? fmin (self->bounds[stretch][1], ended) : ended;
    }
  self->work[0] = self->work[1] = self->end = NAN;
  /* A run may lack some stretches. Their bounds are NaN, which fmin () and fmax () ignore. */
  for (guint i = 0; i < ROAST_STRETCH_N_WORDS; i++)
    {
      self->end = fmax (self->end, self->bounds[i][1]);
      if (i < ROAST_STRETCH_RAMP || i > ROAST_STRETCH_TAIL)
        continue;
      self->work[0] = fmin (self->work[0], self->bounds[i][0]);
      self->work[1] = fmax (self->work[1], self->bounds[i][1]);
    }
}

void
findings_read_core_time (Findings *self)
{
  g_autoptr (RoastTableReader) core_time = roast_core_time_read (self->report);
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  const char *largest = NULL;
  double most = 0;

  for (guint i = 0; i < ROAST_STRETCH_N_WORDS; i++)
    self->bounds[i][0] = self->bounds[i][1] = NAN;
  self->model = roast_run_model_get (self->recording);
  self->tree = roast_run_model_get_process_tree (self->model);
  self->is_tree = !has_executor (core_time, self->model);
  for (roast_table_reader_rewind (core_time); roast_table_reader_next (core_time);)
    {
      const char *source = roast_table_reader_get_string (core_time, ROAST_CORE_TIME_SOURCE);
      double *sum = NULL;

      if (source != NULL && is_run (core_time) && roast_run_model_is_process_tree (self->model, source) &&
          roast_table_reader_get_word (core_time, ROAST_CORE_TIME_PART) == ROAST_CORE_PART_TASK_WAIT)
        self->taken += roast_table_reader_get_double (core_time, ROAST_CORE_TIME_CORE_SECONDS);
      if (source == NULL || !is_run (core_time) ||
          roast_run_model_is_process_tree (self->model, source) != self->is_tree)
        continue;
      sum = g_hash_table_lookup (offered, source);
      if (sum == NULL)
        {
          sum = g_new0 (double, 1);
          g_hash_table_insert (offered, (gpointer) findings_keep (self, source), sum);
        }
      *sum += roast_table_reader_get_double (core_time, ROAST_CORE_TIME_CORE_SECONDS);
      if (*sum > most)
        {
          most = *sum;
          largest = findings_keep (self, source);
        }
      core_time_add_row (self, core_time);
    }
  read_stretches (self, largest);
}

double
findings_get_share (Findings *self, guint first, guint last, guint from, guint to)
{
  double sum = 0;

  for (guint stretch = from; stretch <= to; stretch++)
    for (guint part = first; part <= last; part++)
      sum += self->parts[stretch][part];

  return self->offered > 0 ? sum / self->offered : 0;
}

double
findings_get_parts (Findings *self, guint first, guint last)
{
  return findings_get_share (self, first, last, 0, ROAST_STRETCH_N_WORDS - 1);
}

double
findings_get_part (Findings *self, guint part)
{
  return findings_get_parts (self, part, part);
}

double
findings_get_part_of_tail (Findings *self, guint part)
{
  return findings_get_share (self, part, part, ROAST_STRETCH_TAIL, ROAST_STRETCH_TAIL);
}

gboolean
findings_has_earlier_attempts (Findings *self)
{
  return findings_get_share (self, ROAST_CORE_PART_LOST_FAILED, ROAST_CORE_PART_LOST_WORKER, ROAST_STRETCH_STARTUP,
                             ROAST_STRETCH_STARTUP) >= LOST_SOME;
}

double
findings_get_length (Findings *self, guint stretch)
{
  double length = (self->bounds[stretch][1] - self->bounds[stretch][0]) / G_USEC_PER_SEC;

  return isnan (length) ? 0 : length;
}

double
findings_get_run_length (Findings *self)
{
  double length = 0;

  for (guint i = 0; i < ROAST_STRETCH_N_WORDS; i++)
    length += findings_get_length (self, i);

  return length;
}
