/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report-options.h"
#include "report-run.h"

/* Makes reports with live exporters while the run goes on. */

typedef gboolean (*ReportFollowWrite) (ReportOptions *options, RoastRegistry *registry, ReportRun *run, GError **error);

/* If the run goes on and there are live exporters, lets these exporters write reports until the run ends or a signal
 * arrives. The exporters must belong to a session. */
gboolean report_follow (ReportOptions *options, RoastRegistry *registry, RoastRunFile *file, ReportFollowWrite write,
                        gboolean *has_followed, gboolean *is_stopped, GError **error);
