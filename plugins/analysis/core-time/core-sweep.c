/* SPDX-License-Identifier: BSD-3-Clause */

/* Go through the events of a source in order of time; between two events, nothing changes. Give the slots of each
 * worker to its claims, in order of precedence. Then attribute the slots that remain free to the reasons why attempts
 * wait. */

#include "core-claims.h"

#define CROWDED                                                                                                        \
  0.01 /* report more running tasks than slots if their core time exceeds this share of the offered time */

#define PER_CORE ((double) CORE_EVENTS_PER_CORE)
#define TO_SECONDS (1.0 / PER_CORE / G_USEC_PER_SEC)

/* State of a worker at one time, in millionths of cores. */
typedef struct
{
  gint64 since;
  gint64 capacity, hold, calls, fetching, blind, cancelled, open;
  gboolean was_cancelled; /* A cancelled attempt may still run in its thread at the worker. */
  gint64 claims[CLAIM_N]; /* millionths of cores that each claim requests */
  gint64 taken[CLAIM_N];  /* millionths of cores that each claim received */
  gint64 blank;           /* slots without a claim while no data arrived from the worker; they may have been busy */
  gint64 perhaps;         /* slots that are free unless a cancelled attempt runs on them */
  gint64 inputs, rest;    /* inputs: free slots whose attempts still fetch inputs; rest: other free slots */
  gint64 taken_open;      /* part of @rest that attempts without a row may hold */
} SweepState;

/* State of all workers at one time. */
typedef struct
{
  CoreSource *source;
  SweepState *states;
  guint stretch;
  gint64 since;
  gint64 rest;                       /* sum of SweepState.rest over all workers */
  gint64 open;                       /* part of @rest that attempts without a row may hold */
  gint64 sizes[CLAIMS_MAX_NEED + 1]; /* element i: part of @rest at workers with i whole free cores */
  gint64 ready[CLAIMS_MAX_NEED + 1]; /* element i: number of waiting attempts that need i cores */
  gint64 n_ready, blocked;           /* n_ready: waiting attempts whose number of cores is known */
  guint least;                       /* lower bound of the number of cores that any waiting attempt needs */
  double offered, crowded;           /* core-seconds: of all workers; of tasks that ran although no slot was left */
} Sweep;

static guint
sweep_get_size (gint64 rest)
{
  return (guint) MIN (rest / CORE_EVENTS_PER_CORE, CLAIMS_MAX_NEED);
}

/* ---- one worker ---- */

static void
sweep_divide (Sweep *self, SweepState *state)
{
  gint64 free = MAX (state->capacity, 0);

  self->rest -= state->rest;
  self->open -= state->taken_open;
  self->sizes[sweep_get_size (state->rest)] -= state->rest;
  state->claims[CLAIM_LIBRARY_IDLE] = MAX (state->hold - state->calls, 0);
  for (guint i = 0; i < CLAIM_N; i++)
    {
      gint64 taken = CLAMP (state->claims[i], 0, free);

      state->taken[i] = taken;
      free -= taken;
    }
  state->blank = state->blind > 0 ? free : 0;
  free -= state->blank;
  state->perhaps = CLAMP (state->cancelled, 0, free);
  free -= state->perhaps;
  state->inputs = CLAMP (state->fetching, 0, free);
  state->rest = free - state->inputs;
  self->rest += state->rest;
  state->taken_open = MIN (state->open, state->rest);
  self->open += state->taken_open;
  self->sizes[sweep_get_size (state->rest)] += state->rest;
}

/* Maps a claim to its part of core_time. The value -1 means that core_source_split() divides the time of the claim
 * among several parts. */
