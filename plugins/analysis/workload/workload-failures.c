/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table failed_files: which entries of files were not processed, and for what reason. These entries must be
 * processed again. */

#include "group-element.h"
#include "id-set.h"
#include "row-copy.h"
#include "workload-files.h"
#include "workload-tables.h"

#define NO_CALL (-1)

/* A range of entries of a file for which attempts failed during one call. If the file could not be prepared, the range
 * is the whole file and belongs to no call. */
typedef struct
{
  guint64 row; /* row of the last attempt in the table chunks */
  guint64 range;
  int call; /* code of the call in the table chunks; NO_CALL for a whole file */
  gint64 attempts;
} Failure;

typedef struct
{
  RoastTableReader *chunks; /* grouped by dataset and file */
  ChunkVerdicts *verdicts;
  GHashTable *calls;    /* maps the name of a call to its RoastRunCall */
  GHashTable *failures; /* maps the hash of a range to a GPtrArray of Failure */
  GHashTable *failing;  /* set of codes of calls that have failures although they returned a result */
  GHashTable *counted;  /* calls of @failing whose results contain a range: see get_counted() */
  GHashTable *apart;    /* set of pairs of calls that are separate analyses: see are_apart() */
} Failures;

static void
failures_read_calls (Failures *self, RoastRecordingSnapshot *recording)
{
  guint n;
  const RoastRunCall *calls = roast_run_model_get_calls (roast_run_model_get (recording), &n);

  self->calls = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < n; i++)
    g_hash_table_insert (self->calls, (gpointer) calls[i].call, (gpointer) &calls[i]);
}

/* Return the call of the current row; NULL if it is unknown. */
static const RoastRunCall *
find_call (const Failures *self)
{
  const char *call = roast_table_reader_get_string (self->chunks, ROAST_CHUNKS_CALL);

  return call != NULL ? g_hash_table_lookup (self->calls, call) : NULL;
}

/* Return a hash of the range of entries in the current row, or of the whole file. The hash of a whole file does not
 * depend on the processor, because a file is prepared for all processors at once. */
static guint64
failures_hash_range (const Failures *self, gboolean whole)
{
  RoastTableReader *chunks = self->chunks;
  guint64 hash = id_set_hash_number (ID_SET_START, roast_table_reader_get_group (chunks));
  const RoastRunCall *call = whole ? NULL : find_call (self);

  if (whole)
    return hash;
  if (call != NULL && call->processor != NULL)
    hash = id_set_hash_text (hash, call->processor);
  hash = id_set_hash_number (hash, (guint64) roast_table_reader_get_code (chunks, ROAST_CHUNKS_TREE));
  hash = id_set_hash_number (hash, (guint64) roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_START, -1));

  return id_set_hash_number (hash, (guint64) roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENTRY_STOP, -1));
}

static int
get_call (const Failures *self)
{
  return roast_table_reader_get_code (self->chunks, ROAST_CHUNKS_CALL);
}

static Failure *
find_failure (GPtrArray *failures, int call)
{
  for (guint i = 0; i < failures->len; i++)
    if (((Failure *) g_ptr_array_index (failures, i))->call == call)
      return g_ptr_array_index (failures, i);

  return NULL;
}

static void
add_failure (Failures *self, gboolean whole)
{
  const RoastRunCall *its_call = whole ? NULL : find_call (self);
  guint64 range = failures_hash_range (self, whole);
  int call = whole ? NO_CALL : get_call (self);
  GPtrArray *failures = g_hash_table_lookup (self->failures, &range);
  Failure *failure = failures != NULL ? find_failure (failures, call) : NULL;

  if (failure == NULL)
    {
      failure = g_new0 (Failure, 1);
      failure->range = range;
      failure->call = call;
      if (failures == NULL)
        {
          failures = g_ptr_array_new_with_free_func (g_free);
          g_hash_table_insert (self->failures, g_memdup2 (&range, sizeof range), failures);
        }
      g_ptr_array_add (failures, failure);
    }
  failure->row = roast_table_reader_get_row (self->chunks);
  failure->attempts++;
  if (its_call != NULL && its_call->is_confirmed)
    g_hash_table_add (self->failing, GINT_TO_POINTER (call));
}

