/* SPDX-License-Identifier: BSD-3-Clause */

/* What time and bytes went into: CPU time and waiting of the analysis and of the framework, and single activities. */

#include <math.h>

#include "activity-report.h"
#include "metric-add.h"
#include "notes.h"

/* Where tasks do something, and what goes on beside them for their sake. */
#define WORK (ACTIVITY_IN_TASKS | ACTIVITY_SHUFFLE)

#define NO_OTHER -1

/* Sums of one activity, or of two. */
static const struct
{
  const char *metric;
  int activity, other, unit;
  guint places;
} times[] = {
  { "disk_read_bytes", ROAST_ACTIVITY_DISK_READ, NO_OTHER, ROAST_UNIT_BYTES, WORK },
  { "disk_write_bytes", ROAST_ACTIVITY_DISK_WRITE, NO_OTHER, ROAST_UNIT_BYTES, WORK },
  { "disk_read_seconds", ROAST_ACTIVITY_DISK_READ, NO_OTHER, ROAST_UNIT_SECONDS, WORK },
  { "disk_write_seconds", ROAST_ACTIVITY_DISK_WRITE, NO_OTHER, ROAST_UNIT_SECONDS, WORK },
  { "memory_read_bytes", ROAST_ACTIVITY_MEMORY_READ, NO_OTHER, ROAST_UNIT_BYTES, ACTIVITY_IN_TASKS },
  { "serialization_seconds", ROAST_ACTIVITY_SERIALIZE, NO_OTHER, ROAST_UNIT_SECONDS, WORK },
  { "deserialization_seconds", ROAST_ACTIVITY_DESERIALIZE, NO_OTHER, ROAST_UNIT_SECONDS, WORK },
  { "serialization_overhead_seconds", ROAST_ACTIVITY_SERIALIZE, ROAST_ACTIVITY_DESERIALIZE, ROAST_UNIT_SECONDS, WORK },
  { "compression_seconds", ROAST_ACTIVITY_COMPRESS, NO_OTHER, ROAST_UNIT_SECONDS, WORK },
  { "decompression_seconds", ROAST_ACTIVITY_DECOMPRESS, NO_OTHER, ROAST_UNIT_SECONDS, WORK },
  { "compression_overhead_seconds", ROAST_ACTIVITY_COMPRESS, ROAST_ACTIVITY_DECOMPRESS, ROAST_UNIT_SECONDS, WORK },
  { "executor_seconds", ROAST_ACTIVITY_EXECUTOR, NO_OTHER, ROAST_UNIT_SECONDS, ACTIVITY_IN_TASKS },
  { "offload_seconds", ROAST_ACTIVITY_OFFLOAD, NO_OTHER, ROAST_UNIT_SECONDS, ACTIVITY_IN_TASKS },
  { "other_seconds", ROAST_ACTIVITY_OTHER, NO_OTHER, ROAST_UNIT_SECONDS, ACTIVITY_IN_TASKS },
  { "failed_seconds", ROAST_ACTIVITY_FAILED, NO_OTHER, ROAST_UNIT_SECONDS, ACTIVITY_IN_TASKS },
  { "cancelled_seconds", ROAST_ACTIVITY_CANCELLED, NO_OTHER, ROAST_UNIT_SECONDS, ACTIVITY_IN_TASKS },
  { "network_seconds", ROAST_ACTIVITY_NETWORK, NO_OTHER, ROAST_UNIT_SECONDS, ACTIVITY_BETWEEN },
  { "transfer_serialization_seconds", ROAST_ACTIVITY_SERIALIZE, ROAST_ACTIVITY_DESERIALIZE, ROAST_UNIT_SECONDS,
    ACTIVITY_BETWEEN },
  { "spill_read_bytes", ROAST_ACTIVITY_DISK_READ, NO_OTHER, ROAST_UNIT_BYTES, ACTIVITY_BETWEEN },
  { "spill_write_bytes", ROAST_ACTIVITY_DISK_WRITE, NO_OTHER, ROAST_UNIT_BYTES, ACTIVITY_BETWEEN },
  { "spill_read_seconds", ROAST_ACTIVITY_DISK_READ, NO_OTHER, ROAST_UNIT_SECONDS, ACTIVITY_BETWEEN },
  { "spill_write_seconds", ROAST_ACTIVITY_DISK_WRITE, NO_OTHER, ROAST_UNIT_SECONDS, ACTIVITY_BETWEEN },
};

/* Less than this share of the time in threads is not worth a remark: there are always threads of the executor. */
#define WORTH_A_NOTE 0.01

