/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds tasks that spend more time waiting than computing. Names reading as the reason only if the reading time was
 * measured. */

#include "findings.h"
#include "task-activity-tables.h"

#include <math.h>

#define WAITING_MUCH 0.3
#define WAITING_SOME 0.2     /* report from this share of the core time on if tasks wait more than they compute */
#define WAITING_MOSTLY 0.5   /* report a program without an executor only if it waited for this share of the run */
#define WAITING_AT_LEAST 1.0 /* report a program without an executor only if it waited for at least this, s */
#define STORAGE 1e6          /* name storage only if its traffic is at least this, B per second of waiting */
#define WAITING_MOST 0.4     /* report nothing if one task, worker, host or file explains this share of the waiting */
#define CROWDED 0.01         /* report nothing if tasks ran for this share of the core time without a slot */

static const char *
find_waiting_category (Findings *self, double *seconds)
{
  g_autoptr (RoastTableReader) table = roast_per_category_read (self->report);
  const char *name = NULL;

  *seconds = 0;
  while (roast_table_reader_next (table))
    {
      /* The difference may include time in which another process computed for the task. This error is acceptable,
       * because the difference only selects the category that is named. */
      double waiting = roast_table_reader_get_double (table, ROAST_PER_CATEGORY_BUSY) -
                       roast_table_reader_get_double (table, ROAST_PER_CATEGORY_CPU);
      const char *category = roast_table_reader_get_string (table, ROAST_PER_CATEGORY_CATEGORY);

      /* Use these columns, because they are known even for executors that report only some activities. */
      if (isnan (waiting))
        waiting = roast_table_reader_get_double (table, ROAST_PER_CATEGORY_WAITING) +
                  roast_table_reader_get_double (table, ROAST_PER_CATEGORY_UNSPLIT);
      if (category == NULL || !(waiting > *seconds))
        continue;
      *seconds = waiting;
      name = findings_keep (self, category);
    }

  return name;
}

/* Counts the tasks of other categories that were submitted after the last task of @category had started. Returns 0 if
 * any other task that was submitted while tasks of @category ran started before these had ended. If none started, the
 * tasks of @category may wait for the other tasks while they hold the slots that those need. Tasks that were submitted
 * earlier do not count, because they may only have queued behind tasks of @category. */
static guint
count_blocked (Findings *self, const char *category)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->recording);
  double from = NAN, to = NAN, latest = NAN;
  guint n = 0;

  FOR_EACH (const FindingsCategory, one, self->tasks.categories)
    {
      if (g_strcmp0 (one->name, category) != 0)
        continue;
      from = fmin (from, one->first);
      to = fmax (to, one->last);
    }
  while (roast_table_reader_next (tasks))
    if (g_strcmp0 (roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY), category) == 0)
      latest = fmax (latest, roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED));
  roast_table_reader_rewind (tasks);
  while (roast_table_reader_next (tasks))
    {
      double submitted = roast_table_reader_get_double (tasks, ROAST_TASKS_SUBMITTED);

      if (g_strcmp0 (roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY), category) == 0 ||
          !(submitted > from && submitted < to))
        continue;
      if (roast_table_reader_get_double (tasks, ROAST_TASKS_STARTED) < to)
        return 0;
      n += submitted > latest ? 1 : 0;
    }

  return n;
}

#define WAITING_BLOCKED                                                                                                \
  "If these tasks wait for tasks that they started, let them release their slots meanwhile: call secede () or use "    \
  "worker_client (). Or let the program start these tasks. Otherwise measure sections of the task to see what the "    \
  "task waits for."

#define TURNS "Start more workers with one thread each, or compute in code that releases the GIL."

