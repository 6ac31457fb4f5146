/* SPDX-License-Identifier: BSD-3-Clause */

#include "failed-calls.h"

#include "chunk-verdicts.h"

static void
failed_call_free (gpointer data)
{
  FailedCall *self = data;

  g_free (self->call);
  g_free (self->executor);
  g_free (self->processor);
  g_free (self->error);
  g_free (self->message);
  g_free (self);
}

static FailedCall *
failed_call_new (RoastTableReader *calls)
{
  FailedCall *self = g_new0 (FailedCall, 1);

  self->call = g_strdup (roast_table_reader_get_string (calls, ROAST_PROCESSING_CALL));
  self->executor = g_strdup (roast_table_reader_get_string (calls, ROAST_PROCESSING_EXECUTOR));
  self->processor = g_strdup (roast_table_reader_get_string (calls, ROAST_PROCESSING_PROCESSOR));
  self->error = g_strdup (roast_table_reader_get_string (calls, ROAST_PROCESSING_ERROR));
  self->message = g_strdup (roast_table_reader_get_string (calls, ROAST_PROCESSING_ERROR_MESSAGE));
  self->items = roast_table_reader_get_int64 (calls, ROAST_PROCESSING_ITEMS, -1);
  self->started = roast_table_reader_get_double (calls, ROAST_PROCESSING_STARTED);
  self->ended = roast_table_reader_get_double (calls, ROAST_PROCESSING_ENDED);

  return self;
}

/* Return each pair of a call and a dataset of which the call processed a chunk, as the text "call\ndataset". */
static GHashTable *
read_datasets (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) chunks =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL);
  GHashTable *pairs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  int call = -1, dataset = -1;

  while (roast_table_reader_next (chunks))
    {
      int now_call = roast_table_reader_get_code (chunks, ROAST_CHUNKS_CALL);
      int now_dataset = roast_table_reader_get_code (chunks, ROAST_CHUNKS_DATASET);

      /* Most rows have the same call and dataset as the row before. */
      if ((now_call == call && now_dataset == dataset) || now_call < 0 || now_dataset < 0)
        continue;
      call = now_call;
      dataset = now_dataset;
      g_hash_table_add (pairs, g_strdup_printf ("%s\n%s", roast_table_reader_get_string (chunks, ROAST_CHUNKS_CALL),
                                                roast_table_reader_get_string (chunks, ROAST_CHUNKS_DATASET)));
    }

  return pairs;
}

static gboolean
has_dataset_of (GHashTable *pairs, const char *later, const char *call)
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

  return !is_known;
}

/* Remove the failed calls that the call of the current row made good. */
static void
make_good (GPtrArray *failed, GHashTable *pairs, RoastTableReader *calls)
{
  const char *call = roast_table_reader_get_string (calls, ROAST_PROCESSING_CALL);
  const char *processor = roast_table_reader_get_string (calls, ROAST_PROCESSING_PROCESSOR);
  double started = roast_table_reader_get_double (calls, ROAST_PROCESSING_STARTED);

  for (guint i = failed->len; i > 0; i--)
    {
      const FailedCall *one = g_ptr_array_index (failed, i - 1);

      if (one->ended <= started && g_strcmp0 (one->processor, processor) == 0 &&
          has_dataset_of (pairs, call, one->call))
        g_ptr_array_remove_index (failed, i - 1);
    }
}

GPtrArray *
failed_calls_find (RoastRecordingSnapshot *recording)
{
  g_autoptr (ChunkVerdicts) verdicts = chunk_verdicts_get (recording);
  g_autoptr (GPtrArray) failed = g_ptr_array_new_with_free_func (failed_call_free);
  g_autoptr (GHashTable) pairs = NULL;
  g_autoptr (RoastTableReader) calls =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);
  guint n = 0;

  while (roast_table_reader_next (calls))
    {
      if (roast_table_reader_get_word (calls, ROAST_PROCESSING_KIND) != ROAST_PROCESSING_KIND_PROCESSING ||
          chunk_verdicts_is_superseded (verdicts, roast_table_reader_get_string (calls, ROAST_PROCESSING_CALL)))
        continue;
      n++;
      if (roast_table_reader_has (calls, ROAST_PROCESSING_ERROR))
        g_ptr_array_add (failed, failed_call_new (calls));
    }
  if (failed->len > 0 && failed->len < n)
    {
      pairs = read_datasets (recording);
      roast_table_reader_rewind (calls);
      while (roast_table_reader_next (calls))
        if (roast_table_reader_get_boolean (calls, ROAST_PROCESSING_CONFIRMED))
          make_good (failed, pairs, calls);
    }

  return n > 0 ? g_steal_pointer (&failed) : NULL;
}
