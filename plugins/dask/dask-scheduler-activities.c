/* SPDX-License-Identifier: BSD-3-Clause */

/* What the probe tells of what tasks spent their time on, and of spans. */

#include <math.h>
#include <string.h>

#include "dask-scheduler-private.h"
#include "span-totals.h"

enum
{
  ACTIVITY_SOURCE,
  ACTIVITY_TIME,
  ACTIVITY_SPAN,
  ACTIVITY_WORKER,
  ACTIVITY_CONTEXT,
  ACTIVITY_PREFIX,
  ACTIVITY_ACTIVITY,
  ACTIVITY_UNIT,
  ACTIVITY_VALUE
};
static const char *const activity_columns[] = { "source",   "time",     "span", "worker", "context",
                                                "category", "activity", "unit", "value",  NULL };

enum
{
  SPAN_SOURCE,
  SPAN_SPAN,
  SPAN_NAME,
  SPAN_KIND,
  SPAN_PARENT,
  SPAN_STARTED,
  SPAN_ENDED
};
static const char *const span_columns[] = { "source", "span", "name", "kind", "parent", "started", "ended", NULL };

void
dask_scheduler_open_activities (DaskScheduler *self)
{
  sheet_open (&self->sheet_activities, self->recording, "activities", activity_columns);
  sheet_open (&self->sheet_spans, self->recording, "spans", span_columns);
}

/* [number, context, span, prefix, activity, unit] */
void
dask_scheduler_on_key (DaskScheduler *self, DaskCells *cells)
{
  gint64 number = dask_cells_get_count (cells, 0);
  const char *context = dask_cells_get_text (cells, 1);
  const char *activity = dask_cells_get_text (cells, 4);
  const char *unit = dask_cells_get_text (cells, 5);
  Key *key = NULL;

  if (number < 0 || number >= MAX_KEYS || context == NULL || activity == NULL || unit == NULL)
    {
      cells->bad = TRUE;
      return;
    }
  if (g_hash_table_contains (self->keys, GINT_TO_POINTER (number)))
    return;
  key = g_new0 (Key, 1);
  key->context = dask_dup_name (context);
  key->span = g_strdup (dask_cells_get_text (cells, 2));
  key->prefix = g_strdup (dask_cells_get_text (cells, 3));
  key->activity = dask_dup_name (activity);
  key->unit = dask_dup_name (unit);
  g_hash_table_insert (self->keys, GINT_TO_POINTER (number), key);
}

static void
add_activity (DaskScheduler *self, const Worker *worker, const Key *key, double value)
{
  Sheet *sheet = &self->sheet_activities;

  sheet_begin (sheet, self->source);
  sheet_set_count (sheet, ACTIVITY_TIME, self->now);
  sheet_set_text (sheet, ACTIVITY_SPAN, key->span);
  sheet_set_text (sheet, ACTIVITY_WORKER, worker->name);
  sheet_set_text (sheet, ACTIVITY_CONTEXT, key->context);
  sheet_set_text (sheet, ACTIVITY_PREFIX, key->prefix);
  sheet_set_text (sheet, ACTIVITY_ACTIVITY, key->activity);
  sheet_set_text (sheet, ACTIVITY_UNIT, key->unit);
  sheet_set_number (sheet, ACTIVITY_VALUE, value);
  sheet_end (sheet);
}

/* [worker, key, value] */
static void
on_fine (DaskScheduler *self, DaskCells *cells, gboolean is_base)
{
  Worker *worker = dask_scheduler_get_worker (self, cells, 0);
  gint64 number = dask_cells_get_count (cells, 1);
  double last = dask_cells_get_number (cells, 2);
  Key *key = number >= 0 && number < MAX_KEYS ? g_hash_table_lookup (self->keys, GINT_TO_POINTER (number)) : NULL;
  gint64 place = worker != NULL ? dask_cells_get_count (cells, 0) << 32 | number : 0;
  Value *value = NULL;

  if (worker == NULL || key == NULL || isnan (last))
    {
      cells->bad = TRUE;
      return;
    }
  value = g_hash_table_lookup (self->values, &place);
  if (value != NULL && value->last == last)
    return;
  if (value == NULL && g_hash_table_size (self->values) >= MAX_VALUES)
    {
      cells->bad = TRUE;
      return;
    }
  if (value == NULL)
    {
      value = g_new0 (Value, 1);
      value->base = is_base ? last : 0;
      g_hash_table_insert (self->values, g_memdup2 (&place, sizeof place), value);
    }
  value->last = last;
  if (!is_base)
    add_activity (self, worker, key, last - value->base);
}

void
dask_scheduler_on_fine (DaskScheduler *self, DaskCells *cells)
{
  on_fine (self, cells, FALSE);
}

void
dask_scheduler_on_base (DaskScheduler *self, DaskCells *cells)
{
  on_fine (self, cells, TRUE);
}

/* [id, name, parent, kind, start, stop] */
void
dask_scheduler_on_span (DaskScheduler *self, DaskCells *cells)
{
  Sheet *sheet = &self->sheet_spans;
  const char *id = dask_cells_get_text (cells, 0);
  Span *span = id != NULL ? g_hash_table_lookup (self->spans, id) : NULL;

  if (id == NULL || strlen (id) > DASK_MAX_NAME || (span == NULL && g_hash_table_size (self->spans) >= MAX_SPANS))
    {
      cells->bad = TRUE;
      return;
    }
  if (span == NULL)
    {
      span = g_new0 (Span, 1);
      g_hash_table_insert (self->spans, g_strdup (id), span);
      sheet_begin (sheet, self->source);
      sheet_set_text (sheet, SPAN_SPAN, id);
      sheet_set_text (sheet, SPAN_NAME, dask_cells_get_text (cells, 1));
      sheet_set_text (sheet, SPAN_PARENT, dask_cells_get_text (cells, 2));
      sheet_set_text (sheet, SPAN_KIND, dask_cells_get_text (cells, 3));
      sheet_end (sheet);
    }
  /* Both may still change: they are written at the end. */
  span->started = dask_cells_get_time (cells, 4);
  span->ended = dask_cells_get_time (cells, 5);
}

void
dask_scheduler_write_spans (DaskScheduler *self)
{
  GHashTableIter iter;
  const char *id;
  Span *span;

  g_hash_table_iter_init (&iter, self->spans);
  while (g_hash_table_iter_next (&iter, (gpointer *) &id, (gpointer *) &span))
    {
      sheet_begin (&self->sheet_spans, self->source);
      sheet_set_text (&self->sheet_spans, SPAN_SPAN, id);
      sheet_set_count (&self->sheet_spans, SPAN_STARTED, span->started);
      sheet_set_count (&self->sheet_spans, SPAN_ENDED, span->ended);
      sheet_end (&self->sheet_spans);
    }
}

void
dask_scheduler_add_totals (DaskScheduler *self, GHashTable *totals)
{
  GHashTableIter iter;
  gint64 *place;
  Value *value;

  g_hash_table_iter_init (&iter, self->values);
  while (g_hash_table_iter_next (&iter, (gpointer *) &place, (gpointer *) &value))
    {
      Key *key = g_hash_table_lookup (self->keys, GINT_TO_POINTER (*place & 0xffffffff));

      span_totals_totals_add (totals, key->context, key->prefix, key->activity, key->unit, value->last - value->base);
    }
}
