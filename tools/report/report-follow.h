/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "report-options.h"
#include "report-run.h"

G_BEGIN_DECLS

/* Reports of a run while it goes on, by the exporters that are live. */

typedef gboolean (*ReportFollowWrite) (ReportOptions *options, RoastRegistry *registry, ReportRun *run, GError **error);

/* Whether the run goes on, and an exporter wants to write meanwhile. The exporters are in a session. */
gboolean report_follow_is_asked (ReportOptions *options, RoastRunFile *file);
/* Writes by those exporters, until the run has ended or a signal says to stop. */
gboolean report_follow (ReportOptions *options, RoastRegistry *registry, const char *path, ReportFollowWrite write,
                        gboolean *is_stopped, GError **error);

G_END_DECLS
