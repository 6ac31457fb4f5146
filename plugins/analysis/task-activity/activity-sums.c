/* SPDX-License-Identifier: BSD-3-Clause */
#include "activity-sums.h"

#include <math.h>

#include "activity-key.h"
#include "elapsed.h"
#include "group-element.h"
#include "partial-sum.h"

static ActivitySum *
sums_get_sum (GHashTable *sums, const char *source, const char *name)
{
  ActivitySum key = { .key = { name, source }, .role = -1, .memory_peak = -1, .spilled_peak = -1, .bytes_out = NAN };
  ActivitySum *sum = g_hash_table_lookup (sums, &key.key);

  if (sum == NULL)
    {
      sum = g_memdup2 (&key, sizeof key);
      g_hash_table_insert (sums, &sum->key, sum);
    }

  return sum;
}

static ActivitySum *
sums_get_category (ActivitySums *self, const char *source, const char *category)
{
  guint n = g_hash_table_size (self->by_category);
  ActivitySum *sum = sums_get_sum (self->by_category, source, category);

  if (g_hash_table_size (self->by_category) > n)
    g_ptr_array_add (self->categories, sum);

  return sum;
}

ActivitySum *
activity_sums_get_worker (ActivitySums *self, const char *source, const char *worker)
{
  return sums_get_sum (self->by_worker, source, worker);
}

/* ---- activities ---- */

static ActivityPlace
sums_get_place (int context)
{
  switch (context)
    {
    case ROAST_CONTEXT_EXECUTE:
      return ACTIVITY_IN_TASKS;
    case ROAST_CONTEXT_SHUFFLE:
      return ACTIVITY_SHUFFLE;
    case ROAST_CONTEXT_SHUFFLE_TASKS:
    case ROAST_CONTEXT_RUN_QUEUE:
    case ROAST_CONTEXT_CANCELLED:
      return ACTIVITY_TWICE;
    case ROAST_CONTEXT_PROCESS:
      return ACTIVITY_OF_PROCESS;
    default:
      return ACTIVITY_BETWEEN;
    }
}

/* Return whether an activity is part of a task. The work of the executor before the task's thread starts and after it
 * ends is not part of the task, because this work holds no slot. */
static gboolean
is_busy (int activity)
{
  return activity != ROAST_ACTIVITY_EXECUTOR && activity != ROAST_ACTIVITY_OFFLOAD && activity != ROAST_ACTIVITY_OTHER;
}

static void
add_to_threads (ActivitySum *sum, const Activity *activity, double seconds)
{
  if (activity->activity_word == ROAST_ACTIVITY_THREAD_CPU)
    sum->cpu += seconds;
  if (activity->activity_word == ROAST_ACTIVITY_THREAD_NONCPU)
    sum->noncpu += seconds;
}

static void
add_to_sum (ActivitySum *sum, const Activity *activity, double value)
{
  if (activity->unit_word == ROAST_UNIT_BYTES && activity->activity_word == ROAST_ACTIVITY_DISK_READ)
    sum->disk_read += value;
  if (activity->unit_word == ROAST_UNIT_BYTES && activity->activity_word == ROAST_ACTIVITY_DISK_WRITE)
    sum->disk_write += value;
  if (activity->unit_word != ROAST_UNIT_SECONDS)
    return;
  if (is_busy (activity->activity_word))
    sum->busy += value;
  if (activity->activity_word == ROAST_ACTIVITY_SERIALIZE || activity->activity_word == ROAST_ACTIVITY_DESERIALIZE)
    sum->serialization += value;
  if (activity->activity_word == ROAST_ACTIVITY_COMPRESS || activity->activity_word == ROAST_ACTIVITY_DECOMPRESS)
    sum->compression += value;
  add_to_threads (sum, activity, value);
  if (activity->activity_word == ROAST_ACTIVITY_CANCELLED || activity->activity_word == ROAST_ACTIVITY_RESCHEDULED)
    sum->unknown += value;
}

