/* SPDX-License-Identifier: BSD-3-Clause */

/* Collect attempts: when each attempt waits, when it holds slots, and to which claim these slots belong. If the
 * executor allocates cores to an attempt, the attempt holds these cores from its dispatch until its results are
 * fetched. Without an allocation, an attempt holds a slot only while it runs. */

#include "core-claims.h"
#include "core-collect.h"
#include "coverage.h"
#include "group-element.h"
#include "id-set.h"

#define CLOCK_ERROR G_USEC_PER_SEC /* tolerated difference in µs between the clocks of executor and worker */

/* Values that all attempts with the same source, category, worker and role share. */
typedef struct
{
  gboolean is_known;
  CoreSource *source; /* NULL if the source has no slots */
  guint worker;
  guint role;
} Kind;

typedef struct
{
  CoreCollection *collection;
  IdSet succeeded; /* hashes of the tasks that succeeded in a second or later attempt */
} CollectTasksAttempts;

/* One attempt. Unknown times are -1. */
typedef struct
{
  const Kind *kind;
  gint64 ready, dispatched, delivered, started, ended, retrieved;
  int status;
  gint32 cores;       /* cores that the attempt occupies, in millionths */
  gboolean holds;     /* the executor allocated cores to the attempt */
  gint64 over;        /* time at which the attempt had ended or was given up; if unknown, the end of the run */
  gboolean lacks_end; /* the attempt started and has a result, but its end is unknown */
} CollectTasksAttempt;

/* ---- look-ups ---- */

static guint64
hash_task (RoastTableReader *tasks)
{
  guint64 hash = ID_SET_START;
  const char *source = roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE);
  const char *task = roast_table_reader_get_string (tasks, ROAST_TASKS_TASK);

  hash = id_set_hash_text (hash, source != NULL ? source : "");

  return id_set_hash_text (hash, task != NULL ? task : "");
}

/* Collect the tasks that succeeded in a second or later attempt. Store no other hashes, because most tasks have only
 * one attempt. */
static void
find_succeeded (CollectTasksAttempts *self, RoastTableReader *tasks)
{
  while (roast_table_reader_next (tasks))
    if (roast_table_reader_get_int64 (tasks, ROAST_TASKS_ATTEMPT, 1) > 1 &&
        roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE)
      id_set_add (&self->succeeded, hash_task (tasks));
}

static void
collect_tasks_find_kind (CollectTasksAttempts *self, RoastTableReader *tasks, Kind *kind)
{
  const char *source = roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE);

  kind->is_known = TRUE;
  kind->source = core_collection_get_source (self->collection, source);
  kind->worker =
      core_collection_get_worker (self->collection, source, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
  kind->role = roast_run_model_get_role_of_task (self->collection->model, tasks);
}

/* ---- events of one attempt ---- */

static void
add_between (const CollectTasksAttempt *attempt, gint64 from, gint64 to, guint what, guint where, gint32 amount)
{
  core_events_add_between (attempt->kind->source->events, from, to, what, where, amount);
}

/* Return the claim of an attempt whose time was lost; CLAIM_N if no time was lost, because the attempt has a result or
 * may still return one. */
static guint
get_loss (CollectTasksAttempts *self, const CollectTasksAttempt *attempt, RoastTableReader *tasks)
{
  switch (attempt->status)
    {
    case ROAST_STATUS_FAILED:
    case ROAST_STATUS_KILLED_WORKER:
      return self->succeeded.n > 0 && id_set_contains (&self->succeeded, hash_task (tasks)) ? CLAIM_LOST_RETRIED
                                                                                            : CLAIM_LOST_FAILED;
    case ROAST_STATUS_CANCELLED:
      return CLAIM_LOST_CANCELLED;
    case ROAST_STATUS_EXHAUSTED:
      return CLAIM_LOST_EXHAUSTED;
    case ROAST_STATUS_LOST:
      return CLAIM_LOST_WORKER;
    default:
      return CLAIM_N;
    }
}

/* Return the number of cores that an attempt waits for; 0 if the attempt may wait for memory, disk or GPUs instead. The
 * recording does not show how much of these is free. If an attempt requests more cores than any worker has, it waits
 * for cores in any case. */
