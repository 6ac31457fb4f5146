/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload-values.h"

#include "notes.h"
#include "workload-tables.h"

void
workload_values_clear (WorkloadValues *self)
{
  g_clear_object (&self->table);
}

/* Preparing a file may take several attempts, which are rows of the table chunks, but not chunks of the analysis. */
static char *
values_dup_note (guint value, gint64 missing, const char *doubt)
{
  gboolean is_preparation = value == ROAST_CHUNK_VALUE_PREPARATION_TIME || value == ROAST_CHUNK_VALUE_PREPARATION_BYTES;
  g_autofree char *lack = missing > 0 ? g_strdup_printf ("missing for %" G_GINT64_FORMAT " %s%s", missing,
                                                         is_preparation ? "attempt" : "chunk", missing == 1 ? "" : "s")
                                      : NULL;

  return notes_join (lack, doubt);
}

RoastTableWriter *
workload_values_begin (WorkloadValues *self, guint value, const WorkloadSum *sum, RoastCompleteness otherwise,
                       const char *doubt)
{
  g_autofree char *note = values_dup_note (value, sum->missing, doubt);

  if (sum->n == 0 && sum->missing == 0)
    return NULL;
  if (self->table == NULL)
    self->table = roast_chunk_values_write (self->report);
  roast_table_writer_set_word (self->table, ROAST_CHUNK_VALUES_VALUE, value);
  roast_table_writer_set_count (self->table, ROAST_CHUNK_VALUES_CHUNKS, sum->n);
  roast_table_writer_set_int64 (self->table, ROAST_CHUNK_VALUES_MISSING, sum->missing);
  roast_table_writer_set_double (self->table, ROAST_CHUNK_VALUES_TOTAL, workload_sum_get (sum));
  roast_table_writer_set_word (self->table, ROAST_CHUNK_VALUES_COMPLETE,
                               note != NULL ? otherwise : ROAST_COMPLETENESS_COMPLETE);
  roast_table_writer_set_string (self->table, ROAST_CHUNK_VALUES_REASON, note);

  return self->table;
}

void
workload_values_add (WorkloadValues *self, guint value, const WorkloadSum *sum, RoastCompleteness otherwise,
                     const char *doubt)
{
  RoastTableWriter *table = workload_values_begin (self, value, sum, otherwise, doubt);

  if (table != NULL)
    roast_table_writer_end (table, NULL);
}

void
workload_values_add_count (WorkloadValues *self, guint value, gint64 n, const char *doubt)
{
  workload_values_add (self, value, &(WorkloadSum) { (double) n, WORKLOAD_SUM_ONLY, 0 }, ROAST_COMPLETENESS_PARTIAL,
                       doubt);
}

void
workload_values_set_spread (RoastTableWriter *table, const WorkloadSpread *spread)
{
  if (spread->sum.n == 0)
    return;
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_LEAST, spread->least);
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_MOST, spread->most);
  roast_table_writer_set_double (table, ROAST_CHUNK_VALUES_DEVIATION, workload_spread_get_deviation (spread));
}
