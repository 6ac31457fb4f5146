/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

G_BEGIN_DECLS

typedef struct
{
  const char *source;
  double started, ended; /* us since the epoch; NaN: nothing has started, or ended; infinity: something goes on */
} Window;

/* Until when a source worked: what never ended worked until the end. */
static inline double
window_get_end (const Window *window, const Window *run)
{
  return isfinite (window->ended) ? window->ended : run->ended;
}

/* Writes a row of the table windows. */
void window_write (const Window *window, RoastTableWriter *table, double ended, guint kind, const char *why);

/* Calls of an analysis' executor: their rows of the table windows. */
void windows_write_processing (RoastRecordingSnapshot *recording, const Window *run, RoastReport *report,
                               RoastTableWriter *table);

G_END_DECLS
