/* SPDX-License-Identifier: BSD-3-Clause */

/* Reports attempts without a result whose worker vanished or returned them, and tasks that ran again because their
 * results were lost. */

#include "events.h"
#include "findings.h"
#include "tasks-tables.h"

#define AT_END 1.0            /* workers that leave within this time are closed together, s */
#define LOST_WORKERS_MUCH 0.1 /* report only if at least this share of the core time was lost */
#define LOST_WORKERS_OFTEN 10 /* report a task that lost attempts if there were at least this many attempts at it */

/* ---- tasks that ran again ---- */

/* Attempts at tasks that had succeeded before. */
typedef struct
{
  double n;               /* attempts */
  gint64 n_tasks;         /* tasks */
  double share, of_tasks; /* share of these attempts in the core time, and in the time of tasks */
} Repeated;

/* Returns the core-seconds of attempts at tasks that had succeeded before. Sets @n_tasks to the number of these
 * tasks. */
static double
sum_repeated (Findings *self, gint64 *n_tasks)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  g_autoptr (GHashTable) later =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL); /* maps a task to its results */
  double sum = 0;

  for (guint pass = 0; pass < 2; pass++)
    {
      roast_table_reader_rewind (tasks);
      while (roast_table_reader_next (tasks))
        {
          const char *repeats = roast_table_reader_get_string (tasks, ROAST_TASKS_REPEATS);
          const char *task = repeats != NULL ? repeats : roast_table_reader_get_string (tasks, ROAST_TASKS_TASK);
          double time = roast_table_reader_get_double (tasks, ROAST_TASKS_ENDED) -
                        roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED);
          guint n;

          if (task == NULL || roast_table_reader_get_word (tasks, ROAST_TASKS_STATUS) != ROAST_STATUS_DONE)
            continue;
          if (pass == 0 && (repeats != NULL || roast_table_reader_get_int64 (tasks, ROAST_TASKS_ATTEMPT, 1) > 1))
            g_hash_table_insert (later, g_strdup (task), GUINT_TO_POINTER (0));
          if (pass == 0 || !g_hash_table_contains (later, task))
            continue;
          n = GPOINTER_TO_UINT (g_hash_table_lookup (later, task));
          g_hash_table_insert (later, g_strdup (task), GUINT_TO_POINTER (n + 1));
          *n_tasks += n == 1 ? 1 : 0;
          if (n > 0 && time > 0)
            sum += time / G_USEC_PER_SEC;
        }
    }

  return sum;
}

/* Returns whether a worker left before the last attempt was given to any worker. */
static gboolean
has_worker_left (Findings *self)
{
  guint n;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);

  for (guint i = 0; i < n; i++)
    if (!workers[i].is_process && workers[i].left < self->tasks.last_given)
      return TRUE;

  return FALSE;
}

static Repeated
find_repeated (Findings *self)
{
  Repeated repeated = { .n = self->is_tree ? 0
                                           : findings_evaluate (self, "sum (max (attempts - tasks, 0) over "
                                                                      "task_outcomes where status = done)") };
  double seconds = repeated.n > 0 ? sum_repeated (self, &repeated.n_tasks) : 0;

  repeated.share = self->offered > 0 ? seconds / self->offered : 0;
  repeated.of_tasks = seconds > 0 ? fmin (seconds / self->tasks.time, 1) : 0;

  return repeated;
}

static void
lost_workers_speak_of_repeated (Findings *self, const Repeated *repeated)
{
  gboolean has_left = has_worker_left (self);
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, repeated->share,
                    "%s that had been done ran again%s, because %s %s: this took %.0f %% of the core time.",
                    findings_count (self, repeated->n_tasks, "task", "tasks"),
                    repeated->n > (double) repeated->n_tasks ? findings_text (self, " (%.0f times)", repeated->n) : "",
                    repeated->n_tasks == 1 ? "its result was" : "their results were",
                    has_left ? "gone" : "no longer kept, although no worker had left", 100 * repeated->share);

  self->repeated = repeated->of_tasks;
  roast_finding_add_number (finding, "repeated_attempts", repeated->n, NULL);
  roast_finding_add_number (finding, "repeated_tasks", (double) repeated->n_tasks, NULL);
  findings_add (self, finding, "%s",
                has_left ? "Let workers hand over their results before they leave (retire them), and keep results, or "
                           "copies of temporary files, that are needed again."
                         : "Keep results that are needed again, or request everything that is computed from these "
                           "results at once.");
}

