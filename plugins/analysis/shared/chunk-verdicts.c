/* SPDX-License-Identifier: BSD-3-Clause */

/* Decide which rows of the table chunks count. If a worker dies after it reported a chunk, or if a chunk is retried,
 * the table contains rows of chunks that are not in the result. Totals with these rows would be too high. So compare
 * each row with the names of the chunks in the result. Every aggregator that reads chunks needs these verdicts, but
 * looking up a million names takes longer than all other work of an aggregator. So the snapshot keeps the verdicts that
 * the first aggregator computed, and the other aggregators read them. */

#include "chunk-verdicts.h"

#include "id-set.h"

/* How the chunks of a call are judged. */
typedef enum
{
  JUDGE_UNKNOWN,
  JUDGE_ALL,         /* the chunk has no call, so the chunks of its result are unknown: count all of them */
  JUDGE_RESULTS,     /* the call returned a result: count only the chunks in it */
  JUDGE_OPEN,        /* the call returned no result: count chunks that succeeded, but each range of entries only once */
  JUDGE_PREPARATION, /* the call prepares the analysis */
  JUDGE_SUPERSEDED,  /* the task that made the call was executed again and repeated the call */
  JUDGE_RAISED,      /* the call failed, so none of its chunks is in a result */
} Judge;

#define BATCH 64 /* number of chunks whose hashes are prefetched together */

/* A chunk whose verdict depends on whether its name is in the result. */
typedef struct
{
  guint64 hash;
  guint row;
} Pending;

/* State of judging the rows. */
typedef struct
{
  GHashTable *calls; /* maps the name of a call of an executor to its Judge; chunks outside of calls have the name "" */
  GArray *codes;     /* maps the code of a call in the table chunks, plus 1, to its Judge */
  IdSet results;     /* the chunks in results; a chunk is marked as soon as a row of it was found */
  GHashTable *raised; /* maps the hash of a range of entries to the row of the failed call that processed this range */
  IdSet seen;         /* hashes of attempts and ranges of entries that already have a row */
  gint64 n_open;
  GByteArray *verdicts; /* elements are ChunkVerdict, by row number */
  Pending pending[BATCH];
  guint n_pending;
} Judging;

static void
chunk_verdicts_read_calls (Judging *self, RoastRunModel *model)
{
  guint n;
  const RoastRunCall *calls = roast_run_model_get_calls (model, &n);

  for (guint i = 0; i < n; i++)
    {
      Judge judge = calls[i].kind == ROAST_PROCESSING_KIND_PREPROCESSING ? JUDGE_PREPARATION
                    : calls[i].is_superseded                             ? JUDGE_SUPERSEDED
                    : calls[i].is_confirmed                              ? JUDGE_RESULTS
                    : calls[i].error != NULL                             ? JUDGE_RAISED
                                                                         : JUDGE_OPEN;

      g_hash_table_insert (self->calls, g_strdup (calls[i].call), GUINT_TO_POINTER (judge));
    }
}

static void
add_pending_results (Judging *self)
{
  for (guint i = 0; i < self->n_pending; i++)
    id_set_prefetch (&self->results, self->pending[i].hash);
  for (guint i = 0; i < self->n_pending; i++)
    id_set_add (&self->results, self->pending[i].hash);
  self->n_pending = 0;
}

/* Read the names of the chunks in results. If a call was not confirmed, some of its results may be missing; count the
 * results that arrived. */
static void
read_results (Judging *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) table = roast_chunk_results_read (recording);

  while (roast_table_reader_next (table))
    {
      const char *chunk = roast_table_reader_get_string (table, ROAST_CHUNK_RESULTS_CHUNK);
      const char *call = roast_table_reader_get_string (table, ROAST_CHUNK_RESULTS_CALL);

      if (call != NULL && GPOINTER_TO_UINT (g_hash_table_lookup (self->calls, call)) == JUDGE_SUPERSEDED)
        continue;
      if (chunk != NULL)
        self->pending[self->n_pending++].hash = id_set_hash_text (ID_SET_START, chunk);
      if (self->n_pending == BATCH)
        add_pending_results (self);
      if (call == NULL)
        call = "";
      if (!g_hash_table_contains (self->calls, call))
        g_hash_table_insert (self->calls, g_strdup (call), GUINT_TO_POINTER (JUDGE_RESULTS));
    }
  add_pending_results (self);
}

/* Return how to judge the chunks of @call. If no call returned a result, count the chunks of failed calls, because they
 * show how far the program got. */
static Judge
chunk_verdicts_look_up (Judging *self, const char *call)
{
  Judge judge = call != NULL ? JUDGE_OPEN : JUDGE_ALL;
  gpointer known;

  if (g_hash_table_lookup_extended (self->calls, call != NULL ? call : "", NULL, &known))
    judge = (Judge) GPOINTER_TO_UINT (known);

  return judge == JUDGE_RAISED && self->results.n == 0 ? JUDGE_OPEN : judge;
}

