/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* A run in progress is read again after a pause of at least this many times the CPU time of the last reading. */
#define REPORT_RUN_SHARE 30

/* A run that was found and opened. */
typedef struct
{
  RoastRunFile *file;
  RoastRecording *recording;
} ReportRun;

/* Finds the path of a run by its name. If @name is NULL, finds the last run. */
char *report_run_find (const char *name, GError **error);
/* Finds and opens a run. If the run is incomplete, prints on standard error the time up to which it has data. */
ReportRun *report_run_open (const char *name, GError **error);
/* Opens a run file without printing anything. */
ReportRun *report_run_look (const char *path, GError **error);
void report_run_take_status (ReportRun *self, int wait_status);
void report_run_free (ReportRun *self);
/* Returns the state of a run: "complete", "running", "interrupted" or "incomplete". */
const char *report_run_state_name (RoastRunFile *file);
/* Formats a time, given in µs since the epoch, as date and time in the user's time zone. */
char *report_format_time (gint64 time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReportRun, report_run_free)
