/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-finding.h"
#include "roast/roast-schema.h"
#include "table/roast-table-private.h"

/* Findings of a report, the rules that looked for them, and the tables that show both. */
typedef struct _RoastReportFindings RoastReportFindings;

RoastReportFindings *roast_report_findings_new (void);
void roast_report_findings_free (RoastReportFindings *self);
/* @before is put before its text. */
void roast_report_findings_add (RoastReportFindings *self, const char *plugin, RoastFinding *finding,
                                const char *before);
gboolean roast_finding_is_lower_bound (RoastFinding *self);
void roast_finding_prepend (RoastFinding *finding, const char *before);
/* Of two states of a rule the one that prevails is kept. */
void roast_report_findings_add_rule (RoastReportFindings *self, const char *plugin, const char *rule,
                                     RoastRuleState state, const char *reason);
/* By rank: severity, then the share of core time, then the order in which they came. */
GPtrArray *roast_report_findings_list (RoastReportFindings *self);

/* Whether rows of this table come from findings. */
gboolean roast_report_findings_is_table (const char *table);
/* Appends the names of tables that have rows and are declared. */
void roast_report_findings_add_table_names (RoastReportFindings *self, RoastSchema *schema, GPtrArray *names);
RoastTable *roast_report_findings_make_table (RoastReportFindings *self, RoastTableInfo *info);