static void
sums_add_to_process (ActivitySums *self, ActivitySum *worker, const Activity *activity, double value)
{
  static const int words[ACTIVITY_PROCESS_N] = {
    [ACTIVITY_PROCESS_STARTUP] = ROAST_ACTIVITY_STARTUP,
    [ACTIVITY_PROCESS_EVENT_LOOP] = ROAST_ACTIVITY_EVENT_LOOP,
    [ACTIVITY_PROCESS_TASK_THREADS] = ROAST_ACTIVITY_TASK_THREADS,
    [ACTIVITY_PROCESS_OTHER_THREADS] = ROAST_ACTIVITY_OTHER_THREADS,
    [ACTIVITY_PROCESS_CHILDREN] = ROAST_ACTIVITY_CHILDREN,
  };

  if (activity->unit_word != ROAST_UNIT_SECONDS)
    return;
  activity_split_add_source (self->split, worker->key.source);
  worker->has_process = TRUE;
  for (guint i = 0; i < ACTIVITY_PROCESS_N; i++)
    if (words[i] == activity->activity_word)
      worker->process[i] += value;
}

static void
add_to_split (ActivitySums *self, const char *source, const char *worker, const char *category,
              const Activity *activity, double value)
{
  gboolean is_cpu = activity->activity_word == ROAST_ACTIVITY_THREAD_CPU;

  if (activity->unit_word == ROAST_UNIT_SECONDS && (is_cpu || activity->activity_word == ROAST_ACTIVITY_THREAD_NONCPU))
    activity_split_add_time (self->split, activity_sums_get_worker (self, source, worker),
                             sums_get_category (self, source, category), is_cpu, value);
}

/* Add time from the context “cancelled”. This time divides the time of the activity “cancelled”, which was added as
 * unknown, so subtract it there. */
static void
add_cancelled (ActivitySums *self, const char *source, const char *worker, const char *category,
               const Activity *activity, double value)
{
  ActivitySum *sum = sums_get_category (self, source, category);

  if (activity->unit_word != ROAST_UNIT_SECONDS)
    return;
  sum->unknown -= value;
  add_to_threads (sum, activity, value);
  add_to_threads (activity_sums_get_worker (self, source, worker), activity, value);
  add_to_split (self, source, worker, category, activity, value);
}

/* Add the activity in the current row of @table. */
static void
add_activity (ActivitySums *self, RoastTableReader *table)
{
  const char *category = roast_table_reader_get_string (table, ROAST_ACTIVITIES_CATEGORY);
  const char *worker = roast_table_reader_get_string (table, ROAST_ACTIVITIES_WORKER);
  const char *source = roast_table_reader_get_string (table, ROAST_ACTIVITIES_SOURCE);
  double value = roast_table_reader_get_double (table, ROAST_ACTIVITIES_VALUE);
  int context = roast_table_reader_get_word (table, ROAST_ACTIVITIES_CONTEXT);
  guint group = roast_table_reader_get_group (table);
  Activity *activity = NULL;

  if (group == self->activities->len)
    {
      Activity first = { roast_table_reader_get_string (table, ROAST_ACTIVITIES_CONTEXT),
                         roast_table_reader_get_string (table, ROAST_ACTIVITIES_ACTIVITY),
                         roast_table_reader_get_string (table, ROAST_ACTIVITIES_UNIT),
                         roast_table_reader_get_word (table, ROAST_ACTIVITIES_ACTIVITY),
                         roast_table_reader_get_word (table, ROAST_ACTIVITIES_UNIT),
                         sums_get_place (context),
                         0 };

      g_array_append_val (self->activities, first);
    }
  activity = &g_array_index (self->activities, Activity, group);
  activity->value += value;
  if (source != NULL)
    g_hash_table_add (self->sources, (gpointer) source);
  if (activity->place == ACTIVITY_OF_PROCESS && source != NULL && worker != NULL)
    sums_add_to_process (self, activity_sums_get_worker (self, source, worker), activity, value);
  if (activity->place != ACTIVITY_OF_PROCESS)
    self->has_activities = TRUE;
  if (activity->place != ACTIVITY_OF_PROCESS && worker != NULL)
    self->has_activities_by_worker = TRUE;
  if (context == ROAST_CONTEXT_CANCELLED && category != NULL && worker != NULL)
    add_cancelled (self, source, worker, category, activity, value);
  if (activity->place != ACTIVITY_IN_TASKS)
    return;
  if (category != NULL && worker != NULL)
    add_to_split (self, source, worker, category, activity, value);
  if (category != NULL)
    add_to_sum (sums_get_category (self, source, category), activity, value);
  if (worker != NULL)
    add_to_sum (activity_sums_get_worker (self, source, worker), activity, value);
  switch (activity->activity_word)
    {
    case ROAST_ACTIVITY_THREAD_CPU:
    case ROAST_ACTIVITY_THREAD_NONCPU:
      self->has_cpu = TRUE;
      break;
    case ROAST_ACTIVITY_UNMEASURED:
      self->unmeasured += value;
      break;
    case ROAST_ACTIVITY_LOST:
    case ROAST_ACTIVITY_UNFINISHED:
      self->vague += value;
      break;
    default:
      break;
    }
}

