/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-replay.h"

#define MAX_SPANS 10000
#define MANAGER_SPAN "run"

static void
start_span (VineReplay *self, const char *span, const char *name, guint kind, const char *parent)
{
  roast_table_writer_set_string (self->spans, ROAST_SPANS_SPAN, span);
  roast_table_writer_set_string (self->spans, ROAST_SPANS_NAME, name);
  roast_table_writer_set_word (self->spans, ROAST_SPANS_KIND, kind);
  roast_table_writer_set_string (self->spans, ROAST_SPANS_PARENT, parent);
  roast_table_writer_set_count (self->spans, ROAST_SPANS_STARTED, self->now);
  roast_table_writer_end (self->spans, NULL);
}

static void
end_span (VineReplay *self, const char *span)
{
  roast_table_writer_set_string (self->spans, ROAST_SPANS_SPAN, span);
  roast_table_writer_set_count (self->spans, ROAST_SPANS_ENDED, self->now);
  roast_table_writer_close (self->spans, NULL);
}

static void
end_current (VineReplay *self)
{
  if (self->span != NULL)
    end_span (self, self->span);
  self->span = NULL;
}

void
vine_spans_start_manager (VineReplay *self, gint64 pid)
{
  g_autofree char *name = g_strdup_printf ("manager %" G_GINT64_FORMAT, pid);

  start_span (self, MANAGER_SPAN, name, ROAST_SPAN_KIND_DEFAULT, NULL);
}

void
vine_spans_take_application (VineReplay *self, VineToken rest)
{
  g_autofree char *text = NULL;
  g_autofree char *id = NULL;

  end_current (self);
  if (self->n_spans >= MAX_SPANS)
    {
      self->counts.spans++;
      return;
    }
  text = g_strchug (vine_token_dup (rest));
  id = g_strdup_printf ("application-%u", ++self->n_spans);
  self->span = g_string_chunk_insert_const (self->words, id);
  start_span (self, id, text, ROAST_SPAN_KIND_NATIVE, MANAGER_SPAN);
}

void
vine_spans_finish (VineReplay *self)
{
  end_current (self);
  if (vine_is_known (self->times.started))
    end_span (self, MANAGER_SPAN);
}
