/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table windows. Add the metrics of the working time: rates, cores and efficiency. */

#include <math.h>

#include "analysis.h"
#include "chunk-verdicts.h"
#include "coverage.h"
#include "group-element.h"
#include "metadata.h"
#include "sampled-cpu.h"
#include "under-way.h"
#include "windows-tables.h"
#include "windows.h"

typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  Window run;
  GArray *works;   /* elements are Window, one for each source */
  const char *why; /* text that says from which times the bounds of the windows come */
  char *none;      /* reason why a source may have worked longer: it has no tasks or chunks; or NULL */
} Windows;

static const char *const windows_required[] = { "elapsed_time_seconds", "process_cpu_time_seconds", "cores_available",
                                                "events_total",         "bytes_read_total",         NULL };

static void
windows_extend (Windows *self, const char *source, double started, double ended)
{
  Window *window = NULL;

  for (guint i = 0; i < self->works->len && window == NULL; i++)
    if (g_strcmp0 (g_array_index (self->works, Window, i).source, source) == 0)
      window = &g_array_index (self->works, Window, i);
  if (window == NULL)
    {
      Window first = { source, NAN, NAN };

      g_array_append_val (self->works, first);
      window = &g_array_index (self->works, Window, self->works->len - 1);
    }
  window->started = fmin (window->started, started);
  window->ended = fmax (window->ended, ended);
}

/* Extend the window of a source by a chunk. Ignore the time outside the run, because clocks of other hosts may
 * differ. */
static void
extend_in_run (Windows *self, const char *source, double started, double ended)
{
  if (!(started > self->run.ended || ended < self->run.started))
    windows_extend (self, source, fmax (started, self->run.started),
                    isnan (ended) ? ended : fmin (ended, self->run.ended));
}
/* Owner of the tasks of one source, category and role. */
typedef enum
{
  OWNER_UNKNOWN,
  OWNER_ANALYSIS,
  OWNER_FRAMEWORK,
} Owner;

static gboolean
add_tasks (Windows *self, RoastTableReader *table)
{
  RoastRunModel *model = roast_run_model_get (self->recording);
  g_autoptr (GArray) owners = g_array_new (FALSE, FALSE, sizeof (Owner));

  GROUP_BY (table, ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY, ROAST_TASKS_ROLE);
  while (roast_table_reader_next (table))
    {
      double started = roast_table_reader_get_double (table, ROAST_TASKS_STARTED);
      double ended = roast_table_reader_get_double (table, ROAST_TASKS_ENDED);
      Owner *owner = group_element (owners, table);

      if (*owner == OWNER_UNKNOWN)
        *owner =
            roast_run_model_get_role_of_task (model, table) == ROAST_ROLE_FRAMEWORK ? OWNER_FRAMEWORK : OWNER_ANALYSIS;
      under_way_get (table, INFINITY, &started, &ended);
      if (!isnan (started) && *owner == OWNER_ANALYSIS)
        windows_extend (self, roast_table_reader_get_string (table, ROAST_TASKS_SOURCE), started, ended);
    }

  return self->works->len > 0;
}

static void
add_chunks (Windows *self, RoastTableReader *table, RoastTableReader *sums)
{
  g_autoptr (ChunkVerdicts) verdicts = chunk_verdicts_get (self->recording);

  while (roast_table_reader_next (table))
    {
      double started = roast_table_reader_get_double (table, ROAST_CHUNKS_STARTED);

      if (!isnan (started) && chunk_verdicts_judge (verdicts, roast_table_reader_get_row (table)) != CHUNK_PREPARATION)
        extend_in_run (self, roast_table_reader_get_string (table, ROAST_CHUNKS_SOURCE), started,
                       roast_table_reader_get_double (table, ROAST_CHUNKS_ENDED));
    }
  /* Add the times of chunks beyond the quota of a program, which appear only in sums. */
  while (roast_table_reader_next (sums))
    {
      double started = roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_STARTED);

      if (!isnan (started))
        extend_in_run (self, roast_table_reader_get_string (sums, ROAST_PROGRAM_SUMS_SOURCE), started,
                       roast_table_reader_get_double (sums, ROAST_PROGRAM_SUMS_ENDED));
    }
}

static void
find_works (Windows *self)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  g_autoptr (RoastTableReader) chunks = roast_chunks_read (self->recording);
  g_autoptr (RoastTableReader) sums = roast_program_sums_read (self->recording);

  self->why = "the first start and the last end of a task of the analysis";
  if (add_tasks (self, tasks))
    return;
  self->why = "the first start and the last end of a chunk that the program reported";
  add_chunks (self, chunks, sums);
}

void
window_write (const Window *window, RoastTableWriter *table, double ended, guint kind, const char *why)
{
  roast_table_writer_set_string (table, ROAST_WINDOWS_SOURCE, window->source);
  roast_table_writer_set_word (table, ROAST_WINDOWS_KIND, kind);
  if (!isnan (window->started))
    roast_table_writer_set_int64 (table, ROAST_WINDOWS_STARTED, (gint64) window->started);
  if (!isnan (ended))
    roast_table_writer_set_int64 (table, ROAST_WINDOWS_ENDED, (gint64) ended);
  roast_table_writer_set_string (table, ROAST_WINDOWS_WHY, why);
  roast_table_writer_end (table, NULL);
}