/* Read the activities. Use only the last row of each key, because values are cumulative. Add the values in the order of
 * rows, so that the sums of a recording are always the same to the last bit. */
static void
read_activities (ActivitySums *self, RoastTableReader *table)
{

  roast_table_reader_last_per (table, activity_key, G_N_ELEMENTS (activity_key));
  GROUP_BY (table, ROAST_ACTIVITIES_CONTEXT, ROAST_ACTIVITIES_ACTIVITY, ROAST_ACTIVITIES_UNIT);
  while (roast_table_reader_next (table))
    if (roast_table_reader_has (table, ROAST_ACTIVITIES_CONTEXT) &&
        roast_table_reader_has (table, ROAST_ACTIVITIES_ACTIVITY) &&
        roast_table_reader_has (table, ROAST_ACTIVITIES_UNIT) && roast_table_reader_has (table, ROAST_ACTIVITIES_VALUE))
      add_activity (self, table);
}

/* ---- tasks ---- */

static void
add_task (ActivitySum *sum, gboolean failed, double seconds, double bytes)
{
  sum->has_tasks = TRUE;
  sum->tasks++;
  sum->failed += failed ? 1 : 0;
  partial_sum_add (&sum->bytes_out, bytes);
  if (isnan (seconds))
    return;
  sum->timed++;
  sum->in_tasks += seconds;
  sum->longest = MAX (sum->longest, seconds);
}

/* Add the CPU time from a task's row to @sum. Call this function only if the backend records no activities. If the task
 * has several cores, the time without CPU use remains unsplit, because it is unknown how many of the task's threads
 * waited. */
static void
add_task_cpu (ActivitySum *sum, double cpu, double seconds, double cores)
{
  double rest = fmax (seconds - cpu, 0);

  sum->cpu += cpu;
  sum->noncpu += rest;
  if (!(cores > 1))
    return;
  sum->unsplit += rest;
  sum->unused += fmax (seconds * cores - cpu - rest, 0);
}

/* Sums to which the tasks of one source, category and worker are added. */
typedef struct
{
  ActivitySum *category, *worker;
  double cpu, noncpu; /* s: sums over the rows of the tasks of @category on @worker */
} TaskSums;

/* Largest difference between the times in rows and in activities that different clocks may cause. */
#define SUMS_SAME_SHARE 0.01
#define SUMS_SAME_SECONDS 0.001

/* Add the time of tasks that appears in their rows but not in activities: executors report no activities for tasks that
 * failed, were retried, or moved data in their thread. */
static void
add_rest_of_rows (ActivitySums *self, const TaskSums *rows)
{
  double cpu, noncpu;

  if (rows->worker == NULL)
    return;
  cpu = rows->cpu - activity_split_get_time (self->split, rows->worker, rows->category, TRUE);
  noncpu = fmax (rows->noncpu - activity_split_get_time (self->split, rows->worker, rows->category, FALSE), 0);
  if (cpu <= SUMS_SAME_SHARE * rows->cpu + SUMS_SAME_SECONDS)
    return;
  self->has_cpu = TRUE;
  rows->category->cpu += cpu;
  rows->worker->cpu += cpu;
  rows->category->noncpu += noncpu;
  rows->worker->noncpu += noncpu;
  activity_split_add_time (self->split, rows->worker, rows->category, TRUE, cpu);
  activity_split_add_time (self->split, rows->worker, rows->category, FALSE, noncpu);
}

static void
find_sums (ActivitySums *self, TaskSums *sums, RoastTableReader *table)
{
  const char *category = roast_table_reader_get_string (table, ROAST_TASKS_CATEGORY);
  const char *worker = roast_table_reader_get_string (table, ROAST_TASKS_WORKER);
  const char *source = roast_table_reader_get_string (table, ROAST_TASKS_SOURCE);

  sums->category = sums_get_category (self, source, category != NULL ? category : "?");
  if (worker != NULL)
    sums->worker = activity_sums_get_worker (self, source, worker);
}

