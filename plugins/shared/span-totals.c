/* SPDX-License-Identifier: BSD-3-Clause */
#include "span-totals.h"

typedef struct
{
  GHashTable *before;
  GHashTable *after; /* sums at the end of the span; NULL while the span is open */
} Totals;

struct _SpanTotals
{
  char *source;
  GHashTable *spans; /* maps a RoastSpan to its Totals */
  guint n;
};

static void
totals_free (Totals *totals)
{
  g_hash_table_unref (totals->before);
  g_clear_pointer (&totals->after, g_hash_table_unref);
  g_free (totals);
}

SpanTotals *
span_totals_new (const char *source)
{
  SpanTotals *self = g_new0 (SpanTotals, 1);

  self->source = g_strdup (source);
  self->spans = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify) totals_free);

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
  RoastSpan *span = roast_span_new (id, name);
  Totals *both = g_new0 (Totals, 1);

  roast_span_set_times (span, g_get_real_time (), -1);
  both->before = totals;
  g_hash_table_insert (self->spans, g_object_ref (span), both);

  return span;
}

gboolean
span_totals_check_tracking (SpanTotals *self, gboolean tracking, GTask *task)
{
  if (!tracking)
    g_task_return_new_error (task, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_NOT_TRACKING,
                             "the backend “%s” cannot open or close a span: it is not tracking a run", self->source);

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

static double
get_growth (const Totals *both, const char *name, double sum)
{
  const double *before = g_hash_table_lookup (both->before, name);

  return before != NULL ? sum - *before : sum;
}

/* ---- totals: doubles by "context\ncategory\nactivity\nunit" ---- */

GHashTable *
span_totals_totals_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
add_to (GHashTable *sums, char *name, double value)
{
  double *sum = g_hash_table_lookup (sums, name);

  if (sum != NULL)
    {
      *sum += value;
      g_free (name);
      return;
    }
  g_hash_table_insert (sums, name, g_memdup2 (&value, sizeof value));
}

void
span_totals_totals_add (GHashTable *totals, const char *context, const char *category, const char *activity,
                        const char *unit, double value)
{
  add_to (totals, g_strjoin ("\n", context, category != NULL ? category : "", activity, unit, NULL), value);
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
  g_autoptr (RoastTableWriter) writer = roast_span_activities_write (recording, self->source);
  Totals *both = g_hash_table_lookup (self->spans, span);
  GHashTableIter iter;
  const char *name;
  const double *sum;

  if (both->after != NULL || writer == NULL)
    {
      g_hash_table_unref (totals);
      return;
    }
  both->after = totals;
  roast_span_set_times (span, roast_span_get_started (span), g_get_real_time ());
  g_hash_table_iter_init (&iter, totals);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &sum))
    {
      double value = get_growth (both, name, *sum);

      if (value != 0)
        write_row (writer, span, name, value);
    }
}

/* ---- metrics ---- */

/* Return the name of the metric for an activity, such as "thread_cpu_seconds" for the activity "thread-cpu" in
 * seconds. */
static char *
dup_metric_name (const char *activity, const char *unit)
{
  g_autofree char *joined = g_strconcat (activity, "_", unit, NULL);

  g_strdelimit (joined, "-/ .", '_');

  return g_ascii_strdown (joined, -1);
}

/* Returns whether times of this context are counted. Only times of tasks and shuffles are counted, because times of
 * other contexts overlap these. */
static gboolean
is_work (const char *context)
{
  return g_str_equal (context, roast_context_words[ROAST_CONTEXT_EXECUTE]) ||
         g_str_equal (context, roast_context_words[ROAST_CONTEXT_SHUFFLE]);
}

GVariant *
span_totals_get_metrics (SpanTotals *self, RoastSpan *span, GHashTable *totals)
{
  Totals *both = g_hash_table_lookup (self->spans, span);
  GHashTable *after = both->after != NULL ? both->after : totals;
  g_autoptr (GHashTable) sums = span_totals_totals_new ();
  GVariantBuilder builder;
  GHashTableIter iter;
  const char *name;
  const double *sum;

  g_hash_table_iter_init (&iter, after);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &sum))
    {
      g_auto (GStrv) parts = g_strsplit (name, "\n", 4);

      if (is_work (parts[0]))
        add_to (sums, dup_metric_name (parts[2], parts[3]), get_growth (both, name, *sum));
    }
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &sum))
    g_variant_builder_add (&builder, "{sv}", name, g_variant_new_double (*sum));

  return g_variant_builder_end (&builder);
}
