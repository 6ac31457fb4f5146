/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-report-private.h"

#include <math.h>

#include "recording/roast-recording-snapshot-private.h"
#include "roast/roast-tables.h"
#include "table/roast-table-writer-private.h"

typedef struct
{
  char *plugin;
  char *rule;
  RoastRuleState state;
  char *reason;
} Rule;

void
roast_report_rule_free (gpointer rule)
{
  Rule *self = rule;

  g_free (self->plugin);
  g_free (self->rule);
  g_free (self->reason);
  g_free (self);
}

static Rule *
find_rule (RoastReport *self, const char *name)
{
  for (guint i = 0; i < self->rules->len; i++)
    {
      Rule *rule = g_ptr_array_index (self->rules, i);

      if (g_str_equal (rule->rule, name) && g_strcmp0 (rule->plugin, self->plugin) == 0)
        return rule;
    }

  return NULL;
}

/* Record the state of a rule. If the rule already has a state, keep the state with the greater value, which
 * prevails. */
static void
put_rule (RoastReport *self, const char *name, RoastRuleState state, const char *reason)
{
  Rule *rule = find_rule (self, name);

  if (rule != NULL && rule->state >= state)
    return;
  if (rule == NULL)
    {
      rule = g_new0 (Rule, 1);
      rule->plugin = g_strdup (self->plugin);
      rule->rule = g_utf8_make_valid (name, -1);
      g_ptr_array_add (self->rules, rule);
    }
  rule->state = state;
  g_free (rule->reason);
  rule->reason = reason != NULL ? g_utf8_make_valid (reason, -1) : NULL;
}

static int
compare_shares (double left, double right)
{
  if (isnan (left) || isnan (right))
    return (int) isnan (left) - (int) isnan (right);

  return (left < right) - (left > right);
}

/* Return the greater of a finding's shares of the core time and of the elapsed time, or NaN if both are unknown. */
static double
get_weight (RoastFinding *finding)
{
  return fmax (roast_finding_get_share (finding), roast_finding_get_run_share (finding));
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  RoastFinding *left = *(RoastFinding *const *) a;
  RoastFinding *right = *(RoastFinding *const *) b;

  if (roast_finding_get_severity (left) != roast_finding_get_severity (right))
    return (int) roast_finding_get_severity (right) - (int) roast_finding_get_severity (left);

  return compare_shares (get_weight (left), get_weight (right));
}

/**
 * roast_report_list_findings:
 * @self: a report
 *
 * Lists the findings by rank: errors first, then warnings, then information. Findings of the same severity are sorted
 * by the greater of their shares of the core time and of the elapsed time, the greatest first. The table `findings` has
 * the same order.
 *
 * Returns: (transfer container) (element-type RoastFinding): the findings
 *
 * Since: 0.9
 */
GPtrArray *
roast_report_list_findings (RoastReport *self)
{
  GPtrArray *list = NULL;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);

  list = g_ptr_array_copy (self->findings, (GCopyFunc) g_object_ref, NULL);
  /* The sort is stable, so findings of equal rank stay in the order in which they were added. */
  g_ptr_array_sort (list, compare_ranks);

  return list;
}

/**
 * roast_report_add_finding:
 * @self: a report
 * @finding: (transfer none): a finding
 *
 * Adds a finding, unless the report already has the same finding. Findings are listed by rank, not in the order in
 * which they were added.
 *
 * If the aggregator has read tables with missing rows, the finding may be changed or left out. If only the end of the
 * run is missing, or if the finding is a lower bound ([method@Roast.Finding.set_lower_bound]), the text of the finding
 * gets a remark up to which time the recording has data. Any other finding is left out, and the state of its rule is
 * %ROAST_RULE_STATE_INCOMPLETE.
 *
 * Since: 0.9
 */
void
roast_report_add_finding (RoastReport *self, RoastFinding *finding)
{
  const char *reason = NULL;

  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (ROAST_IS_FINDING (finding));

  reason = roast_report_get_doubt (self);
  if (reason != NULL && !roast_recording_snapshot_lacks_end (self->recording) &&
      !roast_finding_is_lower_bound (finding))
    {
      put_rule (self, roast_finding_get_rule (finding), ROAST_RULE_STATE_INCOMPLETE, reason);
      return;
    }
  if (g_ptr_array_find (self->findings, finding, NULL))
    return;
  if (reason != NULL)
    roast_finding_prepend (finding, "In the recorded part of the run: ");
  g_ptr_array_add (self->findings, g_object_ref (finding));
  g_hash_table_insert (self->finders, finding, g_strdup (self->plugin));
  put_rule (self, roast_finding_get_rule (finding), ROAST_RULE_STATE_SPOKE, NULL);
}

/**
 * roast_report_add_rule:
 * @self: a report
 * @rule: name of a rule that looks for findings
 * @state: outcome of the rule
 * @reason: (nullable): why the rule made no finding
 *
 * Records the outcome of a rule, for the table `rules`. A rule that adds a finding need not call this function. If a
 * rule has several outcomes, for example one per source, the prevailing state is kept: see [enum@Roast.RuleState].
 *
 * Since: 0.9
 */
