/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads all attempts in one pass, and collects the facts that rules need about each category, each worker and the run.
 */

#include <signal.h>

#include "findings.h"
#include "group-element.h"
#include "under-way.h"

static const guint key[] = { ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY };

/* The cells of an attempt that are used more than once. A number is NaN if it is missing. */
typedef struct
{
  double submitted, dispatched, started, ended; /* µs */
  double time;                                  /* from @started to @ended, s */
  double cpu, allocated;                        /* allocated: cores */
  int status;
} FindingsAttempt;

static FindingsAttempt
read_attempt (RoastTableReader *tasks)
{
  FindingsAttempt attempt = {
    .submitted = roast_table_reader_get_double (tasks, ROAST_TASKS_SUBMITTED),
    .dispatched = roast_table_reader_get_double (tasks, ROAST_TASKS_DISPATCHED),
    .started = roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED),
    .ended = roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED),
    .cpu = roast_table_reader_get_double (tasks, ROAST_TASKS_CPU),
    .allocated = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_ALLOCATED),
    .status = roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS),
  };

  attempt.time = (attempt.ended - attempt.started) / G_USEC_PER_SEC;

  return attempt;
}

RoastTableReader *
findings_group_tasks (Findings *self)
{
  RoastTableReader *tasks = roast_tasks_read (self->recording);

  roast_table_reader_group_by (tasks, key, G_N_ELEMENTS (key));

  return tasks;
}

gboolean
findings_is_framework (const FindingsCategory *self, RoastTableReader *tasks)
{
  int own = roast_table_reader_get_word (tasks, ROAST_TASKS_ROLE);

  return own >= 0 ? own == ROAST_ROLE_FRAMEWORK : self->is_framework;
}

/* ---- categories ---- */

static void
category_init (FindingsCategory *self, Findings *findings, RoastTableReader *tasks)
{
  const char *name = roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY);

  self->name = findings_keep (findings, name != NULL ? name : "");
  self->is_framework =
      roast_run_model_get_role (findings->model, roast_table_reader_get_string (tasks, ROAST_TASKS_SOURCE), name) ==
      ROAST_ROLE_FRAMEWORK;
  self->first = self->last = NAN;
}

static void
add_open (FindingsCategory *self, const FindingsAttempt *attempt, RoastTableReader *tasks, double time)
{
  double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES);
  double held = time * (isnan (cores) ? 1 : cores);

  self->n_open++;
  self->open += held;
  self->lost += attempt->status == ROAST_STATUS_LOST ? held : 0;
  if (!(time > self->age))
    return;
  self->age = time;
  self->oldest = roast_table_reader_get_row (tasks);
}

/* Adds an attempt that has ended. */
static void
add_ended (FindingsCategory *self, const FindingsAttempt *attempt)
{
  self->time += attempt->time;
  if (attempt->allocated > 0 && attempt->cpu >= 0)
    {
      self->allocated_time += attempt->time;
      self->allocated += attempt->time * attempt->allocated;
      self->allocated_cpu += attempt->cpu;
    }
  if (attempt->status != ROAST_STATUS_DONE)
    return;
  self->n_done++;
  self->longest = fmax (self->longest, attempt->time);
  if (isnan (attempt->cpu))
    return;
  self->known += attempt->time;
  self->waited += fmax (attempt->time - attempt->cpu, 0);
}

static void
add_to_category (FindingsCategory *self, const FindingsAttempt *attempt, RoastTableReader *tasks, double end)
{
  double from, to;

  self->first = fmin (self->first, attempt->started);
  self->last = fmax (self->last, attempt->ended);
  self->cores = fmax (self->cores, attempt->allocated > 0 ? attempt->allocated : 1);
  self->memory = fmax (self->memory, (double) roast_table_reader_get_int64 (tasks, ROAST_TASKS_MEMORY_REQUESTED, 0));
  self->n_unplaced += roast_table_reader_has (tasks, ROAST_TASKS_WORKER) ? 0 : 1;
  self->has_lost |= attempt->status == ROAST_STATUS_LOST;
  if (under_way_get (tasks, end, &from, &to))
    add_open (self, attempt, tasks, (to - from) / G_USEC_PER_SEC);
  else if (attempt->time > 0)
    add_ended (self, attempt);
}

/* ---- workers ---- */

FindingsPlace *
findings_find_place (Findings *self, const char *worker)
{
  return worker != NULL ? g_hash_table_lookup (self->places, worker) : NULL;
}

FindingsPlace *
findings_add_place (Findings *self, const char *worker)
{
  FindingsPlace *place = findings_find_place (self, worker);

  if (place == NULL)
    {
      place = g_new (FindingsPlace, 1);
      *place = (FindingsPlace) { .started = NAN, .first = NAN, .last = NAN };
      g_hash_table_insert (self->places, (gpointer) findings_keep (self, worker), place);
    }

  return place;
}

/* Adds an attempt to its worker. An attempt with allocated cores runs in its own process, not in a thread of the
 * worker. */
