/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report-options.h"

G_BEGIN_DECLS

/* What the commands of roast-report share. Each command returns whether it did what was asked. */

/* A run that was found and opened. */
typedef struct
{
  RoastRunFile *file;
  RoastRecording *recording;
} ReportRun;

/* @name may be NULL for the last run. Says on standard error how far the data of an incomplete run reach. */
ReportRun *report_run_open (const char *name, GError **error);
void report_run_take_status (ReportRun *self, int wait_status);
void report_run_free (ReportRun *self);
/* "complete", "running", "interrupted". */
const char *report_run_state_name (RoastRunFile *file);
/* A time in µs since the epoch, in the zone of the user. */
char *report_format_time (gint64 time);

gboolean report_make (ReportOptions *options, GError **error);
gboolean report_list (ReportOptions *options, GError **error);
gboolean report_show (ReportOptions *options, GError **error);
gboolean report_remove (ReportOptions *options, GError **error);
gboolean report_query (ReportOptions *options, GError **error);
gboolean report_export (ReportOptions *options, GError **error);
gboolean report_import (ReportOptions *options, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ReportRun, report_run_free)

G_END_DECLS
