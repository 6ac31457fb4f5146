/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes as a manager's log: each line is read or counted as unusable, the rows are valid, and none is refused. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "vine-replay.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

#define MAX_TASKS 100

static void
check_tasks (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) tasks =
      roast_recording_read_table (recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);

  g_assert_cmpuint (roast_table_reader_get_n_rows (tasks), <=, MAX_TASKS);
  while (roast_table_reader_next (tasks))
    {
      gint64 started = roast_table_reader_get_int64 (tasks, ROAST_TASKS_STARTED, -1);

      g_assert_cmpint (roast_table_reader_get_int64 (tasks, ROAST_TASKS_ATTEMPT, -1), >, 0);
      g_assert_cmpint (roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS), >=, 0);
      /* An end before the start is left out. */
      if (roast_table_reader_has (tasks, ROAST_TASKS_ENDED))
        g_assert_cmpint (roast_table_reader_get_int64 (tasks, ROAST_TASKS_ENDED, -1), >=, started);
    }
}

static void
check_activities (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) activities =
      roast_recording_read_table (recording, ROAST_TABLE_ACTIVITIES, roast_activities_columns, NULL);

  while (roast_table_reader_next (activities))
    if (roast_table_reader_has (activities, ROAST_ACTIVITIES_VALUE))
      g_assert_cmpfloat (roast_table_reader_get_double (activities, ROAST_ACTIVITIES_VALUE), >=, 0);
}

static void
check_counts (VineReplay *replay, RoastRecording *recording)
{
  VineCounts counts = replay->counts;
  g_autoptr (RoastTableReader) samples =
      roast_recording_read_table (recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns, NULL);

  g_assert_cmpuint (counts.unusable + counts.unknown, <=, counts.lines);
  g_assert_cmpuint (counts.workers.left, <=, counts.workers.joined);
  g_assert_cmpuint (counts.tasks.submitted, <=, counts.tasks.attempts);
  g_assert_cmpuint (counts.tasks.returned + counts.tasks.lost + counts.tasks.unfinished, <=, counts.lines);
  g_assert_cmpfloat (counts.tasks.execute, >=, 0);
  /* A negative number would be missing. */
  while (roast_table_reader_next (samples))
    g_assert_true (roast_table_reader_has (samples, ROAST_WORKER_SAMPLES_ACTIVE_TASKS));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording =
      roast_recording_new (roast_registry_get_schema (roast_registry_get_default ()));
  g_autoptr (GHashTable) totals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  VineTaskLimit limit = { MAX_TASKS, 0 };
  const VineReplayOptions options = { G_USEC_PER_SEC, &limit, TRUE, NULL };
  VineReplay *replay = vine_replay_new (recording, "taskvine-1", &options);
  const char *line = (const char *) data;
  size_t left = size;

  while (left > 0)
    {
      const char *end = memchr (line, '\n', left);
      size_t length = end != NULL ? (size_t) (end - line) : left;

      vine_replay_take_line (replay, line, length);
      left -= length + (end != NULL);
      line += length + (end != NULL);
    }
  vine_replay_flush (replay);
  vine_totals_add_to (replay, totals);
  vine_replay_finish (replay, NULL, size % 2 == 0);
  check_tasks (recording);
  check_activities (recording);
  check_counts (replay, recording);
  g_assert_cmpuint (roast_recording_get_n_refused (recording), ==, 0);
  vine_replay_free (replay);

  return 0;
}
