/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever a scheduler says: each line is taken, or refused with a reason, and what is in the tables makes sense. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../../plugins/dask/dask-scheduler.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_tables (RoastRecording *recording)
{
  g_autoptr (RoastTableSnapshot) activities =
      roast_table_snapshot (roast_recording_get_table (recording, "activities"));
  g_autoptr (RoastTableSnapshot) tasks = roast_table_snapshot (roast_recording_get_table (recording, "tasks"));
  guint value = (guint) roast_table_snapshot_find_column (activities, "value");
  guint attempt = (guint) roast_table_snapshot_find_column (tasks, "attempt");

  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (activities); i++)
    g_assert_true (isfinite (roast_table_snapshot_get_double (activities, i, value)));
  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (tasks); i++)
    g_assert_cmpint (roast_table_snapshot_get_int64 (tasks, i, attempt), >, 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (DaskScheduler) scheduler = dask_scheduler_new (recording, 100);
  g_autoptr (GHashTable) totals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  const char *line = (const char *) data;
  size_t left = size;

  while (left > 0)
    {
      const char *end = memchr (line, '\n', left);
      size_t length = end != NULL ? (size_t) (end - line) : left;
      g_autofree char *copy = g_strndup (line, length);
      g_autoptr (GError) error = NULL;

      if (roast_json_check (copy, (gssize) length, 16, NULL))
        g_assert_true (dask_scheduler_take_line (scheduler, copy, &error) == (error == NULL));
      left -= length + (end != NULL);
      line += length + (end != NULL);
    }
  dask_scheduler_add_totals (scheduler, totals);
  dask_scheduler_finish (scheduler);
  check_tables (recording);

  return 0;
}
