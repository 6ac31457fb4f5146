/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-holders-private.h"

#include <math.h>

#include "roast/roast-tables.h"

struct _RoastChartHolders
{
  RoastTableReader *reader;
  int source, worker; /* slots; -1 if there is none */
  GHashTable *leaves; /* source and worker → double *, in µs since the epoch; NULL without workers */
  GArray *ends;       /* of double, by holder */
};

static char *
holders_make_key (const char *source, const char *worker)
{
  return g_strconcat (source != NULL ? source : "", "\n", worker != NULL ? worker : "", NULL);
}

/* Slots of a reader of workers. */
static GHashTable *
read_leaves (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) reader =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  GHashTable *leaves = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  while (reader != NULL && roast_table_reader_next (reader))
    if (roast_table_reader_has (reader, ROAST_WORKERS_LEFT))
      {
        double left = (double) roast_table_reader_get_int64 (reader, ROAST_WORKERS_LEFT, 0);

        g_hash_table_insert (leaves,
                             holders_make_key (roast_table_reader_get_string (reader, ROAST_WORKERS_SOURCE),
                                               roast_table_reader_get_string (reader, ROAST_WORKERS_WORKER)),
                             g_memdup2 (&left, sizeof left));
      }

  return leaves;
}

RoastChartHolders *
roast_chart_holders_new (RoastTableReader *reader, RoastRecordingSnapshot *recording, const GArray *slots)
{
  RoastChartHolders *self = g_new0 (RoastChartHolders, 1);

  self->reader = reader;
  self->source = self->worker = -1;
  for (guint i = 0; i < slots->len; i++)
    {
      guint slot = g_array_index (slots, guint, i);
      const char *name = roast_column_get_name (roast_table_reader_get_column (reader, slot));

      if (g_str_equal (name, "source"))
        self->source = (int) slot;
      if (g_str_equal (name, "worker"))
        self->worker = (int) slot;
    }
  roast_table_reader_group_by (reader, (const guint *) (gconstpointer) slots->data, slots->len);
  self->ends = g_array_new (FALSE, FALSE, sizeof (double));
  if (self->source >= 0 && self->worker >= 0)
    self->leaves = read_leaves (recording);

  return self;
}

void
roast_chart_holders_free (RoastChartHolders *self)
{
  g_clear_pointer (&self->leaves, g_hash_table_unref);
  g_array_unref (self->ends);
  g_free (self);
}

static double
find_end (RoastChartHolders *self)
{
  g_autofree char *key = NULL;
  const double *left = NULL;

  if (self->leaves == NULL)
    return NAN;
  key = holders_make_key (roast_table_reader_get_string (self->reader, (guint) self->source),
                          roast_table_reader_get_string (self->reader, (guint) self->worker));
  left = g_hash_table_lookup (self->leaves, key);

  return left != NULL ? *left : NAN;
}

guint
roast_chart_holders_find (RoastChartHolders *self)
{
  guint holder = roast_table_reader_get_group (self->reader);

  if (holder == self->ends->len)
    {
      double end = find_end (self);

      g_array_append_val (self->ends, end);
    }

  return holder;
}

guint
roast_chart_holders_count (RoastChartHolders *self)
{
  return self->ends->len;
}

double
roast_chart_holders_get_end (RoastChartHolders *self, guint holder)
{
  return g_array_index (self->ends, double, holder);
}
