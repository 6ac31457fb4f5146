/* SPDX-License-Identifier: BSD-3-Clause */

/* Infer from times what was not recorded: the slot in which each attempt ran, the result that made the attempt ready,
 * and the event that the program waited for before it submitted a task. docs/what-if.md says how large the errors of
 * predicted times are with these constants. */

#include "what-if.h"

#include <math.h>

#include "percentile.h"
#include "time-search.h"

#define SAME_TIME 1e-4               /* s: times of the same worker count as equal up to this difference */
#define WHAT_IF_INFER_BLOCKED 0.5e-3 /* s: longest time until an attempt that waits for no result is ready */
#define RELEASES 10e-3               /* s: longest time from a result until attempts that waited for it are ready */
#define BURST 5e-3                   /* s: largest gap between two submissions of the same burst */
#define OF_TASK 0.1   /* for long tasks, the largest gap is this share of the median task time instead of BURST */
#define MANY_BURSTS 8 /* minimum number of bursts for inferring HABIT_KEEPS */
#define SOME_BURSTS 4 /* minimum number of bursts for comparing their lags with their intervals */
#define SOON 0.25     /* largest median lag for HABIT_KEEPS, as a share of the mean time between results */
#define CLEARLY_SMALLER 0.5
#define FOLLOWS 0.02 /* longest time between the last result of a phase and the next phase, as a share of the run */
#define PROMPTLY 0.1 /* maximum time between two phases, as a share of the time between the starts of both */
#define AT_ONCE 0.5  /* longest time for submitting all tasks of a phase, as a share of the phase */
#define WHAT_IF_INFER_FEW 0.25 /* largest share of tasks in phases that took longer to submit */

#define WHAT_IF_INFER_ATTEMPT(run, i) (&g_array_index ((run)->attempts, Attempt, (i)))

/* ---- slots ---- */

/* Return the slot of the worker that was freed last before @started, as an index in @ends. If no slot was free, return
 * the length of @ends. */
static guint
find_slot (const GArray *ends, double started)
{
  guint best = ends->len;

  for (guint i = 0; i < ends->len; i++)
    {
      double end = g_array_index (ends, double, i);

      if (end <= started + SAME_TIME && (best == ends->len || end > g_array_index (ends, double, best)))
        best = i;
    }

  return best;
}

static double
what_if_infer_get_median (GArray *values, double otherwise)
{
  return values->len > 0 ? percentile_get ((double *) (gpointer) values->data, values->len, 0.5) : otherwise;
}

static void
match_slots (Run *self)
{
  g_autoptr (GPtrArray) workers = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GArray) handovers = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < self->attempts->len; i++)
    {
      const Attempt *attempt = WHAT_IF_INFER_ATTEMPT (self, i);
      double lag = attempt->started - fmax (attempt->ready, g_array_index (self->joined, double, attempt->worker));
      GArray *ends = NULL;
      guint slot;

      while (workers->len <= attempt->worker)
        g_ptr_array_add (workers, g_array_new (FALSE, FALSE, sizeof (double)));
      ends = g_ptr_array_index (workers, attempt->worker);
      slot = find_slot (ends, attempt->started);
      if (slot < ends->len && g_array_index (ends, double, slot) > attempt->ready)
        {
          lag = attempt->started - g_array_index (ends, double, slot);
          g_array_append_val (handovers, lag);
        }
      else
        g_array_append_val (waits, lag);
      if (slot == ends->len)
        g_array_append_val (ends, attempt->ended);
      else
        g_array_index (ends, double, slot) = attempt->ended;
    }
  self->handover = fmax (what_if_infer_get_median (handovers, 0), 0);
  self->wait = fmax (what_if_infer_get_median (waits, self->handover), 0);
}

/* ---- order ---- */

/* Time of one event of an attempt: its submission, or when the executor noticed its end. */
typedef struct
{
  double at;
  guint32 attempt;
} Moment;

static int
compare_moments (const Moment *a, const Moment *b)
{
  if (a->at != b->at)
    return a->at < b->at ? -1 : 1;

  return (a->attempt > b->attempt) - (a->attempt < b->attempt);
}

static GArray *
sort_by (const Run *self, goffset member)
{
  GArray *moments = g_array_sized_new (FALSE, FALSE, sizeof (Moment), self->attempts->len);

  for (guint i = 0; i < self->attempts->len; i++)
    {
      Moment moment = { G_STRUCT_MEMBER (double, WHAT_IF_INFER_ATTEMPT (self, i), member), i };

      g_array_append_val (moments, moment);
    }
  g_array_sort (moments, (GCompareFunc) compare_moments);

  return moments;
}

