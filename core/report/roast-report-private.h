/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"

/* An aggregator of @plugin, which may be NULL, begins to fill the report from @recording; errors of writers name it
 * until it ends. */
void roast_report_begin (RoastReport *self, const char *plugin, RoastRecordingSnapshot *recording);
void roast_report_end (RoastReport *self);

/* Why rows of a derived table are missing; NULL if none are. */
const char *roast_report_find_doubt (RoastReport *self, const char *table);

/* As roast_report_read_table (), where its content is no part of what is computed. */
RoastTableReader *roast_report_peek_table (RoastReport *self, const char *table, const char *const *columns,
                                           GError **error);

/* With all that it says. */
RoastMetric *roast_metric_copy (RoastMetric *self);

/* Says that another measurement contradicts the value of a metric. */
void roast_report_contradict (RoastReport *self, const char *name, const char *difference);

/* FALSE if it was called for this agreement before. */
gboolean roast_report_claim_agreement (RoastReport *self, const char *name);

/* Gives a metric that is not available another reason. */
void roast_report_replace_reason (RoastReport *self, const char *name, const char *reason);
