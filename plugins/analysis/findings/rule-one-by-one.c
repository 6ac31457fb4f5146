/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds tasks that run at the same time but end one after the other, because they wait for a lock or another resource
 * that serves only a few tasks at a time. */

#include "findings.h"
#include "order.h"
#include "percentile.h"

#define ONE_BY_ONE_SOME 0.2         /* report only if tasks waited for at least this share of the core time */
#define MOSTLY_STARVED 0.5          /* from this share of the waiting on, the tasks waited for cores, not for a lock */
#define ONE_BY_ONE_MOSTLY 0.7       /* report only if the tasks did not compute for at least this share of their time */
#define ONE_BY_ONE_LEAST_TASKS 12   /* report only if the category has at least this many tasks */
#define ONE_BY_ONE_MOST_TASKS 10000 /* number of tasks of the category that are examined, counted from the first */
#define MOST_SERVED 4               /* largest number of tasks served at a time */
#define BESIDE 1.8                  /* report only if at least this many tasks run for each task that is served */
#define SHORTEST 1.5                /* maximum of: time of the shortest task / median interval between ends */
#define WAITS 1.6 /* minimum of: median task time / median interval; tasks that follow each other do not wait */
#define EARLY 0.7 /* minimum of: lower quartile of the intervals / median interval */
#define LATE 1.4  /* maximum of: upper quartile of the intervals / median interval */

typedef struct
{
  double ended;
  double started; /* µs */
} OneByOneTask;

/* Returns the first attempts of a category, up to ONE_BY_ONE_MOST_TASKS, that have a result and known times. */
static GArray *
one_by_one_read_tasks (Findings *self, guint category)
{
  g_autoptr (RoastTableReader) tasks = findings_group_tasks (self);
  GArray *all = g_array_new (FALSE, FALSE, sizeof (OneByOneTask));

  while (all->len < ONE_BY_ONE_MOST_TASKS && roast_table_reader_next (tasks))
    {
      OneByOneTask task = { roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED),
                            roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED) };

      if (roast_table_reader_get_group (tasks) == category && task.ended > task.started &&
          roast_table_reader_has (tasks, ROAST_TASKS_CPU) &&
          roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) == ROAST_STATUS_DONE)
        g_array_append_val (all, task);
    }

  return all;
}

typedef struct
{
  guint served;    /* estimated number of tasks that are served at a time */
  double distance; /* median time from one end to the end that comes @served tasks later, s */
  double beside;   /* average number of tasks that run at a time */
} Queue;

static double
one_by_one_get_median (const GArray *tasks)
{
  g_autofree double *times = g_new (double, tasks->len);

  for (guint i = 0; i < tasks->len; i++)
    times[i] = (g_array_index (tasks, OneByOneTask, i).ended - g_array_index (tasks, OneByOneTask, i).started) /
               G_USEC_PER_SEC;

  return percentile_get (times, tasks->len, 0.5);
}

/* Computes the quartiles of the intervals between each end and the end that comes @n tasks later, in s. @quartiles:
 * room for 3 values */
static void
get_distances (const GArray *tasks, guint n, double *quartiles)
{
  guint n_distances = tasks->len - n;
  g_autofree double *distances = g_new (double, n_distances);

  for (guint i = 0; i < n_distances; i++)
    distances[i] = (g_array_index (tasks, OneByOneTask, i + n).ended - g_array_index (tasks, OneByOneTask, i).ended) /
                   G_USEC_PER_SEC;
  for (guint i = 0; i < 3; i++)
    quartiles[i] = percentile_get (distances, n_distances, 0.25 * (i + 1));
}

/* Estimates how many tasks are served at a time, from the shortest task, because it did not wait. The tasks ended
 * regularly in groups of queue->served; noise can make the groups too large. */
static void
count_served (Queue *queue, double shortest)
{
  double interval = queue->distance / queue->served;

  queue->served = (guint) CLAMP (round (shortest / interval), 1, queue->served);
  queue->distance = interval * queue->served;
}

/* Finds a queue. Tasks of the same length also end at regular intervals if they do not wait for each other. In that
 * case, even the shortest task takes as many intervals as there are tasks that run at the same time. In a queue, the
 * shortest task takes fewer intervals, because the first task does not wait. */
