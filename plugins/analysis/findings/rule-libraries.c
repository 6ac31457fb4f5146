/* SPDX-License-Identifier: BSD-3-Clause */

/* Finds libraries that fail, that hold cores while they start, or that hold cores without running a call. */

#include "findings.h"
#include "task-lifecycle-tables.h"

#define FAILED 0.02 /* report only if failed or lost libraries cost at least this share of the core time */
#define SLOW 0.15
#define LIBRARIES_IDLE 0.4

/* Libraries that failed or were lost. */
typedef struct
{
  gint64 n;           /* number of libraries */
  double held;        /* core-seconds that failed or lost libraries held */
  const char *result; /* most frequent result; NULL if unknown */
  const char *worker; /* worker of the first such library; NULL if unknown */
} Ends;

static const char *
libraries_find_worker (Findings *self, guint status)
{
  g_autoptr (RoastTableReader) libraries = roast_libraries_read (self->recording);

  while (roast_table_reader_next (libraries))
    if (roast_table_reader_get_word (libraries, ROAST_LIBRARIES_STATUS) == (int) status)
      return findings_keep (self, roast_table_reader_get_string (libraries, ROAST_LIBRARIES_WORKER));

  return NULL;
}

static Ends
libraries_read_ends (Findings *self, guint status)
{
  g_autoptr (RoastTableReader) table = roast_library_outcomes_read (self->report);
  gint64 most = 0;
  Ends ends = { .worker = libraries_find_worker (self, status) };

  while (roast_table_reader_next (table))
    {
      gint64 n = roast_table_reader_get_int64 (table, ROAST_LIBRARY_OUTCOMES_LIBRARIES, 0);

      if (roast_table_reader_get_word (table, ROAST_LIBRARY_OUTCOMES_STATUS) != (int) status)
        continue;
      ends.n += n;
      ends.held += fmax (0, roast_table_reader_get_double (table, ROAST_LIBRARY_OUTCOMES_CORE_SECONDS));
      if (n <= most)
        continue;
      most = n;
      ends.result = findings_keep (self, roast_table_reader_get_string (table, ROAST_LIBRARY_OUTCOMES_RESULT));
    }

  return ends;
}

/* Returns when the last library ended, µs; NaN if a library still existed at the end of the run. In the formula, “not
 * ended > 0” is true if the time is missing. */
static double
get_last_end (Findings *self)
{
  double n = findings_evaluate (self, "count (over libraries where not status in (failed, lost) or not ended > 0)");

  return n == 0 ? findings_evaluate (self, "max (ended over libraries)") * G_USEC_PER_SEC : NAN;
}

/* Returns whether all failed libraries had been ready, and failed only after the last task had ended. The program may
 * have ended such libraries, because there was nothing left to do. */
static gboolean
ended_after_tasks (Findings *self)
{
  double first = findings_evaluate (self, "min (ended over libraries where status = failed)");
  double n_unready = findings_evaluate (self, "count (over libraries where status = failed and not ready > 0)");
  double n_later =
      findings_evaluate (self,
                         findings_text (self, "count (over tasks where status = lost or not ended <= %.6f)", first));

  return n_unready == 0 && n_later == 0 && findings_evaluate (self, "count (over tasks)") > 0;
}

/* Returns whether most tasks without a worker are probably library calls. A library that ends loses its calls, so
 * a task counts as a call if its category has a lost attempt. */
static gboolean
are_calls_waiting (Findings *self)
{
  gint64 n = 0;
  gint64 n_calls = 0;

  FOR_EACH (const FindingsCategory, category, self->tasks.categories)
    {
      n += category->n_unplaced;
      n_calls += category->has_lost ? category->n_unplaced : 0;
    }

  return n_calls > 0 && 2 * n_calls >= n;
}

/* Returns the share of the core time that was free while tasks waited, from the time when the last library had ended
 * and no more tasks were given to workers. This time may begin within a stretch. The result is a lower bound, because
 * it assumes that all cores were free in the part of the stretch before this time. */
