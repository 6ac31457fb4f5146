/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-finding.h"
#include "roast/roast-schema.h"
#include "table/roast-table-private.h"

/* Findings of a report, the outcomes of rules, and the tables that show both. */
typedef struct _RoastReportFindings RoastReportFindings;

RoastReportFindings *roast_report_findings_new (void);
void roast_report_findings_free (RoastReportFindings *self);
/* @before: text to prepend to the text of the finding */
void roast_report_findings_add (RoastReportFindings *self, const char *plugin, RoastFinding *finding,
                                const char *before);
gboolean roast_finding_is_lower_bound (RoastFinding *self);
void roast_finding_prepend (RoastFinding *finding, const char *before);
/* Record the state of a rule. Of two states the prevailing one is kept. */
void roast_report_findings_add_rule (RoastReportFindings *self, const char *plugin, const char *rule,
                                     RoastRuleState state, const char *reason);
/* Sort by severity, then by share of core time, then by the order of addition. */
GPtrArray *roast_report_findings_list (RoastReportFindings *self);

/* Return whether the rows of this table come from findings. */
gboolean roast_report_findings_is_table (const char *table);
/* Append the names of declared tables that have rows. */
void roast_report_findings_add_table_names (RoastReportFindings *self, RoastSchema *schema, GPtrArray *names);
RoastTable *roast_report_findings_make_table (RoastReportFindings *self, RoastTableInfo *info);