static guint
get_need (RoastTableReader *tasks, const CollectTasksAttempt *attempt)
{
  double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_REQUESTED);
  const CoreSource *source = attempt->kind->source;
  gboolean is_too_large = cores > source->most_cores && source->n_without_cores == 0;

  if (!attempt->holds && isnan (cores))
    return 1;
  if (!(cores > 0) || (!is_too_large && (roast_table_reader_has (tasks, ROAST_TASKS_MEMORY_REQUESTED) ||
                                         roast_table_reader_has (tasks, ROAST_TASKS_DISK_REQUESTED) ||
                                         roast_table_reader_has (tasks, ROAST_TASKS_GPUS_REQUESTED))))
    return 0;

  return (guint) CLAMP (ceil (cores), 1, CLAIMS_MAX_NEED);
}

/* Return whether the attempt was cancelled, has no known start, but may have run at its worker. Its slot does not count
 * as free. */
static gboolean
may_have_run (const CollectTasksAttempt *attempt)
{
  const Kind *kind = attempt->kind;

  return attempt->status == ROAST_STATUS_CANCELLED && kind->worker != CORE_TIME_NO_WORKER && !attempt->holds &&
         attempt->started < 0 && attempt->dispatched >= 0 && !(kind->source->has_libraries && attempt->ended >= 0);
}

/* Add the time that an attempt waits: from its submission until it runs, or until it gets slots. Between dispatch and
 * delivery, the attempt waits for its inputs. An attempt that waits for inputs explains only free slots of its own
 * worker. */
static void
add_waiting (const CollectTasksAttempt *attempt, RoastTableReader *tasks)
{
  guint need = get_need (tasks, attempt);
  gint64 submitted = roast_table_reader_get_int64 (tasks, ROAST_TASKS_SUBMITTED, -1);
  gint64 until = attempt->holds && attempt->dispatched >= 0 ? attempt->dispatched
                 : attempt->started >= 0                    ? attempt->started
                                                            : attempt->over;

  core_source_add_line (attempt->kind->source, CORE_LINE_WAITING, attempt->ready, until);
  if (may_have_run (attempt))
    until = MAX (attempt->dispatched, attempt->delivered);
  if (roast_table_reader_has (tasks, ROAST_TASKS_READY))
    add_between (attempt, submitted, MIN (attempt->ready, until), CHANGE_BLOCKED, 0, 1);
  if (attempt->holds || attempt->dispatched < 0 || attempt->delivered < 0 ||
      attempt->delivered <= attempt->dispatched || attempt->kind->worker == CORE_TIME_NO_WORKER ||
      attempt->delivered > until)
    {
      add_between (attempt, attempt->ready, until, CHANGE_READY, need, 1);
      return;
    }
  add_between (attempt, attempt->ready, attempt->dispatched, CHANGE_READY, need, 1);
  add_between (attempt, attempt->dispatched, attempt->delivered, CHANGE_FETCHING, attempt->kind->worker,
               CORE_EVENTS_PER_CORE);
  add_between (attempt, attempt->delivered, until, CHANGE_READY, need, 1);
}

/* Add an attempt without a result and without a known start that may have run. This is a call that was sent to its
 * library, an attempt at a worker that vanished, or a cancelled attempt. */
static void
add_perhaps (const CollectTasksAttempt *attempt, guint loss)
{
  static const guint parts[] = { ROAST_CORE_PART_LOST_FAILED, ROAST_CORE_PART_LOST_RETRIED,
                                 ROAST_CORE_PART_LOST_CANCELLED, ROAST_CORE_PART_LOST_EXHAUSTED,
                                 ROAST_CORE_PART_LOST_WORKER };
  CoreSource *source = attempt->kind->source;
  guint worker = attempt->kind->worker;
  gint64 since = attempt->delivered >= 0 ? attempt->delivered : attempt->dispatched;

  source->has_unknown_starts = TRUE;
  if (source->has_libraries && attempt->ended >= 0)
    {
      add_between (attempt, since, attempt->ended, loss, worker, attempt->cores);
      add_between (attempt, since, attempt->ended, CHANGE_CALLS, worker, attempt->cores);
      source->is_estimated[parts[loss]] = TRUE;
    }
  else if (loss == CLAIM_LOST_WORKER)
    {
      add_between (attempt, since, attempt->over, CLAIM_PERHAPS_LOST, worker, attempt->cores);
    }
  else if (may_have_run (attempt))
    {
      add_between (attempt, since, attempt->over, CHANGE_CANCELLED, worker, attempt->cores);
    }
}

