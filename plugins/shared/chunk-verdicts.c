/* SPDX-License-Identifier: BSD-3-Clause */

/* Which chunks count. A worker that dies after it has reported a chunk, or a chunk that is tried again, leave rows of
 * chunks that are not in the result: without the names of those that are, the totals would be too high. */

#include "chunk-verdicts.h"

#include "id-set.h"

/* How the chunks of a call are judged. */
typedef enum
{
  JUDGE_UNKNOWN,
  JUDGE_ALL,         /* nobody says which are in a result, and there is no call */
  JUDGE_RESULTS,     /* by what is in the result */
  JUDGE_OPEN,        /* the call gave no result: all that succeeded, each range of entries once */
  JUDGE_PREPARATION, /* the call prepares the analysis */
} Judge;

struct _ChunkVerdicts
{
  GHashTable *calls; /* of Judge, by the call's identity; "" for chunks without a call */
  GArray *codes;     /* of Judge, by the code that the reader of chunks has for a call */
  IdSet results;     /* marked: it has a row */
  IdSet seen;        /* attempts, and ranges of entries, of open calls */
  gint64 n_open;
};

static void
read_calls (ChunkVerdicts *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSING, roast_processing_columns, NULL);

  while (roast_table_reader_next (table))
    {
      Judge judge = roast_table_reader_get_boolean (table, ROAST_PROCESSING_CONFIRMED) ? JUDGE_RESULTS : JUDGE_OPEN;

      if (roast_table_reader_get_word (table, ROAST_PROCESSING_KIND) == ROAST_PROCESSING_KIND_PREPROCESSING)
        judge = JUDGE_PREPARATION;
      g_hash_table_insert (self->calls, g_strdup (roast_table_reader_get_string (table, ROAST_PROCESSING_CALL)),
                           GUINT_TO_POINTER (judge));
    }
}

/* Results of a call that did not say that it was confirmed were cut off: those that came count, others may be missing.
 */
static void
read_results (ChunkVerdicts *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) table =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_CHUNK_RESULTS, roast_chunk_results_columns, NULL);

  while (roast_table_reader_next (table))
    {
      const char *chunk = roast_table_reader_get_string (table, ROAST_CHUNK_RESULTS_CHUNK);
      const char *call = roast_table_reader_get_string (table, ROAST_CHUNK_RESULTS_CALL);

      if (chunk != NULL)
        id_set_add (&self->results, id_set_hash_text (ID_SET_START, chunk));
      if (call == NULL)
        call = "";
      if (!g_hash_table_contains (self->calls, call))
        g_hash_table_insert (self->calls, g_strdup (call), GUINT_TO_POINTER (JUDGE_RESULTS));
    }
}

ChunkVerdicts *
chunk_verdicts_new (RoastRecordingSnapshot *recording)
{
  ChunkVerdicts *self = g_new0 (ChunkVerdicts, 1);

  self->calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->codes = g_array_new (FALSE, TRUE, sizeof (Judge));
  read_calls (self, recording);
  read_results (self, recording);

  return self;
}

void
chunk_verdicts_free (ChunkVerdicts *self)
{
  g_hash_table_unref (self->calls);
  g_array_unref (self->codes);
  id_set_clear (&self->results);
  id_set_clear (&self->seen);
  g_free (self);
}

static Judge
look_up (ChunkVerdicts *self, const char *call)
{
  gpointer judge;

  if (g_hash_table_lookup_extended (self->calls, call != NULL ? call : "", NULL, &judge))
    return (Judge) GPOINTER_TO_UINT (judge);

  return call != NULL ? JUDGE_OPEN : JUDGE_ALL;
}

static Judge
get_judge (ChunkVerdicts *self, RoastTableReader *chunks)
{
  guint code = (guint) (roast_table_reader_get_code (chunks, ROAST_CHUNKS_CALL) + 1); /* 0: it has none */
  Judge *judge = NULL;

  if (code >= self->codes->len)
    g_array_set_size (self->codes, code + 1);
  judge = &g_array_index (self->codes, Judge, code);
  if (*judge == JUDGE_UNKNOWN)
    *judge = look_up (self, roast_table_reader_get_string (chunks, ROAST_CHUNKS_CALL));

  return *judge;
}

