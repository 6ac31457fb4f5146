/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-shutdown.h"
#include "activity-sums.h"

/* The sums of a recording, notes on how complete these sums are, and the report to which they are written. A note is
 * NULL if no data are known to be missing. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastRunModel *model;
  RoastReport *report;
  ActivitySums *sums;
  char *process_note;    /* note on the CPU time of processes */
  char *activities_note; /* note on sums of activities */
  char *network_note;    /* note on time in transfers */
  char *untimed_note;    /* note on attempts without a start or an end */
  char *cores_note;      /* note on the use of cores */
  char *missing;         /* reason why there are no activities */
} ActivityReport;

ActivityReport *activity_report_new (RoastRecordingSnapshot *recording, RoastReport *report);
void activity_report_free (ActivityReport *self);

/* Add a ratio. @note is the reason why the ratio is only an estimate; it may be NULL. If the denominator is 0, the
 * metric is unavailable because of @missing. */
void activity_report_add_ratio (ActivityReport *self, const char *name, double numerator, double denominator,
                                const char *note, const char *missing);

/* Each function adds its metrics or tables to the report. */
void activity_report_add_times (ActivityReport *self);
void activity_report_add_workers (ActivityReport *self);
/* Report how complete the CPU time of the workers' processes is. @n: number of workers. @n_unknown: number of those
 * that did not report the CPU time of their processes. @computing_note: describes missing CPU time of task threads, or
 * NULL. @shutdown_note: describes missing CPU time after the workers' last data, or NULL. */
void activity_report_add_processes (ActivityReport *self, guint n, guint n_unknown, const ActivityShutdown *shutdown,
                                    const char *computing_note, const char *shutdown_note);
void activity_report_add_tables (ActivityReport *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ActivityReport, activity_report_free)
