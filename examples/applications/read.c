/* SPDX-License-Identifier: BSD-3-Clause */

/* An application that reads a run file, in C: says how far the run is, and prints the peak memory of each worker.
 *
 *     read FILE
 *
 * cc read.c -o read $(pkg-config --cflags --libs roast-1)
 */

#include <locale.h>
#include <roast/roast.h>
#include <stdlib.h>

static const char *
state_of (RoastRunFile *file)
{
  switch (roast_run_file_get_state (file))
    {
    case ROAST_RUN_FILE_STATE_GROWING:
      return "running";
    case ROAST_RUN_FILE_STATE_INTERRUPTED:
      return "interrupted";
    case ROAST_RUN_FILE_STATE_CLOSED:
    default:
      return "complete";
    }
}

/* A reader of two columns loads these two. */
static gboolean
print_peaks (RoastRecording *recording, GError **error)
{
  const char *columns[] = { "worker", "memory", NULL };
  const guint worker[] = { 0 };
  g_autoptr (RoastTableReader) samples = roast_recording_read_table (recording, "worker_samples", columns, error);
  g_autoptr (GArray) peaks = g_array_new (FALSE, TRUE, sizeof (gint64));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (samples == NULL)
    return FALSE;
  roast_table_reader_group_by (samples, worker, G_N_ELEMENTS (worker));
  while (roast_table_reader_next (samples))
    {
      guint group = roast_table_reader_get_group (samples);

      if (group == names->len)
        {
          g_ptr_array_add (names, (char *) roast_table_reader_get_string (samples, 0));
          g_array_set_size (peaks, group + 1);
        }
      g_array_index (peaks, gint64, group) =
          MAX (g_array_index (peaks, gint64, group), roast_table_reader_get_int64 (samples, 1, 0));
    }
  for (guint i = 0; i < names->len; i++)
    g_print ("%s %" G_GINT64_FORMAT "\n", (const char *) g_ptr_array_index (names, i),
             g_array_index (peaks, gint64, i));

  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRunFile) file = NULL;
  g_autoptr (RoastRecording) recording = NULL;

  setlocale (LC_ALL, "");
  if (argc != 2)
    {
      g_printerr ("usage: read FILE\n");
      return EXIT_FAILURE;
    }
  file = roast_run_file_open (argv[1], &error);
  if (file != NULL)
    recording = roast_run_file_read (file, &error);
  if (recording != NULL)
    g_print ("%s\n", state_of (file));
  if (recording != NULL && print_peaks (recording, &error))
    return EXIT_SUCCESS;
  g_printerr ("read: %s\n", error->message);

  return EXIT_FAILURE;
}
