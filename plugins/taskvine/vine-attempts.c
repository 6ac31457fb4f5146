/* SPDX-License-Identifier: BSD-3-Clause */
#include "vine-replay.h"

#include <math.h>
#include <string.h>

#include "vine-resources.h"

#define MAX_ATTEMPT 1000000
#define MAX_OPEN 50000000        /* largest number of attempts under way */
#define MAX_REMEMBERED (1 << 24) /* largest number of tasks for which the number of attempts is remembered */
#define LONG_WAIT 100000         /* µs; a call that waited longer than this waited for its library to become ready */
#define TELL_SECONDS 1           /* s; an attempt that runs for longer gets a row before its end */
#define MOST_TOLD 1000           /* largest number of attempts under way that have a row */
#define SILENT_SECONDS 10        /* s; minimum age of a silent worker's attempt */
#define SILENT_RATIO 10          /* minimum age of a silent worker's attempt, as a multiple of its category's longest */

/* ---- the attempts under way ---- */

static VineAttempt *
attempts_lookup (VineReplay *self, gint64 id)
{
  return g_hash_table_lookup (self->attempts, GSIZE_TO_POINTER ((gsize) id));
}

/* Return the number of the last attempt at the task that has ended; 0 if none has ended. */
static int
get_last_number (VineReplay *self, gint64 id)
{
  return id < self->numbers->len ? self->numbers->data[id] : 0;
}

/* Remember the number of a task's last attempt. The array index is the ID of the task, because TaskVine numbers tasks
 * from 1. */
static void
remember_number (VineReplay *self, gint64 id, int number)
{
  guint length = self->numbers->len;

  if (id >= MAX_REMEMBERED)
    return;
  if (id >= length)
    {
      g_byte_array_set_size (self->numbers, (guint) id + 1);
      memset (self->numbers->data + length, 0, (gsize) id + 1 - length);
    }
  self->numbers->data[id] = (guint8) MIN (number, G_MAXUINT8);
}

static VineAttempt *
add_attempt (VineReplay *self, gint64 id, int number, VineCategory *category)
{
  VineAttempt *attempt = g_new0 (VineAttempt, 1);

  attempt->id = id;
  attempt->number = MAX (number, get_last_number (self, id) + 1);
  attempt->category = category;
  attempt->span = self->span;
  attempt->submitted = attempt->dispatched = attempt->delivered = attempt->started = attempt->ended = -1;
  attempt->noticed = attempt->fetched = attempt->retrieved = attempt->returned = attempt->held_until = -1;
  attempt->calls = attempt->outcome = -1;
  attempt->requested = attempt->allocated = (VineAmounts) { NAN, NAN, NAN, NAN };
  attempt->cores = attempt->cpu = attempt->cores_used = attempt->gpus_used = NAN;
  attempt->memory_peak = attempt->disk_peak = attempt->bytes_read = attempt->bytes_written = -1;
  attempt->bytes_in = attempt->bytes_out = attempt->exit_code = -1;
  vine_category_count (category, ROAST_TASK_STATE_QUEUED, 1);
  g_hash_table_insert (self->attempts, GSIZE_TO_POINTER ((gsize) id), attempt);

  return attempt;
}

/* Set the outcome of the task to which the attempt belongs. */
static void
set_outcome (VineAttempt *attempt, int outcome, gboolean is_retried)
{
  vine_category_move (attempt->category, attempt->outcome, outcome, attempt->is_retried, is_retried);
  attempt->outcome = outcome;
  attempt->is_retried = is_retried;
}

/* ---- at a worker ---- */

static double
or_zero (double value)
{
  return value > 0 ? value : 0;
}

static gboolean
is_at_worker (const VineAttempt *attempt)
{
  return attempt->state == VINE_STATE_RUNNING || attempt->state == VINE_STATE_EXECUTED;
}

/* Return whether the worker of the attempt left before the results of the attempt were retrieved. */
static gboolean
is_lost (const VineAttempt *attempt)
{
  return is_at_worker (attempt) && attempt->holds_cores && vine_is_known (attempt->worker->left);
}

/* ---- libraries and their calls ---- */

static void
start_call (VineReplay *self, VineAttempt *attempt)
{
  attempt->is_call = TRUE;
  vine_workers_serve (self, attempt->worker, 0, 0, 1);
  attempt->before = attempt->worker->service;
}

