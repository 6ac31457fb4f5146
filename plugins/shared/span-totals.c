/* SPDX-License-Identifier: BSD-3-Clause */
#include "span-totals.h"

typedef struct
{
  GHashTable *before;
  GHashTable *after; /* NULL while it is open */
} Window;

struct _Windows
{
  char *source;
  GHashTable *windows; /* RoastSpan to Window */
  guint n;
};

static void
window_free (Window *window)
{
  g_hash_table_unref (window->before);
  g_clear_pointer (&window->after, g_hash_table_unref);
  g_free (window);
}

SpanTotals *
span_totals_new (const char *source)
{
  SpanTotals *self = g_new0 (SpanTotals, 1);

  self->source = g_strdup (source);
  self->windows = g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify) window_free);

  return self;
}

void
span_totals_free (SpanTotals *self)
{
  g_hash_table_unref (self->windows);
  g_free (self->source);
  g_free (self);
}

RoastSpan *
span_totals_open (SpanTotals *self, const char *name, GHashTable *totals)
{
  g_autofree char *id = g_strdup_printf ("window-%u", ++self->n);
  RoastSpan *span = roast_span_new (id, name, ROAST_SPAN_KIND_WINDOW);
  Window *window = g_new0 (Window, 1);

  roast_span_set_times (span, g_get_real_time (), -1);
  window->before = totals;
  g_hash_table_insert (self->windows, g_object_ref (span), window);

  return span;
}

gboolean
span_totals_contains (SpanTotals *self, RoastSpan *span)
{
  return g_hash_table_contains (self->windows, span);
}

static double
difference (const Window *window, GHashTable *after, const char *name)
{
  const double *from = g_hash_table_lookup (window->before, name);
  const double *to = g_hash_table_lookup (after, name);

  return (to != NULL ? *to : 0) - (from != NULL ? *from : 0);
}

/* ---- totals: doubles by "context\nprefix\nactivity\nunit" ---- */

GHashTable *
span_totals_totals_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

void
span_totals_totals_add (GHashTable *totals, const char *context, const char *prefix, const char *activity,
                        const char *unit, double value)
{
  g_autofree char *name = g_strjoin ("\n", context, prefix != NULL ? prefix : "", activity, unit, NULL);
  double *total = g_hash_table_lookup (totals, name);

  if (total == NULL)
    {
      total = g_new0 (double, 1);
      g_hash_table_insert (totals, g_steal_pointer (&name), total);
    }
  *total += value;
}

/* ---- the table ---- */

static RoastTable *
get_table (RoastRecording *recording)
{
  RoastTable *table = roast_recording_get_table (recording, "span_activities");

  if (table != NULL)
    return table;
  table = roast_table_new ("span_activities", ROAST_TABLE_KIND_LOG,
                           "What tasks spent their time on in a span of the application");
  roast_table_add_column (table, "source", ROAST_COLUMN_TYPE_CATEGORY, NULL, "what the row came from", NULL);
  roast_table_add_column (table, "span", ROAST_COLUMN_TYPE_CATEGORY, NULL, "name of the span", NULL);
  roast_table_add_column (table, "context", ROAST_COLUMN_TYPE_CATEGORY, NULL, "execute, gather-dep, ...", NULL);
  roast_table_add_column (table, "category", ROAST_COLUMN_TYPE_CATEGORY, NULL, "kind of task", NULL);
  roast_table_add_column (table, "activity", ROAST_COLUMN_TYPE_CATEGORY, NULL, "thread-cpu, disk-read, ...", NULL);
  roast_table_add_column (table, "unit", ROAST_COLUMN_TYPE_CATEGORY, NULL, "unit of value: seconds, bytes, count",
                          NULL);
  roast_table_add_column (table, "value", ROAST_COLUMN_TYPE_DOUBLE, NULL, "sum of all workers in the span", NULL);
  roast_recording_add_table (recording, table, NULL);
  g_object_unref (table);

  return roast_recording_get_table (recording, "span_activities");
}

static void
add_row (RoastTable *table, const char *source, RoastSpan *span, const char *name, double value)
{
  g_auto (GStrv) parts = g_strsplit (name, "\n", 4);
  g_autoptr (RoastRow) row = roast_row_new (table);

  if (g_strv_length (parts) != 4)
    return;
  roast_row_set_string (row, 0, source);
  roast_row_set_string (row, 1, roast_span_get_name (span));
  roast_row_set_string (row, 2, parts[0]);
  if (*parts[1] != '\0')
    roast_row_set_string (row, 3, parts[1]);
  roast_row_set_string (row, 4, parts[2]);
  roast_row_set_string (row, 5, parts[3]);
  roast_row_set_double (row, 6, value);
  roast_table_append (table, row, NULL);
}

void
span_totals_close (SpanTotals *self, RoastSpan *span, GHashTable *totals, RoastRecording *recording)
{
  Window *window = g_hash_table_lookup (self->windows, span);
  RoastTable *table = get_table (recording);
  GHashTableIter iter;
  const char *name;

  if (window->after != NULL)
    {
      g_hash_table_unref (totals);
      return;
    }
  window->after = totals;
  roast_span_set_times (span, roast_span_get_started (span), g_get_real_time ());
  g_hash_table_iter_init (&iter, totals);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, NULL))
    {
      double value = difference (window, totals, name);

      if (value != 0)
        add_row (table, self->source, span, name, value);
    }
}

/* ---- metrics ---- */

/* "thread-cpu" of all that tasks did, in seconds, is "thread_cpu_seconds". */
static char *
metric_name (const char *activity, const char *unit)
{
  g_autofree char *joined = g_strconcat (activity, "_", unit, NULL);

  g_strdelimit (joined, "-/ .", '_');

  return g_ascii_strdown (joined, -1);
}

GVariant *
span_totals_get_metrics (SpanTotals *self, RoastSpan *span, GHashTable *totals)
{
  Window *window = g_hash_table_lookup (self->windows, span);
  GHashTable *after = window->after != NULL ? window->after : totals;
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GVariantBuilder builder;
  GHashTableIter iter;
  const char *name;
  double *sum;

  /* Contexts are apart: only what tasks do is summed, as Dask's own spans do. */
  g_hash_table_iter_init (&iter, after);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, NULL))
    {
      g_auto (GStrv) parts = g_strsplit (name, "\n", 4);
      g_autofree char *metric = NULL;

      if (g_strv_length (parts) != 4 || !(g_str_equal (parts[0], "execute") || g_str_equal (parts[0], "p2p")))
        continue;
      metric = metric_name (parts[2], parts[3]);
      sum = g_hash_table_lookup (sums, metric);
      if (sum == NULL)
        {
          sum = g_new0 (double, 1);
          g_hash_table_insert (sums, g_steal_pointer (&metric), sum);
        }
      *sum += difference (window, after, name);
    }

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_hash_table_iter_init (&iter, sums);
  while (g_hash_table_iter_next (&iter, (gpointer *) &name, (gpointer *) &sum))
    g_variant_builder_add (&builder, "{sv}", name, g_variant_new_double (*sum));

  return g_variant_builder_end (&builder);
}
