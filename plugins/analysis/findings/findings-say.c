/* SPDX-License-Identifier: BSD-3-Clause */

/* Records the verdicts of rules and formats their texts. */

#include "findings.h"

/* If at least this share of the core time is unknown, a rule that finds nothing counts as incomplete. */
#define TOO_MUCH_UNKNOWN 0.2

static void add_rule (Findings *self, RoastRuleState state, const char *format, va_list arguments) G_GNUC_PRINTF (3, 0);

static void
add_rule (Findings *self, RoastRuleState state, const char *format, va_list arguments)
{
  g_autofree char *reason = g_strdup_vprintf (format, arguments);

  roast_report_add_rule (self->report, self->rule, state, reason);
}

gboolean
findings_has_spoken (Findings *self, const char *rule)
{
  return g_hash_table_contains (self->spoke, rule);
}

double
findings_get_spoken_share (Findings *self, const char *rule)
{
  RoastFinding *finding = g_hash_table_lookup (self->spoke, rule);

  return finding != NULL ? roast_finding_get_share (finding) : NAN;
}

double
findings_get_claim (Findings *self, const char *rule)
{
  double share = findings_get_spoken_share (self, rule);

  if (!findings_has_spoken (self, rule))
    return 0;

  return isnan (share) ? 1 : share;
}

void
findings_lack (Findings *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add_rule (self, ROAST_RULE_STATE_INCOMPLETE, format, arguments);
  va_end (arguments);
}

void
findings_not_apply (Findings *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  add_rule (self, ROAST_RULE_STATE_NOT_APPLICABLE, format, arguments);
  va_end (arguments);
}

void
findings_be_silent (Findings *self, const char *format, ...)
{
  double unknown = findings_get_part (self, ROAST_CORE_PART_UNKNOWN);
  va_list arguments;

  if (unknown >= TOO_MUCH_UNKNOWN)
    {
      findings_lack (self, "it is unknown how %.0f %% of the core time was used%s%s", 100 * unknown,
                     self->missing != NULL ? ": " : "", self->missing != NULL ? self->missing : "");
      return;
    }
  va_start (arguments, format);
  add_rule (self, ROAST_RULE_STATE_SILENT, format, arguments);
  va_end (arguments);
}

RoastFinding *
findings_new (Findings *self, RoastFindingSeverity severity, double share, const char *format, ...)
{
  g_autofree char *text = NULL;
  RoastFinding *finding = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  finding = roast_finding_new (self->rule, severity, text);
  roast_finding_set_share (finding, share);
  if (!isnan (share))
    roast_finding_add_number (finding, "explained", share * self->offered, "s");

  return finding;
}

void
findings_add (Findings *self, RoastFinding *finding, const char *format, ...)
{
  G_GNUC_UNUSED g_autoptr (RoastFinding) owned = finding;
  g_autofree char *advice = NULL;
  va_list arguments;

  va_start (arguments, format);
  advice = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  roast_finding_set_advice (finding, advice);
  roast_report_add_finding (self->report, finding);
  g_hash_table_insert (self->spoke, (char *) self->rule, g_object_ref (finding));
}

void
findings_explain_waiting (Findings *self, double waited)
{
  if (!(waited > self->waited))
    return;
  self->waited = waited;
  self->waited_rule = self->rule;
}

gboolean
findings_has_slots (Findings *self)
{
  return self->offered > 0 && !self->is_tree;
}

void
findings_lack_slots (Findings *self)
{
  findings_not_apply (self, "the number of slots is unknown because no executor with workers was measured");
}

double
findings_evaluate (Findings *self, const char *formula)
{
  g_autoptr (RoastMetric) value = roast_report_evaluate (self->report, self->recording, "value", formula, NULL);

  return value != NULL ? roast_metric_get_double (value) : NAN;
}

double
findings_get_metric (Findings *self, const char *name)
{
  RoastMetric *metric = roast_report_lookup (self->report, name);

  /* Treat a value that another measurement contradicts as unknown. */
  return metric != NULL && roast_metric_get_contradiction (metric) == NULL ? roast_metric_get_double (metric) : NAN;
}

const char *
findings_get_reason (Findings *self, const char *name)
{
  RoastMetric *metric = roast_report_lookup (self->report, name);
  const char *reason = metric == NULL                                    ? NULL
                       : roast_metric_get_contradiction (metric) != NULL ? roast_metric_get_note (metric)
                                                                         : roast_metric_get_reason (metric);

  return reason != NULL ? reason : "no aggregator computed the metric that this rule needs";
}

const char *
findings_text (Findings *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *valid = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  valid = g_utf8_make_valid (text, -1);

  return findings_keep (self, valid);
}

const char *
findings_keep (Findings *self, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const (self->texts, text) : NULL;
}

const char *
findings_count (Findings *self, gint64 n, const char *one, const char *several)
{
  return findings_text (self, "%s %s", findings_number (self, (double) n, "count"), n == 1 ? one : several);
}

const char *
findings_cores (Findings *self, double cores)
{
  return findings_text (self, "%g core%s", cores, fabs (cores - 1) < 1e-9 ? "" : "s");
}

const char *
findings_number (Findings *self, double number, const char *format)
{
  g_autofree char *text = roast_format_number (number, format);

  return findings_keep (self, text);
}

const char *
findings_duration (Findings *self, double seconds)
{
  return findings_number (self, seconds, "duration");
}

const char *
findings_bytes (Findings *self, double bytes)
{
  return findings_number (self, bytes, "bytes");
}