/* End a call, and set the service that it received from the libraries of its worker. */
static void
end_call (VineReplay *self, VineAttempt *attempt)
{
  VineService *now = &attempt->worker->service;

  vine_workers_serve (self, attempt->worker, 0, 0, -1);
  now->calls += vine_is_known (attempt->noticed) || vine_is_known (attempt->retrieved) ? 1 : 0;
  attempt->during.share = now->share - attempt->before.share;
  attempt->during.ready = now->ready - attempt->before.ready;
}

/* Set the average number of cores that a call had while it ran. If the call has no result, average over the time since
 * it was delivered to its worker. */
static void
set_call_cores (VineAttempt *attempt)
{
  gint64 from = vine_is_known (attempt->started) ? attempt->started : attempt->delivered;
  gint64 to = vine_is_known (attempt->started) ? attempt->ended : attempt->held_until;
  double seconds = (double) (to - from) / G_USEC_PER_SEC;

  if (!vine_is_known (to) || seconds <= 0)
    return;
  attempt->cores = MIN (1, attempt->during.share / seconds);
  if (vine_is_known (attempt->started) && attempt->during.ready > 0)
    attempt->cores = MIN (attempt->cores, attempt->during.share / attempt->during.ready);
}

static void
start_library (VineReplay *self, VineAttempt *attempt)
{
  gboolean alone = attempt->worker->libraries == 0;

  vine_workers_serve (self, attempt->worker, 1, 0, 0);
  attempt->before = attempt->worker->service;
  attempt->calls = alone ? 0 : -1;
  attempt->worker->library_started = alone ? &attempt->started : NULL;
}

static void
end_library (VineReplay *self, VineAttempt *attempt)
{
  const VineService *now = &attempt->worker->service;

  attempt->worker->library_started = NULL;
  vine_workers_serve (self, attempt->worker, -1, attempt->is_serving ? -or_zero (attempt->cores) : 0, 0);
  if (attempt->calls >= 0)
    attempt->calls = now->encounters == attempt->before.encounters ? (gint64) (now->calls - attempt->before.calls) : -1;
}

/* Assign to this attempt the files that the manager moved to or from its worker since the last record of an attempt at
 * this worker. All these files were moved for this attempt, because the manager does one thing at a time. */
static void
take_moved (VineReplay *self, const VineAttempt *attempt)
{
  if (attempt->worker != NULL)
    vine_totals_add_moved (self, attempt->worker, attempt->category, attempt->span);
}

/* Give an attempt to a worker. @worker: may be NULL */
static void
give (VineReplay *self, VineAttempt *attempt, VineWorker *worker)
{
  int tasks = attempt->is_library ? 0 : 1;

  set_outcome (attempt, ROAST_STATUS_RUNNING, attempt->is_retried || attempt->was_given);
  attempt->worker = worker;
  attempt->holds_cores = worker != NULL && !vine_is_known (worker->left);
  attempt->state = VINE_STATE_RUNNING;
  attempt->running.data = attempt;
  g_queue_push_tail_link (&self->running, &attempt->running);
  vine_category_count (attempt->category, ROAST_TASK_STATE_QUEUED, -1);
  vine_category_count (attempt->category, ROAST_TASK_STATE_RUNNING, 1);
  vine_workers_load (self, attempt->worker,
                     (VineLoad) { tasks, tasks, or_zero (attempt->allocated.cores),
                                  or_zero (attempt->allocated.memory) });
  if (attempt->cores == 0 && attempt->holds_cores && (worker->libraries > 0 || attempt->is_sent))
    start_call (self, attempt);
  take_moved (self, attempt);
}

static void
forget_running (VineReplay *self, VineAttempt *attempt)
{
  if (attempt->running.data != NULL)
    g_queue_unlink (&self->running, &attempt->running);
  attempt->running.data = NULL;
}

void
vine_attempts_tell (VineReplay *self, gint64 now)
{
  while (self->running.length > 0 && self->n_told < MOST_TOLD)
    {
      VineAttempt *attempt = self->running.head->data;

      if (attempt->delivered + TELL_SECONDS * G_USEC_PER_SEC > now)
        return;
      forget_running (self, attempt);
      if (attempt->is_library)
        continue;
      vine_task_rows_tell (self, attempt);
      attempt->is_told = TRUE;
      self->n_told++;
    }
}

