/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-report-findings-private.h"

#include <math.h>

#include "roast/roast-tables.h"
#include "table/roast-table-writer-private.h"

typedef struct
{
  char *plugin;
  char *rule;
  RoastRuleState state;
  char *reason;
} Rule;

struct _RoastReportFindings
{
  GPtrArray *findings; /* in the order of addition */
  GHashTable *plugins; /* finding to the name of its plugin */
  GPtrArray *rules;
};

static void
rule_free (Rule *rule)
{
  g_free (rule->plugin);
  g_free (rule->rule);
  g_free (rule->reason);
  g_free (rule);
}

RoastReportFindings *
roast_report_findings_new (void)
{
  RoastReportFindings *self = g_new0 (RoastReportFindings, 1);

  self->findings = g_ptr_array_new_with_free_func (g_object_unref);
  self->plugins = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->rules = g_ptr_array_new_with_free_func ((GDestroyNotify) rule_free);

  return self;
}

void
roast_report_findings_free (RoastReportFindings *self)
{
  g_ptr_array_unref (self->findings);
  g_hash_table_unref (self->plugins);
  g_ptr_array_unref (self->rules);
  g_free (self);
}

void
roast_report_findings_add (RoastReportFindings *self, const char *plugin, RoastFinding *finding, const char *before)
{
  if (g_ptr_array_find (self->findings, finding, NULL))
    return;
  roast_finding_prepend (finding, before);
  g_ptr_array_add (self->findings, g_object_ref (finding));
  g_hash_table_insert (self->plugins, finding, g_strdup (plugin));
  roast_report_findings_add_rule (self, plugin, roast_finding_get_rule (finding), ROAST_RULE_STATE_SPOKE, NULL);
}

static Rule *
find_rule (RoastReportFindings *self, const char *plugin, const char *name)
{
  for (guint i = 0; i < self->rules->len; i++)
    {
      Rule *rule = g_ptr_array_index (self->rules, i);

      if (g_str_equal (rule->rule, name) && g_strcmp0 (rule->plugin, plugin) == 0)
        return rule;
    }

  return NULL;
}

void
roast_report_findings_add_rule (RoastReportFindings *self, const char *plugin, const char *name, RoastRuleState state,
                                const char *reason)
{
  Rule *rule = find_rule (self, plugin, name);

  if (rule != NULL && rule->state >= state)
    return;
  if (rule == NULL)
    {
      rule = g_new0 (Rule, 1);
      rule->plugin = g_strdup (plugin);
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

/* Return the share of the core time or of the run, whichever is greater; NaN if both are unknown. */
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

GPtrArray *
roast_report_findings_list (RoastReportFindings *self)
{
  GPtrArray *list = g_ptr_array_copy (self->findings, (GCopyFunc) g_object_ref, NULL);

  /* The sort is stable: of equal findings the earlier one comes first. */
  g_ptr_array_sort (list, compare_ranks);

  return list;
}

static void
write_findings (RoastReportFindings *self, RoastTableWriter *writer)
{
  g_autoptr (GPtrArray) list = roast_report_findings_list (self);

  for (guint i = 0; i < list->len; i++)
    {
      RoastFinding *finding = g_ptr_array_index (list, i);

      roast_table_writer_set_int64 (writer, ROAST_FINDINGS_FINDING, i + 1);
      roast_table_writer_set_string (writer, ROAST_FINDINGS_RULE, roast_finding_get_rule (finding));
      roast_table_writer_set_word (writer, ROAST_FINDINGS_SEVERITY, roast_finding_get_severity (finding));
      roast_table_writer_set_string (writer, ROAST_FINDINGS_TEXT, roast_finding_get_text (finding));
      roast_table_writer_set_double (writer, ROAST_FINDINGS_SHARE, roast_finding_get_share (finding));
      roast_table_writer_set_string (writer, ROAST_FINDINGS_ADVICE, roast_finding_get_advice (finding));
      roast_table_writer_set_string (writer, ROAST_FINDINGS_PLUGIN, g_hash_table_lookup (self->plugins, finding));
      roast_table_writer_end (writer, NULL);
    }
}

static void
write_evidence (RoastReportFindings *self, RoastTableWriter *writer)
{
  g_autoptr (GPtrArray) list = roast_report_findings_list (self);

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
write_rules (RoastReportFindings *self, RoastTableWriter *writer)
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
  void (*write) (RoastReportFindings *self, RoastTableWriter *writer);
} tables[] = {
  { ROAST_TABLE_FINDINGS, write_findings },
  { ROAST_TABLE_FINDING_EVIDENCE, write_evidence },
  { ROAST_TABLE_RULES, write_rules },
};

gboolean
roast_report_findings_is_table (const char *table)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (g_str_equal (tables[i].table, table))
      return TRUE;

  return FALSE;
}

void
roast_report_findings_add_table_names (RoastReportFindings *self, RoastSchema *schema, GPtrArray *names)
{
  gboolean has_findings = self->findings->len > 0;

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if ((has_findings || (self->rules->len > 0 && tables[i].write == write_rules)) &&
        roast_schema_lookup_table (schema, tables[i].table) != NULL)
      g_ptr_array_add (names, g_strdup (tables[i].table));
}

RoastTable *
roast_report_findings_make_table (RoastReportFindings *self, RoastTableInfo *info)
{
  RoastTable *table = roast_table_new (info);
  g_autoptr (RoastTableWriter) writer = roast_table_writer_new (table, NULL, NULL, NULL, NULL, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (g_str_equal (tables[i].table, roast_table_info_get_name (info)))
      tables[i].write (self, writer);

  return table;
}
