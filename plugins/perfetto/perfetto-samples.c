/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes tables of samples. Each numeric column becomes a counter of its worker or source. Only changes are written,
 * because a counter keeps its value until the next event. */

#include "perfetto.h"

#include <math.h>

typedef struct
{
  guint64 track; /* track of the counter; 0 until it is in the trace */
  double last;
} Counter;

typedef struct
{
  Export *export;
  RoastTableReader *table;
  guint source, time;
  int worker;       /* slot of the column with the worker; -1 if there is none */
  GHashTable *sets; /* maps the track of a worker or source to an array that contains a counter for each slot */
} Samples;

static gboolean
is_double (Samples *self, guint slot)
{
  return roast_column_get_column_type (roast_table_reader_get_column (self->table, slot)) == ROAST_COLUMN_TYPE_DOUBLE;
}

static gboolean
is_counter (RoastColumn *column)
{
  RoastColumnType type = roast_column_get_column_type (column);

  return (type == ROAST_COLUMN_TYPE_INT64 || type == ROAST_COLUMN_TYPE_DOUBLE) &&
         g_strcmp0 (roast_column_get_unit (column), "us") != 0;
}

/* Returns the track of the row's worker or source. */
static guint64
get_parent (Samples *self)
{
  Workers *workers = self->export->workers;

  return self->worker >= 0
             ? workers_get_track (workers, workers_find (workers, self->table, self->source, (guint) self->worker))
             : workers_get_source (workers, roast_table_reader_get_string (self->table, self->source));
}

static Counter *
get_counters (Samples *self, guint64 parent)
{
  Counter *counters = g_hash_table_lookup (self->sets, &parent);

  if (counters == NULL)
    {
      counters = g_new0 (Counter, roast_table_reader_get_n_columns (self->table));
      g_hash_table_insert (self->sets, g_memdup2 (&parent, sizeof parent), counters);
    }

  return counters;
}

static void
write_cell (Samples *self, guint64 parent, Counter *counter, guint slot, gint64 time)
{
  Trace *trace = self->export->trace;
  double value = roast_table_reader_get_double (self->table, slot);

  if (isnan (value) || (counter->track != 0 && value == counter->last))
    return;
  if (counter->track == 0)
    {
      RoastColumn *column = roast_table_reader_get_column (self->table, slot);

      counter->track =
          trace_add_counter (trace, parent, roast_column_get_name (column), roast_column_get_unit (column));
    }
  counter->last = value;
  if (is_double (self, slot))
    trace_count_double (trace, time, counter->track, value);
  else
    trace_count_int (trace, time, counter->track, roast_table_reader_get_int64 (self->table, slot, 0));
}

static void
write_row (Samples *self, const GArray *slots)
{
  gint64 time = roast_table_reader_get_int64 (self->table, self->time, -1);
  guint64 parent;
  Counter *counters;

  if (!trace_is_time (time))
    {
      export_leave_out (self->export, roast_table_info_get_name (roast_table_reader_get_info (self->table)));
      return;
    }
  parent = get_parent (self);
  counters = get_counters (self, parent);
  for (guint i = 0; i < slots->len; i++)
    {
      guint slot = g_array_index (slots, guint, i);

      write_cell (self, parent, &counters[slot], slot, time);
    }
}

/* Writes the samples of a table. Takes ownership of @reader. */
static void
write_table (Export *export, RoastTableReader *reader, const char *time)
{
  g_autoptr (RoastTableReader) table = reader;
  RoastTableInfo *info = roast_table_reader_get_info (table);
  Samples self = { .export = export, .table = table, .worker = -1 };
  g_autoptr (GArray) slots = g_array_new (FALSE, FALSE, sizeof (guint));
  guint worker;

  if (!roast_table_info_find_column (info, "source", &self.source) ||
      !roast_table_info_find_column (info, time, &self.time))
    return;
  if (roast_table_info_find_column (info, "worker", &worker))
    self.worker = (int) worker;
  self.sets = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  for (guint i = 0; i < roast_table_reader_get_n_columns (table); i++)
    if (is_counter (roast_table_reader_get_column (table, i)))
      g_array_append_val (slots, i);
  while (roast_table_reader_next (table) && !trace_has_failed (export->trace))
    write_row (&self, slots);
  g_hash_table_unref (self.sets);
}

/* Write all columns, including columns that plugins added. */
void
samples_write (Export *export)
{
  static const char *const measured[] = { ROAST_TABLE_WORKER_SAMPLES, ROAST_TABLE_CLUSTER_SAMPLES };
  RoastTableReader *over_time = roast_report_read_table (export->report, ROAST_TABLE_OVER_TIME, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (measured); i++)
    {
      RoastTableReader *table = roast_recording_snapshot_read_table (export->recording, measured[i], NULL, NULL);

      if (table != NULL)
        write_table (export, table, roast_worker_samples_columns[ROAST_WORKER_SAMPLES_TIME]);
    }
  if (over_time != NULL)
    write_table (export, over_time, roast_over_time_columns[ROAST_OVER_TIME_STARTED]);
}
