/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever is in a manager's performance log: rows are those of its header, or counted as unusable. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "vine-performance.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_tables (RoastRecording *recording)
{
  g_autoptr (RoastTableSnapshot) samples =
      roast_table_snapshot (roast_recording_get_table (recording, "cluster_samples"));
  g_autoptr (RoastTableSnapshot) executor_times =
      roast_table_snapshot (roast_recording_get_table (recording, "executor_times"));
  guint time = (guint) roast_table_snapshot_find_column (samples, "time");
  guint value = (guint) roast_table_snapshot_find_column (executor_times, "value");

  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (samples); i++)
    g_assert_cmpint (roast_table_snapshot_get_int64 (samples, i, time), >, G_GINT64_CONSTANT (1000000000000000));
  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (executor_times); i++)
    g_assert_cmpfloat (roast_table_snapshot_get_double (executor_times, i, value), >=, 0);
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