/* Returns a text such as "; 2 tasks that had been done ran again"; "" if no task ran again. */
static const char *
describe_repeated (Findings *self, const Repeated *repeated)
{
  return repeated->n_tasks > 0 ? findings_text (self, "; %s that had been done ran again",
                                                findings_count (self, repeated->n_tasks, "task", "tasks"))
                               : "";
}

static void
add_repeated (Findings *self, RoastFinding *finding, const Repeated *repeated)
{
  self->repeated = repeated->of_tasks;
  if (repeated->n_tasks > 0)
    roast_finding_add_number (finding, "repeated_tasks", (double) repeated->n_tasks, NULL);
}

/* ---- deaths ---- */

/* Report deaths of workers even if little time was lost, because more workers will die from the same cause. */
static void
speak_of_deaths (Findings *self, const char *deaths, double lost, const Repeated *repeated)
{
  const FindingsWorkers *workers = &self->workers;
  gboolean is_killed = workers->n_killed > 0;
  const char *with = self->tasks.n_lost > 0
                         ? findings_text (self, "; %s ended without a result",
                                          findings_count (self, self->tasks.n_lost, "attempt", "attempts"))
                         : "";
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, lost + repeated->share, "%c%s%s%s.",
                    g_ascii_toupper (*deaths), deaths + 1, with, describe_repeated (self, repeated));

  self->lost_rule = self->rule;
  roast_finding_add_text (finding, "worker", workers->dead);
  roast_finding_add_number (finding, "killed_workers", workers->n_killed, NULL);
  roast_finding_add_number (finding, "exited_workers", workers->n_exited, NULL);
  roast_finding_add_number (finding, "lost_attempts", (double) self->tasks.n_lost, NULL);
  add_repeated (self, finding, repeated);
  findings_add (self, finding, "%s",
                is_killed && workers->signal == 9
                    ? "Find out who sent the signal: the kernel because memory ran out, a batch system because of a "
                      "limit, or a person."
                    : "Check the last messages of the worker and the tasks that ran there.");
}

/* ---- one task ---- */

/* Report a task that is attempted again and again even if little time was lost, because nothing ends the repetition. */
static void
speak_of_one_task (Findings *self, double lost)
{
  const FindingsTask *task = &self->tasks.repeated;
  const char *of = task->category != NULL ? findings_text (self, " of category “%s”", task->category) : "";
  const char *where = task->worker != NULL ? findings_text (self, ", the last attempt on %s,", task->worker) : "";
  gboolean is_done = !(findings_get_metric (self, "tasks_lost_total") > 0);
  RoastFinding *finding =
      findings_new (self, is_done ? ROAST_FINDING_SEVERITY_WARNING : ROAST_FINDING_SEVERITY_ERROR, lost,
                    "%s at task %s%s%s ended without a result, because "
                    "the worker vanished or returned the task.",
                    findings_count (self, task->n, "attempt", "attempts"), task->task, of, where);

  roast_finding_add_text (finding, "task", task->task);
  roast_finding_add_number (finding, "attempts", (double) task->n, NULL);
  roast_finding_add_number (finding, "lost_attempts", (double) self->tasks.n_lost, NULL);
  findings_add (self, finding,
                "Read the output of the task and of its worker: the task may crash the worker, or need more memory or "
                "disk than the worker has.");
}

/* Returns whether the executor or the program closed or restarted each worker that lost attempts. @are_last: whether no
 * worker stayed longer, as at the end of an executor */