static void
write_windows (Windows *self, const Window *run)
{
  g_autoptr (RoastTableWriter) table = roast_windows_write (self->report);

  window_write (run, table, run->ended, ROAST_WINDOW_KIND_RUN, "the start and the end of the measurement");
  if (self->works->len == 0)
    window_write (run, table, run->ended, ROAST_WINDOW_KIND_WORK,
                  "the whole run, because it has no tasks or chunks of an analysis");
  FOR_EACH (const Window, window, self->works)
    window_write (window, table, window_get_end (window, run), ROAST_WINDOW_KIND_WORK, self->why);
  windows_write_processing (self->recording, run, self->report, table);
}

/* ---- metrics ---- */

static void
windows_add_cpu (Windows *self, const Window *work)
{
  g_autoptr (SampledCpu) cpu = sampled_cpu_new (self->recording);
  double used = sampled_cpu_get_at (cpu, work->ended) - sampled_cpu_get_at (cpu, work->started);

  if (sampled_cpu_get_source (cpu) == NULL)
    roast_report_add_unavailable (self->report, "work_cpu_time_seconds",
                                  "no backend sampled the program's processes: add --backend=local");
  else if (isnan (used))
    roast_report_add_unavailable (self->report, "work_cpu_time_seconds",
                                  "the program's processes were not sampled both before and after the working time");
  else
    {
      g_autofree char *doubt =
          roast_format_number (sampled_cpu_get_doubt (cpu, work->started, work->ended), "duration");
      g_autofree char *note =
          g_strdup_printf ("interpolated between samples of %s: the CPU time may be off by %s where the program "
                           "did not compute evenly",
                           sampled_cpu_get_source (cpu), doubt);

      roast_report_add_double (self->report, "work_cpu_time_seconds", used, ROAST_COMPLETENESS_ESTIMATED, note);
    }
}

/* Add the metric @name with the value of @other, which is a metric of the whole run. */
static void
add_same (Windows *self, const char *name, const char *other)
{
  const char *whole = "the value of the whole run: there are neither tasks nor chunks";
  RoastMetric *metric = roast_report_lookup (self->report, other);
  RoastCompleteness completeness =
      metric != NULL ? roast_metric_get_completeness (metric) : ROAST_COMPLETENESS_UNAVAILABLE;

  if (completeness == ROAST_COMPLETENESS_UNAVAILABLE)
    roast_report_add_unavailable (self->report, name,
                                  metric != NULL ? roast_metric_get_reason (metric)
                                                 : "the metric of the whole run was not measured");
  else
    roast_report_add_double (self->report, name, roast_metric_get_double (metric),
                             self->none != NULL ? ROAST_COMPLETENESS_ESTIMATED : completeness,
                             self->none != NULL                       ? self->none
                             : roast_metric_get_note (metric) != NULL ? roast_metric_get_note (metric)
                                                                      : whole);
}

/* Add the CPU time of the run until the program ended. Leave out the later CPU time of processes that the program left
 * behind. */
static void
add_cpu_of_run (Windows *self)
{
  static const char name[] = "work_cpu_time_seconds";
  gint64 cpu;

  if (metadata_get_int64 (self->recording, "tree-main-cpu", &cpu))
    roast_report_add_double (self->report, name, (double) cpu / G_USEC_PER_SEC, ROAST_COMPLETENESS_PARTIAL,
                             "the value of the whole run up to the end of the program, which left processes behind");
  else
    add_same (self, name, "process_cpu_time_seconds");
}

static void
windows_add_times (Windows *self, const Window *run)
{
  Window work = { NULL, NAN, NAN };

  if (self->works->len == 0)
    {
      add_same (self, "work_time_seconds", "elapsed_time_seconds");
      add_cpu_of_run (self);
      return;
    }
  FOR_EACH (const Window, window, self->works)
    {
      work.started = fmin (work.started, window->started);
      work.ended = fmax (work.ended, window_get_end (window, run));
    }
  if (isnan (work.ended) || work.ended < work.started)
    {
      roast_report_add_unavailable (self->report, "work_time_seconds", "no task or chunk that started has ended");
      roast_report_add_unavailable (self->report, "work_cpu_time_seconds", "no task or chunk that started has ended");
      return;
    }
  roast_report_add_double (self->report, "work_time_seconds", (work.ended - work.started) / G_USEC_PER_SEC,
                           self->none != NULL ? ROAST_COMPLETENESS_ESTIMATED : ROAST_COMPLETENESS_COMPLETE,
                           self->none != NULL ? self->none : self->why);
  windows_add_cpu (self, &work);
}

static void
windows_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  g_autoptr (GArray) works = g_array_new (FALSE, FALSE, sizeof (Window));
  g_autofree char *none = coverage_dup_none (recording, ROAST_TABLE_TASKS);
  Windows self = { recording, report, { NULL, NAN, NAN }, works, NULL, NULL };

  roast_run_model_get_times (roast_run_model_get (recording), &self.run.started, &self.run.ended);
  if (none == NULL)
    none = coverage_dup_none (recording, ROAST_TABLE_CHUNKS);
  self.none = none;
  find_works (&self);
  windows_add_times (&self, &self.run);
  write_windows (&self, &self.run);
}

const Analysis analysis_windows = { "windows", windows_aggregate, windows_metrics, windows_required };
