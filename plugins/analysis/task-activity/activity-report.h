/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "activity-shutdown.h"
#include "activity-sums.h"

G_BEGIN_DECLS

/* The sums of a recording, how complete they are, and the report that they go to. A note is NULL where nothing is known
 * to be missing. */
typedef struct
{
  RoastRecordingSnapshot *recording;
  RoastReport *report;
  ActivitySums *sums;
  char *process_note;    /* of sums of processes */
  char *activities_note; /* of sums of activities */
  char *network_note;    /* of time in transfers */
  char *cores_note;      /* of the use of cores */
  char *missing;         /* why there are no activities */
} ActivityReport;

ActivityReport *activity_report_new (RoastRecordingSnapshot *recording, RoastReport *report);
void activity_report_free (ActivityReport *self);

/* @note: why the value is a lower bound, or NULL; @missing: why there is none if it is NaN */
void activity_report_add (ActivityReport *self, const char *name, double value, const char *note, const char *missing);
/* @note: why the value is an estimate, or NULL; @missing: why there is none if the denominator is 0 */
void activity_report_add_ratio (ActivityReport *self, const char *name, double numerator, double denominator,
                                const char *note, const char *missing);

/* Each adds its metrics or tables. */
gboolean activity_report_add_times (ActivityReport *self, GError **error);
gboolean activity_report_add_workers (ActivityReport *self, GError **error);
/* How complete that CPU time is: of the processes of @n workers, of which @n_unknown reported none, and of their ends.
 * @computing_note,
 * @shutdown_note: what is missing in that of threads of tasks and in that of the ends, or NULL. */
void activity_report_add_processes (ActivityReport *self, guint n, guint n_unknown, const ActivityShutdown *shutdown,
                                    const char *computing_note, const char *shutdown_note);
gboolean activity_report_add_tables (ActivityReport *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ActivityReport, activity_report_free)

G_END_DECLS
