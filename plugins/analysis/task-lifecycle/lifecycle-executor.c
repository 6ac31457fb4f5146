/* SPDX-License-Identifier: BSD-3-Clause */

/* Report how the executor spent its own time. The findings decide whether the executor limited the run. */

#include <math.h>

#include "group-element.h"
#include "lifecycle.h"
#include "metric-add.h"
#include "order.h"
#include "report-coverage.h"
#include "task-lifecycle-tables.h"

typedef struct
{
  const char *name;
  int word; /* word of the vocabulary executor_part; -1 if the name is not in it */
  double seconds;
} Part;

/* Read the parts of the executors' time. Use only the last row of each source and part, because the times are
 * cumulative. Leave out the cost of roast itself. */
static GArray *
read_parts (RoastTableReader *times)
{
  static const guint key[] = { ROAST_EXECUTOR_TIMES_SOURCE, ROAST_EXECUTOR_TIMES_PART };
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));

  roast_table_reader_last_per (times, key, G_N_ELEMENTS (key));
  roast_table_reader_group_by (times, &key[1], 1);
  while (roast_table_reader_next (times))
    {
      const char *name = roast_table_reader_get_string (times, ROAST_EXECUTOR_TIMES_PART);
      double seconds = roast_table_reader_get_double (times, ROAST_EXECUTOR_TIMES_VALUE);
      int word = roast_table_reader_get_word (times, ROAST_EXECUTOR_TIMES_PART);
      Part *part = NULL;

      if (name == NULL || word == ROAST_EXECUTOR_PART_ROAST || !(seconds >= 0))
        continue;
      part = group_element (parts, times);
      part->name = name;
      part->word = word;
      part->seconds += seconds;
    }

  return parts;
}

/* State of a source when a sample was taken. */
typedef struct
{
  double time;
  gboolean is_idle; /* cores are idle although tasks wait */
} ExecutorState;

/* Return the share of the time in which cores were idle although tasks waited; NaN if unknown. @samples must be grouped
 * by source. */
static double
get_idle_share (RoastTableReader *samples)
{
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (ExecutorState));
  double idle = 0, total = 0;

  while (roast_table_reader_next (samples))
    {
      double cores = roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_CORES);
      double committed = roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_CORES_COMMITTED);
      gint64 queued = roast_table_reader_get_int64 (samples, ROAST_CLUSTER_SAMPLES_TASKS_QUEUED, -1);
      ExecutorState now = { roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_TIME),
                            cores > 0 && committed < cores && queued > 0 };
      ExecutorState *before = NULL;
      double step = 0;
      guint source;

      if (isnan (now.time) || isnan (committed) || queued < 0)
        continue;
      source = roast_table_reader_get_group (samples);
      if (source == states->len)
        g_array_append_val (states, now);
      before = &g_array_index (states, ExecutorState, source);
      /* The state at a sample lasts until the next sample. */
      step = fmax (now.time - before->time, 0);
      total += step;
      idle += before->is_idle ? step : 0;
      *before = now;
    }

  return idle / total;
}

static int
compare_parts (const Part *a, const Part *b)
{
  return order_rows (a->seconds, b->seconds, a->name, b->name);
}

static void
write_parts (RoastReport *report, GArray *parts, double total)
{
  g_autoptr (RoastTableWriter) table = roast_executor_time_write (report);

  g_array_sort (parts, (GCompareFunc) compare_parts);
  FOR_EACH (const Part, part, parts)
    {
      roast_table_writer_set_string (table, ROAST_EXECUTOR_TIME_PART, part->name);
      roast_table_writer_set_double (table, ROAST_EXECUTOR_TIME_SECONDS, part->seconds);
      roast_table_writer_set_double (table, ROAST_EXECUTOR_TIME_SHARE, part->seconds / total);
      roast_table_writer_end (table, NULL);
    }
}

static void
add_verdict (RoastReport *report, double busy, double application, double idle)
{
  g_autofree char *text = NULL;

  if (isnan (idle))
    {
      roast_report_add_unavailable (report, "executor_verdict",
                                    "no sample shows idle cores and waiting tasks together");
      return;
    }
  text = g_strdup_printf ("the executor was busy for %.0f %% of its time, and the program did something else for %.0f "
                          "%%; cores were idle while tasks waited for %.0f %% of the time",
                          100 * busy, 100 * application, 100 * idle);
  roast_report_add_string (report, "executor_verdict", text);
}

void
lifecycle_add_executor (RoastReport *report, RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) samples = roast_cluster_samples_read (recording);
  g_autoptr (RoastTableReader) times = roast_executor_times_read (recording);
  g_autoptr (GArray) parts = NULL;
  double total = 0, application = 0, polling = 0;

  report_coverage_add_metric (report, "committed_memory_peak_ratio", ROAST_COMPLETENESS_PARTIAL,
                              "computed from samples: tasks between two samples are missing");
  GROUP_BY (samples, ROAST_CLUSTER_SAMPLES_SOURCE);
  parts = read_parts (times);
  FOR_EACH (const Part, part, parts)
    {
      total += part->seconds;
      application += part->word == ROAST_EXECUTOR_PART_APPLICATION ? part->seconds : 0;
      polling += part->word == ROAST_EXECUTOR_PART_POLLING ? part->seconds : 0;
    }
  if (!(total > 0))
    {
      roast_report_add_unavailable (report, "executor_verdict", "no executor recorded how it spent its own time");
      return;
    }
  add_verdict (report, (total - application - polling) / total, application / total, get_idle_share (samples));
  write_parts (report, parts, total);
}
