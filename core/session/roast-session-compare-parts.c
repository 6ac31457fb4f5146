/* SPDX-License-Identifier: BSD-3-Clause */

/* Divides the elapsed time of a run into parts, whose sum is the elapsed time. Each part of the core time, divided by
 * the number of slots, is a part of the elapsed time. The core time is the core time of the run's executor, or of the
 * machine if there is no executor. If the run only has chunks, the parts are computed from the chunks. */

#include "roast-session-compare-private.h"

#include <math.h>

#include "analysis/roast-run-slots-private.h"
#include "recording/roast-recording-snapshot-private.h"
#include "roast/roast-run-model.h"
#include "roast/roast-tables.h"

/* Return the address of the sum with a name. Create the sum if it does not exist yet. */
static double *
get_sum (GHashTable *sums, const char *name)
{
  double *sum = g_hash_table_lookup (sums, name != NULL ? name : "");

  if (sum == NULL)
    {
      sum = g_new0 (double, 1);
      g_hash_table_insert (sums, g_strdup (name != NULL ? name : ""), sum);
    }

  return sum;
}

/* Find the source whose slots did the work: the executor that offered the most core time, or the process tree if there
 * is no executor. */
static char *
find_source (Facts *self, gboolean *is_tree)
{
  RoastRunModel *model = roast_run_model_get (self->recording);
  g_autoptr (RoastTableReader) table = roast_core_time_read (self->report);
  g_autoptr (GHashTable) offered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const char *found = NULL;
  double most = 0;
  GHashTableIter iter;
  gpointer name, value;

  while (roast_table_reader_next (table))
    if (roast_table_reader_get_word (table, ROAST_CORE_TIME_WINDOW) == ROAST_WINDOW_KIND_RUN)
      *get_sum (offered, roast_table_reader_get_string (table, ROAST_CORE_TIME_SOURCE)) +=
          roast_table_reader_get_double (table, ROAST_CORE_TIME_CORE_SECONDS);
  g_hash_table_iter_init (&iter, offered);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      double seconds = *(const double *) value;
      gboolean has_processes = roast_run_model_is_process_tree (model, name);

      if (found == NULL || (*is_tree && !has_processes) || (*is_tree == has_processes && seconds > most))
        {
          found = name;
          most = seconds;
          *is_tree = has_processes;
        }
    }

  return g_strdup (found);
}

/* ---- slots ---- */

static RoastRunSlots
count_slots_of_workers (Facts *self, const char *source)
{
  RoastRunSlots slots;

  slots.most = roast_run_model_count_slots (roast_run_model_get (self->recording), source, &slots.first, &slots.last);

  return slots;
}

/* Count the slots of a run that only has chunks. A slot exists for each chunk while the chunk is processed. */
static RoastRunSlots
count_slots_of_chunks (Facts *self, double *seconds)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (self->recording);
  g_autoptr (GArray) changes = roast_run_slots_new ();

  while (roast_table_reader_next (chunks))
    {
      double started = roast_table_reader_get_double (chunks, ROAST_CHUNKS_STARTED);
      double ended = roast_table_reader_get_double (chunks, ROAST_CHUNKS_ENDED);

      if (!(ended >= started) || roast_table_reader_get_word (chunks, ROAST_CHUNKS_ROLE) == ROAST_ROLE_FRAMEWORK)
        continue;
      roast_run_slots_add (changes, started, ended, 1);
      *seconds += (ended - started) / G_USEC_PER_SEC;
    }

  return roast_run_slots_count (changes);
}

/* ---- parts ---- */

/* Names of the parts in which slots were missing: before the first slot appeared, after the last slot left, and at
 * other times. */
typedef struct
{
  const char *before, *after, *rest;
} Missing;

static void
put_missing (Facts *self, const Missing *names, const RoastRunSlots *slots, double rest, int completeness)
{
  double started, ended, before, after;

  compared_find_window (self, ROAST_WINDOW_KIND_RUN, &started, &ended);
  before = (slots->first - started) / G_USEC_PER_SEC;
  before = before > 0 ? fmin (before, rest) : 0;
  after = (ended - slots->last) / G_USEC_PER_SEC;
  after = after > 0 ? fmin (after, rest - before) : 0;
  compared_put (self, ROAST_COMPARED_KIND_PART, names->before, before, NULL, completeness);
  compared_put (self, ROAST_COMPARED_KIND_PART, names->after, after, NULL, completeness);
  compared_put (self, ROAST_COMPARED_KIND_PART, names->rest, rest - before - after, NULL, completeness);
}