static void
end_execution (VineReplay *self, VineAttempt *attempt)
{
  attempt->state = VINE_STATE_EXECUTED;
  forget_running (self, attempt);
  if (attempt->is_call)
    end_call (self, attempt);
  if (!attempt->is_library)
    vine_workers_load (self, attempt->worker, (VineLoad) { .executing = -1 });
  else if (attempt->holds_cores)
    end_library (self, attempt);
}

/* Remove the attempt from the queue of tasks, or from its worker if it has one. */
static void
release (VineReplay *self, VineAttempt *attempt)
{
  if (attempt->state == VINE_STATE_READY)
    vine_category_count (attempt->category, ROAST_TASK_STATE_QUEUED, -1);
  if (is_at_worker (attempt))
    {
      if (is_lost (attempt))
        {
          attempt->held_until = attempt->worker->left;
          attempt->reason = attempt->worker->reason;
        }
      if (attempt->state == VINE_STATE_RUNNING)
        end_execution (self, attempt);
      vine_category_count (attempt->category, ROAST_TASK_STATE_RUNNING, -1);
      vine_workers_load (self, attempt->worker,
                         (VineLoad) { attempt->is_library ? 0 : -1, 0, -or_zero (attempt->allocated.cores),
                                      -or_zero (attempt->allocated.memory) });
    }
  attempt->state = VINE_STATE_RETRIEVED;
}

/* Turn an attempt at a task into an attempt that is a library. The cores of a library serve function calls. */
static void
become_library (VineReplay *self, VineAttempt *attempt)
{
  if (attempt->is_library)
    return;
  attempt->is_library = TRUE;
  set_outcome (attempt, -1, FALSE);
  self->counts.tasks.libraries++;
  if (is_at_worker (attempt))
    vine_workers_load (self, attempt->worker,
                       (VineLoad) { .active = -1, .executing = attempt->state == VINE_STATE_RUNNING ? -1 : 0 });
  if (attempt->state == VINE_STATE_RUNNING && attempt->holds_cores)
    start_library (self, attempt);
}

/* ---- the end of an attempt ---- */

static guint
get_status (const VineAttempt *attempt)
{
  static const char *const exhausted[] = { "RESOURCE_EXHAUSTION", "SANDBOX_EXHAUSTION", "MAX_WALL_TIME", "MAX_END_TIME",
                                           NULL };

  if (g_str_equal (attempt->result, "SUCCESS"))
    return attempt->exit_code == 0 ? ROAST_STATUS_DONE : ROAST_STATUS_FAILED;
  /* Count a cancelled task that was never given to a worker. The result in the log is CANCELLED only after the program
   * has taken the task back; before that, it is UNKNOWN. */
  if (g_str_equal (attempt->result, "CANCELLED") ||
      (g_str_equal (attempt->result, "UNKNOWN") && !vine_is_known (attempt->dispatched)))
    return ROAST_STATUS_CANCELLED;

  return g_strv_contains (exhausted, attempt->result) ? ROAST_STATUS_EXHAUSTED : ROAST_STATUS_FAILED;
}

static void
count_end (VineReplay *self, const VineAttempt *attempt)
{
  VineCategory *category = attempt->category;

  self->counts.tasks.coreless += attempt->cores == 0 && !attempt->is_call && vine_is_known (attempt->started) ? 1 : 0;
  if (attempt->status == ROAST_STATUS_DONE)
    {
      *(isnan (attempt->cpu) ? &self->counts.tasks.unmeasured : &self->counts.tasks.measured) += 1;
      self->counts.tasks.calls += attempt->is_call ? 1 : 0;
      vine_category_count (category, ROAST_TASK_STATE_DONE, 1);
    }
  else if (attempt->status == ROAST_STATUS_LOST)
    {
      self->counts.tasks.lost++;
      vine_category_count (category, ROAST_TASK_STATE_LOST, 1);
    }
  else if (attempt->status == ROAST_STATUS_FAILED || attempt->status == ROAST_STATUS_EXHAUSTED)
    {
      vine_category_count (category, ROAST_TASK_STATE_FAILED, 1);
    }
  if (vine_is_known (attempt->started))
    category->longest = MAX (category->longest, (double) (attempt->ended - attempt->started) / G_USEC_PER_SEC);
}

