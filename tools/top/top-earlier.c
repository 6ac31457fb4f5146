/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds an earlier run of the same command, and uses it to estimate the remaining time of this run. */

#include "top.h"

#include <math.h>

#include "run-entry.h"

struct _TopEarlier
{
  gint64 started; /* start of the earlier run, µs since the epoch */
  GArray *done;   /* elements are double: time at which each task was done, in s after the start, ascending */
  double length;  /* elapsed time of the earlier run, s */
};

void
top_earlier_free (TopEarlier *self)
{
  g_clear_pointer (&self->done, g_array_unref);
  g_free (self);
}

static int
compare_times (const double *a, const double *b)
{
  return (*a > *b) - (*a < *b);
}

static GArray *
read_done (RoastRecording *recording, gint64 started)
{
  GArray *done = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (RoastTableReader) tasks =
      roast_recording_read_table (recording, ROAST_TABLE_TASKS, roast_tasks_columns, NULL);

  while (tasks != NULL && roast_table_reader_next (tasks))
    {
      gint64 ended = roast_table_reader_get_int64 (tasks, ROAST_TASKS_ENDED, -1);
      double time =
          (double) (roast_table_reader_get_int64 (tasks, ROAST_TASKS_NOTICED, ended) - started) / G_USEC_PER_SEC;

      if (roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE && time > 0)
        g_array_append_val (done, time);
    }
  g_array_sort (done, (GCompareFunc) compare_times);

  return done;
}

TopEarlier *
top_earlier_find (const TopLook *look)
{
  g_autoptr (RoastRuns) runs = roast_runs_new (NULL);
  g_autoptr (GPtrArray) entries = runs != NULL ? run_entry_list (runs, NULL) : NULL;
  GVariant *metadata = roast_recording_snapshot_get_metadata (look->snapshot);

  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      const RunEntry *entry = g_ptr_array_index (entries, i);
      g_autoptr (RoastRecording) recording = NULL;
      g_autoptr (TopEarlier) self = NULL;

      if (!run_entry_repeats (entry, metadata) || run_entry_get_started (entry) >= look->started)
        continue;
      recording = roast_run_file_read (entry->file, NULL);
      if (recording == NULL)
        continue;
      self = g_new0 (TopEarlier, 1);
      self->started = run_entry_get_started (entry);
      self->length = run_entry_get_duration (entry);
      self->done = read_done (recording, self->started);
      if (self->done->len > 0)
        return g_steal_pointer (&self);
    }

  return NULL;
}

/* Makes two estimates of the remaining time. For the first, finds the time at which the earlier run had done as many
 * tasks as this run, and takes the time that the earlier run needed from then on. The second is the first multiplied by
 * the ratio of the times that both runs needed for these tasks. If no task was done for @quiet seconds, and the earlier
 * run had ended by then, this run does not go on like it. */
char *
top_earlier_describe (const TopEarlier *self, double done, double elapsed, double quiet)
{
  g_autofree char *date = report_format_time (self->started);
  double then, left, stretched;
  g_autofree char *least = NULL;
  g_autofree char *most = NULL;

  if (!(done >= 1) || done > self->done->len)
    return NULL;
  then = g_array_index (self->done, double, (guint) done - 1);
  left = self->length - then;
  stretched = left * elapsed / then;
  if (!(left > quiet))
    return NULL;
  least = roast_format_number (fmin (left, stretched), "duration");
  most = roast_format_number (fmax (left, stretched), "duration");
  if (g_str_equal (least, most))
    return g_strdup_printf ("about %s left, as in the run of %s", least, date);

  return g_strdup_printf ("about %s to %s left, as in the run of %s", least, most, date);
}