static void
waiting_speak (Findings *self, double wait, double cpu, gboolean is_starved)
{
  double seconds = 0;
  FindingsTurns turns;
  gboolean are_turns = findings_find_turns (self, &turns);
  const char *worker = turns.worker;
  double open = findings_get_metric (self, "chunk_open_time_seconds");
  double bytes = findings_get_metric (self, "bytes_read_total");
  const char *category = find_waiting_category (self, &seconds);
  const char *read = isnan (bytes) ? NULL : findings_bytes (self, bytes);
  const char *opening = isnan (open) ? NULL : findings_duration (self, open);
  guint n_blocked = count_blocked (self, category);
  gboolean is_opening = open > 0.5 * wait * self->offered;
  FindingsLock lock = { 0 };
  gboolean is_locked =
      !is_opening && findings_find_lock (self, &lock) && category != NULL && g_strcmp0 (lock.category, category) == 0;
  const char *what =
      n_blocked > 0
          ? findings_text (self,
                           "at least %s submitted in this time did not start before the waiting tasks "
                           "had ended. If the waiting tasks need the results of these tasks, they hold the slots in "
                           "which these could run",
                           findings_count (self, n_blocked, "task", "tasks"))
      : is_opening   ? findings_text (self, "opening files took %s", opening)
      : is_locked    ? findings_describe_lock (self, &lock)
      : are_turns    ? findings_text (self,
                                      "the %g threads of worker %s used %.2f cores together, which is typical of Python "
                                         "threads, because only one Python thread computes at a time (GIL)",
                                      turns.threads, worker, turns.cpu)
      : read != NULL ? findings_text (self, "the cause was not measured; the tasks read %s", read)
                     : "the cause was not measured, and may be input, locks, other programs or sleeping";
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, wait,
                    "Tasks%s waited for %.0f %% of the core time%s and computed for %.0f %%; %s.",
                    category != NULL ? findings_text (self, ", mostly of category “%s”,", category) : "", 100 * wait,
                    is_starved ? ", not counting their wait for a core," : "", 100 * cpu, what);

  if (category != NULL)
    {
      roast_finding_add_text (finding, "category", category);
      roast_finding_add_number (finding, "not_computing", seconds, "s");
    }
  if (is_locked)
    findings_add_lock (finding, &lock);
  else if (are_turns)
    {
      roast_finding_add_text (finding, "worker", worker);
      roast_finding_add_number (finding, "threads", turns.threads, NULL);
      roast_finding_add_number (finding, "cores_together", turns.cpu, "cores");
    }
  if (n_blocked > 0)
    roast_finding_add_number (finding, "blocked", n_blocked, NULL);
  roast_finding_add_number (finding, "computing", cpu, "ratio");
  roast_finding_add_number (finding, "opening", open, "s");
  roast_finding_add_number (finding, "read", bytes, "B");
  findings_add (self, finding, "%s",
                n_blocked > 0              ? WAITING_BLOCKED
                : is_locked                ? lock.advice
                : are_turns && !is_opening ? TURNS
                : is_opening || read != NULL
                    ? "Read from nearer or faster storage, read fewer columns, or give workers more threads than cores."
                    : "Measure sections of the task to see what the task waits for, or use more threads than cores so "
                      "that other tasks compute while one waits.");
}

static void
speak_of_tree (Findings *self, double wait, double elapsed, double cpu)
{
  double read = findings_get_metric (self, "io_storage_read_bytes");
  double written = findings_get_metric (self, "io_storage_write_bytes");
  gboolean is_storage = (isnan (read) ? 0 : read) + (isnan (written) ? 0 : written) >= STORAGE * wait;
  const char *read_text = findings_bytes (self, isnan (read) ? 0 : read);
  const char *written_text = findings_bytes (self, isnan (written) ? 0 : written);
  const char *storage = is_storage ? findings_text (self, " The program read %s from storage and wrote %s to storage.",
                                                    read_text, written_text)
                                   : "";
  const char *stopped = findings_describe_stop (self, WAITING_MOSTLY * wait);
  const char *cause = stopped != NULL ? stopped
                                      : "it waited for something that roast does not measure, such as input, the "
                                        "network, locks, other programs or sleeping";
  RoastFinding *finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, wait / elapsed,
                                        "For %s of %s, the program neither computed nor waited for a core: %s. The "
                                        "program computed for %s.%s",
                                        findings_duration (self, wait), findings_duration (self, elapsed), cause,
                                        findings_duration (self, cpu), storage);

  roast_finding_add_number (finding, "waited", wait, "s");
  roast_finding_add_number (finding, "elapsed", elapsed, "s");
  roast_finding_add_number (finding, "cpu", cpu, "s");
  roast_finding_add_number (finding, "read", read, "B");
  roast_finding_add_number (finding, "written", written, "B");
  if (stopped != NULL)
    roast_finding_add_number (finding, "stopped", findings_get_metric (self, "stopped_time_seconds"), "s");
  findings_add (self, finding, "%s%s",
                is_storage ? "Read and write larger blocks less often, or use faster storage. " : "",
                stopped != NULL ? FINDINGS_STOPPED_ADVICE
                                : "Measure sections of the program to see what the program waits for. Or run more "
                                  "processes or threads, so that some compute while others wait.");
}

/* Returns an upper bound on the time in s for which processes without a sample waited for a core. Such a process lived
 * only between two samples. */
static double
get_unseen (Findings *self, double elapsed)
{
  double n = findings_get_metric (self, "processes_total") -
             fmax (findings_evaluate (self, "sum (count over processes where known (run_queue))"), 0);

  return fmax (n * elapsed / findings_get_metric (self, "samples_total"), 0);
}

/* Computes a lower bound on the waiting. It is the larger of two times. The first is the sum of the intervals between
 * samples in which no thread computed or waited for a core. The second is the time that remains if all threads had
 * computed and waited for a core one after the other. */