/* Return the status of a library. Its result is never SUCCESS, because it serves until its worker leaves. */
static guint
get_library_status (const VineAttempt *attempt, guint status)
{
  const char *reason = attempt->holds_cores && vine_is_known (attempt->worker->left) ? attempt->worker->reason : NULL;

  if (status == ROAST_STATUS_UNFINISHED && reason == NULL && attempt->result == NULL)
    return status;
  if (reason == NULL || !vine_is_known (attempt->held_until) || g_strcmp0 (attempt->result, "FAILURE") == 0)
    return status == ROAST_STATUS_CANCELLED ? status : ROAST_STATUS_FAILED;
  if (g_str_equal (reason, "EXPLICIT") || g_str_equal (reason, "IDLE_OUT"))
    return vine_is_known (attempt->started) ? ROAST_STATUS_DONE : ROAST_STATUS_LOST;

  /* A library whose end the worker reported has failed. */
  return vine_is_known (attempt->noticed) ? ROAST_STATUS_FAILED : ROAST_STATUS_LOST;
}

/* End an attempt, and free it. */
static void
end_attempt (VineReplay *self, VineAttempt *attempt, guint status)
{
  gboolean waits = status == ROAST_STATUS_NEVER_RAN || status == ROAST_STATUS_WAITING;

  attempt->status = status;
  /* Skip a task that never ran: it stays in the queue and holds nothing that could be released. */
  if (!waits)
    release (self, attempt);
  if (attempt->is_call)
    set_call_cores (attempt);
  if (attempt->is_library)
    {
      attempt->status = get_library_status (attempt, status);
    }
  else
    {
      count_end (self, attempt);
      /* If the task waits for another attempt, its outcome remains that of its last attempt at a worker. A task that
       * repeats another task is none of the program's. */
      if (attempt->repeats == 0 && (!waits || attempt->outcome == ROAST_STATUS_WAITING))
        set_outcome (attempt, waits && attempt->was_given ? ROAST_STATUS_UNFINISHED : (int) status,
                     attempt->is_retried);
      if (vine_is_known (attempt->dispatched))
        vine_category_count_attempt (attempt->category, status);
      vine_totals_add (self, attempt);
    }
  vine_task_rows_write (self, attempt);
  self->n_told -= attempt->is_told ? 1 : 0;
  remember_number (self, attempt->id, attempt->number);
  g_hash_table_remove (self->attempts, GSIZE_TO_POINTER ((gsize) attempt->id));
}

/* Return the status of an attempt whose task is retried. The log contains no result of the attempt if its worker left
 * or gave it back, or if its allocation was too small. @more: whether the next attempt is given all resources of a
 * worker */
static guint
get_status_before_retry (VineReplay *self, VineAttempt *attempt, gboolean more)
{
  if (attempt->state == VINE_STATE_RETRIEVED)
    return get_status (attempt);
  if (is_lost (attempt))
    return ROAST_STATUS_LOST;
  self->counts.tasks.given_back++;
  attempt->held_until = vine_is_known (attempt->noticed) ? attempt->noticed : self->now;
  attempt->reason = more ? "allocation too small" : "given back";

  return more ? ROAST_STATUS_EXHAUSTED : ROAST_STATUS_LOST;
}

/* End an attempt, and start the next attempt of the same task. */
static VineAttempt *
retry (VineReplay *self, VineAttempt *attempt, int number, VineCategory *category, gboolean more)
{
  guint status = get_status_before_retry (self, attempt, more);
  const VineAttempt before = *attempt;

  end_attempt (self, attempt, status);
  attempt = add_attempt (self, before.id, MAX (before.number + 1, number), category);
  attempt->outcome = before.is_library ? -1 : (int) status;
  attempt->was_given = before.was_given || vine_is_known (before.dispatched);
  attempt->is_retried = before.is_retried;
  /* The manager tries the task again with more resources, so the task has not failed. */
  if (attempt->outcome == ROAST_STATUS_EXHAUSTED)
    set_outcome (attempt, ROAST_STATUS_WAITING, attempt->is_retried);

  return attempt;
}

/* ---- records ---- */

static VineAmounts
get_amounts (const VineResources *resources)
{
  return (VineAmounts) { resources->value[VINE_CORES], resources->value[VINE_MEMORY], resources->value[VINE_DISK],
                         resources->value[VINE_GPUS] };
}