/* Returns whether nothing is known of the attempt but that it was submitted. It waits while the run goes on. */
static gboolean
is_only_submitted (RoastTableReader *tasks, int status)
{
  return status < 0 && roast_table_reader_has (tasks, ROAST_TASKS_SUBMITTED) &&
         !roast_table_reader_has (tasks, ROAST_TASKS_WORKER) && !roast_table_reader_has (tasks, ROAST_TASKS_STARTED);
}

static void
sums_read_tasks (ActivitySums *self, RoastTableReader *table)
{
  const gboolean has_activities = self->has_activities;
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (TaskSums));
  const char *last_source = NULL;

  self->n_tasks = roast_table_reader_get_n_rows (table);
  GROUP_BY (table, ROAST_TASKS_SOURCE, ROAST_TASKS_CATEGORY, ROAST_TASKS_WORKER);
  while (roast_table_reader_next (table))
    {
      const char *source = roast_table_reader_get_string (table, ROAST_TASKS_SOURCE);
      gboolean has_worker = roast_table_reader_has (table, ROAST_TASKS_WORKER);
      int status = roast_table_reader_get_word (table, ROAST_TASKS_STATUS);
      gboolean failed =
          status == ROAST_STATUS_FAILED || status == ROAST_STATUS_EXHAUSTED || status == ROAST_STATUS_KILLED_WORKER;
      double seconds = elapsed_get (table, ROAST_TASKS_STARTED, ROAST_TASKS_ENDED);
      double bytes = roast_table_reader_get_double (table, ROAST_TASKS_BYTES_OUT);
      double cpu = roast_table_reader_get_double (table, ROAST_TASKS_CPU);
      double cores = roast_table_reader_get_double (table, ROAST_TASKS_CORES);
      TaskSums *sums = NULL;

      if (source != NULL && source != last_source)
        g_hash_table_add (self->sources, (gpointer) source);
      last_source = source;
      if (status == ROAST_STATUS_NEVER_RAN || status == ROAST_STATUS_WAITING ||
          (status == ROAST_STATUS_CANCELLED && !has_worker) || is_only_submitted (table, status))
        continue;
      sums = group_element (groups, table);
      if (sums->category == NULL)
        find_sums (self, sums, table);
      add_task (sums->category, failed, seconds, bytes);
      if (sums->category->role < 0)
        sums->category->role = roast_table_reader_get_word (table, ROAST_TASKS_ROLE);
      if (sums->worker != NULL)
        add_task (sums->worker, failed, seconds, bytes);
      self->untimed += isnan (seconds) && (status == ROAST_STATUS_DONE || !isnan (cpu)) ? 1 : 0;
      /* Add an attempt without a start or an end with a time of 0 s, because its CPU time still counts. */
      seconds = fmax (seconds, 0);
      if (has_activities)
        {
          sums->cpu += isnan (cpu) ? 0 : cpu;
          sums->noncpu += isnan (cpu) ? 0 : fmax (seconds - cpu, 0);
          sums->category->unknown += isnan (cpu) && failed ? seconds : 0;
          continue;
        }
      if (isnan (cpu))
        {
          self->unmeasured += seconds;
          continue;
        }
      self->has_cpu = TRUE;
      add_task_cpu (sums->category, cpu, seconds, cores);
      if (sums->worker != NULL)
        add_task_cpu (sums->worker, cpu, seconds, cores);
    }
  for (guint i = 0; i < groups->len; i++)
    add_rest_of_rows (self, &g_array_index (groups, TaskSums, i));
}

/* Set the roles of categories. Skip a category if one of its tasks has a role, because the category got its role from
 * this task. */
static void
set_roles (ActivitySums *self, RoastRecordingSnapshot *recording)
{
  RoastRunModel *model = roast_run_model_get (recording);

  FOR_EACH_POINTER (ActivitySum, sum, self->categories)
    if (sum->role < 0)
      sum->role = (int) roast_run_model_get_role (model, sum->key.source, sum->key.name);
}

/* Add the unsplit time of categories to their roles. This is correct only if CPU times come from rows of tasks: then no
 * CPU time is claimed by two categories. */