static gboolean
find_queue (GArray *tasks, Queue *queue)
{
  double shortest = INFINITY;
  double first = INFINITY;
  double time = 0;
  double length, median;

  if (tasks->len < ONE_BY_ONE_LEAST_TASKS)
    return FALSE;
  g_array_sort (tasks, order_doubles);
  FOR_EACH (const OneByOneTask, task, tasks)
    {
      first = fmin (first, task->started);
      time += (task->ended - task->started) / G_USEC_PER_SEC;
      shortest = fmin (shortest, (task->ended - task->started) / G_USEC_PER_SEC);
    }
  length = (g_array_index (tasks, OneByOneTask, tasks->len - 1).ended - first) / G_USEC_PER_SEC;
  queue->beside = time / length;
  median = one_by_one_get_median (tasks);
  for (queue->served = 1; queue->served <= MOST_SERVED; queue->served++)
    {
      double quartiles[3];

      get_distances (tasks, queue->served, quartiles);
      queue->distance = quartiles[1];
      if (queue->beside >= BESIDE * queue->served && quartiles[0] >= EARLY * quartiles[1] &&
          quartiles[2] <= LATE * quartiles[1] && shortest <= SHORTEST * quartiles[1] && median >= WAITS * quartiles[1])
        {
          count_served (queue, shortest);
          return TRUE;
        }
    }

  return FALSE;
}

static void
one_by_one_speak (Findings *self, const FindingsCategory *category, const Queue *queue)
{
  double share = fmin (category->waited / self->offered, findings_get_part (self, ROAST_CORE_PART_TASK_WAIT));
  const char *how = queue->served == 1 ? "one by one," : findings_text (self, "regularly, %u", queue->served);
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                                        "Tasks of category “%s” ended %s every %s, although %.1f of these tasks ran at "
                                        "a time on average and hardly computed. This is typical of tasks that wait for "
                                        "a lock or another resource that serves only %s.",
                                        category->name, how, findings_duration (self, queue->distance), queue->beside,
                                        queue->served == 1 ? "one task at a time" : "a few tasks at a time");

  roast_finding_add_text (finding, "category", category->name);
  roast_finding_add_number (finding, "served_at_a_time", queue->served, NULL);
  roast_finding_add_number (finding, "distance", queue->distance, "s");
  roast_finding_add_number (finding, "tasks_at_a_time", queue->beside, NULL);
  roast_finding_add_number (finding, "not_computing", category->waited, "s");
  findings_add (self, finding,
                "Hold the lock for a smaller part of the task, or give each worker its own copy of the resource that "
                "the lock guards. More workers or threads do not help.");
  findings_explain_waiting (self, category->waited);
}

void
rule_one_by_one (Findings *self)
{
  double wait = findings_get_part (self, ROAST_CORE_PART_TASK_WAIT);
  double starved = findings_get_spoken_share (self, "starved");
  g_autoptr (GArray) tasks = NULL;
  const FindingsCategory *most = NULL;
  guint number = 0;
  Queue queue;

  if (wait < ONE_BY_ONE_SOME)
    {
      findings_be_silent (self, "tasks waited for %.0f %% of the core time", 100 * wait);
      return;
    }
  if (starved >= MOSTLY_STARVED * wait)
    {
      findings_be_silent (self, "tasks waited for cores: see the finding “starved”");
      return;
    }
  for (guint i = 0; i < self->tasks.categories->len; i++)
    {
      const FindingsCategory *category = &g_array_index (self->tasks.categories, FindingsCategory, i);

      if (most != NULL && category->waited <= most->waited)
        continue;
      most = category;
      number = i;
    }
  if (most == NULL || most->waited < ONE_BY_ONE_SOME * self->offered)
    {
      findings_lack (self, "it is unknown which tasks waited");
      return;
    }
  tasks = one_by_one_read_tasks (self, number);
  if (most->waited >= ONE_BY_ONE_MOSTLY * most->known && find_queue (tasks, &queue))
    one_by_one_speak (self, most, &queue);
  else
    findings_be_silent (self, "tasks of category “%s”, which waited most, did not end one by one", most->name);
}