/* Parse CATEGORY (FIRST|MAX)_RESOURCES [NUMBER] {…}. The category may contain blanks. @number is 0 in logs of Work
 * Queue, which writes no number. */
static gboolean
read_ready (VineToken rest, VineToken *category, gint64 *number, gboolean *more, VineResources *resources)
{
  static const char mark[] = "_RESOURCES ";
  const char *at = g_strrstr_len (rest.start, (gssize) rest.length, mark);
  VineToken word;

  if (at == NULL || rest.length < 2 || rest.start[rest.length - 1] != '}')
    return FALSE;
  *category = (VineToken) { rest.start + 1, (gsize) (at - rest.start) - 1 };
  *more = at[-1] == 'X';
  rest.length -= (gsize) (at - rest.start) + strlen (mark);
  rest.start = at + strlen (mark);

  if (!vine_token_last (category, &word) || category->length == 0)
    return FALSE;
  *number = 0;
  if (*rest.start != '{' && (!vine_token_next (&rest, &word) || !vine_token_to_integer (word, number) || *number < 1))
    return FALSE;

  return *number <= MAX_ATTEMPT && vine_resources_read (resources, &rest);
}

gboolean
vine_attempts_take_ready (VineReplay *self, gint64 id, VineToken rest)
{
  VineAttempt *attempt = attempts_lookup (self, id);
  VineToken name;
  VineResources resources;
  gboolean more;
  gint64 number;

  if (!read_ready (rest, &name, &number, &more, &resources) || g_hash_table_size (self->attempts) >= MAX_OPEN)
    return FALSE;
  self->counts.tasks.attempts++;
  self->is_work_queue |= number == 0;
  if (attempt == NULL)
    {
      self->counts.tasks.submitted++;
      /* Detect managers that share a log: each manager numbers its tasks from 1, so the same number occurs twice. */
      self->counts.tasks.reused += get_last_number (self, id) > 0 ? 1 : 0;
      attempt = add_attempt (self, id, (int) number, vine_categories_get (self, name));
    }
  else if (attempt->state == VINE_STATE_READY)
    {
      /* The task returned to the queue before it was given to a worker. */
      attempt->number = MAX (attempt->number, (int) number);
      attempt->requested = get_amounts (&resources);
      return TRUE;
    }
  else
    {
      attempt = retry (self, attempt, (int) number, vine_categories_get (self, name), more);
    }
  attempt->requested = get_amounts (&resources);
  attempt->submitted = self->now;
  if (attempt->outcome < 0)
    set_outcome (attempt, ROAST_STATUS_WAITING, FALSE);

  return TRUE;
}

/* Parse [WORKER [(FIRST|MAX)_RESOURCES {…}]]. */
static gboolean
read_running (VineReplay *self, VineToken rest, VineWorker **worker, VineResources *resources)
{
  VineToken word;

  vine_resources_clear (resources);
  if (!vine_token_next (&rest, &word))
    return TRUE;
  if (!vine_token_equal (word, "FIRST_RESOURCES") && !vine_token_equal (word, "MAX_RESOURCES"))
    {
      *worker = vine_workers_get (self, word);
      /* Accept a missing rest only after a valid worker name, because a line that another line overwrote can end
       * anywhere. */
      if (!vine_token_next (&rest, &word))
        return *worker != NULL;
    }

  return vine_resources_read (resources, &rest);
}

/* Return a time from a record as a time of the steady clock; -1 if the record does not contain it. */
static gint64
read_time (VineReplay *self, const VineResources *resources, VineResource resource)
{
  gint64 time = vine_resources_time (resources, resource);

  return vine_is_known (time) ? vine_clock_correct (&self->clock, time) : -1;
}

