/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever a peer of the run's socket sends: each line is taken or refused with a reason, and what is taken makes
 * sense. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../../core/socket/roast-run-protocol-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_counts (RoastRecording *recording)
{
  g_autoptr (RoastTableSnapshot) chunks = roast_table_snapshot (roast_recording_get_table (recording, "chunks"));
  guint events = (guint) roast_table_snapshot_find_column (chunks, "events");

  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (chunks); i++)
    g_assert_cmpint (roast_table_snapshot_get_int64 (chunks, i, events), >=, 0);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (RoastRunPeer) peer = roast_run_peer_new (recording, "program-1", "t");
  g_autofree char *copy = g_memdup2 (data, size); /* a line is read in place */
  char *line = copy;
  size_t left = size;

  while (left > 0)
    {
      char *end = memchr (line, '\n', left);
      size_t length = end != NULL ? (size_t) (end - line) : left;
      g_autoptr (GError) error = NULL;
      gboolean greeted = roast_run_peer_is_greeted (peer);
      gboolean ok = roast_run_peer_read_line (peer, line, length, &error);

      g_assert_true (ok == (error == NULL));
      g_assert_true (greeted || !ok || roast_run_peer_is_greeted (peer));
      left -= length + (end != NULL);
      line += length + (end != NULL);
    }
  check_counts (recording);

  return 0;
}
