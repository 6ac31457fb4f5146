/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roastcoffea.h"

G_BEGIN_DECLS

/* One series of tracking that is being read: [[time, value], …]. */
typedef struct
{
  const Roastcoffea *roastcoffea;
  GString *text; /* for use meanwhile */
  RoastJsonScan scan;
  guint64 n;
  gboolean has; /* the next two are there */
  gint64 time;  /* µs since the epoch */
  double value;
} RoastcoffeaCursor;

/* At the first sample. @at: where the series begins; NULL for none. FALSE if it is not a series. */
gboolean roastcoffea_cursor_begin (RoastcoffeaCursor *self, const Roastcoffea *roastcoffea, GString *text,
                                   const char *at);
gboolean roastcoffea_cursor_next (RoastcoffeaCursor *self);
/* A time, in UTC. */
gboolean roastcoffea_read_time (const Roastcoffea *roastcoffea, RoastJsonScan *scan, GString *text, gint64 *time);

G_END_DECLS
