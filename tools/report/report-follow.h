/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report-options.h"
#include "report-run.h"

G_BEGIN_DECLS

/* Reports of a run while it goes on, by the exporters that are live. */

typedef gboolean (*ReportFollowWrite) (ReportOptions *options, RoastRegistry *registry, ReportRun *run, GError **error);

/* If the run goes on and exporters want to write meanwhile, lets them, until it has ended or a signal says to stop. The
 * exporters are in a session. */
gboolean report_follow (ReportOptions *options, RoastRegistry *registry, RoastRunFile *file, ReportFollowWrite write,
                        gboolean *has_followed, gboolean *is_stopped, GError **error);

G_END_DECLS
