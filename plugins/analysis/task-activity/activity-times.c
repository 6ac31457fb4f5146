/* SPDX-License-Identifier: BSD-3-Clause */

/* Write the table per_role: the CPU time and the waiting of the analysis and of the framework. Report how complete this
 * table is, and how complete the times of single activities are. */

#include "activity-report.h"
#include "each.h"
#include "notes.h"
#include "report-coverage.h"
#include "task-activity-tables.h"

/* Write no note if unsplit time is less than this share of the time in threads. The executor's own threads always
 * compute a little. */
#define TIMES_WORTH_A_NOTE 0.01

/* shorter unknown times, in s, are rounding errors */
#define SHORTEST_UNKNOWN 1e-6

/* Time in s that threads ran tasks of one role. */
typedef struct
{
  double cpu, noncpu, unused, unknown;
} Threads;

/* Return a note on missing CPU time; NULL if none is missing. The CPU time of task threads does not include what other
 * threads computed for the tasks. If there are no activities, the CPU times are those of whole tasks, and nothing is
 * missing. */
static char *
times_dup_cpu_note (ActivityReport *self, const Threads *threads, double unsplit)
{
  g_autofree char *unknown =
      threads->unknown > SHORTEST_UNKNOWN ? roast_format_number (threads->unknown, "duration") : NULL;
  g_autofree char *ended = unknown != NULL ? g_strdup_printf ("attempts without a result took %s in total; the CPU "
                                                              "time of these attempts is unknown",
                                                              unknown)
                                           : NULL;
  g_autofree char *note = notes_join (self->activities_note, ended);
  g_autofree char *others = NULL;
  g_autofree char *most = NULL;

  if (!self->sums->has_activities || unsplit <= TIMES_WORTH_A_NOTE * (threads->cpu + threads->noncpu))
    return g_steal_pointer (&note);
  most = roast_format_number (unsplit, "duration");
  others =
      g_strdup_printf ("up to %s of CPU time of other threads and children of workers may belong to these tasks", most);

  return notes_join (note, others);
}

static void
add_parts (ActivityReport *self)
{
  static const char *const times[][3] = {
    [ROAST_ROLE_ANALYSIS] = { "processor_cpu_time_seconds", "processor_wait_time_seconds", NULL },
    [ROAST_ROLE_FRAMEWORK] = { "overhead_cpu_time_seconds", "overhead_wait_time_seconds", NULL },
  };
  static const char *const ratios[][3] = {
    [ROAST_ROLE_ANALYSIS] = { "processor_cpu_ratio", "processor_wait_ratio", NULL },
    [ROAST_ROLE_FRAMEWORK] = { "overhead_cpu_ratio", "overhead_wait_ratio", NULL },
  };
  g_autoptr (RoastTableWriter) table = NULL;
  Threads threads[ROAST_ROLE_N_WORDS] = { { 0 } };

  if (!activity_sums_knows_cpu (self->sums))
    {
      report_coverage_add (self->report, ROAST_TABLE_PER_ROLE, NULL, ROAST_COMPLETENESS_UNAVAILABLE, self->missing);
      return;
    }
  report_coverage_add_note (self->report, ROAST_TABLE_PER_ROLE, NULL, ROAST_COMPLETENESS_PARTIAL,
                            self->activities_note);
  report_coverage_add_note (self->report, ROAST_TABLE_PER_ROLE, "waiting", ROAST_COMPLETENESS_PARTIAL,
                            self->untimed_note);
  table = roast_per_role_write (self->report);
  FOR_EACH_POINTER (const ActivitySum, sum, self->sums->categories)
    {
      threads[sum->role].cpu += sum->cpu;
      threads[sum->role].noncpu += sum->noncpu;
      threads[sum->role].unused += sum->unused;
      threads[sum->role].unknown += sum->unknown;
    }
  for (guint role = 0; role < ROAST_ROLE_N_WORDS; role++)
    {
      double unsplit = self->sums->unsplit[role];
      g_autofree char *note = times_dup_cpu_note (self, &threads[role], unsplit);

      roast_table_writer_set_word (table, ROAST_PER_ROLE_ROLE, role);
      roast_table_writer_set_double (table, ROAST_PER_ROLE_CPU, threads[role].cpu);
      roast_table_writer_set_double (table, ROAST_PER_ROLE_WAITING, threads[role].noncpu - unsplit);
      roast_table_writer_set_double (table, ROAST_PER_ROLE_UNSPLIT, unsplit);
      roast_table_writer_set_double (table, ROAST_PER_ROLE_UNUSED, threads[role].unused);
      roast_table_writer_end (table, NULL);
      if (note == NULL)
        continue;
      report_coverage_add_metrics (self->report, times[role], ROAST_COMPLETENESS_PARTIAL, note);
      report_coverage_add_metrics (self->report, ratios[role], ROAST_COMPLETENESS_ESTIMATED, note);
    }
}

/* Return whether the time of transfers was measured, even if it is 0. */
static gboolean
moves_data (ActivitySums *sums)
{
  gboolean moves = sums->has_activities && !sums->is_limited;

  for (guint i = 0; i < sums->activities->len && !moves; i++)
    moves = g_array_index (sums->activities, Activity, i).activity_word == ROAST_ACTIVITY_NETWORK;

  return moves;
}

/* If a source measures all activities, an activity without a row took 0 s. */
void
activity_report_add_times (ActivityReport *self)
{
  static const char *const ends[] = { "failed_seconds", "cancelled_seconds", NULL };
  ActivitySums *sums = self->sums;

  if (!sums->has_activities || sums->is_limited)
    report_coverage_add (self->report, ROAST_TABLE_PER_ACTIVITY, NULL, ROAST_COMPLETENESS_UNAVAILABLE,
                         sums->has_activities ? "no executor in this run measures this activity" : self->missing);
  report_coverage_add_note (self->report, ROAST_TABLE_PER_ACTIVITY, NULL, ROAST_COMPLETENESS_PARTIAL,
                            self->activities_note);
  if (sums->has_activities && sums->n_tasks > 0)
    report_coverage_add_metrics (self->report, ends, ROAST_COMPLETENESS_PARTIAL, self->activities_note);
  if (moves_data (sums))
    report_coverage_add_metric (self->report, "network_seconds", ROAST_COMPLETENESS_PARTIAL, self->network_note);
  add_parts (self);
}