static void
add_to_place (FindingsPlace *self, const FindingsAttempt *attempt)
{
  if (isnan (attempt->started))
    return;
  self->started = fmin (self->started, attempt->started);
  self->cpu += isnan (attempt->cpu) ? 0 : attempt->cpu;
  if (isnan (attempt->time + attempt->cpu))
    return;
  self->waited += fmax (attempt->time - attempt->cpu, 0);
  if (!isnan (attempt->allocated))
    return;
  self->first = fmin (self->first, attempt->started);
  self->last = fmax (self->last, attempt->ended);
  self->time += attempt->time;
  self->cpu_of_threads += attempt->cpu;
}

/* ---- single tasks ---- */

static void
take_task (FindingsTask *self, const FindingsAttempt *attempt, RoastTableReader *tasks)
{
  self->row = roast_table_reader_get_row (tasks);
  self->time = attempt->time;
  self->waited = attempt->time - attempt->cpu;
  self->ended = attempt->ended;
}

/* @late: middle of the tail, µs; only a task that ended later than this can become the last task */
static void
add_candidate (FindingsTasks *self, const FindingsAttempt *attempt, RoastTableReader *tasks, double late)
{
  if (attempt->time > self->longest.time)
    take_task (&self->longest, attempt, tasks);
  self->longest.n++;
  if (!(attempt->ended >= late))
    return;
  if (self->last.n == 0 || attempt->ended > self->last.ended)
    take_task (&self->last, attempt, tasks);
  self->last.n++;
}

static void
name_task (Findings *self, FindingsTask *last)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);

  if (last->n == 0 || !roast_table_reader_seek (tasks, last->row))
    return;
  last->task = findings_keep (self, roast_table_reader_get_string (tasks, ROAST_TASKS_TASK));
  last->category = findings_keep (self, roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY));
  last->worker = findings_keep (self, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
}

/* ---- the run ---- */

/* Adds an attempt of the analysis. */
static void
tasks_add_attempt (FindingsTasks *self, FindingsCategory *category, const FindingsAttempt *attempt,
                   RoastTableReader *tasks, double late)
{
  self->first_submitted = fmin (self->first_submitted, attempt->submitted);
  self->first_started = fmin (self->first_started, attempt->started);
  self->last_given = fmax (self->last_given, fmax (attempt->started, attempt->dispatched));
  if (isnan (attempt->started))
    self->first_unknown = fmin (self->first_unknown, attempt->dispatched);
  if (isnan (attempt->started) && isnan (attempt->dispatched))
    return;
  self->n_attempts++;
  if (!(attempt->time > 0) || attempt->status != ROAST_STATUS_DONE)
    return;
  self->n_done++;
  self->time += attempt->time;
  category->n++;
  add_candidate (self, attempt, tasks, late);
}

/* Adds a lost attempt. If the executor gave up a task because its workers died, the last attempt at this task has the
 * status killed_worker. This attempt counts as lost, too. */
static void
add_loss (Findings *findings, RoastTableReader *tasks)
{
  FindingsTasks *self = &findings->tasks;
  gint64 attempt = roast_table_reader_get_int64 (tasks, ROAST_TASKS_ATTEMPT, 1);
  const char *worker = findings_keep (findings, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));

  self->n_lost++;
  if (attempt > self->repeated.n)
    {
      self->repeated.n = attempt;
      self->repeated.row = roast_table_reader_get_row (tasks);
    }
  if (worker == NULL)
    return;
  if (self->lost_worker == NULL)
    self->lost_worker = worker;
  g_hash_table_add (self->lost_at, (gpointer) worker);
}

/* Add a failed attempt. If its process died by a signal, a shell reports the status 128 + signal, and an executor
 * reports the signal itself. */
static void
tasks_add_failure (FindingsTasks *self, const FindingsAttempt *attempt, RoastTableReader *tasks)
{
  gboolean is_death = attempt->status == ROAST_STATUS_KILLED_WORKER;
  double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES);
  gint64 code = roast_table_reader_get_int64 (tasks, ROAST_TASKS_EXIT_CODE, 0);
  double held = attempt->time > 0 ? attempt->time * (isnan (cores) ? 1 : cores) : 0;

  self->failed += held;
  self->killed += is_death || code == SIGKILL || code == 128 + SIGKILL ? held : 0;
}

static gboolean
is_over (RoastTableReader *tasks, guint peak, guint allocated)
{
  double given = roast_table_reader_get_double (tasks, allocated);

  return given > 0 && roast_table_reader_get_double (tasks, peak) >= given;
}

/* Adds an attempt that exceeded a limit. Some executors use a different error name for each limit; other executors use
 * one error name for all limits. */