gboolean
vine_attempts_take_running (VineReplay *self, gint64 id, VineToken rest)
{
  VineAttempt *attempt = attempts_lookup (self, id);
  VineWorker *worker = NULL;
  VineResources resources;

  if (!read_running (self, rest, &worker, &resources))
    return FALSE;
  if (attempt == NULL)
    {
      /* The attempt is a library, or its READY record was malformed. */
      attempt = add_attempt (self, id, 1, &self->unknown);
    }
  else if (attempt->state != VINE_STATE_READY)
    {
      self->counts.tasks.repeated++;
      attempt = retry (self, attempt, 0, attempt->category, FALSE);
    }
  self->counts.tasks.dispatched++;
  attempt->dispatched = read_time (self, &resources, VINE_COMMIT_START);
  attempt->delivered = read_time (self, &resources, VINE_COMMIT_END);
  if (!vine_is_known (attempt->dispatched))
    attempt->dispatched = self->now;
  if (!vine_is_known (attempt->delivered))
    attempt->delivered = self->now;
  attempt->allocated = get_amounts (&resources);
  attempt->cores = attempt->allocated.cores;
  attempt->bytes_in = vine_resources_bytes (&resources, VINE_INPUT_SIZE);
  give (self, attempt, worker);

  return TRUE;
}

void
vine_attempts_take_executed (VineReplay *self, gint64 id)
{
  VineAttempt *attempt = attempts_lookup (self, id);

  if (attempt == NULL || attempt->state != VINE_STATE_RUNNING)
    return;
  attempt->noticed = self->now;
  end_execution (self, attempt);
}

/* Correct the start of a library by its first call. A worker reports that a library has started when it forks the
 * library, which is not yet ready then. If the first call waited, it started when the library was ready. If it did not
 * wait, the library was ready before that, at an unknown time. */
static void
take_first_call (VineReplay *self, const VineAttempt *call)
{
  gint64 *started = call->is_call && call->worker != NULL ? call->worker->library_started : NULL;

  if (started == NULL || !vine_is_known (*started))
    return;
  self->counts.tasks.ready +=
      call->started - MAX (*started, call->delivered) > LONG_WAIT || call->started - *started <= LONG_WAIT;
  if (call->started > *started && call->started - call->delivered > LONG_WAIT)
    *started = call->started;
  call->worker->library_started = NULL;
}

/* Compare the clocks of the manager and a worker. Each attempt limits the possible difference of the clocks. If these
 * limits contradict each other, one of the clocks was set during the run. */
static void
watch_clocks (VineReplay *self, gint64 *behind, gint64 least, gint64 most)
{
  behind[0] = MAX (behind[0], least);
  behind[1] = MIN (behind[1], most);
  if (behind[0] > behind[1])
    self->counts.tasks.drift = MAX (self->counts.tasks.drift, behind[0] - behind[1]);
}

/* Find out whether the attempt belongs to a recovery task: if a worker leaves with temporary files that are still
 * needed, TaskVine submits a copy of the task that made them, under another ID. */
static void
take_files (VineReplay *self, VineAttempt *attempt, gint64 started)
{
  VineFile lost;

  if (!g_str_equal (attempt->result, "SUCCESS") || attempt->worker == NULL ||
      !vine_files_take (attempt, started, &lost))
    return;
  set_outcome (attempt, -1, FALSE);
  vine_category_move (attempt->category, ROAST_STATUS_DONE, ROAST_STATUS_DONE, lost.is_retried, TRUE);
  attempt->repeats = lost.task;
}

/* Set the start and end of an execution. Both are times of the worker's clock. If they contradict times of the
 * manager's clock, shift both by the same amount. */
static void
take_execution (VineReplay *self, VineAttempt *attempt, const VineResources *resources)
{
  gint64 started = read_time (self, resources, VINE_WORKER_START);
  gint64 ended = read_time (self, resources, VINE_WORKER_END);
  gint64 latest = vine_is_known (attempt->noticed) ? attempt->noticed : self->now;
  gint64 shift = 0;

  if (!vine_is_known (started) && self->is_work_queue && vine_is_known (attempt->noticed))
    {
      started = attempt->delivered;
      ended = attempt->noticed;
      self->counts.tasks.noticed++;
    }
  if (!vine_is_known (started) || ended < started)
    return;
  if (attempt->worker != NULL)
    watch_clocks (self, attempt->worker->behind, attempt->dispatched - started, latest - ended);
  if (ended > latest)
    shift = latest - ended;
  if (started + shift < attempt->dispatched)
    shift = attempt->dispatched - started;
  self->counts.tasks.skew = MAX (self->counts.tasks.skew, ABS (shift));
  attempt->started = started + shift;
  attempt->ended = ended + shift;
  self->counts.tasks.execute += (double) (ended - started) / G_USEC_PER_SEC;
  take_first_call (self, attempt);
}

