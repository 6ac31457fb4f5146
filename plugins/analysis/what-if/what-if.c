/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table what_if: how long the run would have taken with other slots or other tasks. */

#include "what-if.h"

#include <math.h>

#define MOST_ATTEMPTS 100000 /* skip a run with more tasks, unless the user asked for this table */
#define MOST_SLOTS 1e6
#define DOUBT 0.05 /* relative error of a predicted time, used for its bounds: docs/what-if.md */
#define DOUBT_OF_DOUBLING 0.05
#define DOUBT_OF_WAITING                                                                                               \
  0.05 /* for each doubling of the time that computing took because it waited for a core, but one */
#define WHAT_IF_MOST_CONTENTION 0.8 /* largest share of the time of runnable threads that they may wait for a core */
#define WHAT_IF_FEW 0.01            /* if a larger share of tasks are stragglers, expect as many in the next run */
#define MOST_RATE 100               /* tasks per second up to which the executor is assumed to keep up */
#define MOST_OFF 0.3 /* largest error of replaying the unchanged run; a larger error shows unrecorded causes */
#define SAVES 0.1    /* write a row for merged tasks only if they save at least this share of the time */
#define MOST_MERGED 64
#define WORTH_IT 1.15 /* doubling the slots is worth it from this speed-up on */

typedef struct
{
  guint slots;
  double elapsed;
} Size;

typedef struct
{
  Run run;
  RoastReport *report;
  RoastTableWriter *table;
  double off;          /* ln (replayed time / recorded time) of the unchanged run */
  double contention;   /* share of the time of the run's runnable threads that they waited for a core */
  double luck;         /* ln of the factor by which a few stragglers may change the elapsed time; widens the bounds */
  double shift;        /* s, added to predicted times: 0, or recorded minus replayed time of the unchanged run */
  const char *bounded; /* reason why times on more slots are only lower bounds; NULL if they are not */
  double arrival;      /* time at which the last attempt that waited for no result was submitted; 0 if there is none */
  guint merged;        /* number of neighbouring tasks that are merged into one task; 0 if tasks are not merged */
  GArray *sizes;       /* elements are Size: the numbers of slots for which a time was computed */
} WhatIf;

/* Run times of all attempts in one scenario. */
typedef struct
{
  int scenario;
  const float *seconds;
  double work;  /* slot-seconds of all attempts */
  double chain; /* time that the run would take with endless slots, s */
} Tasks;

/* ---- reasons not to compute ---- */

typedef struct
{
  int state; /* -1 if the rule did not run */
  char *reason;
} Rule;

static Rule
find_rule (RoastReport *report, const char *name)
{
  g_autoptr (RoastTableReader) rules = roast_rules_read (report);

  while (roast_table_reader_next (rules))
    if (g_strcmp0 (roast_table_reader_get_string (rules, ROAST_RULES_RULE), name) == 0)
      return (Rule) { roast_table_reader_get_word (rules, ROAST_RULES_STATE),
                      g_strdup (roast_table_reader_get_string (rules, ROAST_RULES_REASON)) };

  return (Rule) { -1, NULL };
}

static gboolean
has_spoken (WhatIf *self, const char *rule)
{
  Rule found = find_rule (self->report, rule);

  g_free (found.reason);

  return found.state == ROAST_RULE_STATE_SPOKE;
}

/* Return the reason why some tasks are unknown; NULL if all tasks are known. */
static char *
find_missing_rows (WhatIf *self)
{
  RoastMetric *metric = roast_report_lookup (self->report, "task_time_mean_seconds");
  const char *note = metric != NULL ? roast_metric_get_note (metric) : NULL;

  if (metric != NULL && roast_metric_is_available (metric) &&
      roast_metric_get_completeness (metric) == ROAST_COMPLETENESS_COMPLETE)
    return NULL;

  return g_strconcat ("not all tasks are known", note != NULL ? ": " : NULL, note, NULL);
}