static ChunkVerdict
failures_judge (const Failures *self)
{
  return chunk_verdicts_judge (self->verdicts, roast_table_reader_get_row (self->chunks));
}

static void
find_failures (Failures *self, RoastRecordingSnapshot *recording)
{
  while (roast_table_reader_next (self->chunks))
    if (roast_table_reader_has (self->chunks, ROAST_CHUNKS_ERROR) &&
        roast_table_reader_has (self->chunks, ROAST_CHUNKS_FILE))
      {
        /* Get the verdicts only after a failure was found, because this reads all results, and most runs have no
         * failures. */
        if (self->verdicts == NULL)
          {
            self->verdicts = chunk_verdicts_get (recording);
            failures_read_calls (self, recording);
          }
        add_failure (self, failures_judge (self) == CHUNK_PREPARATION);
      }
}

/* ---- repaired failures ---- */

static gpointer
make_key (guint64 range, guint n)
{
  return GSIZE_TO_POINTER ((gsize) id_set_hash_number (range, n));
}

/* Set @call to the @n-th call of @failing whose result contains the range. Return FALSE if there are not that many. */
static gboolean
get_counted (const Failures *self, guint64 range, guint n, int *call)
{
  gpointer value;

  if (!g_hash_table_lookup_extended (self->counted, make_key (range, n), NULL, &value))
    return FALSE;
  *call = GPOINTER_TO_INT (value);

  return TRUE;
}

static void
failures_add_counted (Failures *self)
{
  guint64 range = failures_hash_range (self, FALSE);
  int call = NO_CALL;
  guint n = 0;

  while (get_counted (self, range, n, &call) && call != get_call (self))
    n++;
  g_hash_table_insert (self->counted, make_key (range, n), GINT_TO_POINTER (get_call (self)));
}

static gpointer
make_pair (int a, int b)
{
  return GSIZE_TO_POINTER ((gsize) id_set_hash_number (id_set_hash_number (ID_SET_START, (guint64) a), (guint64) b));
}

/* Return whether two calls are separate analyses. A call does not repair failures of a separate analysis. Two calls are
 * separate if the results of both contain the same entries. */
static gboolean
are_apart (const Failures *self, int failing, int other)
{
  return failing != other && g_hash_table_contains (self->apart, make_pair (failing, other));
}

static void
add_apart (Failures *self)
{
  guint64 range = failures_hash_range (self, FALSE);
  int call = NO_CALL;

  for (guint n = 0; get_counted (self, range, n, &call); n++)
    if (call != get_call (self))
      g_hash_table_add (self->apart, make_pair (call, get_call (self)));
}

static void
repair (Failures *self)
{
  guint64 range = failures_hash_range (self, FALSE);
  GPtrArray *failures = g_hash_table_lookup (self->failures, &range);

  for (guint i = failures != NULL ? failures->len : 0; i > 0; i--)
    if (!are_apart (self, ((Failure *) g_ptr_array_index (failures, i - 1))->call, get_call (self)))
      g_ptr_array_remove_index (failures, i - 1);
}

/* Remove the failure to prepare the file of the current row, because another attempt at preparing it succeeded. */
static void
repair_whole (Failures *self)
{
  guint64 range = failures_hash_range (self, TRUE);

  g_hash_table_remove (self->failures, &range);
}

static void
for_each_counted (Failures *self, void (*function) (Failures *self), gboolean failing)
{
  roast_table_reader_rewind (self->chunks);
  while (roast_table_reader_next (self->chunks))
    if (failures_judge (self) == CHUNK_COUNTED &&
        (!failing || g_hash_table_contains (self->failing, GINT_TO_POINTER (get_call (self)))))
      function (self);
}

/* Drop failures whose entries were counted in another attempt with the same processor, because these entries need not
 * be processed again. */
