/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever a scheduler sends: each line is taken, or refused with a reason, and the tables make sense. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../../plugins/dask/dask-scheduler.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_tables (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) activities =
      roast_recording_read_table (recording, ROAST_TABLE_ACTIVITIES, roast_activities_columns, NULL);
  g_autoptr (RoastTableReader) tasks =
      roast_recording_read_table (recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);

  while (roast_table_reader_next (activities))
    g_assert_true (isfinite (roast_table_reader_get_double (activities, ROAST_ACTIVITIES_VALUE)));
  while (roast_table_reader_next (tasks))
    {
      g_assert_cmpint (roast_table_reader_get_int64 (tasks, ROAST_TASKS_ATTEMPT, 0), >, 0);
      g_assert_cmpint (roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS), >=, 0);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastWireReader) reader = roast_wire_reader_new (65536, 16);
  g_autoptr (FrameworkTasks) roles = framework_tasks_new (recording, "p", NULL, 50);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, reader, roles, 100);
  g_autoptr (GHashTable) totals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *copy = g_strndup (size > 0 ? (const char *) data : "", size);
  char *line = copy;
  size_t left = strlen (copy);

  while (left > 0)
    {
      char *end = memchr (line, '\n', left);
      size_t length = end != NULL ? (size_t) (end - line) : left;
      g_autoptr (GError) error = NULL;

      if (roast_wire_reader_read (reader, line, length, NULL))
        g_assert_true (dask_scheduler_take_line (scheduler, &error) == (error == NULL));
      left -= length + (end != NULL);
      line += length + (end != NULL);
    }
  dask_scheduler_add_totals (scheduler, totals);
  dask_scheduler_finish (scheduler);
  framework_tasks_finish (roles);
  check_tables (recording);

  return 0;
}
