/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the chunks of the longest executor call on this machine. If the program reported no calls, reads all chunks. */

#include "findings.h"

#include "order.h"

#define AT_A_TIME 1.01 /* chunks overlapped if, on average, more chunks than this ran at the same time */

typedef struct
{
  double started, ended; /* µs */
  guint64 row;
} ChunksStretch;

static int
chunks_compare_lengths (const ChunksStretch *a, const ChunksStretch *b)
{
  double length_a = a->ended - a->started;
  double length_b = b->ended - b->started;

  return (length_a > length_b) - (length_a < length_b);
}

static void
chunks_read_calls (FindingsChunks *self, RoastRunModel *model)
{
  guint n;
  const RoastRunCall *calls = roast_run_model_get_calls (model, &n);
  double longest = 0;

  for (guint i = 0; i < n; i++)
    if (calls[i].kind == ROAST_PROCESSING_KIND_PROCESSING && calls[i].ended - calls[i].started > longest)
      {
        longest = calls[i].ended - calls[i].started;
        self->call = calls[i].call;
        self->executor = calls[i].executor;
        self->started = calls[i].started;
        self->length = longest / G_USEC_PER_SEC;
      }
}

static GArray *
list_chunks (const FindingsChunks *self, RoastTableReader *chunks)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (ChunksStretch));

  while (roast_table_reader_next (chunks))
    {
      ChunksStretch one = { roast_table_reader_get_double (chunks, ROAST_CHUNKS_STARTED),
                            roast_table_reader_get_double (chunks, ROAST_CHUNKS_ENDED),
                            roast_table_reader_get_row (chunks) };

      if (one.ended >= one.started && roast_table_reader_get_word (chunks, ROAST_CHUNKS_ROLE) != ROAST_ROLE_FRAMEWORK &&
          (self->call == NULL ||
           g_strcmp0 (roast_table_reader_get_string (chunks, ROAST_CHUNKS_CALL), self->call) == 0))
        g_array_append_val (all, one);
    }

  return all;
}

/* Measures how long at least one chunk ran, and how long the last chunk ran after all other chunks had ended. @all:
 * sorted by start */
static void
measure (FindingsChunks *self, GArray *all)
{
  const ChunksStretch *last = NULL;
  double until = 0, others = 0;

  FOR_EACH (const ChunksStretch, one, all)
    {
      self->time += (one->ended - one->started) / G_USEC_PER_SEC;
      self->covered += fmax (one->ended - fmax (one->started, until), 0) / G_USEC_PER_SEC;
      until = fmax (until, one->ended);
      if (last == NULL || one->ended > last->ended)
        {
          others = last != NULL ? last->ended : one->started;
          last = one;
        }
      else
        others = fmax (others, one->ended);
    }
  self->last_row = last->row;
  self->last_time = (last->ended - last->started) / G_USEC_PER_SEC;
  /* If chunks ran one after the other, the last chunk is not a straggler, because no worker waited for it. */
  self->alone = others > last->started || self->time > AT_A_TIME * self->covered
                    ? (last->ended - fmax (others, last->started)) / G_USEC_PER_SEC
                    : 0;
  if (self->call == NULL)
    self->started = g_array_index (all, ChunksStretch, 0).started;
  if (self->call == NULL)
    self->length = (last->ended - self->started) / G_USEC_PER_SEC;
  self->first = fmax (g_array_index (all, ChunksStretch, 0).started - self->started, 0) / G_USEC_PER_SEC;
}

void
findings_read_chunks (Findings *self)
{
  FindingsChunks *chunks = &self->chunks;
  g_autoptr (RoastTableReader) table = roast_chunks_read (self->recording);
  g_autoptr (GArray) all = NULL;

  /* If the run has an executor, the rules evaluate its tasks instead of chunks. */
  if (!self->is_tree)
    return;
  chunks_read_calls (chunks, self->model);
  all = list_chunks (chunks, table);
  chunks->n = all->len;
  if (all->len == 0)
    return;
  g_array_sort (all, order_doubles);
  measure (chunks, all);
  g_array_sort (all, (GCompareFunc) chunks_compare_lengths);
  chunks->longest_row = g_array_index (all, ChunksStretch, all->len - 1).row;
  chunks->longest_time = (g_array_index (all, ChunksStretch, all->len - 1).ended -
                          g_array_index (all, ChunksStretch, all->len - 1).started) /
                         G_USEC_PER_SEC;
  chunks->median = (g_array_index (all, ChunksStretch, (all->len - 1) / 2).ended -
                    g_array_index (all, ChunksStretch, (all->len - 1) / 2).started) /
                   G_USEC_PER_SEC;
}
