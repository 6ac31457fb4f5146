/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes as metrics.json of roastcoffea: it is refused with a reason, or rows are in range. */

#include <math.h>
#include <stdint.h>

#include "roastcoffea.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_chunks (RoastRecording *recording)
{
  static const guint slots[] = { ROAST_CHUNKS_EVENTS, ROAST_CHUNKS_BYTES_READ, ROAST_CHUNKS_STARTED,
                                 ROAST_CHUNKS_ENDED };
  g_autoptr (RoastTableReader) chunks =
      roast_recording_read_table (recording, ROAST_TABLE_CHUNKS, roast_chunks_columns, NULL);

  while (roast_table_reader_next (chunks))
    for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
      g_assert_cmpint (roast_table_reader_get_int64 (chunks, slots[i], 0), >=, 0);
}

static void
check_samples (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_read_table (recording, ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns, NULL);

  while (roast_table_reader_next (samples))
    {
      g_assert_cmpint (roast_table_reader_get_int64 (samples, ROAST_WORKER_SAMPLES_TIME, -1), >=, 0);
      g_assert_cmpint (roast_table_reader_get_int64 (samples, ROAST_WORKER_SAMPLES_MEMORY, 0), >=, 0);
      g_assert_false (roast_table_reader_get_double (samples, ROAST_WORKER_SAMPLES_CPU_PERCENT) < 0);
      g_assert_nonnull (roast_table_reader_get_string (samples, ROAST_WORKER_SAMPLES_WORKER));
    }
}

/* Each worker has one row, and left after it joined. */
static void
check_workers (RoastRecording *recording)
{
  g_autoptr (RoastTableReader) workers =
      roast_recording_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);

  while (roast_table_reader_next (workers))
    g_assert_cmpint (roast_table_reader_get_int64 (workers, ROAST_WORKERS_LEFT, G_MAXINT64), >=,
                     roast_table_reader_get_int64 (workers, ROAST_WORKERS_JOINED, -1));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  /* Without a NUL behind it: what reads too far is found. */
  g_autofree char *text = g_memdup2 (data, size);
  gboolean ok = roastcoffea_take (recording, text != NULL ? text : "", size, "0.5,12.25\n", NULL, left_out, &error);

  g_assert_true (ok == (error == NULL));
  g_assert_cmpuint (left_out->len, <=, 100);
  check_chunks (recording);
  check_samples (recording);
  check_workers (recording);

  return 0;
}