/* Return a text that says how many tasks are left out because they did not end; NULL if all tasks ended. */
static char *
dup_unfinished (WhatIf *self)
{
  RoastMetric *metric = roast_report_lookup (self->report, "tasks_unfinished_total");
  double n = metric != NULL && roast_metric_is_available (metric) ? roast_metric_get_double (metric) : 0;

  if (!(n > 0))
    return NULL;

  return g_strdup_printf (n > 1 ? "%.0f tasks that did not end are left out" : "%.0f task that did not end is left out",
                          n);
}

/* Return the share of the time of runnable threads that they waited for a core; 0 if it is unknown. */
static double
what_if_get_contention (RoastReport *report)
{
  double queue = 0, cpu = 0;

  return roast_report_get_double (report, "run_queue_seconds", &queue) &&
                 roast_report_get_double (report, "process_cpu_time_seconds", &cpu) && queue + cpu > 0
             ? queue / (queue + cpu)
             : 0;
}

/* Return the reason why times on other slots cannot be computed; NULL if they can be computed. @remark: set to a caveat
 * for the reader */
static char *
refuse (WhatIf *self, char **remark)
{
  Rule starved = find_rule (self->report, "starved");
  g_autofree char *reason = starved.reason;
  g_autofree char *missing = find_missing_rows (self);

  if (starved.state == ROAST_RULE_STATE_SPOKE)
    return g_strdup ("tasks waited for cores, so the time of each task depends on how many tasks run at once");
  if (starved.state < 0)
    return g_strdup ("whether tasks waited for cores is unknown, because the findings were left out");
  if (has_spoken (self, "one-by-one"))
    return g_strdup ("tasks waited for one another, as for a lock, so the time of each task depends on how many tasks "
                     "run at once: see the finding “one-by-one”");
  if (missing != NULL)
    return g_steal_pointer (&missing);
  if (self->contention > WHAT_IF_MOST_CONTENTION)
    return g_strdup_printf ("the processes of the run waited for a core for %.0f %% of the time in which they had "
                            "work, "
                            "so the time between tasks depends on what else runs on the machine",
                            100 * self->contention);
  *remark = dup_unfinished (self);
  if (*remark == NULL && starved.state == ROAST_RULE_STATE_INCOMPLETE)
    *remark = g_strdup_printf ("it is unknown whether tasks waited for cores (%s)", reason);
  if (has_spoken (self, "executor"))
    self->bounded = "the executor limited the run: see the finding “executor”";
  else if (has_spoken (self, "short-tasks"))
    self->bounded = "tasks are so short that the time between them matters more: see the finding “short-tasks”";

  return NULL;
}

/* ---- rows ---- */

static void
begin_row (WhatIf *self, int scenario, guint slots)
{
  guint per_worker = self->run.per_worker;

  roast_table_writer_set_string (self->table, ROAST_WHAT_IF_SOURCE, self->run.source);
  roast_table_writer_set_word (self->table, ROAST_WHAT_IF_SCENARIO, (guint) scenario);
  roast_table_writer_set_double (self->table, ROAST_WHAT_IF_SLOTS, slots * self->run.unit);
  if (self->merged > 0)
    roast_table_writer_set_int64 (self->table, ROAST_WHAT_IF_MERGED, self->merged);
  if (per_worker > 0 && slots % per_worker == 0)
    roast_table_writer_set_int64 (self->table, ROAST_WHAT_IF_WORKERS, slots / per_worker);
}

static guint
find_limit (const WhatIf *self, const Tasks *tasks, guint slots)
{
  double start_up = g_array_index (self->run.steps, Step, 0).at;
  double work = tasks->work / slots;

  if (start_up > work && start_up > tasks->chain)
    return ROAST_WHAT_IF_LIMIT_START_UP;
  if (work > tasks->chain)
    return ROAST_WHAT_IF_LIMIT_WORK;

  return self->arrival > tasks->chain / 2 ? ROAST_WHAT_IF_LIMIT_ARRIVAL : ROAST_WHAT_IF_LIMIT_CHAIN;
}

