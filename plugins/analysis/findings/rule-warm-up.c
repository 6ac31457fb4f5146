/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds workers whose first tasks take longer than later tasks, because later tasks reuse modules, compiled code or
 * files that the first tasks loaded. */

#include "findings.h"
#include "group-element.h"
#include "order.h"
#include "percentile.h"

#define WARM_UP_SOME 0.1        /* report only if first tasks took longer by this share of the core time */
#define LEAST_WORKERS 2         /* report only if at least this many workers have enough tasks */
#define MOST_OF_WORKERS 0.75    /* report only if the first task took longer on at least this share of these workers */
#define LEAST_LATER 3           /* a worker has enough tasks if it ran at least this many later tasks */
#define WARM_UP_LONGER 2.0      /* minimum time of a slow first task, as a multiple of the median of later tasks */
#define WARM_UP_MOST_TASKS 1000 /* number of tasks examined per worker and category, beginning with the first task */

typedef struct
{
  double started, ended; /* µs */
  double time, waited;   /* s; without the waiting for a core, if it is known how long the task waited */
  double cores;
} WarmUpTask;

/* Attempts of one category on one worker. */
typedef struct
{
  const char *category;
  const FindingsCoreWait *wait; /* waiting of the worker's process; NULL if unknown */
  GArray *tasks;                /* elements are WarmUpTask; NULL if there is no task yet */
} WarmUpGroup;

/* Attempts of one category on all workers. */
typedef struct
{
  const char *name;
  guint n, n_warm;       /* workers with enough tasks, and those among them whose first task took longer */
  double excess, waited; /* core-seconds that first tasks take longer than later tasks, and the waiting in this time */
  GArray *first, *later; /* elements are double, s: one value per worker with enough tasks */
} WarmUpCategory;

static void
group_clear (WarmUpGroup *self)
{
  g_clear_pointer (&self->tasks, g_array_unref);
}

static void
category_clear (WarmUpCategory *self)
{
  g_clear_pointer (&self->first, g_array_unref);
  g_clear_pointer (&self->later, g_array_unref);
}

static GArray *
read_groups (Findings *self)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  GArray *groups = g_array_new (FALSE, TRUE, sizeof (WarmUpGroup));

  g_array_set_clear_func (groups, (GDestroyNotify) group_clear);
  GROUP_BY (tasks, ROAST_TASKS_CATEGORY, ROAST_TASKS_SOURCE, ROAST_TASKS_WORKER);
  while (roast_table_reader_next (tasks))
    {
      double cpu = roast_table_reader_get_double (tasks, ROAST_TASKS_CPU);
      WarmUpTask task = { roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED),
                          roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED), 0, 0, 1 };
      double cores = roast_table_reader_get_double (tasks, ROAST_TASKS_CORES);
      WarmUpGroup *group = group_element (groups, tasks);

      if (!roast_table_reader_has (tasks, ROAST_TASKS_WORKER) ||
          roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) != ROAST_STATUS_DONE ||
          (group->tasks != NULL && group->tasks->len >= WARM_UP_MOST_TASKS))
        continue;
      if (group->tasks == NULL)
        {
          group->tasks = g_array_new (FALSE, FALSE, sizeof (WarmUpTask));
          group->category = roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY);
          group->wait =
              findings_find_core_wait_of_worker (self, roast_table_reader_get_string (tasks, ROAST_TASKS_WORKER));
        }
      task.time =
          findings_core_wait_subtract (group->wait, task.started, (task.ended - task.started) / G_USEC_PER_SEC, cpu);
      if (!(task.time > 0))
        continue;
      task.cores = isnan (cores) ? 1 : cores;
      task.waited = isnan (cpu) ? 0 : fmax (task.time - cpu, 0);
      g_array_append_val (group->tasks, task);
    }

  return groups;
}

/* Adds the tasks of one worker. Tasks that started before the first task ended also count as first tasks, because they
 * waited for the same modules or files. */