static void
waiting_look_at_tree (Findings *self)
{
  double elapsed = findings_get_metric (self, "elapsed_time_seconds");
  double cpu = findings_get_metric (self, "process_cpu_time_seconds");
  double queue = findings_get_metric (self, "run_queue_seconds");
  double wait = elapsed - cpu - queue;
  FindingsDemand demand;

  if (!isnan (wait) && findings_read_demand (self, &demand))
    wait = fmax (wait, demand.none);
  wait -= get_unseen (self, elapsed);
  if (isnan (wait))
    findings_lack (self, "elapsed time, CPU time or the time that threads waited for a core is unknown: %s",
                   findings_get_reason (self, isnan (elapsed) ? "elapsed_time_seconds"
                                              : isnan (cpu)   ? "process_cpu_time_seconds"
                                                              : "run_queue_seconds"));
  else if (wait < WAITING_AT_LEAST || wait < WAITING_MOSTLY * elapsed)
    findings_be_silent (self, "the program computed for %.1f s of %.1f s and waited at least %.1f s for a core", cpu,
                        elapsed, queue);
  else if (self->waited_rule != NULL && self->waited >= WAITING_MOST * wait)
    findings_be_silent (self, "one place explains much of the waiting: see the finding %s", self->waited_rule);
  else if (self->unseen_threads != NULL)
    findings_lack (self, "%s", self->unseen_threads);
  else
    speak_of_tree (self, wait, elapsed, cpu);
}

/* Returns whether waiting for a core may explain much of the waiting of tasks. While processes run, only their samples
 * say how long they waited for a core, and not how much of it belongs to tasks. */
static gboolean
may_be_starved (Findings *self, double wait)
{
  return isnan (findings_get_metric (self, "run_queue_seconds")) &&
         findings_evaluate (self, "sum (run_queue over worker_samples last per source, worker)") >=
             WAITING_MOST * wait * self->offered;
}

/* Returns for how long calls of actors did not compute, s. Such calls count as tasks, but have no rows. */
static double
get_actors (Findings *self)
{
  return findings_evaluate (self, "sum (seconds over per_activity where context = actors and activity = "
                                  "'thread-noncpu')");
}

/* Returns whether tasks ran for longer than slots were in use: some of the tasks held no slot. */
static gboolean
are_crowded (Findings *self)
{
  double time = 0;
  GHashTableIter iter;
  gpointer place;

  g_hash_table_iter_init (&iter, self->places);
  while (g_hash_table_iter_next (&iter, NULL, &place))
    time += ((const FindingsPlace *) place)->time;

  return time / self->offered >
         findings_get_parts (self, ROAST_CORE_PART_LOST_FAILED, ROAST_CORE_PART_FRAMEWORK_WAIT) + CROWDED;
}

void
rule_waiting (Findings *self)
{
  double starved = findings_get_spoken_share (self, "starved");
  double all = findings_get_part (self, ROAST_CORE_PART_TASK_WAIT);
  double unsplit = findings_get_part (self, ROAST_CORE_PART_TASK_UNSPLIT);
  double own = findings_get_part (self, ROAST_CORE_PART_TASK_CPU);
  double cpu = findings_get_parts (self, ROAST_CORE_PART_TASK_CPU, ROAST_CORE_PART_TASK_OTHER_THREADS);
  /* Leave out waiting for cores, and attempts that another finding reports as repeated. */
  double wait = fmax (all * (1 - self->repeated) - (isnan (starved) ? 0 : starved), 0);
  gboolean is_much = wait >= WAITING_MUCH || (wait >= WAITING_SOME && wait > cpu);

  if (findings_has_spoken (self, "never-ran") && self->workers.n == 0)
    findings_be_silent (self, "the program waited for tasks that no worker ran: see the finding “never-ran”");
  else if (self->offered > 0 ? self->is_tree : self->workers.n == 0 && self->tree != NULL)
    waiting_look_at_tree (self);
  else if (!findings_has_slots (self))
    findings_lack_slots (self);
  else if (!is_much && !isnan (starved))
    findings_be_silent (self,
                        "tasks waited for only %.0f %% of the core time beyond what the finding “starved” explains",
                        100 * wait);
  else if (self->waited_rule != NULL && self->waited >= WAITING_MOST * wait * self->offered)
    findings_be_silent (self, "one place explains much of the waiting: see the finding %s", self->waited_rule);
  else if (is_much && !isnan (starved) && cpu > 2 * own)
    findings_lack (self, "other threads or processes computed for most tasks, and how long these threads and processes "
                         "waited for a core after their last samples is unknown");
  else if (is_much && get_actors (self) >= WAITING_MOST * wait * self->offered)
    findings_lack (self,
                   "calls of actors waited for much of this time, and how long they waited for a core is unknown");
  else if (is_much && are_crowded (self))
    findings_lack (self, "tasks ran without a slot, for example after secede (), and how long they had waited in their "
                         "slots is unknown");
  else if (is_much && may_be_starved (self, wait))
    findings_lack (self, "threads waited for a core, and how much of this time belongs to tasks is unknown: %s",
                   findings_get_reason (self, "run_queue_seconds"));
  else if (is_much)
    waiting_speak (self, wait, cpu, !isnan (starved));
  else if (unsplit >= WAITING_SOME)
    findings_lack (self, "for %.0f %% of the core time, it is unknown whether tasks computed or waited", 100 * unsplit);
  else
    findings_be_silent (self, "tasks waited for %.0f %% of the core time and computed for %.0f %%", 100 * wait,
                        100 * cpu);
}