static guint
get_claim (const CollectTasksAttempt *attempt, RoastTableReader *tasks)
{
  gboolean is_framework = attempt->kind->role == ROAST_ROLE_FRAMEWORK;

  if (!isnan (roast_table_reader_get_double (tasks, ROAST_TASKS_CPU)))
    return is_framework ? CLAIM_FRAMEWORK : CLAIM_TASK;
  if (attempt->status == ROAST_STATUS_RUNNING || attempt->status == ROAST_STATUS_UNFINISHED)
    return CLAIM_RUNNING;

  return is_framework ? CLAIM_FRAMEWORK_UNSPLIT : CLAIM_TASK_UNSPLIT;
}

/* Leave an attempt with known times out of the sum that its worker has of such attempts, which is for those without. */
static void
take_from_sum (const CollectTasksAttempt *attempt, gint64 from, gint64 to)
{
  if (!attempt->holds && to > from)
    g_array_index (attempt->kind->source->workers, CoreWorker, attempt->kind->worker).cancelled -=
        (double) (to - from) / G_USEC_PER_SEC * attempt->cores / CORE_EVENTS_PER_CORE;
}

/* Add the time that an attempt holds slots. A call of a library uses cores that the library already holds. */
static void
add_running (CollectTasksAttempts *self, const CollectTasksAttempt *attempt, RoastTableReader *tasks)
{
  guint worker = attempt->kind->worker;
  guint loss = get_loss (self, attempt, tasks);
  gint64 from = attempt->holds && attempt->dispatched >= 0 ? attempt->dispatched : attempt->started;
  gint64 to = attempt->holds ? MAX (attempt->ended, attempt->retrieved) : attempt->ended;

  if (!attempt->holds && attempt->kind->source->has_libraries)
    add_between (attempt, attempt->started, attempt->ended, CHANGE_CALLS, worker, attempt->cores);
  if (from >= 0 && loss == CLAIM_LOST_CANCELLED)
    take_from_sum (attempt, from, to);
  if (loss < CLAIM_N && from >= 0)
    {
      add_between (attempt, from, to, loss, worker, attempt->cores);
      return;
    }
  if (loss < CLAIM_N)
    {
      add_perhaps (attempt, loss);
      return;
    }
  add_between (attempt, attempt->started, attempt->ended, get_claim (attempt, tasks), worker, attempt->cores);
  if (attempt->holds)
    {
      /* The attempt has ended without a known start. It ran some time after its inputs were delivered. */
      gint64 until = attempt->started >= 0                  ? attempt->started
                     : attempt->status == ROAST_STATUS_DONE ? attempt->delivered
                                                            : attempt->over;

      add_between (attempt, attempt->dispatched, until, CLAIM_MOVE_IN, worker, attempt->cores);
      add_between (attempt, attempt->ended, attempt->retrieved, CLAIM_MOVE_OUT, worker, attempt->cores);
    }
}

static gboolean
has_result (const CollectTasksAttempt *attempt)
{
  return attempt->status == ROAST_STATUS_DONE || attempt->status == ROAST_STATUS_FAILED ||
         attempt->status == ROAST_STATUS_EXHAUSTED;
}

/* Set the start of an attempt without a known start to @since: the worker reported that the attempt had been running
 * since then. */
static void
take_running_since (CollectTasksAttempt *attempt, gint64 since)
{
  guint part = attempt->status == ROAST_STATUS_CANCELLED ? ROAST_CORE_PART_LOST_CANCELLED
               : attempt->status == ROAST_STATUS_LOST    ? ROAST_CORE_PART_LOST_WORKER
                                                         : ROAST_CORE_PART_TASK_RUNNING;

  if (since < 0)
    return;
  attempt->started = since;
  attempt->kind->source->is_estimated[part] = TRUE;
  if (attempt->status < 0)
    attempt->status = ROAST_STATUS_RUNNING;
}

