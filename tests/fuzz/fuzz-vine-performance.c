/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes as a manager's performance log: a row has the columns of the header, or it is counted as unusable. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "vine-performance.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_tables (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_read_table (recording, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns, NULL);
  g_autoptr (RoastTableReader) times =
      roast_recording_read_table (recording, ROAST_TABLE_EXECUTOR_TIMES, roast_executor_times_columns, NULL);

  while (roast_table_reader_next (samples))
    if (roast_table_reader_has (samples, ROAST_CLUSTER_SAMPLES_TIME))
      g_assert_cmpint (roast_table_reader_get_int64 (samples, ROAST_CLUSTER_SAMPLES_TIME, -1), >,
                       G_GINT64_CONSTANT (1000000000000000));
  while (roast_table_reader_next (times))
    g_assert_cmpfloat (roast_table_reader_get_double (times, ROAST_EXECUTOR_TIMES_VALUE), >=, 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  VinePerformance *performance = vine_performance_new (recording, "taskvine-1", 1);
  const char *line = (const char *) data;
  guint64 lines = 0;
  size_t left = size;

  while (left > 0)
    {
      const char *end = memchr (line, '\n', left);
      size_t length = end != NULL ? (size_t) (end - line) : left;

      vine_performance_take_line (performance, line, length);
      lines++;
      left -= length + (end != NULL);
      line += length + (end != NULL);
    }
  vine_performance_finish (performance);
  g_assert_cmpuint (vine_performance_get_n_bad (performance), <=, lines);
  g_assert_false (isinf (vine_performance_get (performance, "tasks_dispatched")));
  check_tables (recording);
  vine_performance_free (performance);

  return 0;
}