static void
put_slots (Facts *self, double slots)
{
  self->slots[self->run - 1] = slots;
  compared_put (self, ROAST_COMPARED_KIND_METRIC, "slots", slots, NULL, ROAST_COMPLETENESS_COMPLETE);
}

/* Divide the elapsed time of a program that has no executor but reports its chunks. Return FALSE if the chunks lack the
 * data that are needed to divide the time. */
static gboolean
put_parts_of_chunks (Facts *self, double elapsed)
{
  static const Missing missing = { "before_chunks", "after_chunks", "no_chunk" };
  int completeness = roast_recording_snapshot_find_gap (self->recording, ROAST_TABLE_CHUNKS) != NULL
                         ? ROAST_COMPLETENESS_PARTIAL
                         : ROAST_COMPLETENESS_COMPLETE;
  double seconds = 0;
  RoastRunSlots slots = count_slots_of_chunks (self, &seconds);

  if (!(slots.most > 0) || seconds > slots.most * elapsed)
    return FALSE;
  put_slots (self, slots.most);
  compared_put (self, ROAST_COMPARED_KIND_PART, "task.chunks", seconds / slots.most, NULL, completeness);
  put_missing (self, &missing, &slots, elapsed - seconds / slots.most, completeness);

  return TRUE;
}

/* Return the name of a part if the core time is the time of a machine's cores, whose parts have other names than the
 * parts of slots for tasks. */
static const char *
get_part_of_tree (const char *part)
{
  if (g_str_equal (part, "task.cpu"))
    return "computing";
  if (g_str_equal (part, "task.wait"))
    return "no_core";

  return g_str_has_prefix (part, "idle.") ? "free" : part;
}

/* Return the name of a part if the core time is the time of slots. All parts for free slots before the first task get
 * the same name, because tasks do not explain why these slots were free; likewise all parts after the last task. */
static const char *
get_part_of_slots (const char *part, int stretch)
{
  if (!g_str_has_prefix (part, "idle."))
    return part;

  return stretch == ROAST_STRETCH_STARTUP ? "idle_before" : stretch == ROAST_STRETCH_SHUTDOWN ? "idle_after" : part;
}

/* Write the parts of the elapsed time. The parts add up to the elapsed time. */
void
compared_put_parts (Facts *self)
{
  static const Missing missing = { "no_worker_before", "no_worker_after", "no_worker" };
  g_autoptr (RoastTableReader) table = roast_core_time_read (self->report);
  gboolean is_tree = FALSE;
  g_autofree char *source = find_source (self, &is_tree);
  g_autoptr (GHashTable) parts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  double elapsed = 0, offered = 0, slots, rest;
  RoastRunSlots counted;
  int completeness = ROAST_COMPLETENESS_COMPLETE;
  GHashTableIter iter;
  gpointer name, value;

  if (source == NULL || !roast_report_get_double (self->report, "elapsed_time_seconds", &elapsed) || !(elapsed > 0) ||
      (is_tree && put_parts_of_chunks (self, elapsed)))
    return;
  while (roast_table_reader_next (table))
    {
      double seconds = roast_table_reader_get_double (table, ROAST_CORE_TIME_CORE_SECONDS);
      const char *part = roast_table_reader_get_string (table, ROAST_CORE_TIME_PART);

      if (roast_table_reader_get_word (table, ROAST_CORE_TIME_WINDOW) != ROAST_WINDOW_KIND_RUN || isnan (seconds) ||
          g_strcmp0 (roast_table_reader_get_string (table, ROAST_CORE_TIME_SOURCE), source) != 0)
        continue;
      part = is_tree ? get_part_of_tree (part)
                     : get_part_of_slots (part, roast_table_reader_get_word (table, ROAST_CORE_TIME_STRETCH));
      *get_sum (parts, part) += seconds;
      offered += seconds;
      completeness = MAX (completeness, roast_table_reader_get_word (table, ROAST_CORE_TIME_COMPLETE));
    }
  counted = count_slots_of_workers (self, source);
  slots = counted.most;
  if (is_tree || !(slots > 0) || offered > slots * elapsed)
    slots = offered / elapsed;
  if (!(slots > 0))
    return;
  put_slots (self, slots);
  g_hash_table_iter_init (&iter, parts);
  while (g_hash_table_iter_next (&iter, &name, &value))
    compared_put (self, ROAST_COMPARED_KIND_PART, name, *(const double *) value / slots, NULL, completeness);
  /* Replace a rest that is only a rounding error by 0. */
  rest = elapsed - offered / slots;
  put_missing (self, &missing, &counted, rest > 1e-9 * elapsed ? rest : 0, completeness);
}