static double
replay (WhatIf *self, guint slots, const Tasks *tasks)
{
  return run_replay (&self->run, slots, self->run.releases, tasks->seconds);
}

/* Return the reason why the time on @slots is only a lower bound; NULL if it is not a lower bound. */
static const char *
find_bound (const WhatIf *self, guint slots, double elapsed)
{
  if (slots <= self->run.n_slots)
    return NULL;
  if (self->bounded == NULL && self->run.attempts->len > MOST_RATE * elapsed)
    return "it is unknown whether the executor can handle so many tasks per second";

  return self->bounded;
}

/* Limit a predicted time of the recorded tasks: fewer slots do not save time, and more slots do not cost time. Without
 * this limit, an inexact replay could predict that. */
static double
limit_by_recorded (const WhatIf *self, guint slots, const Tasks *tasks, double elapsed)
{
  if (isnan (elapsed) || tasks->seconds != self->run.seconds || slots == self->run.n_slots)
    return elapsed;

  return slots < self->run.n_slots ? fmax (elapsed, self->run.elapsed) : fmin (elapsed, self->run.elapsed);
}

/* Return by how much the delays between tasks may differ in another run, because processes waited for cores. */
static double
get_doubt_of_waiting (const WhatIf *self)
{
  return DOUBT_OF_WAITING * fmax (-log2 (1 - self->contention) - 1, 0);
}

/* Write a row. Return the predicted time. */
static double
compute (WhatIf *self, const Tasks *tasks, guint slots, const char *reason)
{
  double doubt = DOUBT + fabs (self->off) + self->luck + get_doubt_of_waiting (self);
  double more_doubt = DOUBT_OF_DOUBLING * fmax (log2 ((double) slots / self->run.n_slots), 0);
  double elapsed = limit_by_recorded (self, slots, tasks, replay (self, slots, tasks) + self->shift);
  double other =
      self->run.otherwise != NULL
          ? limit_by_recorded (self, slots, tasks,
                               run_replay (&self->run, slots, self->run.otherwise, tasks->seconds) + self->shift)
          : elapsed;
  const char *bound = find_bound (self, slots, elapsed);
  double high = fmax (elapsed, other) * exp (doubt + more_doubt);

  begin_row (self, tasks->scenario, slots);
  if (isnan (elapsed))
    reason = "some tasks need more slots than this row has";
  else
    roast_table_writer_set_double (self->table, ROAST_WHAT_IF_ELAPSED_LOW, fmin (elapsed, other) * exp (-doubt));
  if (bound != NULL)
    reason = bound;
  else if (!isnan (elapsed))
    {
      roast_table_writer_set_double (self->table, ROAST_WHAT_IF_ELAPSED, elapsed);
      roast_table_writer_set_double (self->table, ROAST_WHAT_IF_ELAPSED_HIGH, high);
      roast_table_writer_set_word (self->table, ROAST_WHAT_IF_LIMIT, find_limit (self, tasks, slots));
    }
  if (reason != NULL)
    roast_table_writer_set_string (self->table, ROAST_WHAT_IF_REASON, reason);
  roast_table_writer_end (self->table, NULL);

  return elapsed;
}

/* ---- other slots ---- */

static double
what_if_get_size (const WhatIf *self, guint slots)
{
  for (guint i = 0; i < self->sizes->len; i++)
    if (g_array_index (self->sizes, Size, i).slots == slots)
      return g_array_index (self->sizes, Size, i).elapsed;

  return NAN;
}

static void
compute_size (WhatIf *self, const Tasks *tasks, double slots)
{
  Size size = { (guint) fmax (1, round (slots)), NAN };

  if (!isnan (what_if_get_size (self, size.slots)))
    return;
  size.elapsed = size.slots == self->run.n_slots ? self->run.elapsed : compute (self, tasks, size.slots, NULL);
  g_array_append_val (self->sizes, size);
}

