/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

/**
 * RoastFindingSeverity:
 * @ROAST_FINDING_SEVERITY_INFO: worth knowing, but harmless to the run
 * @ROAST_FINDING_SEVERITY_WARNING: the run lost time, cores or memory
 * @ROAST_FINDING_SEVERITY_ERROR: work failed, or is missing from the result
 *
 * The importance of a finding for the owner of the run.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_FINDING_SEVERITY_INFO,
  ROAST_FINDING_SEVERITY_WARNING,
  ROAST_FINDING_SEVERITY_ERROR,
} RoastFindingSeverity;

/**
 * RoastRuleState:
 * @ROAST_RULE_STATE_NOT_APPLICABLE: the rule does not apply to the run
 * @ROAST_RULE_STATE_INCOMPLETE: the data that the rule needs are missing or not complete enough
 * @ROAST_RULE_STATE_SILENT: the rule checked complete data and found nothing
 * @ROAST_RULE_STATE_SPOKE: the rule added a finding
 *
 * The outcome of a rule that makes findings. If a rule has several outcomes, the outcome that is last in this list
 * prevails.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_RULE_STATE_NOT_APPLICABLE,
  ROAST_RULE_STATE_INCOMPLETE,
  ROAST_RULE_STATE_SILENT,
  ROAST_RULE_STATE_SPOKE,
} RoastRuleState;

#define ROAST_TYPE_FINDING (roast_finding_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastFinding, roast_finding, ROAST, FINDING, GObject)

ROAST_AVAILABLE_IN_0_9
RoastFinding *roast_finding_new (const char *rule, RoastFindingSeverity severity, const char *text);
ROAST_AVAILABLE_IN_0_9
const char *roast_finding_get_rule (RoastFinding *self);
ROAST_AVAILABLE_IN_0_9
RoastFindingSeverity roast_finding_get_severity (RoastFinding *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_finding_get_text (RoastFinding *self);
ROAST_AVAILABLE_IN_0_9
void roast_finding_set_share (RoastFinding *self, double share);
ROAST_AVAILABLE_IN_0_9
double roast_finding_get_share (RoastFinding *self);
ROAST_AVAILABLE_IN_0_9
void roast_finding_set_run_share (RoastFinding *self, double share);
ROAST_AVAILABLE_IN_0_9
void roast_finding_set_lower_bound (RoastFinding *self);
ROAST_AVAILABLE_IN_0_9
double roast_finding_get_run_share (RoastFinding *self);
ROAST_AVAILABLE_IN_0_9
void roast_finding_set_advice (RoastFinding *self, const char *advice);
ROAST_AVAILABLE_IN_0_9
const char *roast_finding_get_advice (RoastFinding *self);
ROAST_AVAILABLE_IN_0_9
void roast_finding_add_number (RoastFinding *self, const char *name, double value, const char *unit);
ROAST_AVAILABLE_IN_0_9
void roast_finding_add_text (RoastFinding *self, const char *name, const char *text);
ROAST_AVAILABLE_IN_0_9
guint roast_finding_get_n_evidence (RoastFinding *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_finding_get_evidence_name (RoastFinding *self, guint index);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_finding_get_evidence_value (RoastFinding *self, guint index);
ROAST_AVAILABLE_IN_0_9
const char *roast_finding_get_evidence_unit (RoastFinding *self, guint index);

G_END_DECLS
