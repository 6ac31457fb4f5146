/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds time in which tasks waited although all workers had left, as adaptive scaling lets them. No other rule sees
 * this time, because no core was offered. The time before the first worker belongs to the rule start-up. */

#include "findings.h"
#include "order.h"

#define NO_WORKERS_MUCH 0.1     /* report only if this share of the run passed without workers */
#define NO_WORKERS_AT_LEAST 2.0 /* report only if at least this time passed without workers, s */

/* A change of the number of workers, or of the number of tasks that wait */
typedef struct
{
  double time; /* µs */
  int workers, tasks;
} Change;

static void
add_span (GArray *changes, double from, double to, int workers, int tasks)
{
  const Change both[] = { { from, workers, tasks }, { to, -workers, -tasks } };

  if (to > from)
    g_array_append_vals (changes, both, G_N_ELEMENTS (both));
}

static double
known_or (double time, double other)
{
  return isnan (time) ? other : time;
}

static void
add_tasks (Findings *self, GArray *changes)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);

  while (roast_table_reader_next (tasks))
    {
      double ended = known_or (roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED), self->end);

      add_span (changes, roast_table_reader_get_double (tasks, ROAST_TASKS_SUBMITTED),
                known_or (roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED), ended), 0, 1);
    }
}

/* Returns for how long tasks waited without workers from @first on, s. @n_tasks: number of tasks that wait all the
 * time */
static double
sum_without_workers (GArray *changes, double first, int n_tasks)
{
  int n_workers = 0;
  double since = NAN, waited = 0;

  g_array_sort (changes, order_doubles);
  FOR_EACH (const Change, change, changes)
    {
      gboolean is_without;

      if (since < change->time)
        waited += change->time - since;
      n_workers += change->workers;
      n_tasks += change->tasks;
      is_without = n_workers == 0 && n_tasks > 0 && change->time >= first;
      since = is_without ? change->time : NAN;
    }

  return waited / G_USEC_PER_SEC;
}

/* Returns for how long tasks waited without workers after the first worker had joined, s. Reads the tasks only if there
 * was a time without workers. */
static double
get_without_workers (Findings *self)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);
  double first = self->workers.first_joined;

  for (guint i = 0; i < n; i++)
    if (workers[i].worker != NULL && !workers[i].is_process)
      add_span (changes, workers[i].joined, known_or (workers[i].left, self->end), 1, 0);
  add_span (changes, first, self->end, 0, 0);
  if (sum_without_workers (changes, first, 1) < NO_WORKERS_AT_LEAST)
    return 0;
  add_tasks (self, changes);

  return sum_without_workers (changes, first, 0);
}

void
rule_no_workers (Findings *self)
{
  double waited = get_without_workers (self);
  double run = findings_get_run_length (self);
  RoastFinding *finding = NULL;

  if (self->missing != NULL)
    {
      findings_lack (self, "%s", self->missing);
      return;
    }
  if (waited < NO_WORKERS_AT_LEAST || waited < NO_WORKERS_MUCH * run)
    {
      findings_be_silent (self, "tasks waited for %s after all workers had left", findings_duration (self, waited));
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, NAN,
                          "For %s of %s, tasks waited because all workers had left.", findings_duration (self, waited),
                          findings_duration (self, run));
  roast_finding_set_run_share (finding, waited / run);
  roast_finding_add_number (finding, "without_workers", waited, "s");
  roast_finding_add_number (finding, "run", run, "s");
  findings_add (self, finding,
                "Keep workers while the program has more work: with adaptive scaling, set a minimum number of workers, "
                "or let idle workers stay for longer.");
}
