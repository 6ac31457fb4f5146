/* SPDX-License-Identifier: BSD-3-Clause */

/* Add the metrics of memory and threads. They come from samples of the whole tree, peaks of single processes, and the
 * memory limit. */

#include <math.h>

#include "events.h"
#include "metadata.h"
#include "process-peak.h"
#include "process-tree.h"
#include "report-coverage.h"
#include "step-integral.h"

/* Peak memory of one process. */
typedef struct
{
  gint64 bytes;
  guint bound; /* word of ROAST_BOUND */
} Peak;

static char *
dup_why_no_samples (ProcessTree *self)
{
  gint64 ticks, elapsed;

  if (self->imported != NULL)
    return g_strdup (self->imported);
  if (g_strcmp0 (self->missing, ROAST_PROCESSES_NO_PROC) == 0)
    return g_strdup (self->missing);
  if (metadata_get_int64 (self->recording, "tree-ticks", &ticks) && ticks > 0)
    return g_strdup ("no backend recorded the samples of processes: pass --backend=local");
  if (metadata_get_int64 (self->recording, "tree-elapsed", &elapsed))
    return g_strdup_printf ("no sample was taken: the program ended after %.3g ms", (double) elapsed / 1000);

  return g_strdup (self->missing);
}

/* Return whether no sample was taken. The row of a program that ended before the first sample does not count: it was
 * written at the end, and contains no memory. */
static gboolean
is_without_samples (ProcessTree *self)
{
  gint64 ticks;

  return roast_table_reader_get_n_rows (self->samples) == 0 ||
         (metadata_get_int64 (self->recording, "tree-ticks", &ticks) && ticks == 0);
}

static char *
dup_why_no_value (ProcessTree *self, gboolean is_pss)
{
  if (is_without_samples (self) || self->imported != NULL)
    return dup_why_no_samples (self);
  if (roast_table_reader_sum (self->samples, ROAST_CLUSTER_SAMPLES_MEMORY, NULL, NULL) == 0)
    return roast_table_reader_sum (self->samples, ROAST_CLUSTER_SAMPLES_THREADS, NULL, NULL) == 0
               ? g_strdup ("no backend sampled the program's processes: add --backend=local")
               : g_strdup ("no sample contains the memory of the processes: they were just starting, or their main "
                           "thread had ended");
  if (!is_pss)
    return g_strdup ("no sample contains the memory of the processes");
  if (!process_tree_has_mechanism (self, ROAST_ACCOUNTING_PSS))
    return g_strdup ("the proportional set size was not read: pss=off, or the kernel does not report it");

  return g_strdup ("the proportional set size could not be read: access to the processes was denied");
}

/* Return a note that says which share of the peak was read at the time of the peak. The remaining share was scaled from
 * older readings. */
static char *
dup_pss_note (ProcessTree *self, const StepIntegral *pss)
{
  g_autoptr (RoastTableReader) workers = roast_worker_samples_read (self->recording);
  g_autofree char *note = step_integral_dup_note (pss);
  double age = NAN;
  double read = NAN;

  roast_table_reader_sum (workers, ROAST_WORKER_SAMPLES_MEMORY_PSS_AGE, NULL, &age);
  if (roast_table_reader_seek (self->samples, pss->max_row))
    read = roast_table_reader_get_double (self->samples, ROAST_CLUSTER_SAMPLES_MEMORY_PSS_READ);
  if (isnan (read) || read >= pss->max || isnan (age))
    return g_steal_pointer (&note);

  return g_strdup_printf ("%s; %.0f %% of the peak was read at the time of the peak, and the rest is scaled from "
                          "readings up to %.3g s older",
                          note, 100 * read / pss->max, age);
}

/* Add the peak or average that was imported with the run, because imported runs may have no samples. Return FALSE if
 * the run has neither. */
static gboolean
add_imported (ProcessTree *self, const char *name, const char *key)
{
  const char *note = "computed from samples that the imported file does not contain";
  double average;
  gint64 peak;

  if (metadata_get_int64 (self->recording, key, &peak))
    roast_report_add_int64 (self->report, name, peak, ROAST_COMPLETENESS_ESTIMATED, note);
  else if (metadata_get_double (self->recording, key, &average))
    roast_report_add_double (self->report, name, average, ROAST_COMPLETENESS_ESTIMATED, note);
  else
    return FALSE;

  return TRUE;
}