/* Take measurements only if they include a CPU time. Without a CPU time, the other numbers are the allocation of the
 * task, not measurements. */
static void
take_measurements (VineAttempt *attempt, const VineResources *resources)
{
  attempt->cpu = vine_resources_seconds (resources, VINE_CPU_TIME);
  if (isnan (attempt->cpu))
    return;
  attempt->cores_used = resources->value[VINE_CORES_AVG];
  attempt->gpus_used = resources->value[VINE_GPUS];
  attempt->memory_peak = vine_resources_bytes (resources, VINE_MEMORY);
  attempt->disk_peak = vine_resources_bytes (resources, VINE_DISK);
  attempt->bytes_read = vine_resources_bytes (resources, VINE_BYTES_READ);
  attempt->bytes_written = vine_resources_bytes (resources, VINE_BYTES_WRITTEN);
}

static const char *
intern_result (VineReplay *self, VineToken name)
{
  char copy[64];

  if (self->result != NULL && vine_token_equal (name, self->result))
    return self->result;
  for (gsize i = 0; i < name.length; i++)
    if (!g_ascii_isupper (name.start[i]) && name.start[i] != '_')
      return NULL;

  if (!vine_token_copy (name, copy, sizeof copy))
    return NULL;
  self->result = g_string_chunk_insert_const (self->words, copy);

  return self->result;
}

typedef struct
{
  const char *name;
  gint64 exit_code; /* exit code of the task; negative if there is none */
} Result;

/* Parse RESULT EXIT_CODE. */
static gboolean
read_result (VineReplay *self, VineToken *rest, Result *result)
{
  VineToken name, word;
  double exit_code;

  if (!vine_token_next (rest, &name) || !vine_token_next (rest, &word) || !vine_token_to_double (word, &exit_code) ||
      fabs (exit_code) > G_MAXINT)
    return FALSE;
  *result = (Result) { intern_result (self, name), (gint64) exit_code };

  return result->name != NULL;
}

/* Set the result, unless an earlier record has set it, because a DONE record may be less specific than a RETRIEVED
 * record. Overwrite only the result of a cancelled task, or of a library that the manager removed to make room for
 * other libraries. */
static void
set_result (VineAttempt *attempt, Result result)
{
  gboolean is_removed = attempt->is_library && g_str_equal (result.name, "CANCELLED");

  if (attempt->result != NULL && !g_str_equal (attempt->result, "UNKNOWN") && !is_removed)
    return;
  attempt->result = result.name;
  attempt->exit_code = result.exit_code;
}

/* Parse RESULT EXIT_CODE [{limits}] {measured}. */
gboolean
vine_attempts_take_retrieved (VineReplay *self, gint64 id, VineToken rest)
{
  VineAttempt *attempt = attempts_lookup (self, id);
  VineResources resources;
  VineToken after, word;
  Result result;

  if (!read_result (self, &rest, &result) || !vine_resources_read (&resources, &rest))
    return FALSE;
  /* Check both JSON objects of the line. If another line has overwritten part of this line, the text often ends within
   * the second object. */
  after = rest;
  if (vine_token_next (&after, &word) && !vine_resources_read (&resources, &rest))
    return FALSE;
  if (attempt == NULL)
    attempt = add_attempt (self, id, 1, &self->unknown);
  set_result (attempt, result);
  attempt->retrieved = self->now;
  take_moved (self, attempt);
  if (g_str_equal (attempt->result, "LIBRARY_EXIT"))
    become_library (self, attempt);
  if (!attempt->is_library)
    {
      /* s: time that the manager took to fetch the output files of the task */
      double output_time = vine_resources_seconds (&resources, VINE_OUTPUT_TIME);

      take_files (self, attempt, vine_resources_time (&resources, VINE_WORKER_START));
      take_execution (self, attempt, &resources);
      take_measurements (attempt, &resources);
      attempt->fetched = isnan (output_time) ? -1 : self->now - llround (output_time * G_USEC_PER_SEC);
      attempt->bytes_out = vine_resources_bytes (&resources, VINE_OUTPUT_SIZE);
    }
  release (self, attempt);

  return TRUE;
}