/* ---- releasers of attempts ---- */

static void
find_releasers (Run *self, const GArray *results)
{
  self->releasers = g_new (guint32, self->attempts->len);
  for (guint i = 0; i < self->attempts->len; i++)
    {
      const Attempt *attempt = WHAT_IF_INFER_ATTEMPT (self, i);
      guint n = time_search (results, G_STRUCT_OFFSET (Moment, at), attempt->ready + WHAT_IF_INFER_BLOCKED);
      const Moment *last = n > 0 ? &g_array_index (results, Moment, n - 1) : NULL;
      gboolean waited = attempt->ready - attempt->submitted >= WHAT_IF_INFER_BLOCKED;

      self->releasers[i] =
          waited && last != NULL && attempt->ready - last->at < RELEASES && last->attempt < i ? last->attempt : NO_TASK;
    }
}

/* ---- the habit of the program ---- */

/* Submissions that follow each other without a gap. */
typedef struct
{
  guint first; /* index in the order of submission */
  double at, lag;
  guint n_results;  /* number of results known before the burst */
  gboolean is_open; /* other attempts had no result yet when the burst began */
} Burst;

static GArray *
find_bursts (const Run *self, const GArray *results, double gap)
{
  GArray *bursts = g_array_new (FALSE, FALSE, sizeof (Burst));
  double before = -INFINITY;

  for (guint i = 0; i < self->attempts->len; i++)
    {
      double at = WHAT_IF_INFER_ATTEMPT (self, self->order[i])->submitted;
      guint n = at - before > gap ? time_search (results, G_STRUCT_OFFSET (Moment, at), at) : 0;
      Burst burst = { i, at, NAN, n, i > n };

      if (n > 0)
        burst.lag = at - g_array_index (results, Moment, n - 1).at;
      if (at - before > gap)
        g_array_append_val (bursts, burst);
      before = at;
    }

  return bursts;
}

static double
what_if_infer_get_spread (const GArray *values)
{
  double sum = 0, squares = 0;

  for (guint i = 0; i < values->len; i++)
    sum += g_array_index (values, double, i);
  for (guint i = 0; i < values->len; i++)
    squares += pow (g_array_index (values, double, i) - sum / values->len, 2);

  return values->len > 0 ? sqrt (squares / values->len) : 0;
}

static gboolean
keeps_some_open (const Run *self, const GArray *bursts)
{
  g_autoptr (GArray) lags = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 1; i < bursts->len; i++)
    {
      const Burst *burst = &g_array_index (bursts, Burst, i);

      if (burst->n_results > 0 && burst->is_open)
        g_array_append_val (lags, burst->lag);
    }

  return lags->len >= MANY_BURSTS && what_if_infer_get_median (lags, NAN) < SOON * self->elapsed / self->attempts->len;
}

/* Infer the habit of the program from bursts that began when no attempt was under way. Either the program waits for
 * results, or the program submits tasks more slowly than its workers run them. */
static Habit
tell_waiting (const GArray *bursts)
{
  g_autoptr (GArray) lags = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) intervals = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 1; i < bursts->len; i++)
    {
      const Burst *burst = &g_array_index (bursts, Burst, i);
      double interval = burst->at - g_array_index (bursts, Burst, i - 1).at;

      g_array_append_val (intervals, interval);
      if (burst->n_results > 0)
        g_array_append_val (lags, burst->lag);
    }
  if (lags->len >= SOME_BURSTS &&
      what_if_infer_get_spread (lags) < CLEARLY_SMALLER * what_if_infer_get_spread (intervals))
    return HABIT_WAITS;
  if (lags->len >= SOME_BURSTS &&
      what_if_infer_get_spread (intervals) < CLEARLY_SMALLER * what_if_infer_get_spread (lags))
    return HABIT_OPEN;

  return HABIT_UNCLEAR;
}

/* Return the first burst of each phase. A phase begins with a burst that came when no attempt was under way, and
 * includes all later bursts until the next phase begins. Return NULL if too many tasks are in phases of which
 * submitting took more than half. */
static GArray *
find_phases (const Run *self, const GArray *results, const GArray *bursts)
{
  g_autoptr (GArray) phases = g_array_new (FALSE, FALSE, sizeof (Burst));
  guint n_arriving = 0;

  for (guint i = 0, next; i < bursts->len; i = next)
    {
      const Burst *phase = &g_array_index (bursts, Burst, i);
      double ended = g_array_index (results, Moment, results->len - 1).at;
      guint end = self->attempts->len;

      for (next = i + 1; next < bursts->len && g_array_index (bursts, Burst, next).is_open; next++)
        continue;
      if (next < bursts->len)
        {
          end = g_array_index (bursts, Burst, next).first;
          ended = g_array_index (results, Moment, end - 1).at;
        }
      if (g_array_index (bursts, Burst, next - 1).at - phase->at > AT_ONCE * (ended - phase->at))
        n_arriving += end - phase->first;
      g_array_append_val (phases, *phase);
    }

  return n_arriving <= WHAT_IF_INFER_FEW * self->attempts->len ? g_steal_pointer (&phases) : NULL;
}

