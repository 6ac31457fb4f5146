/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes as the answer of a manager's port: it is a list or an error, and a list makes rows that are valid. */

#include <stdint.h>

#include "vine-remote.h"
#include "vine-status.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_workers (RoastRecording *recording, guint n)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);

  g_assert_cmpuint (roast_table_reader_get_n_rows (workers), <=, n);
  while (roast_table_reader_next (workers))
    g_assert_true (roast_table_reader_has (workers, ROAST_WORKERS_LEFT));
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
  remote = vine_remote_new (recording, "host:9123", 2 * G_USEC_PER_SEC, NULL);
  vine_remote_take_manager (remote, status);
  vine_remote_take_workers (remote, status);
  vine_remote_finish (remote);
  check_workers (recording, json_array_get_length (status));
  vine_remote_free (remote);

  return 0;
}
