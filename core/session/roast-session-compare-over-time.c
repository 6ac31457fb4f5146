/* SPDX-License-Identifier: BSD-3-Clause */

/* Writes how many attempts of each category ran at the same time, over the time of a run, as a mean over the runs of a
 * side. The times are the same for all runs, from the start of a run to the end of the longest run, so that the two
 * sides can be drawn one below the other. */

#include "roast-session-compare-private.h"

#include <math.h>

#include "roast/roast-tables.h"

#define N_ROWS 120 /* number of times for each category */

/* The attempts of one category over the time of one run. */
typedef struct
{
  const char *side;
  char *category; /* name of the category; NULL for all merged categories */
  float busy[COMPARED_BINS];
  double elapsed; /* elapsed time of the run, in s */
} Line;

void
compared_line_free (gpointer data)
{
  Line *self = data;

  g_free (self->category);
  g_free (self);
}

void
compared_add_busy (double *bins, double elapsed, double from, double to)
{
  double width = elapsed / COMPARED_BINS;
  guint first, last;

  if (!(elapsed > 0) || !(to > from))
    return;
  first = (guint) CLAMP (from / width, 0, COMPARED_BINS - 1);
  last = (guint) CLAMP (to / width, 0, COMPARED_BINS - 1);
  for (guint i = first; i <= last; i++)
    bins[i] += fmax (fmin (to, (i + 1) * width) - fmax (from, i * width), 0) / width;
}

void
compared_add_line (Facts *self, const char *category, const double *bins)
{
  Line *line = NULL;

  if (!(self->elapsed > 0))
    return;
  line = g_new0 (Line, 1);
  line->side = self->side;
  line->category = g_strdup (category);
  line->elapsed = self->elapsed;
  for (guint i = 0; i < COMPARED_BINS; i++)
    line->busy[i] = (float) bins[i];
  g_ptr_array_add (self->lines, line);
}

/* ---- the table ---- */

/* Return how many of the attempts that a line counts ran at once, on average between @from and @to. */
static double
get_mean (const Line *self, double from, double to)
{
  double width = self->elapsed / COMPARED_BINS;
  double sum = 0;

  for (guint i = (guint) fmin (from / width, COMPARED_BINS); i < COMPARED_BINS && i * width < to; i++)
    sum += self->busy[i] * fmax (fmin (to, (i + 1) * width) - fmax (from, i * width), 0);

  return sum / (to - from);
}

static void
put_rows (RoastTableWriter *table, const Line *like, const GPtrArray *lines, double longest, guint n_runs)
{
  for (guint row = 0; row < N_ROWS; row++)
    {
      double from = longest * row / N_ROWS, to = longest * (row + 1) / N_ROWS;
      double sum = 0;

      for (guint i = 0; i < lines->len; i++)
        {
          const Line *line = g_ptr_array_index (lines, i);

          if (line->side == like->side && g_strcmp0 (line->category, like->category) == 0)
            sum += get_mean (line, from, to);
        }
      roast_table_writer_set_string (table, ROAST_COMPARED_OVER_TIME_SOURCE, like->side);
      roast_table_writer_set_string (table, ROAST_COMPARED_OVER_TIME_CATEGORY, like->category);
      roast_table_writer_set_double (table, ROAST_COMPARED_OVER_TIME_STARTED, from);
      roast_table_writer_set_double (table, ROAST_COMPARED_OVER_TIME_RUNNING, sum / n_runs);
      roast_table_writer_end (table, NULL);
    }
}

/* Return whether an earlier line has the same side and category. */
static gboolean
is_written (const GPtrArray *lines, guint n)
{
  const Line *line = g_ptr_array_index (lines, n);

  for (guint i = 0; i < n; i++)
    {
      const Line *earlier = g_ptr_array_index (lines, i);

      if (earlier->side == line->side && g_strcmp0 (earlier->category, line->category) == 0)
        return TRUE;
    }

  return FALSE;
}

void
compared_put_over_time (Facts *self, RoastRecording *recording, guint n_new, guint n_reference)
{
  g_autoptr (RoastTableWriter) table = roast_compared_over_time_write (recording, NULL);
  double longest = 0;

  for (guint i = 0; i < self->lines->len; i++)
    longest = fmax (longest, ((const Line *) g_ptr_array_index (self->lines, i))->elapsed);
  for (guint i = 0; i < self->lines->len; i++)
    {
      const Line *line = g_ptr_array_index (self->lines, i);

      if (!is_written (self->lines, i))
        put_rows (table, line, self->lines, longest, g_str_equal (line->side, "new") ? n_new : n_reference);
    }
}
