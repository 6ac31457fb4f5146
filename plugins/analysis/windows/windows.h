/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

typedef struct
{
  const char *source;
  double started, ended; /* µs since the epoch; NaN if no work started or ended; @ended is infinity if work goes on */
} Window;

/* Return the end of a source's work. If the work has no end, return the end of the run. */
static inline double
window_get_end (const Window *window, const Window *run)
{
  return isfinite (window->ended) ? window->ended : run->ended;
}

/* Write a row of the table windows. */
void window_write (const Window *window, RoastTableWriter *table, double ended, guint kind, const char *why);

/* Write the rows of the table windows for the calls of an analysis' executor. */
void windows_write_processing (RoastRecordingSnapshot *recording, const Window *run, RoastReport *report,
                               RoastTableWriter *table);