gboolean
vine_attempts_take_done (VineReplay *self, gint64 id, VineToken rest)
{
  VineAttempt *attempt = attempts_lookup (self, id);
  Result result;

  if (!read_result (self, &rest, &result))
    return FALSE;
  if (attempt == NULL)
    return TRUE;
  set_result (attempt, result);
  release (self, attempt);
  /* Set the time until which the cores were held: the log contains no start of a cancelled attempt. */
  if (g_str_equal (attempt->result, "CANCELLED") && vine_is_known (attempt->dispatched) &&
      !vine_is_known (attempt->started))
    attempt->held_until = vine_is_known (attempt->retrieved) ? attempt->retrieved : self->now;
  self->counts.tasks.returned += attempt->is_library ? 0 : 1;
  attempt->returned = self->now;
  end_attempt (self, attempt, get_status (attempt));

  return TRUE;
}

void
vine_attempts_take_library (VineReplay *self, gint64 id, VineToken state)
{
  VineAttempt *attempt = attempts_lookup (self, id);

  if (attempt == NULL)
    return;
  /* Distinguish calls from libraries. The program submits calls, while the manager itself creates libraries. Older
   * versions of TaskVine write SENT before a call runs, and write nothing about the library before STARTED. */
  if (vine_is_known (attempt->submitted))
    {
      attempt->is_sent = TRUE;
      return;
    }
  become_library (self, attempt);
  if (vine_token_equal (state, "STARTED") && !vine_is_known (attempt->started))
    {
      self->counts.tasks.forked++;
      attempt->started = self->now;
      attempt->is_serving = is_at_worker (attempt) && attempt->state == VINE_STATE_RUNNING;
      if (attempt->is_serving)
        vine_workers_serve (self, attempt->worker, 0, or_zero (attempt->cores), 0);
    }
  else if (vine_token_equal (state, "FAILURE"))
    attempt->result = "FAILURE";
}

/* ---- the end of the log ---- */

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const VineAttempt *x = a;
  const VineAttempt *y = b;

  return x->id < y->id ? -1 : x->id > y->id;
}

/* Return whether the worker of the attempt may be dead. A killed worker may stay connected. In this case, the log shows
 * its task as running although the task does not run. */
static gboolean
is_silent (const VineReplay *self, const VineAttempt *attempt)
{
  double age = (double) (self->times.last - attempt->delivered) / G_USEC_PER_SEC;
  double longest = attempt->category->longest;

  return longest > 0 && age > SILENT_SECONDS && age > SILENT_RATIO * longest;
}

static void
end_unfinished (VineReplay *self, VineAttempt *attempt)
{
  gboolean silent = attempt->state == VINE_STATE_RUNNING && is_silent (self, attempt);
  gboolean runs = attempt->state == VINE_STATE_RUNNING && !silent && !attempt->is_library;

  if (!attempt->is_library)
    {
      self->counts.tasks.unfinished++;
      self->counts.tasks.silent += silent ? 1 : 0;
      if (runs)
        attempt->held_until = self->now;
    }
  end_attempt (self, attempt, runs ? ROAST_STATUS_RUNNING : ROAST_STATUS_UNFINISHED);
}

static void
end_waiting (VineReplay *self, VineAttempt *attempt)
{
  gboolean is_over = vine_is_known (self->times.ended) || vine_is_known (self->times.died);

  *(attempt->number > 1 ? &self->counts.tasks.waiting_again : &self->counts.tasks.never_ran) += 1;
  end_attempt (self, attempt, is_over ? ROAST_STATUS_NEVER_RAN : ROAST_STATUS_WAITING);
}

/* End attempts in the order of their task IDs, so that the same log always gives the same rows. */
void
vine_attempts_finish (VineReplay *self)
{
  g_autoptr (GList) attempts = g_list_sort (g_hash_table_get_values (self->attempts), compare_ids);

  for (guint i = 0; i < self->workers->len; i++)
    vine_totals_add_moved (self, g_ptr_array_index (self->workers, i), &self->unknown, NULL);
  for (GList *l = attempts; l != NULL; l = l->next)
    {
      VineAttempt *attempt = l->data;

      if (attempt->state == VINE_STATE_RETRIEVED)
        end_attempt (self, attempt, get_status (attempt));
      else if (attempt->state == VINE_STATE_READY)
        end_waiting (self, attempt);
      else if (is_lost (attempt))
        end_attempt (self, attempt, ROAST_STATUS_LOST);
      else
        end_unfinished (self, attempt);
    }
}
