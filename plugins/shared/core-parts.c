/* SPDX-License-Identifier: BSD-3-Clause */
#include "core-parts.h"

/* Report unknown or guessed core time only above this share of the core time, because less does not change a displayed
 * ratio. */
#define WORTH_A_NOTE 0.001

/* Returns whether the sum of an estimated part over the run is inexact. It is inexact if the part was separated from
 * other parts by means of sums over a worker's whole life. It is exact if the estimate only concerned how the part is
 * distributed over the stretches. */
static gboolean
core_part_is_guessed (int part)
{
  return (part >= 0 && part <= ROAST_CORE_PART_LOST_WORKER) || part == ROAST_CORE_PART_TASK_SERIALISE ||
         part == ROAST_CORE_PART_TASK_SPILL || part == ROAST_CORE_PART_MOVE_IN;
}

/* Returns whether the part is time that attempts took. If some attempts have no row, such a part is only a lower bound,
 * and the other parts may be too large or too small. */
static gboolean
core_part_is_of_attempts (int part)
{
  return part >= 0 && part <= ROAST_CORE_PART_FRAMEWORK_WAIT &&
         !(part >= ROAST_CORE_PART_LIBRARY_START && part <= ROAST_CORE_PART_LIBRARY_FAILED);
}

RoastCompleteness
core_parts_combine (RoastCompleteness a, RoastCompleteness b)
{
  if (a == ROAST_COMPLETENESS_ESTIMATED || b == ROAST_COMPLETENESS_ESTIMATED)
    return ROAST_COMPLETENESS_ESTIMATED;

  return a == ROAST_COMPLETENESS_COMPLETE ? b : a;
}

static RoastCompleteness
get_completeness (int completeness, int part, gboolean is_tree)
{
  if (completeness == ROAST_COMPLETENESS_PARTIAL)
    return core_part_is_of_attempts (part) ? ROAST_COMPLETENESS_PARTIAL : ROAST_COMPLETENESS_ESTIMATED;

  return completeness == ROAST_COMPLETENESS_ESTIMATED && (is_tree || core_part_is_guessed (part))
             ? ROAST_COMPLETENESS_ESTIMATED
             : ROAST_COMPLETENESS_COMPLETE;
}

static void
add_row (CoreParts *self, RoastTableReader *table)
{
  int part = roast_table_reader_get_word (table, ROAST_CORE_TIME_PART);
  int completeness = roast_table_reader_get_word (table, ROAST_CORE_TIME_COMPLETE);
  double seconds = roast_table_reader_get_double (table, ROAST_CORE_TIME_CORE_SECONDS);

  if (part < 0)
    return;
  self->parts[part] += seconds;
  self->offered += seconds;
  if (seconds > 0)
    {
      self->parts_complete[part] =
          core_parts_combine (self->parts_complete[part], get_completeness (completeness, part, self->is_tree));
      g_hash_table_add (self->sources, g_strdup (roast_table_reader_get_string (table, ROAST_CORE_TIME_SOURCE)));
    }
  if (completeness == ROAST_COMPLETENESS_ESTIMATED)
    {
      gboolean is_guess = core_part_is_guessed (part);

      if (self->guess == NULL || (is_guess && self->guessed <= 0))
        {
          g_free (self->guess);
          self->guess = g_strdup (roast_table_reader_get_string (table, ROAST_CORE_TIME_REASON));
        }
      self->guessed += is_guess ? seconds : 0;
    }
  else
    {
      self->exact += seconds;
    }
  if (completeness != ROAST_COMPLETENESS_PARTIAL || self->completeness == ROAST_COMPLETENESS_PARTIAL)
    return;
  self->lacks_attempts = TRUE;
  self->completeness = ROAST_COMPLETENESS_PARTIAL;
  self->reason = g_strdup (roast_table_reader_get_string (table, ROAST_CORE_TIME_REASON));
}

const char *
core_part_get_words (RoastSchema *schema, const char *part, gboolean of_processes)
{
  static const struct
  {
    const char *part, *words;
  } words[] = {
    { "task.cpu", "computing" },
    { "task.wait", "ready, but without a core" },
    { "idle.no_work", "idle" },
  };

  for (guint i = 0; of_processes && i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (words[i].part, part))
      return words[i].words;

  return roast_schema_get_label (schema, "core_part", part);
}

static void
read_rows (CoreParts *self, RoastTableReader *table, RoastRunModel *model, gboolean is_tree)
{
  roast_table_reader_rewind (table);
  self->is_tree = is_tree;
  while (roast_table_reader_next (table))
    {
      const char *source = roast_table_reader_get_string (table, ROAST_CORE_TIME_SOURCE);

      if (roast_table_reader_get_word (table, ROAST_CORE_TIME_WINDOW) == ROAST_WINDOW_KIND_RUN && source != NULL &&
          roast_run_model_is_process_tree (model, source) == is_tree)
        add_row (self, table);
    }
}

void
core_parts_init (CoreParts *self, RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableReader) table = roast_core_time_read (report);
  RoastRunModel *model = roast_run_model_get (recording);

  *self = (CoreParts) { .completeness = ROAST_COMPLETENESS_COMPLETE,
                        .sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  for (guint i = 0; i < ROAST_CORE_PART_N_WORDS; i++)
    self->parts_complete[i] = ROAST_COMPLETENESS_COMPLETE;
  read_rows (self, table, model, FALSE);
  if (self->offered <= 0)
    read_rows (self, table, model, TRUE);
  /* Mark the sums as partial if much core time is unknown, because the unknown time may belong to any part. */
  if (self->completeness == ROAST_COMPLETENESS_COMPLETE &&
      self->parts[ROAST_CORE_PART_UNKNOWN] > WORTH_A_NOTE * self->offered)
    {
      self->completeness = ROAST_COMPLETENESS_PARTIAL;
      self->reason = g_strdup_printf ("the use of %.1f %% of the core time is unknown",
                                      100 * self->parts[ROAST_CORE_PART_UNKNOWN] / self->offered);
    }
  if (self->completeness == ROAST_COMPLETENESS_COMPLETE &&
      (self->guessed > WORTH_A_NOTE * self->offered || (self->exact <= 0 && !self->is_tree)))
    {
      self->completeness = ROAST_COMPLETENESS_ESTIMATED;
      self->reason = g_steal_pointer (&self->guess);
    }
}

void
core_parts_clear (CoreParts *self)
{
  g_clear_pointer (&self->sources, g_hash_table_unref);
  g_clear_pointer (&self->reason, g_free);
  g_clear_pointer (&self->guess, g_free);
}

double
core_parts_sum (const CoreParts *self, guint first, guint last)
{
  double sum = 0;

  for (guint part = first; part <= last; part++)
    sum += self->parts[part];

  return sum;
}

double
core_parts_get_task_ratio (const CoreParts *self)
{
  return (core_parts_sum (self, ROAST_CORE_PART_LOST_FAILED, ROAST_CORE_PART_LOST_WORKER) +
          core_parts_sum (self, ROAST_CORE_PART_TASK_CPU, ROAST_CORE_PART_FRAMEWORK_WAIT) +
          self->parts[ROAST_CORE_PART_RESERVED_UNUSED]) /
         self->offered;
}
