/* SPDX-License-Identifier: BSD-3-Clause */
#include "process-trees.h"

static void
add_name (ProcessTrees *self, const char *source)
{
  if (source == NULL)
    return;
  g_hash_table_add (self->names, g_strdup (source));
  if (self->sampled == NULL)
    self->sampled = g_strdup (source);
}

void
process_trees_init (ProcessTrees *self, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);
  g_autoptr (RoastTableReader) processes =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);

  *self = (ProcessTrees) { .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL) };
  while (roast_table_reader_next (sources))
    if (roast_table_reader_get_word (sources, ROAST_SOURCES_WORKER_KIND) == ROAST_WORKER_KIND_PROCESS)
      add_name (self, roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE));
  if (roast_table_reader_next (processes))
    add_name (self, roast_table_reader_get_string (processes, ROAST_PROCESSES_SOURCE));
  self->are_all = self->sampled != NULL && g_hash_table_size (self->names) == roast_table_reader_get_n_rows (sources);
}

void
process_trees_clear (ProcessTrees *self)
{
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->sampled, g_free);
}

gboolean
process_trees_contain (const ProcessTrees *self, const char *source)
{
  return source != NULL && g_hash_table_contains (self->names, source);
}
