/* SPDX-License-Identifier: BSD-3-Clause */

/* Replay the attempts of a run on other slots, event by event, in O(n log n). A slot takes the ready attempt that
 * started first in the run. */

#include "what-if.h"

#include <math.h>

/* Queue of ready attempts: a bit for each attempt, a bit for each word of these bits, and so on up to one word. */
#define QUEUE_FAN 64
#define QUEUE_LEVELS 6 /* enough for 32 bits */

typedef enum
{
  WHAT_IF_REPLAY_SUBMITTED,
  WHAT_IF_REPLAY_ENDED,
  WHAT_IF_REPLAY_NOTICED,
  WHAT_IF_REPLAY_STEP, /* slots are added or removed */
} EventKind;

typedef struct
{
  double at;
  guint32 kind;
  guint32 subject; /* an attempt or a step */
} Event;

typedef enum
{
  IS_SUBMITTED = 1 << 0,
  IS_RELEASED = 1 << 1, /* by the result that the attempt waited for */
} WhatIfReplayState;

typedef struct
{
  const Run *run;
  const Release *releases;
  const float *seconds;
  guint n_slots;
  GArray *events; /* elements are Event: a heap */
  guint64 *queue[QUEUE_LEVELS];
  guint n_ready;
  double *ready;                   /* when each attempt became ready */
  guint8 *states;                  /* State of each attempt */
  guint32 *first_user, *next_user; /* lists of the attempts that each attempt releases */
  GArray *freed;                   /* elements are double: when the free slots became free, the latest time last */
  gint64 fresh;              /* slots that no attempt has used yet; if negative, held slots that are to be removed */
  gint64 recorded;           /* slots that the run had at the current time */
  guint n_done, n_submitted; /* n_submitted: attempts submitted, or due by an event, in the order of submission */
  gboolean is_pending;       /* an event for a submission at a fixed time is pending */
  double finish;
} Replay;

/* ---- events ---- */

static gboolean
is_earlier (const Event *a, const Event *b)
{
  if (a->at != b->at)
    return a->at < b->at;

  return a->kind != b->kind ? a->kind < b->kind : a->subject < b->subject;
}

static void
push_event (Replay *self, double at, EventKind kind, guint32 subject)
{
  Event event = { at, kind, subject };
  Event *heap = NULL;
  guint i = self->events->len;

  g_array_append_val (self->events, event);
  heap = (Event *) (gpointer) self->events->data;
  for (; i > 0 && is_earlier (&event, &heap[(i - 1) / 2]); i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = event;
}

static Event
pop_event (Replay *self)
{
  Event *heap = (Event *) (gpointer) self->events->data;
  guint n = self->events->len - 1;
  Event top = heap[0], last = heap[n];
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
  g_array_set_size (self->events, n);

  return top;
}

/* ---- ready attempts ---- */

static void
push_ready (Replay *self, guint32 attempt, double now)
{
  guint32 index = attempt;

  self->ready[attempt] = now;
  self->n_ready++;
  for (guint level = 0; level < QUEUE_LEVELS; level++, index /= QUEUE_FAN)
    self->queue[level][index / QUEUE_FAN] |= G_GUINT64_CONSTANT (1) << index % QUEUE_FAN;
}

/* At least one attempt must be ready. */
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

static void
allocate_queue (Replay *self)
{
  gsize n = self->run->attempts->len;

  for (guint level = 0; level < QUEUE_LEVELS; level++)
    {
      n = n / QUEUE_FAN + 1;
      self->queue[level] = g_new0 (guint64, n);
    }
}

static void
free_queue (Replay *self)
{
  for (guint level = 0; level < QUEUE_LEVELS; level++)
    g_free (self->queue[level]);
}

/* ---- slots ---- */

static void
what_if_replay_add_slots (Replay *self, gint64 change)
{
  self->fresh += change;
  while (self->fresh < 0 && self->freed->len > 0)
    {
      g_array_set_size (self->freed, self->freed->len - 1);
      self->fresh++;
    }
}

static void
free_slots (Replay *self, guint n, double now)
{
  for (guint i = 0; i < n && self->n_slots != ENDLESS; i++)
    if (self->fresh < 0)
      self->fresh++;
    else
      g_array_append_val (self->freed, now);
}

/* Scale the number of slots that the run had at one time. */
static gint64
scale (const Replay *self, gint64 recorded)
{
  double slots = round ((double) recorded * self->n_slots / self->run->n_slots);

  return recorded > 0 ? (gint64) fmax (slots, 1) : 0;
}

static void
take_step (Replay *self, const Step *step)
{
  gint64 before = scale (self, self->recorded);

  self->recorded += step->change;
  what_if_replay_add_slots (self, scale (self, self->recorded) - before);
}

/* ---- attempts ---- */

static void
start (Replay *self, guint32 i, double now)
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
          begin = fmax (begin, now + run->wait);
          self->fresh--;
        }
    }
  push_event (self, begin + self->seconds[i], WHAT_IF_REPLAY_ENDED, i);
}