static void
add_unsplit_of_tasks (ActivitySums *self)
{
  FOR_EACH_POINTER (const ActivitySum, sum, self->categories)
    self->unsplit[sum->role] += sum->unsplit;
}

/* ---- workers ---- */

/* Add the workers to the split of the tasks' time. Workers that share a process also share its CPU time. */
static void
add_workers (ActivitySums *self, RoastRunModel *model)
{
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (model, &n);

  for (guint i = 0; i < n; i++)
    {
      const RoastRunWorker *worker = &workers[i];
      g_autofree char *process = NULL;

      if (worker->pid < 0 || worker->process_workers <= 1)
        continue;
      process = g_strdup_printf ("%s %s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, worker->source,
                                 worker->host != NULL ? worker->host : "", worker->pid_namespace, worker->pid);
      activity_split_add_worker (self->split, activity_sums_get_worker (self, worker->source, worker->worker), process);
    }
}

/* ---- sources ---- */

/* Add the sources of the table category_states, because some executors record only the number of their tasks. */
static void
sums_read_states (ActivitySums *self, RoastTableReader *table)
{
  while (roast_table_reader_next (table))
    if (roast_table_reader_has (table, ROAST_CATEGORY_STATES_SOURCE))
      g_hash_table_add (self->sources, (gpointer) roast_table_reader_get_string (table, ROAST_CATEGORY_STATES_SOURCE));
}

static void
sums_read_sources (ActivitySums *self, RoastTableReader *table)
{
  while (roast_table_reader_next (table))
    {
      int coverage = roast_table_reader_get_word (table, ROAST_SOURCES_ACTIVITIES);
      const char *source = roast_table_reader_get_string (table, ROAST_SOURCES_SOURCE);

      /* A source may have workers but no tasks. In this case, worker_kind shows whether these are workers of an
       * executor. */
      if (source != NULL && roast_table_reader_get_word (table, ROAST_SOURCES_WORKER_KIND) == ROAST_WORKER_KIND_WORKER)
        g_hash_table_add (self->sources, (gpointer) source);
      if (coverage >= 0 && coverage != ROAST_COVERAGE_ALL && g_hash_table_contains (self->sources, source))
        self->is_limited = TRUE;
    }
}

ActivitySums *
activity_sums_new (RoastRecordingSnapshot *recording)
{
  /* Do not change this order: each function uses data that the functions before it have read. */
  static const struct
  {
    RoastTableReader *(*open) (RoastRecordingSnapshot *recording);
    void (*read) (ActivitySums *self, RoastTableReader *table);
  } tables[] = {
    { roast_activities_read, read_activities },
    { roast_tasks_read, sums_read_tasks },
    { roast_category_states_read, sums_read_states },
    { roast_sources_read, sums_read_sources },
  };
  ActivitySums *self = g_new0 (ActivitySums, 1);

  self->split = activity_split_new ();
  self->categories = g_ptr_array_new ();
  self->activities = g_array_new (FALSE, FALSE, sizeof (Activity));
  self->sources = g_hash_table_new (g_str_hash, g_str_equal);
  self->by_category = g_hash_table_new_full (names_key_hash, names_key_equal, NULL, g_free);
  self->by_worker = g_hash_table_new_full (names_key_hash, names_key_equal, NULL, g_free);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autoptr (RoastTableReader) table = tables[i].open (recording);

      tables[i].read (self, table);
    }
  add_workers (self, roast_run_model_get (recording));
  set_roles (self, recording);
  if (self->has_activities)
    activity_split_finish (self->split, self->unsplit);
  else
    add_unsplit_of_tasks (self);

  return self;
}

void
activity_sums_free (ActivitySums *self)
{
  activity_split_free (self->split);
  g_ptr_array_unref (self->categories);
  g_array_unref (self->activities);
  g_hash_table_unref (self->sources);
  g_hash_table_unref (self->by_category);
  g_hash_table_unref (self->by_worker);
  g_free (self);
}

double
activity_sum_get_own_cpu (const ActivitySum *sum)
{
  double cpu = 0;

  for (guint i = 0; i < ACTIVITY_PROCESS_N; i++)
    cpu += i != ACTIVITY_PROCESS_CHILDREN ? sum->process[i] : 0;

  return cpu;
}

gboolean
activity_sums_knows_cpu (ActivitySums *self)
{
  return self->has_cpu || (self->has_activities && !self->is_limited);
}
