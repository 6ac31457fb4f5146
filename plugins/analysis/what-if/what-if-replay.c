/* SPDX-License-Identifier: BSD-3-Clause */

/* Replay the attempts of a run on another number of slots, event by event, in O(n log n). A free slot takes, from the
 * ready attempts, the one that started first in the recorded run. */

#include "what-if.h"

#include <math.h>

/* Queue of ready attempts, as a tree of bits. The lowest level has one bit for each attempt. Each higher level has one
 * bit for each word of the level below it. The highest level is a single word. */
#define QUEUE_FAN 64
#define QUEUE_LEVELS 6 /* enough levels for 32-bit indices of attempts */

/* The end of an attempt. */
typedef struct
{
  double at;
  guint32 attempt;
} End;

typedef enum
{
  IS_SUBMITTED = 1 << 0,
  IS_RELEASED = 1 << 1, /* the attempt waited for no result, or its result is known */
} WhatIfReplayState;

typedef struct
{
  const Run *run;
  const Release *releases;
  const float *seconds;
  guint n_slots;
  End *running; /* heap of the running attempts; the next one to end is at the top */
  End *ended;   /* ends in order of time; the executor notices each of them run->notice later */
  guint n_running, n_ended;
  guint64 *queue[QUEUE_LEVELS];
  guint n_ready;
  double *ready;                   /* when each attempt became ready */
  guint8 *states;                  /* flags of WhatIfReplayState for each attempt */
  guint32 *first_user, *next_user; /* for each attempt, a linked list of the attempts that its result makes ready */
  GArray *freed;                   /* elements are double: the time at which each free slot became free, latest last */
  gint64 fresh;    /* number of slots not used yet; if negative, number of slots to remove as soon as they are free */
  gint64 recorded; /* number of slots of the recorded run at the current time */
  guint n_done, n_submitted, n_steps; /* results, submissions and steps so far */
  double now;
} Replay;

/* ---- running attempts ---- */

static gboolean
is_earlier (const End *a, const End *b)
{
  return a->at != b->at ? a->at < b->at : a->attempt < b->attempt;
}