static const int parts_of_claims[CLAIM_N] = {
  [CLAIM_LOST_FAILED] = ROAST_CORE_PART_LOST_FAILED,
  [CLAIM_LOST_RETRIED] = ROAST_CORE_PART_LOST_RETRIED,
  [CLAIM_LOST_CANCELLED] = ROAST_CORE_PART_LOST_CANCELLED,
  [CLAIM_LOST_EXHAUSTED] = ROAST_CORE_PART_LOST_EXHAUSTED,
  [CLAIM_LOST_WORKER] = ROAST_CORE_PART_LOST_WORKER,
  [CLAIM_LIBRARY_START] = ROAST_CORE_PART_LIBRARY_START,
  [CLAIM_LIBRARY_IDLE] = ROAST_CORE_PART_LIBRARY_IDLE,
  [CLAIM_LIBRARY_FAILED] = ROAST_CORE_PART_LIBRARY_FAILED,
  [CLAIM_TASK] = -1,
  [CLAIM_TASK_UNSPLIT] = ROAST_CORE_PART_TASK_UNSPLIT,
  [CLAIM_FRAMEWORK] = -1,
  [CLAIM_FRAMEWORK_UNSPLIT] = ROAST_CORE_PART_TASK_UNSPLIT,
  [CLAIM_RUNNING] = ROAST_CORE_PART_TASK_RUNNING,
  [CLAIM_MOVE_IN] = ROAST_CORE_PART_MOVE_IN,
  [CLAIM_MOVE_OUT] = ROAST_CORE_PART_MOVE_OUT,
  [CLAIM_PERHAPS_LOST] = ROAST_CORE_PART_LOST_WORKER,
};

static void
account_worker (Sweep *self, guint index, gint64 time)
{
  SweepState *state = &self->states[index];
  CoreWorker *worker = &g_array_index (self->source->workers, CoreWorker, index);
  double *parts = self->source->parts[self->stretch];
  double length = (double) (time - state->since) * TO_SECONDS;

  state->since = time;
  if (!(length > 0) || state->capacity <= 0)
    return;
  worker->offered[self->stretch] += (double) state->capacity * length;
  self->offered += (double) state->capacity * length;
  self->crowded += (double) MAX (state->claims[CLAIM_TASK] - state->taken[CLAIM_TASK], 0) * length;
  for (guint i = 0; i < CLAIM_N; i++)
    if (state->taken[i] > 0 && parts_of_claims[i] >= 0)
      parts[parts_of_claims[i]] += (double) state->taken[i] * length;
  worker->task[self->stretch] += (double) state->taken[CLAIM_TASK] * length;
  worker->framework[self->stretch] += (double) state->taken[CLAIM_FRAMEWORK] * length;
  worker->free[self->stretch] += (double) (state->inputs + state->rest) * length;
  worker->inputs[self->stretch] += (double) state->inputs * length;
  worker->perhaps[self->stretch] += (double) state->perhaps * length;
  if (state->was_cancelled)
    worker->later[self->stretch] += (double) (state->inputs + state->rest) * length;
  self->source->framework_unsplit[self->stretch] += (double) state->taken[CLAIM_FRAMEWORK_UNSPLIT] * length;
  parts[ROAST_CORE_PART_UNKNOWN] += (double) state->blank * length;
  if (state->taken[CLAIM_PERHAPS_LOST] > 0)
    self->source->is_estimated[ROAST_CORE_PART_LOST_WORKER] = TRUE;
}

/* ---- free slots ---- */

/* Attribute free slots to the reasons why attempts wait. Each attempt explains as many slots as it needs cores. Slots
 * that no attempt explains had no work. */
static void
account_free (Sweep *self, gint64 time)
{
  double *parts = self->source->parts[self->stretch];
  double length = (double) (time - self->since) * TO_SECONDS;
  gint64 free = self->rest;
  gint64 no_fit = 0;
  gint64 taken;

  self->since = time;
  if (!(length > 0) || self->rest == 0)
    return;
  /* Count slots as unknown if attempts that are under way at the end of the run may hold them. These attempts have no
   * row. */
  taken = CLAMP (self->source->n_unfinished * CORE_EVENTS_PER_CORE, 0, self->open);
  parts[ROAST_CORE_PART_UNKNOWN] += (double) taken * length;
  free -= taken;

  if (self->n_ready > 0)
    {
      gint64 wanted = 0;

      while (self->least < CLAIMS_MAX_NEED && self->ready[self->least] == 0)
        self->least++;
      for (guint size = 0; size < self->least; size++)
        no_fit += self->sizes[size];
      for (guint need = self->least; need <= CLAIMS_MAX_NEED && wanted < free; need++)
        wanted += self->ready[need] * need * CORE_EVENTS_PER_CORE;
      taken = MIN (MAX (free - no_fit, 0), wanted);
      parts[ROAST_CORE_PART_IDLE_EXECUTOR] += (double) taken * length;
      free -= taken;
      /* Count only attempts that found no slot above. An attempt that fits at one worker does not explain free slots of
       * other workers, even if it does not fit there. */
      taken = MIN (MIN (no_fit, free), wanted - taken);
      parts[ROAST_CORE_PART_IDLE_NO_FIT] += (double) taken * length;
      free -= taken;
    }
  /* Waiting tasks without a row may have waited all the time. */
  taken = MIN (free, (self->ready[0] + MAX (self->source->n_waiting, 0)) * CORE_EVENTS_PER_CORE);
  parts[ROAST_CORE_PART_IDLE_UNDETERMINED] += (double) taken * length;
  free -= taken;
  taken = MIN (free, self->blocked * CORE_EVENTS_PER_CORE);
  parts[ROAST_CORE_PART_IDLE_INPUTS] += (double) taken * length;
  free -= taken;
  parts[ROAST_CORE_PART_IDLE_NO_WORK] += (double) free * length;
}