static Judge
get_judge (Judging *self, RoastTableReader *chunks)
{
  guint code = (guint) (roast_table_reader_get_code (chunks, ROAST_CHUNKS_CALL) + 1); /* 0: the chunk has no call */
  Judge *judge = NULL;

  if (code >= self->codes->len)
    g_array_set_size (self->codes, code + 1);
  judge = &g_array_index (self->codes, Judge, code);
  if (*judge == JUDGE_UNKNOWN)
    *judge = chunk_verdicts_look_up (self, roast_table_reader_get_string (chunks, ROAST_CHUNKS_CALL));

  return *judge;
}

static void
judge_pending (Judging *self)
{
  for (guint i = 0; i < self->n_pending; i++)
    id_set_prefetch (&self->results, self->pending[i].hash);
  for (guint i = 0; i < self->n_pending; i++)
    {
      guint64 hash = self->pending[i].hash;
      ChunkVerdict verdict = id_set_mark (&self->results, hash)       ? CHUNK_COUNTED
                             : id_set_contains (&self->results, hash) ? CHUNK_REPEATED
                                                                      : CHUNK_WASTED;

      self->verdicts->data[self->pending[i].row] = (guint8) verdict;
    }
  self->n_pending = 0;
}

/* Queue the chunk, so that judge_pending() can set the verdicts of several chunks at once. The returned verdict is a
 * placeholder, except for a chunk without a name. */
static ChunkVerdict
judge_by_results (Judging *self, const char *chunk)
{
  if (chunk == NULL)
    return CHUNK_WASTED;
  if (self->n_pending == BATCH)
    judge_pending (self);
  self->pending[self->n_pending++] = (Pending) { id_set_hash_text (ID_SET_START, chunk), self->verdicts->len };

  return CHUNK_WASTED;
}

/* Return a hash of the chunk's range of entries, or 0 if the range is unknown. The hash is the same for all calls. */
static guint64
chunk_verdicts_hash_range (RoastTableReader *chunks)
{
  static const guint codes[] = { ROAST_CHUNKS_DATASET, ROAST_CHUNKS_FILE, ROAST_CHUNKS_TREE };
  static const guint entries[] = { ROAST_CHUNKS_ENTRY_START, ROAST_CHUNKS_ENTRY_STOP };
  guint64 hash = id_set_hash_text (ID_SET_START, "\nrange");

  if (!roast_table_reader_has (chunks, ROAST_CHUNKS_FILE) || !roast_table_reader_has (chunks, ROAST_CHUNKS_ENTRY_STOP))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    hash = id_set_hash_number (hash, (guint64) roast_table_reader_get_code (chunks, codes[i]));
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    hash = id_set_hash_number (hash, (guint64) roast_table_reader_get_int64 (chunks, entries[i], -1));

  return hash;
}

/* Judge a chunk of a call without a result. If two attempts processed the same entries, count only the first attempt,
 * because the result would contain only one of them. */
static ChunkVerdict
judge_open (Judging *self, RoastTableReader *chunks)
{
  const char *chunk = roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK);
  guint64 range = chunk_verdicts_hash_range (chunks);

  if (chunk != NULL && !id_set_add (&self->seen, id_set_hash_text (ID_SET_START, chunk)))
    return CHUNK_REPEATED;
  if (range != 0 &&
      !id_set_add (&self->seen,
                   id_set_hash_number (range, (guint64) roast_table_reader_get_code (chunks, ROAST_CHUNKS_CALL))))
    return CHUNK_WASTED;
  self->n_open++;

  return CHUNK_COUNTED;
}

/* Judge a chunk of a failed call. Such a chunk is in a result only if a later call takes it from a checkpoint. For this
 * case, redeem() finds the chunk by its range of entries. */
static ChunkVerdict
judge_raised (Judging *self, RoastTableReader *chunks)
{
  const char *chunk = roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK);
  guint64 range = chunk_verdicts_hash_range (chunks);

  if (chunk != NULL && !id_set_add (&self->seen, id_set_hash_text (ID_SET_START, chunk)))
    return CHUNK_REPEATED;
  if (range != 0)
    g_hash_table_insert (self->raised, g_memdup2 (&range, sizeof range), GUINT_TO_POINTER (self->verdicts->len));

  return CHUNK_WASTED;
}

/* Return whether the chunk came from a checkpoint, and an earlier, failed call of this run had processed it. If so,
 * count the row of the earlier call, because that row has the events, bytes and time of the chunk. */
static gboolean
redeem (Judging *self, RoastTableReader *chunks)
{
  const char *chunk = roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK);
  guint64 range;
  gpointer row;

  /* Only chunks from a checkpoint need a hash of their range of entries, and most chunks do not come from one. */
  if (g_hash_table_size (self->raised) == 0 || !roast_table_reader_get_boolean (chunks, ROAST_CHUNKS_CACHED))
    return FALSE;
  range = chunk_verdicts_hash_range (chunks);
  if (range == 0 || chunk == NULL || !g_hash_table_lookup_extended (self->raised, &range, NULL, &row))
    return FALSE;
  g_hash_table_remove (self->raised, &range);
  self->verdicts->data[GPOINTER_TO_UINT (row)] = CHUNK_COUNTED;
  id_set_mark (&self->results, id_set_hash_text (ID_SET_START, chunk));

  return TRUE;
}