static void
take_group (WarmUpCategory *self, GArray *tasks)
{
  g_autofree double *later = g_new (double, tasks->len);
  double until = 0;
  double median;
  guint n_first = 0, n_later = 0;

  g_array_sort (tasks, order_doubles);
  until = g_array_index (tasks, WarmUpTask, 0).ended;
  while (n_first < tasks->len && g_array_index (tasks, WarmUpTask, n_first).started < until)
    n_first++;
  for (guint i = n_first; i < tasks->len; i++)
    later[n_later++] = g_array_index (tasks, WarmUpTask, i).time;
  if (n_later < LEAST_LATER)
    return;
  median = percentile_get (later, n_later, 0.5);
  self->n++;
  self->n_warm += g_array_index (tasks, WarmUpTask, 0).time >= WARM_UP_LONGER * median ? 1 : 0;
  g_array_append_val (self->first, g_array_index (tasks, WarmUpTask, 0).time);
  g_array_append_val (self->later, median);
  for (guint i = 0; i < n_first; i++)
    {
      const WarmUpTask *task = &g_array_index (tasks, WarmUpTask, i);
      double excess = fmax (task->time - median, 0);

      self->excess += excess * task->cores;
      self->waited += fmin (excess, task->waited) * task->cores;
    }
}

/* Finds the category whose first tasks took the most additional time. */
static void
find_costliest (GArray *groups, WarmUpCategory *costliest)
{
  g_autoptr (GHashTable) categories = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GArray) all = g_array_new (FALSE, TRUE, sizeof (WarmUpCategory));

  FOR_EACH (const WarmUpGroup, group, groups)
    {
      gpointer at;

      if (group->tasks == NULL || group->tasks->len == 0 || group->category == NULL)
        continue;
      if (!g_hash_table_lookup_extended (categories, group->category, NULL, &at))
        {
          WarmUpCategory category = { .name = group->category,
                                      .first = g_array_new (FALSE, FALSE, sizeof (double)),
                                      .later = g_array_new (FALSE, FALSE, sizeof (double)) };

          at = GUINT_TO_POINTER (all->len);
          g_hash_table_insert (categories, (gpointer) group->category, at);
          g_array_append_val (all, category);
        }
      take_group (&g_array_index (all, WarmUpCategory, GPOINTER_TO_UINT (at)), group->tasks);
    }
  FOR_EACH (WarmUpCategory, category, all)
    {
      if (category->n >= LEAST_WORKERS && category->n_warm >= MOST_OF_WORKERS * category->n &&
          category->excess > costliest->excess)
        {
          category_clear (costliest);
          *costliest = *category;
        }
      else
        category_clear (category);
    }
}

static void
warm_up_speak (Findings *self, WarmUpCategory *category, double share)
{
  double first = percentile_get ((double *) (gpointer) category->first->data, category->first->len, 0.5);
  double later = percentile_get ((double *) (gpointer) category->later->data, category->later->len, 0.5);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                    "The first tasks of category “%s” took %s on each of %s workers, but later tasks took %s. This is "
                    "typical of tasks that import modules, compile code or open files that later tasks reuse.",
                    category->name, findings_duration (self, first), findings_number (self, category->n, "count"),
                    findings_duration (self, later));

  roast_finding_add_text (finding, "category", category->name);
  roast_finding_add_number (finding, "workers", category->n, NULL);
  roast_finding_add_number (finding, "first", first, "s");
  roast_finding_add_number (finding, "later", later, "s");
  roast_finding_add_number (finding, "excess", category->excess, "s");
  findings_explain_waiting (self, category->waited);
  findings_add (self, finding,
                "Prepare workers before the first task, for example with a preload script. Or keep the workers between "
                "runs, or use fewer and larger workers.");
}

void
rule_warm_up (Findings *self)
{
  g_autoptr (GArray) groups = NULL;
  WarmUpCategory costliest = { 0 };
  double share;

  groups = read_groups (self);
  find_costliest (groups, &costliest);
  share = costliest.excess / self->offered;
  if (share >= WARM_UP_SOME)
    warm_up_speak (self, &costliest, share);
  else
    findings_be_silent (self, "the extra time of workers' first tasks was at most %.1f %% of the core time",
                        100 * share);
  category_clear (&costliest);
}