static void
read_times (CollectTasksAttempts *self, CollectTasksAttempt *attempt, RoastTableReader *tasks)
{
  gint64 noticed = roast_table_reader_get_int64 (tasks, ROAST_TASKS_NOTICED, -1);
  double allocated = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_ALLOCATED);
  double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES);

  attempt->status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS);
  attempt->dispatched = roast_table_reader_get_int64 (tasks, ROAST_TASKS_DISPATCHED, -1);
  attempt->delivered = roast_table_reader_get_int64 (tasks, ROAST_TASKS_DELIVERED, -1);
  attempt->started = roast_table_reader_get_int64 (tasks, ROAST_TASKS_STARTED, -1);
  attempt->ended = roast_table_reader_get_int64 (tasks, ROAST_TASKS_ENDED, -1);
  attempt->retrieved = roast_table_reader_get_int64 (tasks, ROAST_TASKS_RETRIEVED, -1);
  attempt->ready = roast_table_reader_get_int64 (tasks, ROAST_TASKS_READY,
                                                 roast_table_reader_get_int64 (tasks, ROAST_TASKS_SUBMITTED, -1));
  attempt->holds = allocated > 0;
  attempt->cores = core_cores_to_amount (isnan (cores) ? (attempt->holds ? allocated : 1) : cores);
  attempt->over = attempt->ended >= 0       ? attempt->ended
                  : noticed >= 0            ? noticed
                  : attempt->retrieved >= 0 ? attempt->retrieved
                                            : self->collection->ended;
  /* Assume that the attempt runs as soon as it is delivered, because its slots, or the cores of its library, are
   * already held. */
  if (attempt->status == ROAST_STATUS_RUNNING && attempt->started < 0 &&
      (attempt->holds || attempt->kind->source->has_libraries))
    {
      attempt->started = attempt->delivered;
      attempt->kind->source->is_estimated[ROAST_CORE_PART_TASK_RUNNING] = TRUE;
    }
  if (attempt->started < 0 && attempt->ended < 0)
    take_running_since (attempt, roast_table_reader_get_int64 (tasks, ROAST_TASKS_RUNNING_SINCE, -1));
  if (attempt->started < 0 || attempt->ended >= 0)
    return;
  attempt->lacks_end = noticed < 0 && attempt->retrieved < 0 && has_result (attempt);
  attempt->ended = attempt->lacks_end ? attempt->started : attempt->over;
}

static gboolean
has_ended (const CollectTasksAttempt *attempt)
{
  switch (attempt->status)
    {
    case -1:
    case ROAST_STATUS_NEVER_RAN:
    case ROAST_STATUS_WAITING:
    case ROAST_STATUS_UNFINISHED:
    case ROAST_STATUS_RUNNING:
      return FALSE;
    case ROAST_STATUS_CANCELLED:
      return attempt->kind->worker != CORE_TIME_NO_WORKER;
    default:
      return TRUE;
    }
}

/* Return whether the attempt held slots, but its worker, its start or its end is unknown. */
static gboolean
is_unplaced (const CollectTasksAttempts *self, const CollectTasksAttempt *attempt)
{
  if (attempt->lacks_end)
    return TRUE;
  if (attempt->kind->worker == CORE_TIME_NO_WORKER)
    return attempt->started >= 0 && attempt->ended > attempt->started;

  return attempt->status == ROAST_STATUS_DONE && attempt->started < 0 && attempt->dispatched < self->collection->ended;
}

/* Return whether the attempt ran before its worker joined or after its worker left. If so, the clock of the executor or
 * of the worker is wrong. */
static gboolean
is_misplaced (const CollectTasksAttempt *attempt)
{
  const Kind *kind = attempt->kind;
  const CoreWorker *worker =
      kind->worker != CORE_TIME_NO_WORKER ? &g_array_index (kind->source->workers, CoreWorker, kind->worker) : NULL;

  return worker != NULL && has_result (attempt) && attempt->started >= 0 &&
         (attempt->started > worker->left + CLOCK_ERROR || attempt->ended < worker->joined - CLOCK_ERROR);
}

