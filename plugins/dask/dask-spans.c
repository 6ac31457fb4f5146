/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-spans.h"

#include "dask-row.h"

#define MAX_SPANS 1000000 /* largest number of spans; bounds the memory that a faulty scheduler can make roast use */

typedef struct
{
  guint64 row;
  gint64 started, ended; /* -1 if unknown */
} Span;

struct _DaskSpans
{
  GHashTable *spans; /* maps the id of a span to its Span */
  RoastTableWriter *writer;
  gint64 clock_offset; /* offset of the scheduler's clock, µs */
};

DaskSpans *
dask_spans_new (RoastRecording *recording, const char *source, gint64 clock_offset)
{
  DaskSpans *self = g_new0 (DaskSpans, 1);

  self->clock_offset = clock_offset;
  self->spans = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->writer = roast_spans_write (recording, source);

  return self;
}

void
dask_spans_free (DaskSpans *self)
{
  g_hash_table_unref (self->spans);
  g_clear_object (&self->writer);
  g_free (self);
}

static gboolean
spans_add (DaskSpans *self, RoastWireReader *row, const char *id, Span **span, GError **error)
{
  if (g_hash_table_size (self->spans) >= MAX_SPANS)
    return dask_row_refuse (error, "there are more than %d spans", MAX_SPANS);
  dask_row_copy (row, self->writer, ROAST_SPANS_N_COLUMNS,
                 1 << ROAST_SPANS_SOURCE | 1 << ROAST_SPANS_STARTED | 1 << ROAST_SPANS_ENDED);
  if (!dask_row_end (row, self->writer, error))
    return FALSE;
  *span = g_new0 (Span, 1);
  (*span)->row = roast_table_writer_get_row (self->writer);
  g_hash_table_insert (self->spans, g_strdup (id), *span);

  return TRUE;
}

gboolean
dask_spans_take (DaskSpans *self, RoastWireReader *row, gint64 now, GError **error)
{
  const char *id = NULL;
  Span *span = NULL;
  gint64 started, ended;

  if (!dask_row_get_name (row, ROAST_SPANS_SPAN, &id, error) ||
      !dask_row_get_time (row, ROAST_SPANS_STARTED, self->clock_offset, &started, error) ||
      !dask_row_get_time (row, ROAST_SPANS_ENDED, self->clock_offset, &ended, error))
    return FALSE;
  span = g_hash_table_lookup (self->spans, id);
  if (span == NULL && !spans_add (self, row, id, &span, error))
    return FALSE;
  span->started = started;
  span->ended = ended;

  return TRUE;
}

void
dask_spans_finish (DaskSpans *self)
{
  GHashTableIter iter;
  Span *span;

  g_hash_table_iter_init (&iter, self->spans);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &span))
    {
      roast_table_writer_select_row (self->writer, span->row);
      roast_table_writer_set_count (self->writer, ROAST_SPANS_STARTED, span->started);
      roast_table_writer_set_count (self->writer, ROAST_SPANS_ENDED, span->ended);
      roast_table_writer_close (self->writer, NULL);
    }
}