static void
push_running (Replay *self, double at, guint32 attempt)
{
  End end = { at, attempt };
  End *heap = self->running;
  guint i = self->n_running++;

  for (; i > 0 && is_earlier (&end, &heap[(i - 1) / 2]); i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = end;
}

static End
pop_running (Replay *self)
{
  End *heap = self->running;
  guint n = --self->n_running;
  End top = heap[0], last = heap[n];
  guint i = 0;

  for (guint child = 1; child < n; child = 2 * i + 1)
    {
      if (child + 1 < n && is_earlier (&heap[child + 1], &heap[child]))
        child++;
      if (!is_earlier (&heap[child], &last))
        break;
      heap[i] = heap[child];
      i = child;
    }
  heap[i] = last;

  return top;
}

/* ---- ready attempts ---- */

static void
push_ready (Replay *self, guint32 attempt)
{
  guint32 index = attempt;

  self->ready[attempt] = self->now;
  self->n_ready++;
  for (guint level = 0; level < QUEUE_LEVELS; level++, index /= QUEUE_FAN)
    self->queue[level][index / QUEUE_FAN] |= G_GUINT64_CONSTANT (1) << index % QUEUE_FAN;
}

/* Return the ready attempt that started first in the recorded run. At least one attempt must be ready. */
static guint32
get_first_ready (const Replay *self)
{
  guint32 index = 0;

  for (guint level = QUEUE_LEVELS; level-- > 0;)
    index = index * QUEUE_FAN + (guint32) __builtin_ctzll (self->queue[level][index]);

  return index;
}

static void
drop_ready (Replay *self, guint32 attempt)
{
  guint32 index = attempt;

  self->n_ready--;
  for (guint level = 0; level < QUEUE_LEVELS; level++, index /= QUEUE_FAN)
    {
      guint64 *word = &self->queue[level][index / QUEUE_FAN];

      *word &= ~(G_GUINT64_CONSTANT (1) << index % QUEUE_FAN);
      if (*word != 0)
        return;
    }
}

/* Allocate all levels of the queue as one block. Return this block. */
static guint64 *
allocate_queue (Replay *self)
{
  gsize n = self->run->attempts->len;
  guint64 *words = g_new0 (guint64, n / (QUEUE_FAN - 1) + 2 * QUEUE_LEVELS);
  guint64 *next = words;

  for (guint level = 0; level < QUEUE_LEVELS; level++, next += n)
    {
      n = n / QUEUE_FAN + 1;
      self->queue[level] = next;
    }

  return words;
}

/* ---- slots ---- */

static void
free_slots (Replay *self, guint n)
{
  for (guint i = 0; i < n && self->n_slots != ENDLESS; i++)
    if (self->fresh < 0)
      self->fresh++;
    else
      g_array_append_val (self->freed, self->now);
}

/* Convert a number of slots of the recorded run to the replay, which has at most self->n_slots slots. */
static gint64
scale (const Replay *self, gint64 recorded)
{
  double slots = round ((double) recorded * self->n_slots / self->run->n_slots);

  return recorded > 0 ? (gint64) fmax (slots, 1) : 0;
}

static void
take_step (Replay *self)
{
  gint64 before = scale (self, self->recorded);

  self->recorded += g_array_index (self->run->steps, Step, self->n_steps++).change;
  self->fresh += scale (self, self->recorded) - before;
  while (self->fresh < 0 && self->freed->len > 0)
    {
      g_array_set_size (self->freed, self->freed->len - 1);
      self->fresh++;
    }
}

/* ---- attempts ---- */

static void
start (Replay *self, guint32 i)
{
  const Run *run = self->run;
  double begin = self->ready[i] + run->wait;

  for (guint slot = 0; slot < run->slots[i] && self->n_slots != ENDLESS; slot++)
    {
      if (self->freed->len > 0)
        {
          begin = fmax (begin, g_array_index (self->freed, double, self->freed->len - 1) + run->handover);
          g_array_set_size (self->freed, self->freed->len - 1);
        }
      else
        {
          begin = fmax (begin, self->now + run->wait);
          self->fresh--;
        }
    }
  push_running (self, begin + self->seconds[i], i);
}

static void
start_ready (Replay *self)
{
  while (self->n_ready > 0)
    {
      guint32 first = get_first_ready (self);
      gint64 needed = self->run->slots[first];

      if (self->n_slots != ENDLESS && MAX (self->fresh, 0) + self->freed->len < needed)
        return;
      drop_ready (self, first);
      start (self, first);
    }
}

static void
mark (Replay *self, guint32 attempt, WhatIfReplayState state)
{
  self->states[attempt] |= state;
  if (self->states[attempt] == (IS_SUBMITTED | IS_RELEASED))
    push_ready (self, attempt);
}

static void
take_end (Replay *self)
{
  End end = pop_running (self);

  free_slots (self, self->run->slots[end.attempt]);
  self->ended[self->n_ended++] = end;
}

static void
take_result (Replay *self)
{
  guint32 attempt = self->ended[self->n_done++].attempt;

  for (guint32 user = self->first_user[attempt]; user != NO_TASK; user = self->next_user[user])
    mark (self, user, IS_RELEASED);
}

/* ---- time ---- */

/* Return the time at which the executor notices the result with this number, counted from 0; INFINITY if fewer
 * attempts have ended. */
static double
get_result (const Replay *self, guint number)
{
  return number < self->n_ended ? self->ended[number].at + self->run->notice : INFINITY;
}

/* Return the time at which the program submits its next attempt; INFINITY if it has submitted all attempts, or if it
 * needs a result first. The program submits attempts in the recorded order. */
static double
get_submission (const Replay *self)
{
  const Release *release = NULL;

  if (self->n_submitted == self->run->attempts->len)
    return INFINITY;
  release = &self->releases[self->run->order[self->n_submitted]];
  if (release->after > self->n_done)
    return INFINITY;

  return fmax (self->now,
               release->after == 0 ? release->delay : get_result (self, release->after - 1) + release->delay);
}

static double
get_step (const Replay *self)
{
  return self->n_slots != ENDLESS && self->n_steps < self->run->steps->len
             ? g_array_index (self->run->steps, Step, self->n_steps).at
             : INFINITY;
}

/* Handle the next event. Return FALSE if there are no more events. */
static gboolean
replay_advance (Replay *self)
{
  double submission = get_submission (self), result = get_result (self, self->n_done), step = get_step (self);
  double end = self->n_running > 0 ? self->running[0].at : INFINITY;
  double next = fmin (fmin (submission, result), fmin (step, end));

  /* Start attempts only after all events with the current time have been handled. */
  if (next > self->now && self->n_ready > 0)
    {
      start_ready (self);
      end = self->n_running > 0 ? self->running[0].at : INFINITY;
      next = fmin (next, end);
    }
  if (isinf (next))
    return FALSE;
  self->now = next;
  if (next == submission)
    mark (self, self->run->order[self->n_submitted++], IS_SUBMITTED);
  else if (next == end)
    take_end (self);
  else if (next == result)
    take_result (self);
  else
    take_step (self);

  return TRUE;
}

static void
prepare (Replay *self)
{
  const Run *run = self->run;
  guint n = run->attempts->len;

  for (guint i = 0; i < n; i++)
    self->first_user[i] = NO_TASK;
  for (guint i = 0; i < n; i++)
    {
      guint32 releaser = run->releasers[i];

      self->states[i] = releaser == NO_TASK ? IS_RELEASED : 0;
      self->next_user[i] = releaser == NO_TASK ? NO_TASK : self->first_user[releaser];
      if (releaser != NO_TASK)
        self->first_user[releaser] = i;
    }
}

/* Return the time that the run would take with endless slots, if the program waited for no results. Each attempt then
 * starts as soon as it is submitted and the result that makes it ready is known. */
static double
add_up_chains (const Run *run, const Release *releases, const float *seconds)
{
  guint n = run->attempts->len;
  g_autofree double *noticed = g_new (double, n);
  double finish = 0;

  for (guint i = 0; i < n; i++)
    {
      double ready = run->releasers[i] == NO_TASK ? 0 : noticed[run->releasers[i]];

      ready = fmax (ready, releases[i].delay);
      noticed[i] = ready + run->wait + seconds[i] + run->notice;
      finish = fmax (finish, noticed[i]);
    }

  return finish;
}

double
run_replay (const Run *run, guint n_slots, const Release *releases, const float *seconds)
{
  guint n = run->attempts->len;
  g_autofree End *running = g_new (End, n);
  g_autofree End *ended = g_new (End, n);
  g_autoptr (GArray) freed = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree double *ready = g_new (double, n);
  g_autofree guint64 *queue = NULL;
  g_autofree guint8 *states = g_new (guint8, n);
  g_autofree guint32 *first_user = g_new (guint32, n);
  g_autofree guint32 *next_user = g_new (guint32, n);
  Replay self = {
    .run = run,
    .releases = releases,
    .seconds = seconds,
    .n_slots = n_slots,
    .running = running,
    .ended = ended,
    .ready = ready,
    .states = states,
    .first_user = first_user,
    .next_user = next_user,
    .freed = freed,
  };

  if (n_slots == ENDLESS && releases[run->order[n - 1]].after == 0)
    return add_up_chains (run, releases, seconds);
  queue = allocate_queue (&self);
  prepare (&self);
  while (replay_advance (&self))
    continue;

  return self.n_done == n ? get_result (&self, n - 1) : NAN;
}
