/* SPDX-License-Identifier: BSD-3-Clause */

/* The loop of the executor, or the program around it, does not hand out tasks in time. */

#include "findings.h"

#define MUCH 0.1  /* of the core time */
#define OFTEN 0.1 /* of the work, in which the loop was late */
#define ELSEWHERE 0.5
#define AT_LEAST 1.0 /* s */
#define MATTERS 0.5  /* s of cores, even of a short run */

/* How much later than scheduled the executor's loop ran: sum and longest, s. NaN if nobody measured it. */
static double
get_lateness (Findings *self, double *longest)
{
  g_autoptr (RoastTableReader) samples =
      roast_recording_snapshot_read_table (self->recording, ROAST_TABLE_CLUSTER_SAMPLES, roast_cluster_samples_columns,
                                           NULL);
  double sum = NAN;

  *longest = 0;
  while (roast_table_reader_next (samples))
    {
      double late = roast_table_reader_get_double (samples, ROAST_CLUSTER_SAMPLES_LATENESS);

      if (isnan (late))
        continue;
      sum = isnan (sum) ? late : sum + late;
      *longest = fmax (*longest, late);
    }

  return sum;
}

static double
get_work_length (Findings *self)
{
  return findings_get_length (self, ROAST_STRETCH_RAMP) + findings_get_length (self, ROAST_STRETCH_STEADY) +
         findings_get_length (self, ROAST_STRETCH_TAIL);
}

typedef struct
{
  double idle;            /* share of the core time: free while tasks were ready */
  double busy, elsewhere; /* shares of the executor's time; NaN if unknown */
  double late, longest;   /* s; NaN if unknown */
} Loop;

static void
speak (Findings *self, const Loop *loop, double share)
{
  gboolean is_program = loop->elsewhere >= ELSEWHERE;
  gboolean is_late = loop->longest >= AT_LEAST;
  g_autofree char *longest = is_late ? findings_duration (loop->longest) : NULL;
  g_autofree char *why =
      is_program            ? g_strdup_printf (": the program did something else for %.0f %% of the time, and nothing "
                                                          "was handed out meanwhile",
                                               100 * loop->elsewhere)
      : is_late             ? g_strdup_printf (": its loop was blocked for up to %s", longest)
      : !isnan (loop->busy) ? g_strdup_printf (": it was busy for %.0f %% of its time", 100 * loop->busy)
                            : g_strdup ("");
  RoastFinding *finding =
      findings_new (self, ROAST_FINDING_SEVERITY_WARNING, share,
                    "%.0f %% of the core time was free because the executor did not hand out tasks in time%s.",
                    100 * share, why);

  roast_finding_add_number (finding, "free_while_tasks_were_ready", loop->idle, NULL);
  roast_finding_add_number (finding, "executor_busy", loop->busy, NULL);
  roast_finding_add_number (finding, "program_elsewhere", loop->elsewhere, NULL);
  roast_finding_add_number (finding, "lateness", loop->late, "s");
  roast_finding_add_number (finding, "lateness_longest", loop->longest, "s");
  findings_add (self, finding, "%s",
                is_program ? "Return to the executor more often: wait for its tasks in a loop that does little else."
                : is_late  ? "Keep long work off the executor's loop: large graphs, callbacks, plugins, heavy results."
                           : "Submit fewer and longer tasks, with smaller inputs and results.");
}

void
rule_executor (Findings *self)
{
  Loop loop = { .idle = findings_get_part (self, ROAST_CORE_PART_IDLE_EXECUTOR),
                .busy = findings_get_metric (self, "executor_busy_ratio"),
                .elsewhere = findings_get_metric (self, "executor_application_ratio") };
  double undetermined = findings_get_part (self, ROAST_CORE_PART_IDLE_UNDETERMINED);
  double all = findings_get_parts (self, ROAST_CORE_PART_IDLE_EXECUTOR, ROAST_CORE_PART_IDLE_NO_WORK);
  double late = 0;
  double share = 0;

  if (!findings_need_slots (self))
    return;
  loop.late = get_lateness (self, &loop.longest);
  late = loop.late / get_work_length (self);
  share = loop.idle;
  /* An executor that is always busy, or a program that is always elsewhere, is why tasks wait. */
  if (loop.busy >= 0.75 || loop.elsewhere >= ELSEWHERE)
    share += undetermined;
  if (loop.longest >= AT_LEAST && late >= OFTEN)
    share = fmax (share, fmin (loop.late * self->workers.cores / self->offered, all));
  if (findings_has_spoken (self, "short-tasks") || findings_has_spoken (self, "moving"))
    findings_be_silent (self, "tasks are short, or the executor moves data: see short-tasks and moving");
  else if (self->is_spilling)
    findings_be_silent (self, "workers that run out of memory take no tasks: see memory");
  else if (share >= MUCH && share * self->offered >= MATTERS)
    speak (self, &loop, share);
  else if (undetermined >= MUCH)
    findings_lack (self, "whether the tasks that waited fitted the free cores is unknown for %.0f %% of the core time",
                   100 * undetermined);
  else
    findings_be_silent (self, "%.1f %% of the core time was free while tasks that fit were ready", 100 * loop.idle);
}
