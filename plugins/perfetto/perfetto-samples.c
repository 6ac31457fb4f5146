/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes tables of samples. Each numeric column becomes a counter of its worker or source. A counter keeps its value
 * until the next event, so only changes are written. */

#include "perfetto.h"

typedef struct
{
  guint64 track; /* 0: not in the trace yet */
  double last;
} Counter;

/* Counters of one worker or source. */
typedef struct
{
  guint64 parent;
  Counter counters[];
} Set;

typedef struct
{
  Export *export;
  RoastTableReader *table;
  guint source, time;
  int worker;       /* slot, or -1 */
  GHashTable *sets; /* worker number, or source code + 1 → Set */
  RoastColumnType *types;
} Samples;

static gboolean
find_slot (RoastTableReader *table, const char *name, guint *slot)
{
  for (*slot = 0; *slot < roast_table_reader_get_n_columns (table); (*slot)++)
    if (g_str_equal (roast_column_get_name (roast_table_reader_get_column (table, *slot)), name))
      return TRUE;

  return FALSE;
}

static gboolean
is_counter (Samples *self, guint slot)
{
  RoastColumn *column = roast_table_reader_get_column (self->table, slot);
  const char *unit = roast_column_get_unit (column);

  return (self->types[slot] == ROAST_COLUMN_TYPE_INT64 || self->types[slot] == ROAST_COLUMN_TYPE_DOUBLE) &&
         g_strcmp0 (unit, "us") != 0;
}

static Set *
get_set (Samples *self)
{
  guint key = self->worker >= 0 ? workers_find (self->export->workers, self->table, self->source, (guint) self->worker)
                                : (guint) (roast_table_reader_get_code (self->table, self->source) + 1);
  Set *set = g_hash_table_lookup (self->sets, GUINT_TO_POINTER (key));

  if (set == NULL)
    {
      set = g_malloc0 (sizeof *set + roast_table_reader_get_n_columns (self->table) * sizeof (Counter));
      set->parent = self->worker >= 0 ? workers_get_track (self->export->workers, key)
                                      : workers_get_source (self->export->workers,
                                                            roast_table_reader_get_string (self->table, self->source));
      g_hash_table_insert (self->sets, GUINT_TO_POINTER (key), set);
    }

  return set;
}

static void
write_cell (Samples *self, Set *set, guint slot, gint64 time)
{
  Counter *counter = &set->counters[slot];
  double value = self->types[slot] == ROAST_COLUMN_TYPE_DOUBLE
                     ? roast_table_reader_get_double (self->table, slot)
                     : (double) roast_table_reader_get_int64 (self->table, slot, 0);

  if (value != value || (counter->track != 0 && value == counter->last)) /* NaN */
    return;
  if (counter->track == 0)
    {
      RoastColumn *column = roast_table_reader_get_column (self->table, slot);

      counter->track = trace_add_counter (self->export->trace, set->parent, roast_column_get_name (column),
                                          roast_column_get_unit (column));
    }
  counter->last = value;
  if (self->types[slot] == ROAST_COLUMN_TYPE_DOUBLE)
    trace_count_double (self->export->trace, time, counter->track, value);
  else
    trace_count_int (self->export->trace, time, counter->track, roast_table_reader_get_int64 (self->table, slot, 0));
}

static void
write_row (Samples *self, const guint *slots, guint n_slots)
{
  gint64 time = roast_table_reader_get_int64 (self->table, self->time, -1);
  Set *set = NULL;

  if (!trace_is_time (time))
    {
      export_leave_out (self->export, roast_table_info_get_name (roast_table_reader_get_info (self->table)));
      return;
    }
  set = get_set (self);
  for (guint i = 0; i < n_slots; i++)
    if (roast_table_reader_has (self->table, slots[i]))
      write_cell (self, set, slots[i], time);
}

/* Takes over @table. */
static void
write_table (Export *export, RoastTableReader *reader, const char *time)
{
  g_autoptr (RoastTableReader) table = reader;
  Samples self = { .export = export, .table = table, .worker = -1 };
  guint n_columns, n_slots = 0, worker;
  g_autofree guint *slots = NULL;

  if (!find_slot (table, roast_worker_samples_columns[ROAST_WORKER_SAMPLES_SOURCE], &self.source) ||
      !find_slot (table, time, &self.time))
    return;
  if (find_slot (table, roast_worker_samples_columns[ROAST_WORKER_SAMPLES_WORKER], &worker))
    self.worker = (int) worker;
  n_columns = roast_table_reader_get_n_columns (table);
  slots = g_new (guint, n_columns);
  self.types = g_new (RoastColumnType, n_columns);
  self.sets = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint i = 0; i < n_columns; i++)
    {
      self.types[i] = roast_column_get_column_type (roast_table_reader_get_column (table, i));
      if (is_counter (&self, i))
        slots[n_slots++] = i;
    }
  while (roast_table_reader_next (table) && !trace_has_failed (export->trace))
    write_row (&self, slots, n_slots);
  g_hash_table_unref (self.sets);
  g_free (self.types);
}

/* Write all columns, including columns added by plugins. */
void
samples_write (Export *export)
{
  static const char *const measured[] = { ROAST_TABLE_WORKER_SAMPLES, ROAST_TABLE_CLUSTER_SAMPLES };
  RoastTableReader *over_time = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (measured); i++)
    {
      RoastTableReader *table = roast_recording_snapshot_read_table (export->recording, measured[i], NULL, NULL);

      if (table != NULL)
        write_table (export, table, roast_worker_samples_columns[ROAST_WORKER_SAMPLES_TIME]);
    }
  over_time = roast_report_read_table (export->report, ROAST_TABLE_OVER_TIME, NULL, NULL);
  if (over_time != NULL)
    write_table (export, over_time, roast_over_time_columns[ROAST_OVER_TIME_STARTED]);
}