static ChunkVerdict
judge_superseded (Judging *self, const char *chunk)
{
  return chunk == NULL || id_set_add (&self->seen, id_set_hash_text (ID_SET_START, chunk)) ? CHUNK_WASTED
                                                                                           : CHUNK_REPEATED;
}

static ChunkVerdict
judge_row (Judging *self, RoastTableReader *chunks)
{
  Judge judge = get_judge (self, chunks);
  gboolean failed = roast_table_reader_has (chunks, ROAST_CHUNKS_ERROR);

  if (judge == JUDGE_PREPARATION || roast_table_reader_get_word (chunks, ROAST_CHUNKS_ROLE) == ROAST_ROLE_FRAMEWORK)
    return CHUNK_PREPARATION;
  if (failed)
    return roast_table_reader_has (chunks, ROAST_CHUNKS_CALL) ? CHUNK_LOST : CHUNK_FAILED;
  if (judge == JUDGE_RESULTS)
    return redeem (self, chunks) ? CHUNK_REPEATED
                                 : judge_by_results (self, roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK));
  if (judge == JUDGE_RAISED)
    return judge_raised (self, chunks);
  if (judge == JUDGE_SUPERSEDED)
    return judge_superseded (self, roast_table_reader_get_string (chunks, ROAST_CHUNKS_CHUNK));

  return judge == JUDGE_OPEN ? judge_open (self, chunks) : CHUNK_COUNTED;
}

/* Judge the current row. If the program reported no calls, count a chunk without a call, error or role at once, because
 * most chunks are of this kind. */
static ChunkVerdict
judge_next (Judging *self, RoastTableReader *chunks)
{
  if (g_hash_table_size (self->calls) == 0 && roast_table_reader_get_code (chunks, ROAST_CHUNKS_CALL) < 0 &&
      roast_table_reader_get_code (chunks, ROAST_CHUNKS_ERROR) < 0 &&
      roast_table_reader_get_code (chunks, ROAST_CHUNKS_ROLE) < 0)
    return CHUNK_COUNTED;

  return judge_row (self, chunks);
}

static ChunkVerdicts *
judge_all (RoastRecordingSnapshot *recording)
{
  ChunkVerdicts *self = g_new0 (ChunkVerdicts, 1);
  Judging judging = { .calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                      .raised = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
                      .codes = g_array_new (FALSE, TRUE, sizeof (Judge)) };
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);

  g_atomic_ref_count_init (&self->references);
  self->rows = g_byte_array_new ();
  judging.verdicts = self->rows;
  chunk_verdicts_read_calls (&judging, roast_run_model_get (recording));
  read_results (&judging, recording);
  while (roast_table_reader_next (chunks))
    {
      guint8 verdict = (guint8) judge_next (&judging, chunks);

      g_byte_array_append (self->rows, &verdict, 1);
    }
  judge_pending (&judging);
  self->known = g_hash_table_size (judging.calls) > 0;
  self->n_results = (gint64) judging.results.n;
  self->n_unreported = (gint64) (judging.results.n - judging.results.n_marked);
  self->n_open = judging.n_open;
  g_hash_table_unref (judging.calls);
  g_hash_table_unref (judging.raised);
  g_array_unref (judging.codes);
  id_set_clear (&judging.results);
  id_set_clear (&judging.seen);

  return self;
}

ChunkVerdicts *
chunk_verdicts_get (RoastRecordingSnapshot *recording)
{
  /* Let the snapshot free the verdicts later. The function for this stays valid, because plugins are never unloaded. */
  static const char key[] = "roast-chunk-verdicts";
  ChunkVerdicts *self = g_object_get_data (G_OBJECT (recording), key);
  guint n_calls;

  /* Open the tables of calls and results even if the verdicts exist: this tells the report that the caller depends on
   * these tables, and on how complete they are. */
  roast_run_model_get_calls (roast_run_model_get (recording), &n_calls);
  g_object_unref (roast_chunk_results_read (recording));
  if (self == NULL)
    {
      self = judge_all (recording);
      g_object_set_data_full (G_OBJECT (recording), key, self, (GDestroyNotify) chunk_verdicts_unref);
    }
  g_atomic_ref_count_inc (&self->references);

  return self;
}

void
chunk_verdicts_unref (ChunkVerdicts *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_byte_array_unref (self->rows);
  g_free (self);
}

ChunkVerdict
chunk_verdicts_judge (ChunkVerdicts *self, guint64 row)
{
  return row < self->rows->len ? (ChunkVerdict) self->rows->data[row] : CHUNK_COUNTED;
}
