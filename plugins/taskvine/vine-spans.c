/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-spans.h"

#define MAX_SPANS 10000
#define MANAGER_SPAN "run"

struct _VineSpans
{
  GStringChunk *names;
  const char *current;
  guint n;
  guint64 n_left_out;
  gboolean has_manager;
  RoastTableWriter *rows;
};

VineSpans *
vine_spans_new (RoastRecording *recording, const char *source)
{
  VineSpans *self = g_new0 (VineSpans, 1);

  self->names = g_string_chunk_new (256);
  self->rows = roast_recording_write_table (recording, ROAST_TABLE_SPANS, source, roast_spans_columns, NULL);

  return self;
}

void
vine_spans_free (VineSpans *self)
{
  g_string_chunk_free (self->names);
  g_clear_object (&self->rows);
  g_free (self);
}

static void
start_span (VineSpans *self, const char *span, const char *name, guint kind, const char *parent, gint64 time)
{
  roast_table_writer_set_string (self->rows, ROAST_SPANS_SPAN, span);
  roast_table_writer_set_string (self->rows, ROAST_SPANS_NAME, name);
  roast_table_writer_set_word (self->rows, ROAST_SPANS_KIND, kind);
  roast_table_writer_set_string (self->rows, ROAST_SPANS_PARENT, parent);
  roast_table_writer_set_count (self->rows, ROAST_SPANS_STARTED, time);
  roast_table_writer_end (self->rows, NULL);
}

static void
end_span (VineSpans *self, const char *span, gint64 time)
{
  roast_table_writer_set_string (self->rows, ROAST_SPANS_SPAN, span);
  roast_table_writer_set_count (self->rows, ROAST_SPANS_ENDED, time);
  roast_table_writer_close (self->rows, NULL);
}

static void
end_current (VineSpans *self, gint64 time)
{
  if (self->current != NULL)
    end_span (self, self->current, time);
  self->current = NULL;
}

void
vine_spans_start_manager (VineSpans *self, gint64 pid, gint64 time)
{
  g_autofree char *name = g_strdup_printf ("manager %" G_GINT64_FORMAT, pid);

  self->has_manager = TRUE;
  start_span (self, MANAGER_SPAN, name, ROAST_SPAN_KIND_DEFAULT, NULL, time);
}

void
vine_spans_take_application (VineSpans *self, VineToken rest, gint64 time)
{
  g_autofree char *text = NULL;
  g_autofree char *id = NULL;

  while (rest.length > 0 && *rest.start == ' ')
    {
      rest.start++;
      rest.length--;
    }
  end_current (self, time);
  if (self->n >= MAX_SPANS)
    {
      self->n_left_out++;
      return;
    }
  text = vine_token_dup (rest);
  id = g_strdup_printf ("application-%u", ++self->n);
  self->current = g_string_chunk_insert_const (self->names, id);
  start_span (self, id, text, ROAST_SPAN_KIND_NATIVE, MANAGER_SPAN, time);
}

void
vine_spans_finish (VineSpans *self, gint64 time)
{
  end_current (self, time);
  if (self->has_manager)
    end_span (self, MANAGER_SPAN, time);
  self->has_manager = FALSE;
}

const char *
vine_spans_get_current (VineSpans *self)
{
  return self->current;
}

guint64
vine_spans_get_n_left_out (VineSpans *self)
{
  return self->n_left_out;
}