/* s: in threads of tasks of one role. */
typedef struct
{
  double cpu, noncpu, unknown;
} Threads;

/* CPU time of tasks is more than that of their threads if others computed for them. Without activities it is that of
 * whole tasks. */
static char *
dup_cpu_note (ActivityReport *self, const Threads *threads, double unsplit)
{
  g_autofree char *unknown = threads->unknown > 0 ? roast_format_number (threads->unknown, "duration") : NULL;
  g_autofree char *ended =
      unknown != NULL ? g_strdup_printf ("CPU time unknown for %s of attempts that failed or were cancelled", unknown)
                      : NULL;
  g_autofree char *note = notes_join (self->activities_note, ended);
  g_autofree char *others = NULL;
  g_autofree char *most = NULL;

  if (!self->sums->has_activities || unsplit <= WORTH_A_NOTE * (threads->cpu + threads->noncpu))
    return g_steal_pointer (&note);
  most = roast_format_number (unsplit, "duration");
  others =
      g_strdup_printf ("up to %s that other threads and children of workers computed may be for these tasks", most);

  return notes_join (note, others);
}

static void
add_part (ActivityReport *self, const char *part, const Threads *threads, double unsplit, const char *idle)
{
  g_autofree char *cpu_time = g_strconcat (part, "_cpu_time_seconds", NULL);
  g_autofree char *wait_time = g_strconcat (part, "_wait_time_seconds", NULL);
  g_autofree char *unsplit_time = g_strconcat (part, "_unsplit_time_seconds", NULL);
  g_autofree char *cpu_ratio = g_strconcat (part, "_cpu_ratio", NULL);
  g_autofree char *wait_ratio = g_strconcat (part, "_wait_ratio", NULL);
  g_autofree char *note = dup_cpu_note (self, threads, unsplit);
  const double cpu = threads->cpu;
  const double noncpu = threads->noncpu;
  gboolean is_known = activity_sums_knows_cpu (self->sums);

  activity_report_add (self, cpu_time, is_known ? cpu : NAN, note, self->missing);
  activity_report_add (self, wait_time, is_known ? noncpu - unsplit : NAN, note, self->missing);
  activity_report_add (self, unsplit_time, is_known ? unsplit : NAN, self->activities_note, self->missing);
  idle = is_known ? idle : self->missing;
  activity_report_add_ratio (self, cpu_ratio, cpu, cpu + noncpu, note, idle);
  activity_report_add_ratio (self, wait_ratio, noncpu - unsplit, cpu + noncpu, note, idle);
}

static void
add_parts (ActivityReport *self)
{
  const double *unsplit = self->sums->unsplit;
  Threads threads[ROAST_ROLE_N_WORDS] = { { 0 } };

  for (guint i = 0; i < self->sums->categories->len; i++)
    {
      const ActivitySum *sum = g_ptr_array_index (self->sums->categories, i);

      threads[sum->role].cpu += sum->cpu;
      threads[sum->role].noncpu += sum->noncpu;
      threads[sum->role].unknown += sum->unknown;
    }
  add_part (self, "processor", &threads[ROAST_ROLE_ANALYSIS], unsplit[ROAST_ROLE_ANALYSIS],
            "no task of the analysis ran in a thread");
  add_part (self, "overhead", &threads[ROAST_ROLE_FRAMEWORK], unsplit[ROAST_ROLE_FRAMEWORK],
            "no task of the framework ran in a thread");
}

void
activity_report_add_times (ActivityReport *self)
{
  ActivitySums *sums = self->sums;

  add_parts (self);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      double value;
      double other = 0;
      gboolean is_recorded = activity_sums_get (sums, times[i].places, times[i].activity, times[i].unit, &value);
      gboolean is_status = times[i].activity == ROAST_ACTIVITY_FAILED || times[i].activity == ROAST_ACTIVITY_CANCELLED;
      const char *note = times[i].activity == ROAST_ACTIVITY_NETWORK ? self->network_note : self->activities_note;

      if (times[i].other != NO_OTHER)
        is_recorded |= activity_sums_get (sums, times[i].places, times[i].other, times[i].unit, &other);
      value = sums->has_activities && (is_recorded || !sums->is_limited || (is_status && sums->n_tasks > 0))
                  ? value + other
                  : NAN;
      (times[i].unit == ROAST_UNIT_BYTES
           ? metric_add_integer
           : metric_add) (self->report, times[i].metric, value, ROAST_COMPLETENESS_PARTIAL, note,
                          sums->has_activities ? "no executor in this run measures it" : self->missing);
    }
}