/* Return whether each phase begins soon after the last result of the previous phase. A few phases are enough, because a
 * program that does not wait for results rarely does this by chance. */
static gboolean
is_prompt (const Run *self, const GArray *phases)
{
  for (guint i = 1; i < phases->len; i++)
    {
      const Burst *phase = &g_array_index (phases, Burst, i);
      double interval = phase->at - g_array_index (phases, Burst, i - 1).at;

      if (!(phase->lag <= fmin (FOLLOWS * self->elapsed, PROMPTLY * interval)))
        return FALSE;
    }

  return TRUE;
}

static double
get_gap (const Run *self)
{
  g_autoptr (GArray) times = g_array_sized_new (FALSE, FALSE, sizeof (double), self->attempts->len);

  for (guint i = 0; i < self->attempts->len; i++)
    {
      double time = WHAT_IF_INFER_ATTEMPT (self, i)->ended - WHAT_IF_INFER_ATTEMPT (self, i)->started;

      g_array_append_val (times, time);
    }

  return fmax (BURST, OF_TASK * what_if_infer_get_median (times, 0));
}

static Habit
find_habit (const Run *self, const GArray *results, double gap)
{
  g_autoptr (GArray) fine = find_bursts (self, results, BURST);
  g_autoptr (GArray) bursts = NULL;
  g_autoptr (GArray) phases = NULL;

  if (keeps_some_open (self, fine))
    return HABIT_KEEPS;
  bursts = find_bursts (self, results, gap);
  phases = find_phases (self, results, bursts);
  if (phases == NULL || phases->len < 2)
    return HABIT_OPEN;

  return is_prompt (self, phases) ? HABIT_WAITS : tell_waiting (phases);
}

static Release *
make_releases (const Run *self, const GArray *results, double gap, Habit habit)
{
  gboolean keeps = habit == HABIT_KEEPS;
  g_autoptr (GArray) bursts = find_bursts (self, results, keeps ? BURST : gap);
  Release *releases = g_new (Release, self->attempts->len);
  guint after = 0;

  for (guint i = 0, next = 0; i < self->attempts->len; i++)
    {
      double submitted = WHAT_IF_INFER_ATTEMPT (self, self->order[i])->submitted;

      if (next < bursts->len && g_array_index (bursts, Burst, next).first == i)
        {
          const Burst *burst = &g_array_index (bursts, Burst, next++);

          if (habit != HABIT_OPEN && (keeps || !burst->is_open))
            after = burst->n_results;
        }
      releases[self->order[i]].after = after;
      releases[self->order[i]].delay =
          after > 0 ? submitted - g_array_index (results, Moment, after - 1).at : submitted;
    }

  return releases;
}

void
run_infer (Run *self)
{
  g_autoptr (GArray) results = sort_by (self, G_STRUCT_OFFSET (Attempt, noticed));
  g_autoptr (GArray) submissions = sort_by (self, G_STRUCT_OFFSET (Attempt, submitted));
  g_autoptr (GArray) notices = g_array_sized_new (FALSE, FALSE, sizeof (double), self->attempts->len);
  double gap = get_gap (self);

  self->order = g_new (guint32, self->attempts->len);
  self->results = g_new (guint32, self->attempts->len);
  for (guint i = 0; i < self->attempts->len; i++)
    {
      double notice = WHAT_IF_INFER_ATTEMPT (self, i)->noticed - WHAT_IF_INFER_ATTEMPT (self, i)->ended;

      g_array_append_val (notices, notice);
      self->order[i] = g_array_index (submissions, Moment, i).attempt;
      self->results[i] = g_array_index (results, Moment, i).attempt;
    }
  self->notice = what_if_infer_get_median (notices, 0);
  match_slots (self);
  find_releasers (self, results);
  self->habit = find_habit (self, results, gap);
  self->releases = make_releases (self, results, gap, self->habit == HABIT_UNCLEAR ? HABIT_WAITS : self->habit);
  if (self->habit == HABIT_UNCLEAR)
    self->otherwise = make_releases (self, results, gap, HABIT_OPEN);
}
