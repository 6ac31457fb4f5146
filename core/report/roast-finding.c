/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-finding.h"

#include <math.h>

#include "base/roast-type-private.h"
#include "roast-report-private.h"

/**
 * RoastFinding:
 *
 * A statement about a run. A finding has a text of one or two sentences with numbers, the share of the core time that
 * it explains, advice, and evidence. Evidence consists of names and values.
 *
 * Since: 0.9
 */
struct _RoastFinding
{
  GObject parent_instance;

  char *rule;
  RoastFindingSeverity severity;
  char *text;
  double share;     /* share of the core time that the finding explains; NaN if unknown */
  double run_share; /* share of the elapsed time that the finding explains; NaN if unknown */
  char *advice;
  gboolean is_lower_bound;
  GArray *evidence;
};

ROAST_DEFINE_TYPE (RoastFinding, roast_finding)

typedef struct
{
  char *name;
  GVariant *value; /* value of the evidence: d or s */
  char *unit;
} Evidence;

static void
evidence_clear (Evidence *evidence)
{
  g_free (evidence->name);
  g_variant_unref (evidence->value);
  g_free (evidence->unit);
}

static void
roast_finding_release (RoastFinding *self)
{
  g_free (self->rule);
  g_free (self->text);
  g_free (self->advice);
  g_array_unref (self->evidence);
}

static void
roast_finding_init (RoastFinding *self)
{
  self->share = NAN;
  self->run_share = NAN;
  self->evidence = g_array_new (FALSE, FALSE, sizeof (Evidence));
  g_array_set_clear_func (self->evidence, (GDestroyNotify) evidence_clear);
}

/**
 * roast_finding_new:
 * @rule: name of the rule that makes the finding, in lower case with hyphens; all findings of a rule have this name
 * @severity: importance of the finding
 * @text: one or two plain sentences with numbers, which name their subject
 *
 * Makes a finding. [method@Roast.Report.add_finding] adds the finding to a report. Do not change the finding after it
 * was added.
 *
 * Returns: (transfer full): a finding
 *
 * Since: 0.9
 */
RoastFinding *
roast_finding_new (const char *rule, RoastFindingSeverity severity, const char *text)
{
  RoastFinding *self = NULL;

  g_return_val_if_fail (rule != NULL && text != NULL, NULL);
  g_return_val_if_fail (severity <= ROAST_FINDING_SEVERITY_ERROR, NULL);

  self = g_object_new (ROAST_TYPE_FINDING, NULL);
  self->rule = g_utf8_make_valid (rule, -1);
  self->severity = severity;
  self->text = g_utf8_make_valid (text, -1);

  return self;
}

/**
 * roast_finding_get_rule:
 * @self: a finding
 *
 * Gets the name of the rule that made the finding.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Finding, FINDING, const char *, roast_finding_get_rule, NULL, self->rule)

/**
 * roast_finding_get_severity:
 * @self: a finding
 *
 * Gets the importance of the finding.
 *
 * Returns: the severity
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Finding, FINDING, RoastFindingSeverity, roast_finding_get_severity, ROAST_FINDING_SEVERITY_INFO,
                     self->severity)

/**
 * roast_finding_get_text:
 * @self: a finding
 *
 * Gets the text of the finding.
 *
 * Returns: (transfer none): one or two sentences
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Finding, FINDING, const char *, roast_finding_get_text, NULL, self->text)

/**
 * roast_finding_set_share:
 * @self: a finding
 * @share: a share between 0 and 1; a number outside this range is clamped, and NaN means unknown
 *
 * Sets the share of the offered core time that the finding explains. The share is unknown until it is set.
 *
 * Since: 0.9
 */
void
roast_finding_set_share (RoastFinding *self, double share)
{
  g_return_if_fail (ROAST_IS_FINDING (self));

  self->share = isnan (share) ? NAN : CLAMP (share, 0, 1);
}

/**
 * roast_finding_get_share:
 * @self: a finding
 *
 * Gets the share of the offered core time that the finding explains.
 *
 * Returns: a number between 0 and 1; NaN if it is unknown
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Finding, FINDING, double, roast_finding_get_share, NAN, self->share)

/**
 * roast_finding_set_run_share:
 * @self: a finding
 * @share: a share between 0 and 1; a number outside this range is clamped, and NaN means unknown
 *
 * Sets the share of the elapsed time of the run that the finding explains. The share is unknown until it is set. Set
 * this share for findings about time in which hardly any cores were offered, because such findings have a small share
 * of the core time even if they are important. Findings are ranked by the greater of the two shares.
 *
 * Since: 0.9
 */
void
roast_finding_set_run_share (RoastFinding *self, double share)
{
  g_return_if_fail (ROAST_IS_FINDING (self));

  self->run_share = isnan (share) ? NAN : CLAMP (share, 0, 1);
}

/**
 * roast_finding_get_run_share:
 * @self: a finding
 *
 * Gets the share of the elapsed time of the run that the finding explains.
 *
 * Returns: a number between 0 and 1; NaN if it is unknown
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Finding, FINDING, double, roast_finding_get_run_share, NAN, self->run_share)

/**
 * roast_finding_set_lower_bound:
 * @self: a finding
 *
 * Declares that the finding stays true if rows are missing, because missing rows could only make its numbers larger.
 * Call this function for findings about observed facts, such as killed workers. A report keeps such a finding even if
 * rows are missing.
 *
 * Since: 0.9
 */