void
roast_report_add_rule (RoastReport *self, const char *rule, RoastRuleState state, const char *reason)
{
  const char *doubt = NULL;

  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (rule != NULL);
  g_return_if_fail (state <= ROAST_RULE_STATE_SPOKE);

  doubt = roast_report_get_doubt (self);
  if (doubt != NULL && state == ROAST_RULE_STATE_SILENT)
    {
      state = ROAST_RULE_STATE_INCOMPLETE;
      reason = doubt;
    }
  put_rule (self, rule, state, reason);
}

/* ---- tables ---- */

static void
write_findings (RoastReport *self, RoastTableWriter *writer)
{
  g_autoptr (GPtrArray) list = roast_report_list_findings (self);

  for (guint i = 0; i < list->len; i++)
    {
      RoastFinding *finding = g_ptr_array_index (list, i);

      roast_table_writer_set_int64 (writer, ROAST_FINDINGS_FINDING, i + 1);
      roast_table_writer_set_string (writer, ROAST_FINDINGS_RULE, roast_finding_get_rule (finding));
      roast_table_writer_set_word (writer, ROAST_FINDINGS_SEVERITY, roast_finding_get_severity (finding));
      roast_table_writer_set_string (writer, ROAST_FINDINGS_TEXT, roast_finding_get_text (finding));
      roast_table_writer_set_double (writer, ROAST_FINDINGS_SHARE, roast_finding_get_share (finding));
      roast_table_writer_set_string (writer, ROAST_FINDINGS_ADVICE, roast_finding_get_advice (finding));
      roast_table_writer_set_string (writer, ROAST_FINDINGS_PLUGIN, g_hash_table_lookup (self->finders, finding));
      roast_table_writer_end (writer, NULL);
    }
}

static void
write_evidence (RoastReport *self, RoastTableWriter *writer)
{
  g_autoptr (GPtrArray) list = roast_report_list_findings (self);

  for (guint i = 0; i < list->len; i++)
    {
      RoastFinding *finding = g_ptr_array_index (list, i);

      for (guint j = 0; j < roast_finding_get_n_evidence (finding); j++)
        {
          GVariant *value = roast_finding_get_evidence_value (finding, j);

          roast_table_writer_set_int64 (writer, ROAST_FINDING_EVIDENCE_FINDING, i + 1);
          roast_table_writer_set_string (writer, ROAST_FINDING_EVIDENCE_RULE, roast_finding_get_rule (finding));
          roast_table_writer_set_string (writer, ROAST_FINDING_EVIDENCE_NAME,
                                         roast_finding_get_evidence_name (finding, j));
          if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
            roast_table_writer_set_double (writer, ROAST_FINDING_EVIDENCE_VALUE, g_variant_get_double (value));
          else
            roast_table_writer_set_string (writer, ROAST_FINDING_EVIDENCE_TEXT, g_variant_get_string (value, NULL));
          roast_table_writer_set_string (writer, ROAST_FINDING_EVIDENCE_UNIT,
                                         roast_finding_get_evidence_unit (finding, j));
          roast_table_writer_end (writer, NULL);
        }
    }
}

static void
write_rules (RoastReport *self, RoastTableWriter *writer)
{
  for (guint i = 0; i < self->rules->len; i++)
    {
      Rule *rule = g_ptr_array_index (self->rules, i);

      roast_table_writer_set_string (writer, ROAST_RULES_RULE, rule->rule);
      roast_table_writer_set_word (writer, ROAST_RULES_STATE, rule->state);
      roast_table_writer_set_string (writer, ROAST_RULES_REASON, rule->reason);
      roast_table_writer_set_string (writer, ROAST_RULES_PLUGIN, rule->plugin);
      roast_table_writer_end (writer, NULL);
    }
}

static const struct
{
  const char *table;
  void (*write) (RoastReport *self, RoastTableWriter *writer);
} tables[] = {
  { ROAST_TABLE_FINDINGS, write_findings },
  { ROAST_TABLE_FINDING_EVIDENCE, write_evidence },
  { ROAST_TABLE_RULES, write_rules },
};

gboolean
roast_report_is_table_of_findings (const char *table)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (g_str_equal (tables[i].table, table))
      return TRUE;

  return FALSE;
}

void
roast_report_add_names_of_findings (RoastReport *self, GPtrArray *names)
{
  gboolean has_findings = self->findings->len > 0;

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if ((has_findings || (self->rules->len > 0 && tables[i].write == write_rules)) &&
        roast_schema_lookup_table (self->schema, tables[i].table) != NULL)
      g_ptr_array_add (names, g_strdup (tables[i].table));
}

RoastTable *
roast_report_make_table_of_findings (RoastReport *self, RoastTableInfo *info)
{
  RoastTable *table = roast_table_new (info);
  g_autoptr (RoastTableWriter) writer = roast_table_writer_new (table, NULL, NULL, NULL, NULL, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (g_str_equal (tables[i].table, roast_table_info_get_name (info)))
      tables[i].write (self, writer);

  return table;
}
