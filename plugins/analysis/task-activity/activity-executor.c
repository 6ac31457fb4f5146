/* SPDX-License-Identifier: BSD-3-Clause */

/* The executor itself: the delay of its event loop, and what roast costs there. */

#include "activity-report.h"
#include "partial-sum.h"

void
activity_report_add_executor (ActivityReport *self)
{
  static const guint key[] = { ROAST_EXECUTOR_TIMES_SOURCE, ROAST_EXECUTOR_TIMES_PART };
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns,
                                           NULL);
  g_autoptr (RoastTableReader) times = roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_EXECUTOR_TIMES,
                                                                            roast_executor_times_columns, NULL);
  double lateness = NAN;
  double cost = NAN;

  roast_table_reader_sum (samples, ROAST_CLUSTER_SAMPLES_LATENESS, NULL, &lateness);
  activity_report_add (self, "scheduler_lateness_max_seconds", lateness, NULL,
                       "no executor reported the delay of its event loop");
  roast_table_reader_last_per (times, key, G_N_ELEMENTS (key));
  while (roast_table_reader_next (times))
    if (roast_table_reader_get_word (times, ROAST_EXECUTOR_TIMES_PART) == ROAST_EXECUTOR_PART_ROAST)
      partial_sum_add (&cost, roast_table_reader_get_double (times, ROAST_EXECUTOR_TIMES_VALUE));
  activity_report_add (self, "probe_cpu_seconds", cost, NULL, "roast did not run inside an executor");
}
