/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Amounts of cores are integers, in millionths. So an amount that is added and later subtracted leaves exactly 0. */
#define CORE_EVENTS_PER_CORE 1000000

/* An event changes a value (@what, a Claim or Change) of a worker (@where) by an amount. For CHANGE_READY, @where is
 * instead the number of cores that the waiting attempts need. */
typedef struct
{
  gint64 time;   /* µs since the epoch */
  gint32 amount; /* millionths of cores, or a number of attempts */
  guint32 what : 5;
  guint32 where : 27;
} CoreEvent;

typedef struct
{
  CoreEvent *items;
  gsize n, size;
} CoreEvents;

CoreEvents *core_events_new (void);
void core_events_free (CoreEvents *self);
void core_events_add (CoreEvents *self, gint64 time, guint what, guint where, gint32 amount);
/* Add two events, so that the amount counts from @from to @to. Do nothing if @from is unknown (-1), or if @to is not
 * later than @from. */
void core_events_add_between (CoreEvents *self, gint64 from, gint64 to, guint what, guint where, gint32 amount);
/* Sort by time. Events of the same time may change their order. */
void core_events_sort (CoreEvents *self);
