/* SPDX-License-Identifier: BSD-3-Clause */

/* Find the stretches of a source. The steady stretch begins when analysis tasks first hold almost the largest number of
 * slots that they hold in the run. It ends when they last hold that many. */

#include "core-claims.h"

/* The steady stretch extends as far as tasks hold at least this share of the maximum number of busy slots. */
#define STEADY_SHARE 0.9

/* The maximum number of busy slots must last for at least this share of the time, so that short peaks do not count. */
#define LASTING_SHARE 0.01
#define N_LEVELS 1000

typedef struct
{
  gint64 first, last; /* µs: start and end of the steady time; -1 if there is none */
  double most;        /* largest number of busy slots, in millionths of cores */
} Plateau;

static gboolean
is_work (const CoreEvent *event)
{
  return event->what <= CLAIM_LOST_WORKER || event->what == CLAIM_TASK || event->what == CLAIM_TASK_UNSPLIT ||
         event->what == CLAIM_RUNNING;
}

/* Return how long the state after event @i lasts; 0 if the next event has the same time. Skip states of length 0: if
 * one claim begins at the moment at which another ends, the slots were never busy with both. */
static double
get_length (const CoreEvents *events, gsize i, gint64 from, gint64 to)
{
  gint64 until = i + 1 < events->n ? MIN (events->items[i + 1].time, to) : to;

  return (double) MAX (until - MAX (events->items[i].time, from), 0);
}

/* Return the largest number of slots that were busy together for at least LASTING_SHARE of the time from @from to @to.
 * The unit is a millionth of a core. */
static double
find_most (const CoreEvents *events, gint64 from, gint64 to)
{
  double times[N_LEVELS + 1] = { 0 };
  gint64 highest[N_LEVELS + 1] = { 0 };
  double time = 0;
  gint64 busy = 0;
  gint64 most = 0;
  guint level = N_LEVELS;

  for (gsize i = 0; i < events->n && events->items[i].time < to; i++)
    {
      busy += is_work (&events->items[i]) ? events->items[i].amount : 0;
      if (get_length (events, i, from, to) > 0)
        most = MAX (most, busy);
    }
  if (most == 0)
    return 0;
  busy = 0;
  for (gsize i = 0; i < events->n && events->items[i].time < to; i++)
    {
      busy += is_work (&events->items[i]) ? events->items[i].amount : 0;
      if (get_length (events, i, from, to) > 0)
        {
          gint64 at = CLAMP (busy * N_LEVELS / most, 0, N_LEVELS);

          times[at] += get_length (events, i, from, to);
          highest[at] = MAX (highest[at], busy);
        }
    }
  for (time = times[level]; level > 1 && time < LASTING_SHARE * (double) (to - from); time += times[level])
    level--;

  return (double) highest[level];
}

static Plateau
find_plateau (const CoreEvents *events, gint64 from, gint64 to)
{
  Plateau plateau = { -1, -1, find_most (events, from, to) };
  gint64 busy = 0;
  gboolean is_high = FALSE;

  for (gsize i = 0; i < events->n; i++)
    {
      const CoreEvent *event = &events->items[i];

      if (is_work (event))
        busy += event->amount;
      if (i + 1 < events->n && events->items[i + 1].time == event->time)
        continue;
      if (event->time >= to)
        break;
      if (event->time < from || plateau.most <= 0)
        continue;
      if (is_high)
        plateau.last = event->time;
      is_high = (double) busy >= STEADY_SHARE * plateau.most;
      if (is_high && plateau.first < 0)
        plateau.first = event->time;
    }
  if (is_high)
    plateau.last = to;

  return plateau;
}

static char *
dup_cores (double millionths)
{
  return g_strdup_printf ("%g", millionths / CORE_EVENTS_PER_CORE);
}

static void
set_undivided (CoreSource *self)
{
  for (guint i = 0; i <= ROAST_STRETCH_STEADY; i++)
    self->bounds[i] = self->started;
  for (guint i = ROAST_STRETCH_TAIL; i <= CORE_TIME_N_STRETCHES; i++)
    self->bounds[i] = self->ended;
  self->reasons[ROAST_STRETCH_STEADY] =
      g_strdup (self->has_unknown_starts
                    ? "run not divided into stretches: attempts came to workers, but no attempt has a start time"
                    : "run not divided into stretches: no task of the analysis started");
}

void
core_source_find_stretches (CoreSource *self)
{
  gint64 from = (gint64) fmax (self->work_started, self->started);
  gint64 to = (gint64) fmin (self->work_ended, self->ended);
  g_autofree char *most = NULL;
  Plateau plateau;

  core_events_sort (self->events);
  if (isnan (self->work_started) || to <= from)
    {
      set_undivided (self);
      return;
    }
  plateau = find_plateau (self->events, from, to);
  if (plateau.first < 0)
    plateau.first = plateau.last = from;
  most = dup_cores (plateau.most);
  self->bounds[ROAST_STRETCH_STARTUP] = self->started;
  self->bounds[ROAST_STRETCH_RAMP] = (double) from;
  self->bounds[ROAST_STRETCH_STEADY] = (double) plateau.first;
  self->bounds[ROAST_STRETCH_TAIL] = (double) plateau.last;
  self->bounds[ROAST_STRETCH_SHUTDOWN] = (double) to;
  self->bounds[CORE_TIME_N_STRETCHES] = self->ended;
  self->reasons[ROAST_STRETCH_STARTUP] = g_strdup ("the run started");
  self->reasons[ROAST_STRETCH_RAMP] = g_strdup ("the first task of the analysis started");
  self->reasons[ROAST_STRETCH_STEADY] =
      g_strdup_printf ("from here on, tasks held at least 90 %% of %s slots, the largest number that tasks held for 1 "
                       "%% of the time between the first and the last task",
                       most);
  self->reasons[ROAST_STRETCH_TAIL] =
      g_strdup_printf ("from here on, tasks never again held 90 %% of %s slots, the largest number that tasks held for "
                       "1 %% of the time between the first and the last task",
                       most);
  self->reasons[ROAST_STRETCH_SHUTDOWN] = g_strdup ("the last task of the analysis ended");
}
