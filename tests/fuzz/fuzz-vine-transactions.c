/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever is in a manager's log: each line is taken, or counted as unusable, and what is in the tables makes sense. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "vine-replay.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static const VineReplayOptions options = { G_USEC_PER_SEC, 100, TRUE, NULL };

static gint64
get (RoastTableSnapshot *table, guint64 row, const char *name)
{
  guint column = (guint) roast_table_snapshot_find_column (table, name);

  return roast_table_snapshot_is_valid (table, row, column) ? roast_table_snapshot_get_int64 (table, row, column) : -1;
}

static void
check_tasks (RoastRecording *recording)
{
  g_autoptr (RoastTableSnapshot) tasks = roast_table_snapshot (roast_recording_get_table (recording, "tasks"));
  guint status = (guint) roast_table_snapshot_find_column (tasks, "status");

  g_assert_cmpuint (roast_table_snapshot_get_n_rows (tasks), <=, options.max_tasks);
  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (tasks); i++)
    {
      gint64 started = get (tasks, i, "started");

      g_assert_cmpint (get (tasks, i, "attempt"), >, 0);
      g_assert_true (roast_table_snapshot_is_valid (tasks, i, status));
      if (started >= 0)
        g_assert_cmpint (get (tasks, i, "ended"), >=, started);
    }
}

static void
check_activities (RoastRecording *recording)
{
  g_autoptr (RoastTableSnapshot) activities =
      roast_table_snapshot (roast_recording_get_table (recording, "activities"));
  guint value = (guint) roast_table_snapshot_find_column (activities, "value");

  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (activities); i++)
    if (roast_table_snapshot_is_valid (activities, i, value))
      g_assert_cmpfloat (roast_table_snapshot_get_double (activities, i, value), >=, 0);
}

static void
check_counts (VineReplay *replay, RoastRecording *recording)
{
  VineCounts counts = vine_replay_get_counts (replay);
  g_autoptr (RoastTableSnapshot) samples =
      roast_table_snapshot (roast_recording_get_table (recording, "worker_samples"));
  guint active = (guint) roast_table_snapshot_find_column (samples, "active_tasks");

  g_assert_cmpuint (counts.unusable + counts.unknown, <=, counts.lines);
  g_assert_cmpuint (counts.workers.left, <=, counts.workers.joined);
  g_assert_cmpuint (counts.tasks.submitted, <=, counts.tasks.attempts);
  g_assert_cmpuint (counts.tasks.returned + counts.tasks.lost + counts.tasks.unfinished, <=, counts.lines);
  g_assert_cmpfloat (counts.tasks.execute, >=, 0);
  /* A number below zero would be missing. */
  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (samples); i++)
    g_assert_true (roast_table_snapshot_is_valid (samples, i, active));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording =
      roast_recording_new (roast_registry_get_schema (roast_registry_get_default ()));
  g_autoptr (GHashTable) totals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
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
  vine_replay_add_totals (replay, totals);
  vine_replay_finish (replay, NULL, size % 2 == 0);
  check_tasks (recording);
  check_activities (recording);
  check_counts (replay, recording);
  vine_replay_free (replay);

  return 0;
}
