/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes as prmon's text or JSON: they are refused with a reason, or what is in the recording is in range. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "prmon.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static gboolean
take_text (RoastRecording *recording, const char *data, size_t size, GPtrArray *left_out, GError **error)
{
  FILE *file = size > 0 ? fmemopen ((void *) data, size, "r") : fopen ("/dev/null", "r");
  gboolean ok = prmon_text_take (recording, file, left_out, error);

  fclose (file);

  return ok;
}

static void
check_samples (RoastRecording *recording)
{
  static const guint slots[] = { ROAST_CLUSTER_SAMPLES_MEMORY, ROAST_CLUSTER_SAMPLES_MEMORY_PSS,
                                 ROAST_CLUSTER_SAMPLES_THREADS, ROAST_CLUSTER_SAMPLES_WORKERS };
  g_autoptr (RoastTableReader) samples =
      roast_recording_read_table (recording, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns, NULL);

  while (roast_table_reader_next (samples))
    {
      g_assert_cmpint (roast_table_reader_get_int64 (samples, ROAST_CLUSTER_SAMPLES_TIME, -1), >=, 0);
      for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
        g_assert_cmpint (roast_table_reader_get_int64 (samples, slots[i], 0), >=, 0);
    }
}

/* An import that succeeds has one row of sums, and times in order. */
static void
check_sums (RoastRecording *recording)
{
  g_autoptr (GVariant) metadata = roast_recording_dup_metadata (recording);
  g_autoptr (RoastTableReader) processes =
      roast_recording_read_table (recording, ROAST_TABLE_PROCESSES, roast_processes_columns, NULL);
  gint64 started, ended;

  g_assert_cmpuint (roast_table_reader_get_n_rows (processes), ==, 1);
  g_assert_true (roast_table_reader_next (processes));
  g_assert_false (roast_table_reader_get_double (processes, ROAST_PROCESSES_CPU_USER) < 0);
  g_assert_cmpint (roast_table_reader_get_int64 (processes, ROAST_PROCESSES_READ_CHARS, 0), >=, 0);
  if (g_variant_lookup (metadata, "started", "x", &started) && g_variant_lookup (metadata, "ended", "x", &ended))
    {
      g_assert_cmpint (started, >=, 0);
      g_assert_cmpint (ended, >=, started);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (RoastRecording) recording = roast_recording_new (NULL);
  g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strndup ((const char *) data, size);
  gboolean is_json = size > 0 && data[0] == '{';
  gboolean ok = is_json ? prmon_json_take (recording, text, size, G_TIME_SPAN_DAY * 365 * 50, left_out, &error)
                        : take_text (recording, (const char *) data, size, left_out, &error);

  g_assert_true (ok == (error == NULL));
  for (guint i = 0; i < left_out->len; i++)
    g_assert_true (g_utf8_validate (g_ptr_array_index (left_out, i), -1, NULL));
  if (ok)
    check_sums (recording);
  check_samples (recording);

  return 0;
}