/* Compute times for several numbers of slots. The numbers that the user asked for come last. */
static void
compute_sizes (WhatIf *self, const Tasks *tasks)
{
  static const double factors[] = { 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4 };
  g_autoptr (GVariant) asked =
      roast_recording_snapshot_lookup_metadata (self->run.recording, "what-if", G_VARIANT_TYPE ("ad"));

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    compute_size (self, tasks, factors[i] * self->run.n_slots);
  for (gsize i = 0; asked != NULL && i < g_variant_n_children (asked); i++)
    {
      double cores;

      g_variant_get_child (asked, i, "d", &cores);
      compute_size (self, tasks, fmin (cores / self->run.unit, MOST_SLOTS));
    }
}

static void
write_enough (WhatIf *self, const Tasks *tasks)
{
  FOR_EACH (const Size, size, self->sizes)
    {
      double doubled = what_if_get_size (self, 2 * size->slots);

      if (!(doubled > size->elapsed / WORTH_IT))
        continue;
      if (self->bounded == NULL || size->slots <= self->run.n_slots)
        compute (self, &(Tasks) { ROAST_WHAT_IF_SCENARIO_ENOUGH, tasks->seconds, tasks->work, tasks->chain },
                 size->slots, NULL);
      return;
    }
}

/* ---- other tasks ---- */

static Tasks
make_tasks (WhatIf *self, int scenario, const float *seconds)
{
  Tasks tasks = { scenario, seconds, 0, 0 };

  for (guint i = 0; i < self->run.attempts->len; i++)
    tasks.work += self->run.slots[i] * seconds[i];
  tasks.chain = replay (self, ENDLESS, &tasks);

  return tasks;
}

static void
write_half (WhatIf *self)
{
  guint n = self->run.attempts->len;
  g_autofree float *seconds = g_new (float, n);
  Tasks tasks;

  for (guint i = 0; i < n; i++)
    seconds[i] = self->run.seconds[i] / 2;
  tasks = make_tasks (self, ROAST_WHAT_IF_SCENARIO_HALF, seconds);
  compute (self, &tasks, self->run.n_slots, NULL);
}

/* Write the row without stragglers, in which each straggler takes the median time of its category. Shift the predicted
 * time by the error for the unchanged run, so that the row differs from the recorded time only by what stragglers
 * cost. */
static void
write_calm (WhatIf *self, const Tasks *calm, const GArray *stragglers, double computed)
{
  g_autofree char *names = run_name_stragglers (&self->run, stragglers);

  self->luck = 0;
  self->shift = self->run.elapsed - computed;
  compute (self, calm, self->run.n_slots, names);
}

/* ---- merged tasks ---- */

/* Return the category with the most tasks, because this category loses the most time between tasks. Set @n_tasks to the
 * number of its tasks. Return 0 if no task has a category. */
static guint32
find_mergeable (const WhatIf *self, guint *n_tasks)
{
  g_autoptr (GArray) counts = g_array_new (FALSE, TRUE, sizeof (guint));
  guint32 most = 0;

  *n_tasks = 0;
  for (guint i = 0; i < self->run.attempts->len; i++)
    {
      guint32 category = g_array_index (self->run.attempts, Attempt, i).category;
      guint n;

      if (category >= counts->len)
        g_array_set_size (counts, category + 1);
      n = ++g_array_index (counts, guint, category);
      if (category == 0 || n <= *n_tasks)
        continue;
      *n_tasks = n;
      most = category;
    }

  return most;
}

/* Return the time that the run would take if each group of up to @n tasks were merged into one task. If @text is not
 * NULL, write a row. */