static ChunkVerdict
judge_by_results (ChunkVerdicts *self, const char *chunk)
{
  guint64 hash;

  if (chunk == NULL)
    return CHUNK_WASTED;
  hash = id_set_hash_text (ID_SET_START, chunk);
  if (id_set_mark (&self->results, hash))
    return CHUNK_COUNTED;

  return id_set_contains (&self->results, hash) ? CHUNK_REPEATED : CHUNK_WASTED;
}

/* Two attempts at the same entries: one of them would be in the result. */
static ChunkVerdict
judge_open (ChunkVerdicts *self, RoastTableReader *chunks)
{
  static const guint codes[] = { ROAST_CHUNKS_CALL, ROAST_CHUNKS_DATASET, ROAST_CHUNKS_FILE, ROAST_CHUNKS_TREE };
  static const guint entries[] = { ROAST_CHUNKS_ENTRY_START, ROAST_CHUNKS_ENTRY_STOP };
  const char *chunk = roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK);
  guint64 range = ID_SET_START;

  if (chunk != NULL && !id_set_add (&self->seen, id_set_hash_text (ID_SET_START, chunk)))
    return CHUNK_REPEATED;
  if (roast_table_reader_has (chunks, ROAST_CHUNKS_FILE) && roast_table_reader_has (chunks, ROAST_CHUNKS_ENTRY_STOP))
    {
      range = id_set_hash_text (range, "\nrange");
      for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
        range = id_set_hash_number (range, (guint64) roast_table_reader_get_code (chunks, codes[i]));
      for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
        range = id_set_hash_number (range, (guint64) roast_table_reader_get_int64 (chunks, entries[i], -1));
      if (!id_set_add (&self->seen, range))
        return CHUNK_WASTED;
    }
  self->n_open++;

  return CHUNK_COUNTED;
}

ChunkVerdict
chunk_verdicts_judge (ChunkVerdicts *self, RoastTableReader *chunks)
{
  Judge judge = get_judge (self, chunks);
  gboolean failed = roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR);

  if (judge == JUDGE_PREPARATION || roast_table_reader_get_word (chunks, ROAST_CHUNKS_ROLE) == ROAST_ROLE_FRAMEWORK)
    return CHUNK_PREPARATION;
  if (failed)
    return roast_table_reader_has (chunks, ROAST_CHUNKS_CALL) ? CHUNK_LOST : CHUNK_FAILED;
  if (judge == JUDGE_RESULTS)
    return judge_by_results (self, roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK));

  return judge == JUDGE_OPEN ? judge_open (self, chunks) : CHUNK_COUNTED;
}

/* In a program without calls a chunk without error or role counts: most chunks need no other look. */
ChunkVerdict
chunk_verdicts_judge_at (ChunkVerdicts *self, CellCursor *chunks)
{
  if (!chunk_verdicts_are_known (self) && cell_cursor_get_code (chunks, ROAST_CHUNKS_CALL) < 0 &&
      cell_cursor_get_code (chunks, ROAST_CHUNKS_ERROR) < 0 && cell_cursor_get_code (chunks, ROAST_CHUNKS_ROLE) < 0)
    return CHUNK_COUNTED;

  return chunk_verdicts_judge (self, cell_cursor_get_reader (chunks));
}

gint64
chunk_verdicts_get_n_unreported (ChunkVerdicts *self)
{
  return (gint64) (self->results.n - self->results.n_marked);
}

gint64
chunk_verdicts_get_n_open (ChunkVerdicts *self)
{
  return self->n_open;
}

gboolean
chunk_verdicts_are_known (ChunkVerdicts *self)
{
  return g_hash_table_size (self->calls) > 0;
}

gint64
chunk_verdicts_get_n_results (ChunkVerdicts *self)
{
  return (gint64) self->results.n;
}
