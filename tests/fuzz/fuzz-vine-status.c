/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever a manager's port answers: a list or a reason, and of a list only what makes sense becomes rows. */

#include <stdint.h>

#include "vine-remote.h"
#include "vine-status.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_workers (RoastRecording *recording, guint n)
{
  g_autoptr (RoastTableSnapshot) workers = roast_table_snapshot (roast_recording_get_table (recording, "workers"));
  guint left = (guint) roast_table_snapshot_find_column (workers, "left");

  g_assert_cmpuint (roast_table_snapshot_get_n_rows (workers), <=, n);
  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (workers); i++)
    g_assert_true (roast_table_snapshot_is_valid (workers, i, left));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonArray) status = vine_status_decode ((const char *) data, size, &error);
  VineRemote *remote = NULL;

  g_assert_true ((status == NULL) == (error != NULL));
  if (status == NULL)
    return 0;
  recording = roast_recording_new (NULL);
  remote = vine_remote_new (recording, "host:9123", 2 * G_USEC_PER_SEC);
  vine_remote_take_manager (remote, status);
  vine_remote_take_workers (remote, status);
  vine_remote_finish (remote);
  check_workers (recording, json_array_get_length (status));
  vine_remote_free (remote);

  return 0;
}
