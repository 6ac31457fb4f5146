/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the calls of the analysis' executor, and finds out which calls are superseded and which failed for good. */

#include "roast-run-model-private.h"

#include <math.h>
#include <string.h>

#include "roast/roast-tables.h"

static RoastRunCall
read_call (RoastRunModel *self, RoastTableReader *table)
{
  return (RoastRunCall) {
    .call = roast_run_model_get_text (self, table, ROAST_PROCESSING_CALL),
    .kind = roast_table_reader_get_word (table, ROAST_PROCESSING_KIND),
    .source = roast_run_model_get_text (self, table, ROAST_PROCESSING_SOURCE),
    .executor = roast_run_model_get_text (self, table, ROAST_PROCESSING_EXECUTOR),
    .processor = roast_run_model_get_text (self, table, ROAST_PROCESSING_PROCESSOR),
    .error = roast_run_model_get_text (self, table, ROAST_PROCESSING_ERROR),
    .error_message = roast_run_model_get_text (self, table, ROAST_PROCESSING_ERROR_MESSAGE),
    .items = roast_table_reader_get_int64 (table, ROAST_PROCESSING_ITEMS, -1),
    .pid = roast_table_reader_get_int64 (table, ROAST_PROCESSING_PID, -1),
    .tasks_lost = roast_table_reader_get_int64 (table, ROAST_PROCESSING_TASKS_LOST, 0),
    .started = roast_table_reader_get_double (table, ROAST_PROCESSING_STARTED),
    .ended = roast_table_reader_get_double (table, ROAST_PROCESSING_ENDED),
    .is_confirmed = roast_table_reader_get_boolean (table, ROAST_PROCESSING_CONFIRMED),
    .model = self,
  };
}

static RoastRunCall *
get_call (RoastRunModel *self, guint i)
{
  return &g_array_index (self->calls, RoastRunCall, i);
}

/* Mark superseded calls. If a worker is lost together with the result of a task, the executor executes the task again,
 * and each execution makes the same calls. Only the calls of the last execution are in the result. @last: maps a task
 * and the number of a call within the task to the index of the last call with this number + 1. */
static void
supersede (RoastRunModel *self, guint index, GHashTable *last, RoastTableReader *table)
{
  const char *task = roast_table_reader_get_string (table, ROAST_PROCESSING_TASK);
  gint64 number = roast_table_reader_get_int64 (table, ROAST_PROCESSING_TASK_CALL, -1);
  g_autofree char *key = NULL;
  guint other;

  if (task == NULL || number < 0 || get_call (self, index)->kind == ROAST_PROCESSING_KIND_PREPROCESSING)
    return;
  key = g_strdup_printf ("%" G_GINT64_FORMAT " %s", number, task);
  other = GPOINTER_TO_UINT (g_hash_table_lookup (last, key));
  if (other > 0 && !(get_call (self, other - 1)->started <= get_call (self, index)->started))
    {
      get_call (self, index)->is_superseded = TRUE;
      return;
    }
  if (other > 0)
    get_call (self, other - 1)->is_superseded = TRUE;
  g_hash_table_insert (last, g_steal_pointer (&key), GUINT_TO_POINTER (index + 1));
}

/* ---- failed calls ---- */

/* Return the set of texts "call\ndataset" for all pairs in which the call processed a chunk of the dataset. */
static GHashTable *
read_datasets (RoastRunModel *self)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (self->recording);
  GHashTable *pairs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int call = -1, dataset = -1;

  while (roast_table_reader_next (chunks))
    {
      int now_call = roast_table_reader_get_code (chunks, ROAST_CHUNKS_CALL);
      int now_dataset = roast_table_reader_get_code (chunks, ROAST_CHUNKS_DATASET);

      /* Skip repeated pairs, because most rows have the same call and dataset as the previous row. */
      if ((now_call == call && now_dataset == dataset) || now_call < 0 || now_dataset < 0)
        continue;
      call = now_call;
      dataset = now_dataset;
      g_hash_table_add (pairs, g_strdup_printf ("%s\n%s", roast_table_reader_get_string (chunks, ROAST_CHUNKS_CALL),
                                                roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET)));
    }

  return pairs;
}

/* Return whether @later has a dataset of @call; @otherwise if the datasets of @call are unknown. */
static gboolean
has_dataset_of (GHashTable *pairs, const char *later, const char *call, gboolean otherwise)
{
  g_autofree char *prefix = g_strconcat (call, "\n", NULL);
  gboolean is_known = FALSE;
  GHashTableIter iter;
  const char *pair;

  g_hash_table_iter_init (&iter, pairs);
  while (g_hash_table_iter_next (&iter, (gpointer *) &pair, NULL))
    {
      g_autofree char *same = NULL;

      if (!g_str_has_prefix (pair, prefix))
        continue;
      is_known = TRUE;
      same = g_strconcat (later, "\n", pair + strlen (prefix), NULL);
      if (g_hash_table_contains (pairs, same))
        return TRUE;
    }

  return !is_known && otherwise;
}

/* Return whether a later call with at least one dataset of the failed call gave a result. A later call must also have
 * the same processor, unless the failed call only prepared files. */
static gboolean
is_made_good (RoastRunModel *self, const RoastRunCall *failed, GHashTable *pairs)
{
  gboolean is_of_files = failed->kind == ROAST_PROCESSING_KIND_PREPROCESSING;

  for (guint i = 0; i < self->calls->len; i++)
    {
      const RoastRunCall *call = get_call (self, i);

      if (call->is_confirmed && failed->ended <= call->started &&
          (is_of_files || g_strcmp0 (failed->processor, call->processor) == 0) &&
          has_dataset_of (pairs, call->call, failed->call, !is_of_files))
        return TRUE;
    }

  return FALSE;
}

static void
find_failed (RoastRunModel *self)
{
  g_autoptr (GHashTable) pairs = NULL;
  guint n = 0, n_failed = 0;

  for (guint i = 0; i < self->calls->len; i++)
    {
      RoastRunCall *call = get_call (self, i);
      gboolean counts = call->kind != ROAST_PROCESSING_KIND_MERGING && !call->is_superseded;

      call->is_failed = counts && call->error != NULL;
      n += counts;
      n_failed += call->is_failed;
    }
  if (n_failed == 0 || n_failed == n)
    return;
  pairs = read_datasets (self);
  for (guint i = 0; i < self->calls->len; i++)
    if (get_call (self, i)->is_failed)
      get_call (self, i)->is_failed = !is_made_good (self, get_call (self, i), pairs);
}

void
roast_run_model_add_calls (RoastRunModel *self)
{
  g_autoptr (GHashTable) last = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (RoastTableReader) table = roast_processing_read (self->recording);

  while (roast_table_reader_next (table))
    {
      RoastRunCall call = read_call (self, table);

      g_array_append_val (self->calls, call);
      supersede (self, self->calls->len - 1, last, table);
    }
  find_failed (self);
}
