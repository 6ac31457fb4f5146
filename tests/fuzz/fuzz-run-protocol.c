/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever a program sends on the run's socket: each line is taken or refused with a reason, and what is taken makes
 * sense. */

#include <roast/roast.h>
#include <stdint.h>
#include <string.h>

#include "../../core/socket/roast-run-protocol-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_counts (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) chunks =
      roast_recording_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL);

  while (roast_table_reader_next (chunks))
    {
      g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_EVENTS, 0), >=, 0);
      g_assert_cmpint (roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_STARTED, 0), <=,
                       roast_table_reader_get_int64 (chunks, ROAST_CHUNKS_ENDED, G_MAXINT64));
    }
}

static guint64
count_events (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) events =
      roast_recording_read_table (recording, ROAST_TABLE_EVENTS, roast_events_columns, NULL);

  return roast_table_reader_get_n_rows (events);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRunFaults) faults = roast_run_faults_new ();
  g_autoptr (RoastRunQuota) quota = roast_run_quota_new ();
  g_autoptr (RoastRunPeer) peer = roast_run_peer_new (recording, "t", 42, faults, quota);
  const char *line = (const char *) data;
  size_t left = size;
  gboolean all_good = TRUE;
  guint64 events;

  roast_run_peer_set_source (peer, "program-1");
  while (left > 0)
    {
      const char *end = memchr (line, '\n', left);
      size_t length = end != NULL ? (size_t) (end - line) : left;
      g_autofree char *copy = g_memdup2 (line, length > 0 ? length : 1);
      gboolean greeted = roast_run_peer_is_greeted (peer);
      gboolean ok = roast_run_peer_read_line (peer, copy, length);

      g_assert_true (greeted || !ok || roast_run_peer_is_greeted (peer));
      all_good &= ok;
      left -= length + (end != NULL);
      line += length + (end != NULL);
    }
  check_counts (recording);
  events = count_events (recording);
  roast_run_faults_report (faults, recording, "program-1");
  g_assert_true (all_good || count_events (recording) > events);

  return 0;
}
