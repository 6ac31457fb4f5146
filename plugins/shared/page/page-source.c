/* SPDX-License-Identifier: BSD-3-Clause */

/* Facts about a run that several sections need. */

#include "page.h"

static GHashTable *
map_backends (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);
  GHashTable *backends = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  while (roast_table_reader_next (sources))
    g_hash_table_insert (backends, g_strdup (roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE)),
                         g_strdup (roast_table_reader_get_string (sources, ROAST_SOURCES_BACKEND)));

  return backends;
}

/* Return the names of sources that have workers. */
static GHashTable *
find_employers (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);
  GHashTable *employers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  while (roast_table_reader_next (workers))
    {
      const char *source = roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE);

      if (source != NULL && !g_hash_table_contains (employers, source))
        g_hash_table_add (employers, g_strdup (source));
    }

  return employers;
}

/* Return the backend shared by all sources whose workers are not plain processes; NULL if there is none or several.
 * */
static char *
find_executor (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) sources =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_SOURCES, roast_sources_columns, NULL);
  g_autoptr (GHashTable) employers = find_employers (recording);
  g_autofree char *found = NULL;

  while (roast_table_reader_next (sources))
    {
      const char *source = roast_table_reader_get_string (sources, ROAST_SOURCES_SOURCE);
      const char *backend = roast_table_reader_get_string (sources, ROAST_SOURCES_BACKEND);

      if (source == NULL || backend == NULL || !g_hash_table_contains (employers, source) ||
          roast_table_reader_get_word (sources, ROAST_SOURCES_WORKER_KIND) == ROAST_WORKER_KIND_PROCESS)
        continue;
      if (found != NULL && !g_str_equal (found, backend))
        return NULL;
      if (found == NULL)
        found = g_strdup (backend);
    }

  return g_steal_pointer (&found);
}

static gboolean
has_some (const PageSource *source, const char *metric)
{
  return page_get_double (source, metric) > 0;
}

void
page_source_init (PageSource *self, RoastRecordingSnapshot *recording, RoastReport *report)
{
  *self = (PageSource) {
    .recording = recording,
    .report = report,
    .schema = roast_report_get_schema (report),
    .backends = map_backends (recording),
    .backend = find_executor (recording),
  };
  self->is_comparison = page_count_compared (self, "new") > 0;
  self->has_tasks = has_some (self, "tasks_submitted_total");
  self->has_chunks = has_some (self, "chunks_total") || has_some (self, "events_total") ||
                     has_some (self, "chunks_failed_total") || has_some (self, "calls_failed_total") ||
                     has_some (self, "preprocessing_files_failed_total");
}

void
page_source_clear (PageSource *self)
{
  g_clear_pointer (&self->backends, g_hash_table_unref);
  g_clear_pointer (&self->backend, g_free);
}