static void
drop_repaired (Failures *self)
{
  if (g_hash_table_size (self->failing) > 0)
    {
      for_each_counted (self, failures_add_counted, TRUE);
      for_each_counted (self, add_apart, FALSE);
    }
  for_each_counted (self, repair, FALSE);
  for_each_counted (self, repair_whole, FALSE);
  roast_table_reader_rewind (self->chunks);
  while (roast_table_reader_next (self->chunks))
    if (failures_judge (self) == CHUNK_PREPARATION && !roast_table_reader_has (self->chunks, ROAST_CHUNKS_ERROR))
      repair_whole (self);
}

/* ---- the table ---- */

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  guint64 row_a = (*(const Failure *const *) a)->row;
  guint64 row_b = (*(const Failure *const *) b)->row;

  return (row_a > row_b) - (row_a < row_b);
}

/* Merge the remaining failures of the same range into one failure. Return the merged failures in the order of rows. */
static GPtrArray *
sort_failures (GHashTable *failures)
{
  GPtrArray *sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, failures);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GPtrArray *of_range = value;
      Failure *first = of_range->len > 0 ? g_ptr_array_index (of_range, 0) : NULL;

      if (first == NULL)
        continue;
      for (guint i = 1; i < of_range->len; i++)
        {
          const Failure *other = g_ptr_array_index (of_range, i);

          first->attempts += other->attempts;
          first->row = MAX (first->row, other->row);
        }
      g_ptr_array_add (sorted, first);
    }
  g_ptr_array_sort (sorted, compare_rows);

  return sorted;
}

static void
write_failure (const Failures *self, const Failure *failure, RoastTableWriter *table)
{
  static const RowCell texts[] = {
    { ROAST_FAILED_FILES_DATASET, ROAST_CHUNKS_DATASET },
    { ROAST_FAILED_FILES_FILE, ROAST_CHUNKS_FILE },
    { ROAST_FAILED_FILES_TREE, ROAST_CHUNKS_TREE },
    { ROAST_FAILED_FILES_ERROR, ROAST_CHUNKS_ERROR },
    { ROAST_FAILED_FILES_ERROR_MESSAGE, ROAST_CHUNKS_ERROR_MESSAGE },
  };
  static const RowCell counts[] = {
    { ROAST_FAILED_FILES_ENTRY_START, ROAST_CHUNKS_ENTRY_START },
    { ROAST_FAILED_FILES_ENTRY_STOP, ROAST_CHUNKS_ENTRY_STOP },
  };
  RoastTableReader *chunks = self->chunks;
  const RoastRunCall *call;

  roast_table_reader_seek (chunks, failure->row);
  row_copy_texts (table, chunks, texts, G_N_ELEMENTS (texts));
  row_copy_counts (table, chunks, counts, G_N_ELEMENTS (counts));
  call = find_call (self);
  roast_table_writer_set_string (table, ROAST_FAILED_FILES_PROCESSOR, call != NULL ? call->processor : NULL);
  roast_table_writer_set_int64 (table, ROAST_FAILED_FILES_ATTEMPTS, failure->attempts);
  roast_table_writer_end (table, NULL);
}

static void
write_failures (Failures *self, RoastReport *report)
{
  g_autoptr (GPtrArray) left = sort_failures (self->failures);
  g_autoptr (RoastTableWriter) table = NULL;

  if (left->len == 0)
    return;
  table = roast_failed_files_write (report);
  for (guint i = 0; i < left->len; i++)
    write_failure (self, g_ptr_array_index (left, i), table);
}

void
workload_add_failures (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (recording);
  g_autoptr (GHashTable) failures =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) failing = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) counted = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) apart = g_hash_table_new (NULL, NULL);
  Failures self = { .chunks = chunks, .failures = failures, .failing = failing, .counted = counted, .apart = apart };

  GROUP_BY (chunks, ROAST_CHUNKS_DATASET, ROAST_CHUNKS_FILE);
  find_failures (&self, recording);
  if (g_hash_table_size (failures) > 0)
    {
      drop_repaired (&self);
      write_failures (&self, report);
    }
  g_clear_pointer (&self.verdicts, chunk_verdicts_unref);
  g_clear_pointer (&self.calls, g_hash_table_unref);
}
