/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report-options.h"
#include "report-run.h"

/* The commands of roast-report. Each command returns FALSE and sets the error if it fails. */

gboolean report_make (ReportOptions *options, GError **error);
gboolean report_list (ReportOptions *options, GError **error);
gboolean report_show (ReportOptions *options, GError **error);
gboolean report_remove (ReportOptions *options, GError **error);
gboolean report_query (ReportOptions *options, GError **error);
gboolean report_export (ReportOptions *options, GError **error);
gboolean report_what_if (ReportOptions *options, GError **error);
gboolean report_import (ReportOptions *options, GError **error);