static double
get_waiting (Findings *self)
{
  double from = fmax (get_last_end (self), self->tasks.last_given);
  double waiting = 0;

  if (isnan (get_last_end (self)) || !are_calls_waiting (self))
    return 0;
  for (guint i = 0; i < ROAST_STRETCH_N_WORDS; i++)
    {
      double before = fmax (from - self->bounds[i][0], 0) / G_USEC_PER_SEC * self->workers.cores / self->offered;
      double idle =
          findings_get_share (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_EXECUTOR, i, i) +
          findings_get_share (self, ROAST_CORE_PART_IDLE_UNDETERMINED, ROAST_CORE_PART_IDLE_UNDETERMINED, i, i);

      if (self->bounds[i][1] > from)
        waiting += fmax (idle - before, 0);
    }

  return waiting;
}

static const char *
describe_which (Findings *self, double n, const Ends *ends)
{
  return n > 1 ? findings_text (self, "%s of %s libraries", findings_number (self, (double) ends->n, "count"),
                                findings_number (self, n, "count"))
               : "The library";
}

static const char *
describe_example (Findings *self, const Ends *ends)
{
  const char *worker =
      ends->worker != NULL ? findings_text (self, ", %son worker %s", ends->n > 1 ? "such as " : "", ends->worker) : "";
  const char *result = ends->result != NULL ? findings_text (self, " (“%s”)", ends->result) : "";

  return findings_text (self, "%s%s", worker, result);
}

static void
libraries_add_evidence (RoastFinding *finding, const Ends *ends, double n, double waiting)
{
  roast_finding_add_text (finding, "worker", ends->worker);
  roast_finding_add_text (finding, "result", ends->result);
  roast_finding_add_number (finding, "failed", (double) ends->n, NULL);
  roast_finding_add_number (finding, "libraries", n, NULL);
  roast_finding_add_number (finding, "free_without_library", waiting, "ratio");
}

static const char *
describe_waiting (Findings *self, double waiting)
{
  return waiting >= FAILED ? findings_text (self,
                                            " After the last library had ended, cores were free for %.0f %% of the "
                                            "core time while calls waited.",
                                            100 * waiting)
                           : "";
}

/* Returns the part of the core time that libraries held without running a call. */
static double
libraries_get_wasted (Findings *self, double held)
{
  double most = findings_get_parts (self, ROAST_CORE_PART_LOST_FAILED, ROAST_CORE_PART_LOST_RETRIED) +
                findings_get_part (self, ROAST_CORE_PART_LOST_WORKER) +
                findings_get_parts (self, ROAST_CORE_PART_LIBRARY_START, ROAST_CORE_PART_LIBRARY_FAILED);

  return fmin (held, most);
}

/* Report only the time of the library, without the calls that failed with it: core_time counts this time only once. */
static void
speak_of_failures (Findings *self, const Ends *failed, double n, double waiting)
{
  double held = fmin (fmax (failed->held / self->offered, findings_get_part (self, ROAST_CORE_PART_LIBRARY_FAILED)), 1);
  double wasted = libraries_get_wasted (self, held);
  RoastFinding *finding = NULL;

  if (wasted + waiting < FAILED)
    return;
  finding = findings_new (self, ROAST_FINDING_SEVERITY_ERROR, fmin (wasted + waiting, 1),
                          "%s failed%s; %s held %.0f %% of the core time.%s", describe_which (self, n, failed),
                          describe_example (self, failed), failed->n > 1 ? "they" : "it", 100 * held,
                          describe_waiting (self, waiting));
  if (2 * wasted >= findings_get_part (self, ROAST_CORE_PART_LOST_WORKER))
    self->lost_rule = self->rule;
  libraries_add_evidence (finding, failed, n, waiting);
  findings_add (self, finding,
                "Read the library's output on that worker, and run the library's code there by hand to check imports "
                "and environment.");
}

/* Report only lost time, because the library may have served calls in the rest of the time. Do not name a cause. A
 * library that ends can take down its worker, and a worker that vanishes ends its library. It is unknown which of the
 * two ended first. */