/* ---- all events ---- */

static gint64 *
get_amount (SweepState *state, guint what)
{
  switch (what)
    {
    case CHANGE_CAPACITY:
      return &state->capacity;
    case CHANGE_HOLD:
      return &state->hold;
    case CHANGE_CALLS:
      return &state->calls;
    case CHANGE_FETCHING:
      return &state->fetching;
    case CHANGE_BLIND:
      return &state->blind;
    case CHANGE_CANCELLED:
      return &state->cancelled;
    case CHANGE_OPEN:
      return &state->open;
    default:
      return &state->claims[what];
    }
}

static void
sweep_apply (Sweep *self, const CoreEvent *event)
{
  SweepState *state = NULL;

  if (event->what == CHANGE_READY)
    {
      self->ready[event->where] += event->amount;
      self->n_ready += event->where > 0 ? event->amount : 0;
      if (event->where > 0 && event->amount > 0)
        self->least = MIN (self->least, event->where);
      return;
    }
  if (event->what == CHANGE_BLOCKED)
    {
      self->blocked += event->amount;
      return;
    }
  account_worker (self, event->where, event->time);
  state = &self->states[event->where];
  *get_amount (state, event->what) += event->amount;
  state->was_cancelled |= event->what == CHANGE_CANCELLED && event->amount < 0;
  sweep_divide (self, state);
}

static void
sweep_end_stretch (Sweep *self)
{
  gint64 time = (gint64) self->source->bounds[self->stretch + 1];

  for (guint i = 0; i < self->source->workers->len; i++)
    account_worker (self, i, time);
  account_free (self, time);
  self->stretch++;
}

/* Events before the start of the run count as if they happened at the start, and events after its end as if they
 * happened at the end. */
void
core_source_sweep (CoreSource *self)
{
  g_autofree SweepState *states = g_new0 (SweepState, self->workers->len + 1);
  g_autofree Sweep *sweep = g_new0 (Sweep, 1);

  sweep->source = self;
  sweep->states = states;
  sweep->since = (gint64) self->started;
  sweep->least = CLAIMS_MAX_NEED;
  for (guint i = 0; i < self->workers->len; i++)
    states[i].since = sweep->since;
  for (gsize i = 0; i < self->events->n; i++)
    {
      CoreEvent event = self->events->items[i];

      event.time = CLAMP (event.time, (gint64) self->started, (gint64) self->ended);
      while (sweep->stretch < CORE_TIME_N_STRETCHES - 1 && event.time >= (gint64) self->bounds[sweep->stretch + 1])
        sweep_end_stretch (sweep);
      account_free (sweep, event.time);
      sweep_apply (sweep, &event);
    }
  while (sweep->stretch < CORE_TIME_N_STRETCHES)
    sweep_end_stretch (sweep);
  /* A task that gave back its slot counts as in its slot until it ends, because executors do not report when. */
  if (self->rough == NULL && sweep->crowded > CROWDED * sweep->offered)
    self->rough =
        g_strdup ("more tasks ran at a time than their worker had slots: some held no slot, for example after "
                  "secede ()");
}
