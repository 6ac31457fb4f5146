/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

#define REPORT_RUN_SHARE 30 /* looking at a run that goes on may take 1/30 of the time */

/* A run that was found and opened. */
typedef struct
{
  RoastRunFile *file;
  RoastRecording *recording;
} ReportRun;

/* @name may be NULL for the last run. */
char *report_run_find (const char *name, GError **error);
/* Finds and opens it. Says on standard error how far the data of an incomplete run reach. */
ReportRun *report_run_open (const char *name, GError **error);
/* The same of a file, without saying anything. */
ReportRun *report_run_look (const char *path, GError **error);
void report_run_take_status (ReportRun *self, int wait_status);
void report_run_free (ReportRun *self);
/* "complete", "running", "interrupted". */
const char *report_run_state_name (RoastRunFile *file);
/* A time in µs since the epoch, in the zone of the user. */
char *report_format_time (gint64 time);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReportRun, report_run_free)

G_END_DECLS