void
roast_finding_set_lower_bound (RoastFinding *self)
{
  g_return_if_fail (ROAST_IS_FINDING (self));

  self->is_lower_bound = TRUE;
}

ROAST_DEFINE_GETTER (Finding, FINDING, gboolean, roast_finding_is_lower_bound, FALSE, self->is_lower_bound)

/**
 * roast_finding_set_advice:
 * @self: a finding
 * @advice: (nullable): advice, as a sentence; %NULL if there is nothing to do
 *
 * Sets the advice for the user.
 *
 * Since: 0.9
 */
void
roast_finding_set_advice (RoastFinding *self, const char *advice)
{
  char *copy = NULL;

  g_return_if_fail (ROAST_IS_FINDING (self));

  copy = advice != NULL ? g_utf8_make_valid (advice, -1) : NULL;
  g_free (self->advice);
  self->advice = copy;
}

/**
 * roast_finding_get_advice:
 * @self: a finding
 *
 * Gets the advice for the user.
 *
 * Returns: (transfer none) (nullable): a sentence; %NULL if there is nothing to do
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Finding, FINDING, const char *, roast_finding_get_advice, NULL, self->advice)

static void
add_evidence (RoastFinding *self, const char *name, GVariant *value, const char *unit)
{
  Evidence evidence = { g_utf8_make_valid (name, -1), g_variant_ref_sink (value),
                        unit != NULL ? g_utf8_make_valid (unit, -1) : NULL };

  g_array_append_val (self->evidence, evidence);
}

/**
 * roast_finding_add_number:
 * @self: a finding
 * @name: name of the number, in lower case with underscores
 * @value: the number, in its base unit; numbers that are not finite are left out
 * @unit: (nullable): the unit: s, B, B/s, 1/s, cores, ratio for shares; %NULL for plain numbers
 *
 * Adds a number to the evidence.
 *
 * Since: 0.9
 */
void
roast_finding_add_number (RoastFinding *self, const char *name, double value, const char *unit)
{
  g_return_if_fail (ROAST_IS_FINDING (self));
  g_return_if_fail (name != NULL);

  if (isfinite (value))
    add_evidence (self, name, g_variant_new_double (value), unit);
}

/**
 * roast_finding_add_text:
 * @self: a finding
 * @name: kind of the named thing, in lower case with underscores: worker, host, category, dataset, file
 * @text: (nullable): name of the thing; %NULL to add nothing
 *
 * Adds the name of a thing to the evidence.
 *
 * Since: 0.9
 */
void
roast_finding_add_text (RoastFinding *self, const char *name, const char *text)
{
  g_autofree char *valid = NULL;

  g_return_if_fail (ROAST_IS_FINDING (self));
  g_return_if_fail (name != NULL);

  if (text == NULL)
    return;
  valid = g_utf8_make_valid (text, -1);
  add_evidence (self, name, g_variant_new_string (valid), NULL);
}

/**
 * roast_finding_get_n_evidence:
 * @self: a finding
 *
 * Counts the pieces of evidence.
 *
 * Returns: the number of numbers and names in the evidence
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Finding, FINDING, guint, roast_finding_get_n_evidence, 0, self->evidence->len)

/**
 * roast_finding_get_evidence_name:
 * @self: a finding
 * @index: number of a piece of evidence, from 0
 *
 * Gets the name of a piece of evidence.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.9
 */
const char *
roast_finding_get_evidence_name (RoastFinding *self, guint index)
{
  g_return_val_if_fail (ROAST_IS_FINDING (self), NULL);
  g_return_val_if_fail (index < self->evidence->len, NULL);

  return g_array_index (self->evidence, Evidence, index).name;
}

/**
 * roast_finding_get_evidence_value:
 * @self: a finding
 * @index: number of a piece of evidence, from 0
 *
 * Gets the value of a piece of evidence.
 *
 * Returns: (transfer none): a number as `d`, or a name as `s`
 *
 * Since: 0.9
 */
GVariant *
roast_finding_get_evidence_value (RoastFinding *self, guint index)
{
  g_return_val_if_fail (ROAST_IS_FINDING (self), NULL);
  g_return_val_if_fail (index < self->evidence->len, NULL);

  return g_array_index (self->evidence, Evidence, index).value;
}

/**
 * roast_finding_get_evidence_unit:
 * @self: a finding
 * @index: number of a piece of evidence, from 0
 *
 * Gets the unit of a piece of evidence.
 *
 * Returns: (transfer none) (nullable): the unit; %NULL if the value has no unit
 *
 * Since: 0.9
 */
const char *
roast_finding_get_evidence_unit (RoastFinding *self, guint index)
{
  g_return_val_if_fail (ROAST_IS_FINDING (self), NULL);
  g_return_val_if_fail (index < self->evidence->len, NULL);

  return g_array_index (self->evidence, Evidence, index).unit;
}

void
roast_finding_prepend (RoastFinding *finding, const char *before)
{
  char *text = g_strconcat (before, finding->text, NULL);

  g_free (finding->text);
  finding->text = text;
}