static void
add_exhausted (Findings *findings, RoastTableReader *tasks)
{
  FindingsLimits *self = &findings->limits;
  const char *error = roast_table_reader_get_string (tasks, ROAST_TASKS_ERROR);
  g_autofree char *lower = error != NULL ? g_utf8_strdown (error, -1) : NULL;
  gboolean is_disk = is_over (tasks, ROAST_TASKS_DISK_PEAK, ROAST_TASKS_DISK_ALLOCATED);

  if (is_over (tasks, ROAST_TASKS_MEMORY_PEAK, ROAST_TASKS_MEMORY_ALLOCATED) ||
      (lower != NULL && strstr (lower, "memory") != NULL && !is_disk))
    {
      self->n_memory++;
      return;
    }
  self->n_disk += is_disk ? 1 : 0;
  if (self->n_other++ > 0)
    return;
  self->category = findings_keep (findings, roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY));
  self->error = findings_keep (findings, error);
}

/* Compares the resources that a task requests and receives with those of the largest worker. */
static void
add_request (FindingsTasks *self, const FindingsWorkers *workers, const FindingsAttempt *attempt,
             RoastTableReader *tasks)
{
  double requested = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES_REQUESTED);
  double memory = (double) roast_table_reader_get_int64 (tasks, ROAST_TASKS_MEMORY_REQUESTED, 0);

  if (((workers->largest > 0 && requested > workers->largest) || (workers->memory > 0 && memory > workers->memory)) &&
      !roast_table_reader_has (tasks, ROAST_TASKS_WORKER) && isnan (attempt->dispatched) && isnan (attempt->started) &&
      self->n_too_large++ == 0)
    self->too_large = roast_table_reader_get_row (tasks);
  self->n_allocated += attempt->allocated > 0 ? 1 : 0;
  self->n_whole += attempt->allocated > 1 && attempt->allocated >= workers->largest && isnan (requested) &&
                           isnan (attempt->cpu) && !roast_table_reader_has (tasks, ROAST_TASKS_CORES_USED)
                       ? 1
                       : 0;
}

void
findings_read_tasks (Findings *self)
{
  g_autoptr (RoastTableReader) tasks = findings_group_tasks (self);
  g_autoptr (GArray) codes = g_array_new (FALSE, FALSE, sizeof (FindingsPlace *));
  const double *tail = self->bounds[ROAST_STRETCH_TAIL];

  self->tasks.first_submitted = self->tasks.first_started = self->tasks.first_unknown = self->tasks.last_given = NAN;
  self->tasks.categories = g_array_new (FALSE, FALSE, sizeof (FindingsCategory));
  self->tasks.lost_at = g_hash_table_new (g_str_hash, g_str_equal);
  self->places = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  while (roast_table_reader_next (tasks))
    {
      FindingsCategory *category = group_element (self->tasks.categories, tasks);
      int code = roast_table_reader_get_code (tasks, ROAST_TASKS_WORKER);
      const FindingsAttempt attempt = read_attempt (tasks);
      FindingsPlace **place = code >= 0 ? group_element_at (codes, (guint) code) : NULL;

      if (category->name == NULL)
        category_init (category, self, tasks);
      if (place != NULL && *place == NULL)
        *place = findings_add_place (self, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
      if (place != NULL)
        add_to_place (*place, &attempt);
      if (attempt.status == ROAST_STATUS_LOST || attempt.status == ROAST_STATUS_KILLED_WORKER)
        add_loss (self, tasks);
      if (attempt.status == ROAST_STATUS_FAILED || attempt.status == ROAST_STATUS_KILLED_WORKER)
        tasks_add_failure (&self->tasks, &attempt, tasks);
      if (attempt.status == ROAST_STATUS_EXHAUSTED)
        add_exhausted (self, tasks);
      add_to_category (category, &attempt, tasks, self->end);
      add_request (&self->tasks, &self->workers, &attempt, tasks);
      /* Without a tail, @late is NaN, so no task counts as late: comparisons with NaN are false. */
      if (!findings_is_framework (category, tasks))
        tasks_add_attempt (&self->tasks, category, &attempt, tasks, (tail[0] + tail[1]) / 2);
    }
  self->limits.n_failed =
      (gint64) fmax (findings_evaluate (self, "sum (tasks over task_outcomes where status = exhausted)"), 0);
  name_task (self, &self->tasks.last);
  name_task (self, &self->tasks.longest);
  name_task (self, &self->tasks.repeated);
}

void
findings_clear_tasks (Findings *self)
{
  g_array_unref (self->tasks.categories);
  g_hash_table_unref (self->tasks.lost_at);
  g_hash_table_unref (self->places);
}

double
findings_get_median (Findings *self, const char *category)
{
  g_autoptr (RoastTableReader) table = roast_distributions_read (self->report);

  while (roast_table_reader_next (table))
    if (roast_table_reader_get_word (table, ROAST_DISTRIBUTIONS_KIND) == ROAST_DISTRIBUTION_KIND_TASK &&
        g_strcmp0 (roast_table_reader_get_string (table, ROAST_DISTRIBUTIONS_CATEGORY), category) == 0)
      return roast_table_reader_get_double (table, ROAST_DISTRIBUTIONS_P50);

  return NAN;
}
