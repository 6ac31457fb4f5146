/* SPDX-License-Identifier: BSD-3-Clause */
#include "span-totals.h"

struct _SpanTotals
{
  char *source;
  GHashTable *spans; /* RoastSpan to the totals at its start */
  guint n;
};

SpanTotals *
span_totals_new (const char *source)
{
  SpanTotals *self = g_new0 (SpanTotals, 1);

  self->source = g_strdup (source);
  self->spans = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify) g_hash_table_unref);

  return self;
}

void
span_totals_free (SpanTotals *self)
{
  g_hash_table_unref (self->spans);
  g_free (self->source);
  g_free (self);
}

RoastSpan *
span_totals_open (SpanTotals *self, const char *name, GHashTable *totals)
{
  g_autofree char *id = g_strdup_printf ("window-%u", ++self->n);
  RoastSpan *span = roast_span_new (id, name, ROAST_SPAN_KIND_WINDOW);

  roast_span_set_times (span, g_get_real_time (), -1);
  g_hash_table_insert (self->spans, g_object_ref (span), totals);

  return span;
}

gboolean
span_totals_check_tracking (SpanTotals *self, gboolean tracking, GTask *task)
{
  if (!tracking)
    g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING,
                             "the backend “%s” opens and closes spans only while it tracks", self->source);

  return tracking;
}

gboolean
span_totals_check_span (SpanTotals *self, RoastSpan *span, GTask *task)
{
  gboolean known = g_hash_table_contains (self->spans, span);

  if (!known)
    g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_UNKNOWN_SPAN,
                             "the backend “%s” did not open the span “%s”", self->source, roast_span_get_name (span));

  return known;
}

/* ---- totals: doubles by "context\ncategory\nactivity\nunit" ---- */

GHashTable *
span_totals_totals_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

void
span_totals_totals_add (GHashTable *totals, const char *context, const char *category, const char *activity,
                        const char *unit, double value)
{
  char *name = g_strjoin ("\n", context, category != NULL ? category : "", activity, unit, NULL);
  const double *sum = g_hash_table_lookup (totals, name);

  value += sum != NULL ? *sum : 0;
  g_hash_table_replace (totals, name, g_memdup2 (&value, sizeof value));
}

/* ---- the table ---- */

static void
write_row (RoastTableWriter *writer, RoastSpan *span, const char *name, double value)
{
  g_auto (GStrv) parts = g_strsplit (name, "\n", 4);

  roast_table_writer_set_string (writer, ROAST_SPAN_ACTIVITIES_SPAN, roast_span_get_name (span));
  roast_table_writer_set_string (writer, ROAST_SPAN_ACTIVITIES_CONTEXT, parts[0]);
  roast_table_writer_set_string (writer, ROAST_SPAN_ACTIVITIES_CATEGORY, *parts[1] != '\0' ? parts[1] : NULL);
  roast_table_writer_set_string (writer, ROAST_SPAN_ACTIVITIES_ACTIVITY, parts[2]);
  roast_table_writer_set_string (writer, ROAST_SPAN_ACTIVITIES_UNIT, parts[3]);
  roast_table_writer_set_double (writer, ROAST_SPAN_ACTIVITIES_VALUE, value);
  roast_table_writer_end (writer, NULL);
}

void
span_totals_close (SpanTotals *self, RoastSpan *span, GHashTable *totals, RoastRecording *recording)
{
  g_autoptr (GHashTable) after = totals;
  g_autoptr (RoastTableWriter) writer = roast_recording_write_table (recording, ROAST_TABLE_SPAN_ACTIVITIES,
                                                                     self->source, roast_span_activities_columns, NULL);
  GHashTable *before = g_hash_table_lookup (self->spans, span);
  GHashTableIter iter;
  const char *name;
  const double *sum;

  if (roast_span_get_ended (span) >= 0 || writer == NULL)
    return;
  roast_span_set_times (span, roast_span_get_started (span), g_get_real_time ());
  g_hash_table_iter_init (&iter, after);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &sum))
    {
      const double *earlier = g_hash_table_lookup (before, name);
      double growth = earlier != NULL ? *sum - *earlier : *sum;

      if (growth != 0)
        write_row (writer, span, name, growth);
    }
}