static void
speak_of_losses (Findings *self, const Ends *lost, double n, double waiting)
{
  double share = fmin (lost->held / self->offered, findings_get_part (self, ROAST_CORE_PART_LOST_WORKER));
  gboolean is_end = !(findings_get_metric (self, "tasks_done_total") > 0);
  RoastFinding *finding = NULL;

  if (share + waiting < FAILED)
    return;
  finding = findings_new (self, is_end ? ROAST_FINDING_SEVERITY_ERROR : ROAST_FINDING_SEVERITY_WARNING,
                          fmin (share + waiting, 1),
                          "%s ended together with %s%s; %.0f %% of the core time was lost with %s calls.%s%s",
                          describe_which (self, n, lost), lost->n > 1 ? "their workers" : "its worker",
                          describe_example (self, lost), 100 * share, lost->n > 1 ? "their" : "its",
                          is_end ? " No task was done." : "", describe_waiting (self, waiting));
  if (2 * share >= findings_get_part (self, ROAST_CORE_PART_LOST_WORKER))
    self->lost_rule = self->rule;
  libraries_add_evidence (finding, lost, n, waiting);
  findings_add (self, finding,
                "Read the library's output and the worker's log to see whether the library or the worker ended first. "
                "Run the library's code on that worker by hand.");
}

static void
speak_of_starts (Findings *self, double share, double n)
{
  double mean = findings_get_metric (self, "library_start_mean_seconds");
  const char *time = isnan (mean) ? "" : findings_text (self, ": %s each on average", findings_duration (self, mean));
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                    "Libraries held %.0f %% of the core time while they started%s.", 100 * share, time);

  roast_finding_add_number (finding, "libraries", n, NULL);
  roast_finding_add_number (finding, "starting", mean, "s");
  findings_add (self, finding,
                "Shrink the library's environment, import fewer modules, or keep workers running for longer.");
}

void
rule_libraries (Findings *self)
{
  double n = findings_get_metric (self, "libraries_total");
  double start = findings_get_part (self, ROAST_CORE_PART_LIBRARY_START);
  Ends failed = { .n = 0 };
  Ends lost = { .n = 0 };

  if (!(n > 0))
    {
      findings_not_apply (self, "no library was sent to a worker");
      return;
    }
  failed = libraries_read_ends (self, ROAST_STATUS_FAILED);
  lost = libraries_read_ends (self, ROAST_STATUS_LOST);
  self->without_library = get_waiting (self);
  if (failed.n > 0 && !ended_after_tasks (self))
    speak_of_failures (self, &failed, n, lost.n > failed.n ? 0 : self->without_library);
  if (lost.n > 0)
    speak_of_losses (self, &lost, n, lost.n > failed.n ? self->without_library : 0);
  if (start >= SLOW)
    speak_of_starts (self, start, n);
  findings_be_silent (self,
                      "libraries held %.1f %% of the core time while they started, and %.1f %% before they failed or "
                      "were lost",
                      100 * start, 100 * fmin ((failed.held + lost.held) / self->offered, 1));
}

/* Returns the share of the core time in which libraries held cores without running a call. Leaves out libraries that
 * died: their free cores do not show that there were too few calls. */
static double
libraries_get_idle (Findings *self)
{
  Ends failed = libraries_read_ends (self, ROAST_STATUS_FAILED);
  Ends lost = libraries_read_ends (self, ROAST_STATUS_LOST);
  /* Leave out the time before the first call, because the rule start-up reports it. */
  double idle = findings_get_share (self, ROAST_CORE_PART_LIBRARY_IDLE, ROAST_CORE_PART_LIBRARY_IDLE,
                                    ROAST_STRETCH_RAMP, ROAST_STRETCH_TAIL);

  return fmax (idle - (failed.held + lost.held) / self->offered, 0);
}

void
rule_idle_libraries (Findings *self)
{
  double n = findings_get_metric (self, "libraries_total");
  double idle = 0;
  RoastFinding *finding = NULL;

  if (!(n > 0))
    {
      findings_not_apply (self, "no library was sent to a worker");
      return;
    }
  idle = libraries_get_idle (self);
  if (idle < LIBRARIES_IDLE)
    {
      findings_be_silent (self, "libraries held %.1f %% of the core time without a call", 100 * idle);
      return;
    }
  finding = findings_new (self, ROAST_FINDING_SEVERITY_WARNING, idle,
                          "Libraries held %.0f %% of the core time without a call, after the first task started.",
                          100 * idle);
  roast_finding_add_number (finding, "libraries", n, NULL);
  findings_add (self, finding,
                "Give the library only as many cores and slots as there are simultaneous calls, or submit more calls.");
}