static void
start_ready (Replay *self, double now)
{
  while (self->n_ready > 0)
    {
      guint32 first = get_first_ready (self);
      gint64 needed = self->run->slots[first];

      if (self->n_slots != ENDLESS && MAX (self->fresh, 0) + self->freed->len < needed)
        return;
      drop_ready (self, first);
      start (self, first, now);
    }
}

static void
mark (Replay *self, guint32 attempt, WhatIfReplayState state, double now)
{
  self->states[attempt] |= state;
  if (self->states[attempt] == (IS_SUBMITTED | IS_RELEASED))
    push_ready (self, attempt, now);
}

/* Push submissions at fixed times one after the other. Otherwise all of them would be in the heap. */
static void
submit_due (Replay *self, double now)
{
  const Run *run = self->run;

  while (self->n_submitted < run->attempts->len)
    {
      guint32 next = run->order[self->n_submitted];
      const Release *release = &self->releases[next];

      if (release->after > self->n_done || self->is_pending)
        return;
      self->is_pending = release->after == 0;
      push_event (self, release->after == 0 ? release->delay : now + release->delay, WHAT_IF_REPLAY_SUBMITTED, next);
      self->n_submitted++;
    }
}

static void
take_result (Replay *self, guint32 attempt, double now)
{
  self->n_done++;
  self->finish = now;
  for (guint32 user = self->first_user[attempt]; user != NO_TASK; user = self->next_user[user])
    mark (self, user, IS_RELEASED, now);
  submit_due (self, now);
}

static void
take_submission (Replay *self, guint32 attempt, double now)
{
  mark (self, attempt, IS_SUBMITTED, now);
  if (self->releases[attempt].after > 0)
    return;
  self->is_pending = FALSE;
  submit_due (self, now);
}

static void
handle (Replay *self, const Event *event)
{
  switch ((EventKind) event->kind)
    {
    case WHAT_IF_REPLAY_SUBMITTED:
      take_submission (self, event->subject, event->at);
      break;
    case WHAT_IF_REPLAY_ENDED:
      free_slots (self, self->run->slots[event->subject], event->at);
      push_event (self, event->at + self->run->notice, WHAT_IF_REPLAY_NOTICED, event->subject);
      break;
    case WHAT_IF_REPLAY_NOTICED:
      take_result (self, event->subject, event->at);
      break;
    case WHAT_IF_REPLAY_STEP:
    default:
      take_step (self, &g_array_index (self->run->steps, Step, event->subject));
      break;
    }
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
  for (guint i = 0; self->n_slots != ENDLESS && i < run->steps->len; i++)
    push_event (self, g_array_index (run->steps, Step, i).at, WHAT_IF_REPLAY_STEP, i);
  submit_due (self, 0);
}

/* Return the time on endless slots, for a program that waits for no results: each attempt follows the attempt that it
 * waited for. */
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
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_autoptr (GArray) freed = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree double *ready = g_new (double, n);
  g_autofree guint8 *states = g_new (guint8, n);
  g_autofree guint32 *first_user = g_new (guint32, n);
  g_autofree guint32 *next_user = g_new (guint32, n);
  Replay self = {
    .run = run,
    .releases = releases,
    .seconds = seconds,
    .n_slots = n_slots,
    .events = events,
    .ready = ready,
    .states = states,
    .first_user = first_user,
    .next_user = next_user,
    .freed = freed,
  };

  if (n_slots == ENDLESS && releases[run->order[n - 1]].after == 0)
    return add_up_chains (run, releases, seconds);
  allocate_queue (&self);
  prepare (&self);
  while (events->len > 0)
    {
      Event event = pop_event (&self);

      handle (&self, &event);
      /* Handle all events of this time first. */
      if (events->len == 0 || g_array_index (events, Event, 0).at > event.at)
        start_ready (&self, event.at);
    }

  free_queue (&self);

  return self.n_done == n ? self.finish : NAN;
}