/* Use the peak of a single process if it exceeds all samples of the tree. Samples may have missed the peak, while the
 * kernel records the peak of each process exactly. Return whether the peak was used. */
static gboolean
add_missed (ProcessTree *self, const char *name, const StepIntegral *rss, const Peak *one)
{
  g_autofree char *samples = step_integral_dup_note (rss);
  g_autofree char *note = NULL;

  if (rss->n == 0 || one->bound == ROAST_BOUND_AT_MOST || (double) one->bytes <= rss->max)
    return FALSE;
  note = g_strdup_printf ("lower bound: one process alone used this much memory, which is more than all processes "
                          "together used in any sample (%s)",
                          samples);
  roast_report_add_int64 (self->report, name, one->bytes, ROAST_COMPLETENESS_PARTIAL, note);

  return TRUE;
}

/* Return the completeness of a peak from samples. A single sample may fall into the start of the program, so it is only
 * a lower bound unless the kernel recorded the peak. */
static RoastCompleteness
get_completeness (const StepIntegral *samples, const Peak *one)
{
  return samples->n > 1 || (one->bound == ROAST_BOUND_EXACT && one->bytes > 0) ? ROAST_COMPLETENESS_ESTIMATED
                                                                               : ROAST_COMPLETENESS_PARTIAL;
}

static void
add_peak (ProcessTree *self, const char *name, const StepIntegral *value, const Peak *one, const char *key)
{
  g_autofree char *text = value->n > 0 ? step_integral_dup_note (value) : dup_why_no_value (self, FALSE);

  if (value->n > 0)
    roast_report_add_int64 (self->report, name, (gint64) value->max, get_completeness (value, one), text);
  else if (!add_imported (self, name, key))
    roast_report_add_unavailable (self->report, name, text);
}

static void
add_rss (ProcessTree *self, const StepIntegral *rss, const Peak *one)
{
  if (!add_missed (self, "memory_rss_peak_bytes", rss, one))
    add_peak (self, "memory_rss_peak_bytes", rss, one, "samples-memory-peak");
}

static void
add_pss (ProcessTree *self, const Peak *one)
{
  StepIntegral pss = step_integral_of_first (self->samples, ROAST_CLUSTER_SAMPLES_MEMORY_PSS);
  g_autofree char *text = pss.n > 0 ? dup_pss_note (self, &pss) : dup_why_no_value (self, TRUE);

  if (pss.n > 0)
    {
      /* One process may exceed the sampled peak of the tree: samples may miss a peak, and the proportional set size
       * leaves out part of the pages that are shared with other programs. */
      gboolean is_one = one->bound != ROAST_BOUND_AT_MOST && (double) one->bytes > pss.max;
      g_autofree char *sampled = roast_format_number (pss.max, "bytes");
      g_autofree char *note = is_one ? g_strdup_printf ("one process alone had this much resident memory; the highest "
                                                        "sample of all processes is %s (%s)",
                                                        sampled, text)
                                     : g_strdup (text);

      roast_report_add_int64 (self->report, "memory_peak_bytes", is_one ? one->bytes : (gint64) pss.max,
                              get_completeness (&pss, one), note);
      roast_report_add_double (self->report, "memory_average_bytes", pss.average, ROAST_COMPLETENESS_ESTIMATED, text);
    }
  else
    {
      if (!add_imported (self, "memory_peak_bytes", "samples-memory-pss-peak"))
        roast_report_add_unavailable (self->report, "memory_peak_bytes", text);
      if (!add_imported (self, "memory_average_bytes", "samples-memory-pss-average"))
        roast_report_add_unavailable (self->report, "memory_average_bytes", text);
    }
}

/* Return whether no other process waited for the process of the row, so that the kernel did not pass on its peak. Such
 * a process still ran at the end, was never reaped, or was lost with the supervisor. */
