/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Decides which samples are kept: one per interval. The interval doubles after every 50,000 kept samples, so that a run
 * of days fits in memory. Kept samples are not averaged. */
typedef struct
{
  gint64 interval, due; /* µs */
  guint n;
} VineDownsampler;

#define VINE_DOWNSAMPLER_ROWS 50000

static inline void
vine_downsampler_init (VineDownsampler *self, gint64 interval)
{
  *self = (VineDownsampler) { MAX (interval, 1), G_MININT64, 0 };
}

/* Count @n rows that were written. */
static inline void
vine_downsampler_count (VineDownsampler *self, guint n)
{
  self->n += n;
  if (self->n < VINE_DOWNSAMPLER_ROWS)
    return;
  self->n = 0;
  self->interval *= 2;
}

static inline gboolean
vine_downsampler_is_due (VineDownsampler *self, gint64 time)
{
  if (time < self->due)
    return FALSE;
  vine_downsampler_count (self, 1);
  self->due = time + self->interval;

  return TRUE;
}