static gboolean
are_closed (Findings *self, gboolean *are_last)
{
  guint n, n_closed = 0;
  double first = INFINITY, last = -INFINITY;
  const RoastRunWorker *workers = roast_run_model_get_workers (self->model, &n);

  for (guint i = 0; i < n; i++)
    {
      if (workers[i].is_process || workers[i].worker == NULL)
        continue;
      last = fmax (last, isnan (workers[i].left) ? INFINITY : workers[i].left);
      if (!g_hash_table_contains (self->tasks.lost_at, workers[i].worker) ||
          (workers[i].cause != ROAST_WORKER_END_CLOSED && workers[i].cause != ROAST_WORKER_END_RESTARTED))
        continue;
      first = fmin (first, workers[i].left);
      n_closed++;
    }
  *are_last = last - first <= AT_END * G_USEC_PER_SEC;

  return n_closed > 0 && n_closed == g_hash_table_size (self->tasks.lost_at);
}

static void
lost_workers_speak_of_losses (Findings *self, double lost, const Repeated *repeated)
{
  const FindingsTasks *tasks = &self->tasks;
  double status = findings_get_metric (self, "exit_status");
  guint n_workers = g_hash_table_size (tasks->lost_at);
  gboolean are_last = FALSE;
  gboolean is_closed = are_closed (self, &are_last);
  const char *where = n_workers > 0
                          ? findings_text (self, " on %s, such as %s,",
                                           findings_count (self, n_workers, "worker", "workers"), tasks->lost_worker)
                          : "";
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, lost + repeated->share,
                    "%.0f %% of the core time was lost: %s%s ended without a result because %s%s.",
                    100 * (lost + repeated->share),
                    tasks->n_lost > 0 ? findings_count (self, tasks->n_lost, "attempt", "attempts") : "attempts", where,
                    is_closed && are_last ? "the executor closed its last workers while they had tasks"
                    : is_closed           ? "the worker was closed"
                                          : "the worker vanished or returned the task",
                    describe_repeated (self, repeated));

  roast_finding_add_text (finding, "worker", tasks->lost_worker);
  roast_finding_add_number (finding, "lost_attempts", (double) tasks->n_lost, NULL);
  roast_finding_add_number (finding, "workers", n_workers, NULL);
  add_repeated (self, finding, repeated);
  if (is_closed && are_last)
    findings_add (self, finding,
                  "Wait for all tasks before the program ends, or cancel the tasks that it does not need.");
  else if (is_closed)
    findings_add (self, finding,
                  "Close workers only when they have no tasks, and retire them, so that other workers "
                  "receive their results.");
  else
    findings_add (self, finding,
                  "%s: check the workers' logs, the limits of the batch system, and memory. Shorter tasks lose less "
                  "work.",
                  status > 0 || status < 0 ? "Unless the workers ended with the program, find out why they ended"
                                           : "Find out why the workers ended");
}

/* Report results that nothing computed again, because all workers had left. */
static void
speak_of_results (Findings *self, const char *lost)
{
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_ERROR, NAN, "%c%s.", g_ascii_toupper (*lost), lost + 1);

  findings_add (self, finding, "Fetch results before the last worker closes, or start workers again.");
}

void
rule_lost_workers (Findings *self)
{
  g_autofree char *results = events_describe (self->recording, "results-lost");
  double lost = findings_get_part (self, ROAST_CORE_PART_LOST_WORKER);
  const char *deaths = findings_describe_deaths (self);
  Repeated repeated = find_repeated (self);

  if (deaths != NULL && self->lost_rule == NULL)
    speak_of_deaths (self, deaths, lost, &repeated);
  else if (self->tasks.repeated.n >= LOST_WORKERS_OFTEN && self->lost_rule == NULL)
    speak_of_one_task (self, lost);
  else if (lost >= LOST_WORKERS_MUCH && self->lost_rule != NULL)
    findings_be_silent (self, "another rule says why workers were lost: see the finding %s", self->lost_rule);
  else if (lost + repeated.share >= LOST_WORKERS_MUCH && lost > repeated.share && self->lost_rule == NULL)
    lost_workers_speak_of_losses (self, lost, &repeated);
  else if (repeated.share >= LOST_WORKERS_MUCH)
    lost_workers_speak_of_repeated (self, &repeated);
  else if (results != NULL && repeated.n_tasks == 0)
    speak_of_results (self, results);
  else
    findings_be_silent (self, "%.1f %% of the core time was lost when workers vanished", 100 * lost);
}