static gboolean
is_unwaited (RoastTableReader *processes)
{
  int origin = roast_table_reader_get_word (processes, ROAST_PROCESSES_ORIGIN);

  return origin < 0 || origin == ROAST_PROCESS_ORIGIN_UNREAPED || origin == ROAST_PROCESS_ORIGIN_RUNNING;
}

/* Add the highest peak of a single process. The kernel passes the peak of each process to the process that waits for
 * it, and so up to the supervisor. So the highest peak is exact, even if it is unknown which process had it. */
static Peak
add_process_peak (ProcessTree *self)
{
  ProcessPeak peaks = PROCESS_PEAK_NONE;
  Peak result = { 0, ROAST_BOUND_AT_MOST };
  gint64 waited = -1;
  guint unwaited = 0;
  guint vague = 0;
  g_autofree char *note = NULL;

  while (roast_table_reader_next (self->processes))
    {
      process_peak_add (&peaks, self->processes);
      waited = MAX (waited, roast_table_reader_get_int64 (self->processes, ROAST_PROCESSES_MEMORY_PEAK_WAITED, -1));
      unwaited += is_unwaited (self->processes) ? 1 : 0;
      vague += roast_table_reader_get_word (self->processes, ROAST_PROCESSES_MEMORY_PEAK_BOUND) != ROAST_BOUND_EXACT;
    }
  if (waited >= 0)
    {
      result.bytes = MAX (waited, peaks.least);
      result.bound = unwaited > 0 ? ROAST_BOUND_AT_LEAST : ROAST_BOUND_EXACT;
    }
  else if (!process_peak_get (&peaks, &result.bytes, &result.bound))
    {
      roast_report_add_unavailable (self->report, "process_memory_peak_bytes",
                                    roast_table_reader_get_n_rows (self->processes) == 0 || self->imported != NULL
                                        ? self->missing
                                        : "no process was read before it ended");
      return result;
    }
  if (result.bound == ROAST_BOUND_AT_MOST)
    note = g_strdup ("upper bound: the peak may date from before an exec");
  else if (result.bound == ROAST_BOUND_AT_LEAST)
    note = g_strdup_printf ("lower bound: only samples are known for %u of %" G_GUINT64_FORMAT " rows of processes",
                            waited >= 0 ? unwaited : vague, roast_table_reader_get_n_rows (self->processes));
  roast_report_add_int64 (self->report, "process_memory_peak_bytes", result.bytes,
                          result.bound == ROAST_BOUND_AT_MOST    ? ROAST_COMPLETENESS_ESTIMATED
                          : result.bound == ROAST_BOUND_AT_LEAST ? ROAST_COMPLETENESS_PARTIAL
                                                                 : ROAST_COMPLETENESS_COMPLETE,
                          note);

  return result;
}

static void
cover_limit (ProcessTree *self)
{
  gint64 limit, host;
  g_autofree char *left = events_describe (self->recording, "left-groups");

  if (left != NULL)
    {
      report_coverage_add_metric (self->report, "memory_limit_bytes", ROAST_COMPLETENESS_UNAVAILABLE, left);
      report_coverage_add_metric (self->report, "oom_kills_total", ROAST_COMPLETENESS_UNAVAILABLE, left);
    }
  else if (metadata_get_int64 (self->recording, "tree-host-memory", &host))
    report_coverage_add_metric (self->report, "memory_limit_bytes", ROAST_COMPLETENESS_COMPLETE,
                                metadata_get_int64 (self->recording, "tree-cgroup-memory-limit", &limit) && limit < host
                                    ? "the limit of the control group"
                                    : "the memory of the machine");
}

void
process_tree_add_memory (ProcessTree *self)
{
  Peak one = add_process_peak (self);
  StepIntegral rss = step_integral_of_first (self->samples, ROAST_CLUSTER_SAMPLES_MEMORY);
  StepIntegral threads = step_integral_of_first (self->samples, ROAST_CLUSTER_SAMPLES_THREADS);

  add_pss (self, &one);
  add_rss (self, &rss, &one);
  add_peak (self, "threads_peak", &threads, &one, "samples-threads-peak");
  cover_limit (self);
}