static double
what_if_merge (const WhatIf *self, guint32 category, guint n, double saved, const char *text)
{
  WhatIf merged = *self;
  double elapsed;

  run_merge (&self->run, category, n, saved, &merged.run);
  merged.merged = n;
  if (text == NULL)
    elapsed = replay (&merged, merged.run.n_slots, &(Tasks) { .seconds = merged.run.seconds }) + merged.shift;
  else
    {
      Tasks tasks = make_tasks (&merged, ROAST_WHAT_IF_SCENARIO_MERGED, merged.run.seconds);

      elapsed = compute (&merged, &tasks, merged.run.n_slots, text);
    }
  run_clear (&merged.run);

  return elapsed;
}

static char *
describe_merged (const WhatIf *self, guint32 category, guint n, double start_up, const char *unknown)
{
  g_autoptr (RoastTableReader) tasks = roast_tasks_read (self->run.recording);
  g_autofree char *between = roast_format_number (self->run.handover, "duration");
  g_autofree char *each = isnan (start_up) ? NULL : roast_format_number (start_up, "duration");
  guint i = 0;

  while (g_array_index (self->run.attempts, Attempt, i).category != category)
    i++;
  roast_table_reader_seek (tasks, g_array_index (self->run.attempts, Attempt, i).row);
  if (each != NULL)
    return g_strdup_printf ("%u neighbouring “%s” tasks are merged into one: each removed task saves %s of start-up "
                            "and %s between tasks",
                            n, roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY), each, between);

  return g_strdup_printf ("%u neighbouring “%s” tasks are merged into one: each removed task saves %s between tasks; "
                          "the start-up of a task is not available, because %s",
                          n, roast_table_reader_get_string (tasks, ROAST_TASKS_CATEGORY), between, unknown);
}

/* Write the row with merged tasks. Double the number of tasks that are merged into one as long as this clearly shortens
 * the run. */
static void
write_merged (WhatIf *self, double computed)
{
  guint n_tasks = 0, n = 1;
  guint32 category = find_mergeable (self, &n_tasks);
  const char *unknown = NULL;
  double start_up = category > 0 ? run_find_start_up (&self->run, category, &unknown) : NAN;
  double saved = isnan (start_up) ? 0 : start_up;
  double shortest = self->run.elapsed;
  g_autofree char *text = NULL;

  self->luck = 0;
  self->shift = self->run.elapsed - computed;
  /* Skip the row if merging could not save enough time, even if all tasks became one. */
  if (category == 0 || n_tasks * (saved + self->run.handover) < SAVES * self->run.n_slots * self->run.elapsed)
    return;
  for (guint k = 2; k <= MOST_MERGED && n_tasks / k >= self->run.n_slots; k *= 2)
    {
      double elapsed = what_if_merge (self, category, k, saved, NULL);

      if (!(elapsed < (1 - DOUBT) * shortest))
        break;
      shortest = elapsed;
      n = k;
    }
  if (!(shortest < (1 - SAVES) * self->run.elapsed))
    return;
  text = describe_merged (self, category, n, start_up, unknown);
  what_if_merge (self, category, n, saved, text);
}

/* ---- the table ---- */

static void
write_recorded (WhatIf *self, const char *reason)
{
  begin_row (self, ROAST_WHAT_IF_SCENARIO_RECORDED, self->run.n_slots);
  roast_table_writer_set_double (self->table, ROAST_WHAT_IF_ELAPSED, self->run.elapsed);
  if (reason != NULL)
    roast_table_writer_set_string (self->table, ROAST_WHAT_IF_REASON, reason);
  roast_table_writer_end (self->table, NULL);
}

/* Return when the last attempt that waited for no result was submitted. */
static double
get_arrival (const Run *run)
{
  double last = 0;

  for (guint i = 0; i < run->attempts->len; i++)
    if (run->releases[i].after == 0)
      last = fmax (last, run->releases[i].delay);

  return last;
}

/* Return ln of the factor that another run may be shorter because it has no stragglers. Only a few stragglers among
 * many tasks count as chance; if there are more, return 0. */
static double
get_luck (WhatIf *self, double computed, const Tasks *calm, const GArray *stragglers)
{
  if (stragglers->len == 0 || stragglers->len > WHAT_IF_FEW * self->run.attempts->len)
    return 0;

  return fmax (log (computed / replay (self, self->run.n_slots, calm)), 0);
}

