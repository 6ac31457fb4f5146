/* SPDX-License-Identifier: BSD-3-Clause */

/* Facts about a run that several sections need. */

#include "page.h"

static GHashTable *
map_backends (RoastRunModel *model)
{
  GHashTable *backends = g_hash_table_new (g_str_hash, g_str_equal);
  guint n;
  const RoastRunSource *sources = roast_run_model_get_sources (model, &n);

  for (guint i = 0; i < n; i++)
    if (sources[i].backend != NULL)
      g_hash_table_insert (backends, (gpointer) sources[i].name, (gpointer) sources[i].backend);

  return backends;
}

/* Return the backend of the executors that have workers; NULL if there is no such executor, or if these executors have
 * different backends. */
static const char *
find_executor (RoastRunModel *model)
{
  guint n;
  const RoastRunSource *sources = roast_run_model_get_sources (model, &n);
  const char *found = NULL;

  for (guint i = 0; i < n; i++)
    {
      if (sources[i].backend == NULL || sources[i].n_workers == 0 || sources[i].is_process_tree)
        continue;
      if (found != NULL && !g_str_equal (found, sources[i].backend))
        return NULL;
      found = sources[i].backend;
    }

  return found;
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
    .backends = map_backends (roast_run_model_get (recording)),
    .backend = find_executor (roast_run_model_get (recording)),
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
}