static void
read_attempt (CollectTasksAttempts *self, const Kind *kind, RoastTableReader *tasks)
{
  CollectTasksAttempt attempt = { .kind = kind };

  read_times (self, &attempt, tasks);
  if (has_ended (&attempt))
    kind->source->n_attempts++;
  else if (kind->worker != CORE_TIME_NO_WORKER && (attempt.status != ROAST_STATUS_RUNNING || attempt.started >= 0))
    kind->source->n_unfinished--;
  if (attempt.status == ROAST_STATUS_WAITING || attempt.status == ROAST_STATUS_NEVER_RAN)
    kind->source->n_waiting--;
  kind->source->n_unplaced += is_unplaced (self, &attempt) ? 1 : 0;
  kind->source->n_misplaced += is_misplaced (&attempt) ? 1 : 0;
  add_waiting (&attempt, tasks);
  core_source_add_line (kind->source, CORE_LINE_RUNNING, attempt.started, attempt.ended);
  /* Leave out attempts that still run: a worker adds the time of an attempt to its sums only when the attempt ends. */
  if (attempt.status != ROAST_STATUS_RUNNING && attempt.started >= 0 && attempt.ended > attempt.started)
    kind->source->in_rows +=
        (double) (attempt.ended - attempt.started) / G_USEC_PER_SEC * attempt.cores / CORE_EVENTS_PER_CORE;
  /* The attempt may have ended before its worker received the cancellation. In this case, the sums of the worker
   * contain its time. */
  if (may_have_run (&attempt) && attempt.over > attempt.dispatched)
    kind->source->in_rows += (double) (attempt.over - attempt.dispatched) / G_USEC_PER_SEC;
  if (attempt.status == ROAST_STATUS_DONE)
    core_source_add_done (kind->source, attempt.started, attempt.ended, kind->role == ROAST_ROLE_ANALYSIS);
  if (kind->worker != CORE_TIME_NO_WORKER)
    add_running (self, &attempt, tasks);
}

/* ---- CPU time ---- */

static double
collect_tasks_get_overlap (double from, double to, double started, double ended)
{
  return fmax (fmin (to, ended) - fmax (from, started), 0);
}

/* Spread the CPU time of an attempt evenly over its run time. If the attempt has several cores and computed on only
 * some of them, also spread the time of the unused cores. Add CPU time beyond the capacity of the attempt's slots to
 * CoreSource.extra. */
static void
collect_tasks_add_cpu (const CollectTasksAttempt *attempt, double cpu)
{
  CoreSource *source = attempt->kind->source;
  CoreWorker *worker = &g_array_index (source->workers, CoreWorker, attempt->kind->worker);
  double length = (double) (attempt->ended - attempt->started);
  double cores = (double) attempt->cores / CORE_EVENTS_PER_CORE;
  double seconds = length / G_USEC_PER_SEC;
  double fitting = fmin (cpu, cores * seconds);
  double unused = cores > 1 ? fmax (cores * seconds - fmax (cpu, seconds), 0) : 0;

  source->extra += cpu - fitting;
  for (guint i = 0; i < CORE_TIME_N_STRETCHES; i++)
    {
      double share = collect_tasks_get_overlap (source->bounds[i], source->bounds[i + 1], (double) attempt->started,
                                                (double) attempt->ended) /
                     length;

      worker->cpu[i][attempt->kind->role] += share * fitting;
      if (attempt->kind->role == ROAST_ROLE_ANALYSIS)
        worker->unused[i] += share * unused;
    }
}

static void
read_cpu (CollectTasksAttempts *self, const Kind *kind, RoastTableReader *tasks)
{
  CollectTasksAttempt attempt = { .kind = kind };
  double cpu = roast_table_reader_get_double (tasks, ROAST_TASKS_CPU);

  if (isnan (cpu) || kind->worker == CORE_TIME_NO_WORKER)
    return;
  read_times (self, &attempt, tasks);
  if (get_loss (self, &attempt, tasks) == CLAIM_N && attempt.started >= 0 && attempt.ended > attempt.started)
    collect_tasks_add_cpu (&attempt, cpu);
}

/* ---- counts that sources report ---- */

/* Read the numbers of attempts that executors report. For an executor that vanished, only the number of its unfinished
 * tasks is known, not the number of their attempts. */