static void
write_rows (WhatIf *self, const Tasks *tasks, double computed)
{
  g_autofree float *seconds = g_new (float, self->run.attempts->len);
  g_autoptr (GArray) stragglers = run_find_stragglers (&self->run, seconds);
  Tasks calm = make_tasks (self, ROAST_WHAT_IF_SCENARIO_NO_STRAGGLERS, seconds);

  self->luck = get_luck (self, computed, &calm, stragglers);
  compute_sizes (self, tasks);
  write_enough (self, tasks);
  write_half (self);
  if (stragglers->len > 0)
    write_calm (self, &calm, stragglers, computed);
  write_merged (self, computed);
}

static void
write_scenarios (WhatIf *self, const char *remark)
{
  Tasks tasks;
  double computed;
  g_autofree char *reason = NULL;

  run_infer (&self->run);
  self->arrival = get_arrival (&self->run);
  tasks = make_tasks (self, ROAST_WHAT_IF_SCENARIO_SLOTS, self->run.seconds);
  computed = replay (self, self->run.n_slots, &tasks);
  self->off = log (computed / self->run.elapsed);
  if (!(fabs (self->off) <= MOST_OFF))
    {
      g_autofree char *time = roast_format_number (computed, "duration");

      reason = g_strdup_printf ("a simulation on the slots of the run takes %s, which differs too much from the run: "
                                "something that was not recorded decided when tasks started",
                                time);
      write_recorded (self, reason);
      return;
    }
  if (self->run.habit == HABIT_UNCLEAR)
    reason = g_strdup_printf ("the program submitted too few tasks to tell whether it waited for results before it "
                              "submitted more: the range covers a program that waited and one that did not%s%s",
                              remark != NULL ? "; " : "", remark != NULL ? remark : "");
  write_recorded (self, reason != NULL ? reason : remark);
  write_rows (self, &tasks, computed);
}

/* Leave out a large run, unless the user asked for this table. Return whether the run was left out. */
static gboolean
is_left_out (RoastRecordingSnapshot *recording, RoastTableWriter *table)
{
  static const char *const columns[] = { NULL };
  g_autoptr (RoastTableReader) tasks =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_TASKS, columns, NULL);
  g_autoptr (GVariant) asked = roast_recording_snapshot_lookup_metadata (recording, "what-if", NULL);

  if (tasks == NULL || roast_table_reader_get_n_rows (tasks) <= MOST_ATTEMPTS || asked != NULL)
    return FALSE;
  roast_table_writer_set_word (table, ROAST_WHAT_IF_SCENARIO, ROAST_WHAT_IF_SCENARIO_RECORDED);
  roast_table_writer_set_string (table, ROAST_WHAT_IF_REASON,
                                 "the computation takes a second or more for so many tasks: run “roast-report whatif” "
                                 "to see the result");
  roast_table_writer_end (table, NULL);

  return TRUE;
}

static void
what_if_aggregate (RoastRecordingSnapshot *recording, RoastReport *report)
{
  WhatIf self = { .report = report };
  g_autofree char *remark = NULL;
  g_autofree char *reason = NULL;
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (Size));
  g_autoptr (RoastTableWriter) table = roast_what_if_write (report);

  if (is_left_out (recording, table))
    return;
  self.table = table;
  self.sizes = sizes;
  self.contention = what_if_get_contention (report);
  if (run_read (&self.run, recording, &reason))
    {
      reason = refuse (&self, &remark);
      if (reason != NULL)
        write_recorded (&self, reason);
      else
        write_scenarios (&self, remark);
    }
  run_clear (&self.run);
}

/* Run after the findings, which decide whether times can be predicted. The order follows from requiring the same
 * metrics. */
const Analysis analysis_what_if = { "what-if", what_if_aggregate, NULL, analysis_findings_required };