static void
read_counts (CoreCollection *self)
{
  static const guint key[] = { ROAST_TASK_TOTALS_SOURCE, ROAST_TASK_TOTALS_CATEGORY, ROAST_TASK_TOTALS_STATUS };
  g_autoptr (RoastTableReader) totals = roast_task_totals_read (self->recording);

  roast_table_reader_last_per (totals, key, G_N_ELEMENTS (key));
  while (roast_table_reader_next (totals))
    {
      CoreSource *source =
          core_collection_get_source (self, roast_table_reader_get_string (totals, ROAST_TASK_TOTALS_SOURCE));
      int status = roast_table_reader_get_word (totals, ROAST_TASK_TOTALS_STATUS);
      gint64 n = roast_table_reader_get_int64 (totals, ROAST_TASK_TOTALS_ATTEMPTS, -1);
      gint64 tasks = roast_table_reader_get_int64 (totals, ROAST_TASK_TOTALS_TASKS, 0);

      if (source == NULL || status == ROAST_STATUS_NEVER_RAN || status == ROAST_STATUS_WAITING)
        continue;
      /* Each task that runs has an attempt under way, which counts as an attempt only when it ends. */
      if (status == ROAST_STATUS_UNFINISHED || status == ROAST_STATUS_RUNNING)
        source->n_unfinished += MAX (n, source->missing != NULL || status == ROAST_STATUS_RUNNING ? tasks : 0);
      else if (n >= 0)
        source->n_counted = MAX (source->n_counted, 0) + n;
    }
}

/* Return whether the recording ends before the run, because the run goes on or the measurement was interrupted. */
static gboolean
lacks_end (CoreCollection *self)
{
  g_autoptr (GVariant) goes_on = roast_recording_snapshot_lookup_metadata (self->recording, "goes-on", NULL);
  g_autoptr (GPtrArray) all = coverage_list (self->recording, ROAST_TABLE_TASKS, NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const Coverage *one = g_ptr_array_index (all, i);

      if (one->source == NULL && one->is_end)
        return TRUE;
    }

  return goes_on != NULL;
}

/* Read how many tasks waited for a worker from the counts of sources. While a run goes on, a task that still waits has
 * no row. */
static void
read_queued (CoreCollection *self)
{
  static const guint key[] = { ROAST_CATEGORY_STATES_SOURCE, ROAST_CATEGORY_STATES_CATEGORY };
  g_autoptr (RoastTableReader) states =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_CATEGORY_STATES, roast_category_states_columns,
                                           NULL);
  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (gint64));
  gboolean is_cut = lacks_end (self);

  roast_table_reader_group_by (states, key, G_N_ELEMENTS (key));
  while (is_cut && roast_table_reader_next (states))
    {
      CoreSource *source =
          core_collection_get_source (self, roast_table_reader_get_string (states, ROAST_CATEGORY_STATES_SOURCE));
      double time = roast_table_reader_get_double (states, ROAST_CATEGORY_STATES_TIME);
      gint64 n = roast_table_reader_get_int64 (states, ROAST_CATEGORY_STATES_TASKS, 0);
      gint64 *before = group_element (counts, states);

      if (source == NULL ||
          roast_table_reader_get_word (states, ROAST_CATEGORY_STATES_STATE) != ROAST_TASK_STATE_QUEUED)
        continue;
      core_line_add (&source->lines[CORE_LINE_QUEUED], source->started, source->ended, time, source->ended,
                     (double) (n - *before));
      source->n_waiting += n - *before;
      *before = n;
    }
}

/* ---- all attempts ---- */

typedef void (*ReadAttempt) (CollectTasksAttempts *self, const Kind *kind, RoastTableReader *tasks);

static void
collect_tasks_read (CollectTasksAttempts *self, RoastTableReader *tasks, GArray *kinds, ReadAttempt read)
{
  roast_table_reader_rewind (tasks);
  while (roast_table_reader_next (tasks))
    {
      Kind *kind = group_element (kinds, tasks);

      if (!kind->is_known)
        collect_tasks_find_kind (self, tasks, kind);
      if (kind->source != NULL)
        read (self, kind, tasks);
    }
}

void
core_collect_tasks (CoreCollection *self)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  g_autoptr (GArray) kinds = g_array_new (FALSE, FALSE, sizeof (Kind));
  CollectTasksAttempts attempts = { .collection = self };

  find_succeeded (&attempts, tasks);
  GROUP_BY (tasks, ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY, ROAST_TASKS_WORKER, ROAST_TASKS_ROLE);
  collect_tasks_read (&attempts, tasks, kinds, read_attempt);
  read_counts (self);
  read_queued (self);
  for (guint i = 0; i < self->sources->len; i++)
    core_source_find_stretches (g_ptr_array_index (self->sources, i));
  collect_tasks_read (&attempts, tasks, kinds, read_cpu);
  id_set_clear (&attempts.succeeded);
}
