/* SPDX-License-Identifier: BSD-3-Clause */

/* Evaluates metrics that are declared as formulas. */

#include "roast-formula-aggregate-private.h"

#include <math.h>

#include "base/roast-fail-private.h"
#include "base/roast-variant-private.h"
#include "roast-report-private.h"
#include "table/roast-formula-rows-private.h"
#include "table/roast-metric-info-private.h"

#define FORMULA_LARGEST 9e15 /* larger values stay doubles, because doubles cannot hold every larger integer */

static gboolean evaluate (const RoastFormulaContext *context, RoastFormula *formula, RoastFormulaValue *result,
                          GError **error);

static gboolean
is_exact (const RoastFormulaValue *self)
{
  return self->low == self->high;
}

/* ---- metrics ---- */

static gboolean
get_metric (const RoastFormulaContext *context, const RoastFormula *formula, RoastFormulaValue *result, GError **error)
{
  RoastReport *report = context->report;
  const char *name = formula->name;
  RoastMetric *metric = roast_report_lookup (report, name);
  RoastCompleteness completeness =
      metric != NULL ? roast_metric_get_completeness (metric) : ROAST_COMPLETENESS_UNAVAILABLE;

  if (context->is_strict && metric == NULL &&
      roast_schema_lookup_metric (roast_report_get_schema (report), name, NULL) == NULL)
    return roast_fail (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN,
                       "formula, character %u: there is no metric “%s”: “roast-inspect --metrics” lists the metrics; "
                       "write a column within an aggregate, such as “sum (COLUMN over TABLE)”",
                       formula->position + 1, name);
  if (metric == NULL || completeness == ROAST_COMPLETENESS_UNAVAILABLE)
    {
      result->note = metric != NULL ? g_strdup (roast_metric_get_reason (metric))
                                    : g_strdup_printf ("no aggregator computes %s", name);
      return TRUE;
    }
  /* This function also multiplies by the factor of an older name. */
  if (!roast_report_get_double (report, name, &result->value))
    {
      result->note = g_strdup_printf ("%s is not a number", name);
      return TRUE;
    }
  result->is_integer = g_variant_is_of_type (roast_metric_get_value (metric), G_VARIANT_TYPE_INT64);
  result->low = completeness == ROAST_COMPLETENESS_ESTIMATED ? -INFINITY : result->value;
  result->high = completeness == ROAST_COMPLETENESS_COMPLETE ? result->value : INFINITY;
  result->note = g_strdup (roast_metric_get_note (metric));

  return TRUE;
}

static char *
dup_why_no_metadata (const RoastFormulaContext *context, const char *key)
{
  const char *absent = context->metric != NULL ? roast_metric_info_get_absent (context->metric) : NULL;
  char *reason = NULL;

  if (absent != NULL)
    return g_strdup (absent);
  if (context->metric != NULL)
    roast_report_coverage_find (context->report, "metadata", NULL, &reason);

  return reason != NULL ? reason : g_strdup_printf ("the metadata have no number %s", key);
}

/* Get a number from the metadata. Keep a whole number as an integer, because it may be a time in µs. */
static void
get_metadata (const RoastFormulaContext *context, const char *key, RoastFormulaValue *result)
{
  gboolean is_count = context->metric != NULL && g_str_equal (roast_metric_info_get_format (context->metric), "count");
  g_autoptr (GVariant) found =
      context->recording != NULL ? roast_recording_snapshot_lookup_metadata (context->recording, key, NULL) : NULL;
  gint64 integer;

  result->is_integer = found != NULL && roast_variant_get_integer (found, &integer);
  if (result->is_integer)
    result->value = (double) integer;
  else if (found != NULL && !is_count && g_variant_is_of_type (found, G_VARIANT_TYPE_DOUBLE))
    result->value = g_variant_get_double (found);
  else
    result->note = dup_why_no_metadata (context, key);
  result->low = result->high = result->value;
}

/* ---- operators ---- */

/* Set the bounds of a result by interval arithmetic: apply the operator to all pairs of bounds of both operands, and
 * take the lowest and the highest result. */
static void
formula_set_bounds (RoastFormulaKind kind, const RoastFormulaValue *a, const RoastFormulaValue *b,
                    RoastFormulaValue *result)
{
  const double ends[] = { roast_formula_apply (kind, a->low, b->low), roast_formula_apply (kind, a->low, b->high),
                          roast_formula_apply (kind, a->high, b->low), roast_formula_apply (kind, a->high, b->high) };
  gboolean is_open = kind == ROAST_FORMULA_DIVIDE && b->low <= 0 && b->high >= 0;

  if (is_exact (a) && is_exact (b))
    {
      result->low = result->high = result->value;
      return;
    }
  result->low = INFINITY;
  result->high = -INFINITY;
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      is_open |= isnan (ends[i]);
      result->low = fmin (result->low, ends[i]);
      result->high = fmax (result->high, ends[i]);
    }
  if (!is_open)
    return;
  result->low = -INFINITY;
  result->high = INFINITY;
}

static const char *
formula_get_name (const RoastFormula *self)
{
  return self->kind == ROAST_FORMULA_NAME ? self->name : "the denominator";
}

/* Return a note for a quotient whose denominator is a lower bound. The note says "at most" if the numerator is exact,
 * because the quotient is then an upper bound. */
static char *
dup_bound_note (const RoastFormula *formula, const RoastFormulaValue *a, const RoastFormulaValue *b)
{
  return g_strdup_printf ("%s: %s is a lower bound%s%s%s", is_exact (a) ? "at most" : "may be too high or too low",
                          formula_get_name (roast_formula_get_operand (formula, 1)), b->note != NULL ? " (" : "",
                          b->note != NULL ? b->note : "", b->note != NULL ? ")" : "");
}

static gboolean
is_lower_bound (const RoastFormulaValue *self)
{
  return !is_exact (self) && self->low == self->value;
}

static char *
dup_zero_note (const RoastFormulaContext *context, const RoastFormula *formula)
{
  const char *absent = context->metric != NULL ? roast_metric_info_get_absent (context->metric) : NULL;

  return absent != NULL ? g_strdup (absent)
                        : g_strdup_printf ("%s is 0", formula_get_name (roast_formula_get_operand (formula, 1)));
}

static void
combine (const RoastFormulaContext *context, const RoastFormula *formula, const RoastFormulaValue *a,
         const RoastFormulaValue *b, RoastFormulaValue *result)
{
  const RoastFormulaValue *worse = isnan (a->value) || (!is_exact (a) && !isnan (b->value)) ? a : b;
  gboolean divides = formula->kind == ROAST_FORMULA_DIVIDE;

  if (isnan (a->value) || isnan (b->value))
    {
      result->note = g_strdup (worse->note);
      return;
    }
  if (divides && b->value == 0)
    {
      result->note = dup_zero_note (context, formula);
      return;
    }
  result->value = roast_formula_apply (formula->kind, a->value, b->value);
  result->is_integer = a->is_integer && b->is_integer && !divides;
  formula_set_bounds (formula->kind, a, b, result);
  if (divides && is_lower_bound (b))
    result->note = dup_bound_note (formula, a, b);
  else
    result->note = g_strdup (worse->note);
}

/* Set @self to the minimum or maximum of both values. Take over the note of @other if the result is the value of
 * @other, or if @self was exact and the result is not. */
static void
merge (RoastFormulaFunction function, RoastFormulaValue *self, RoastFormulaValue *other)
{
  double (*choose) (double, double) = function == ROAST_FORMULA_MIN ? fmin : fmax;

  gboolean is_exact_itself = is_exact (self);
  gboolean is_other = choose (self->value, other->value) != self->value;

  self->value = choose (self->value, other->value);
  self->low = choose (self->low, other->low);
  self->high = choose (self->high, other->high);
  if (is_other || (is_exact_itself && !is_exact (self)))
    {
      g_free (self->note);
      self->note = g_steal_pointer (&other->note);
    }
  self->is_integer = self->is_integer && other->is_integer;
}

static gboolean
round_value (const RoastFormulaContext *context, const RoastFormula *formula, RoastFormulaValue *result, GError **error)
{
  if (!evaluate (context, roast_formula_get_operand (formula, 0), result, error))
    return FALSE;
  result->value = round (result->value);
  result->low = round (result->low);
  result->high = round (result->high);
  result->is_integer = TRUE;

  return TRUE;
}

/* Evaluate a function: first_known returns the first known operand; min and max return no value unless all operands are
 * known. */
static gboolean
formula_call (const RoastFormulaContext *context, const RoastFormula *formula, RoastFormulaValue *result,
              GError **error)
{
  for (guint i = 0; i < formula->n_operands; i++)
    {
      g_auto (RoastFormulaValue) other = { NAN, NAN, NAN, FALSE, NULL };
      gboolean decides = FALSE;

      if (!evaluate (context, roast_formula_get_operand (formula, i), &other, error))
        return FALSE;
      decides = isnan (other.value) != (formula->function == ROAST_FORMULA_FIRST_KNOWN);
      if (i > 0 && !decides && formula->function != ROAST_FORMULA_FIRST_KNOWN)
        {
          merge (formula->function, result, &other);
          continue;
        }
      g_free (result->note);
      *result = other;
      other.note = NULL;
      if (decides)
        return TRUE;
    }

  return TRUE;
}

static gboolean
evaluate (const RoastFormulaContext *context, RoastFormula *formula, RoastFormulaValue *result, GError **error)
{
  g_auto (RoastFormulaValue) a = { NAN, NAN, NAN, FALSE, NULL };
  g_auto (RoastFormulaValue) b = { NAN, NAN, NAN, FALSE, NULL };

  if (formula->kind == ROAST_FORMULA_NUMBER)
    *result = (RoastFormulaValue) { formula->number, formula->number, formula->number,
                                    formula->number == floor (formula->number), NULL };
  else if (formula->kind == ROAST_FORMULA_NAME)
    return get_metric (context, formula, result, error);
  else if (formula->kind == ROAST_FORMULA_AGGREGATE)
    return roast_formula_aggregate (context, formula, result, error);
  else if (formula->kind == ROAST_FORMULA_CALL && formula->function == ROAST_FORMULA_METADATA)
    get_metadata (context, roast_formula_get_operand (formula, 0)->name, result);
  else if (formula->kind == ROAST_FORMULA_CALL && formula->function == ROAST_FORMULA_ROUND)
    return round_value (context, formula, result, error);
  else if (formula->kind == ROAST_FORMULA_CALL)
    return formula_call (context, formula, result, error);
  else if (!evaluate (context, roast_formula_get_operand (formula, 0), &a, error) ||
           !evaluate (context, roast_formula_get_operand (formula, 1), &b, error))
    return FALSE;
  else
    combine (context, formula, &a, &b, result);

  return TRUE;
}

/* ---- results ---- */

static void
set_completeness (RoastMetric *metric, const RoastFormulaValue *value)
{
  g_autofree char *note = NULL;

  if (is_exact (value))
    roast_metric_set_completeness (metric, ROAST_COMPLETENESS_COMPLETE, value->note);
  else if (value->low == value->value)
    roast_metric_set_completeness (metric, ROAST_COMPLETENESS_PARTIAL, value->note);
  else
    {
      gboolean is_at_most =
          value->high == value->value && value->note != NULL && !g_str_has_prefix (value->note, "at most");

      note = g_strconcat (is_at_most ? "at most: " : "", value->note, NULL);
      roast_metric_set_completeness (metric, ROAST_COMPLETENESS_ESTIMATED, note);
    }
}

static RoastMetric *
make_metric (const char *name, const RoastFormulaValue *value)
{
  RoastMetric *metric = NULL;
  GVariant *number = NULL;

  if (!isfinite (value->value))
    return roast_metric_new_unavailable (name, value->note != NULL ? value->note : "the value is not a finite number");
  if (value->is_integer && fabs (value->value) <= FORMULA_LARGEST)
    number = g_variant_new_int64 ((gint64) value->value);
  else
    number = g_variant_new_double (value->value);
  metric = roast_metric_new (name, number, ROAST_COMPLETENESS_COMPLETE, NULL);
  set_completeness (metric, value);

  return metric;
}

gboolean
roast_formula_evaluate (RoastReport *report, RoastRecordingSnapshot *recording, const char *text,
                        RoastFormulaValue *result, GError **error)
{
  const RoastFormulaContext context = { recording, report, NULL, FALSE };
  g_autoptr (RoastFormula) formula = roast_formula_parse (text, error);

  return formula != NULL && evaluate (&context, formula, result, error);
}

/**
 * roast_report_evaluate:
 * @self: a report
 * @recording: the recording of the report
 * @name: name of the metric
 * @formula: an expression over tables of the recording, derived tables and metrics of the report, in the syntax of the
 *   key `Value` of a schema
 * @error: return location for an error
 *
 * Evaluates a formula. The completeness of the value follows from the rows and metrics that the formula reads. For
 * example, if rows are missing, a count or a sum of non-negative numbers is a lower bound.
 *
 * The metric is not added to the report; see [method@Roast.Report.add_metric].
 *
 * Returns: (transfer full): a metric, which may be not available; %NULL with %ROAST_SCHEMA_ERROR_SYNTAX, or
 *   %ROAST_SCHEMA_ERROR_UNKNOWN if the formula names a table, column or metric that the schema does not declare
 *
 * Since: 0.9
 */
RoastMetric *
roast_report_evaluate (RoastReport *self, RoastRecordingSnapshot *recording, const char *name, const char *formula,
                       GError **error)
{
  const RoastFormulaContext context = { recording, self, NULL, TRUE };
  g_auto (RoastFormulaValue) value = { NAN, NAN, NAN, FALSE, NULL };
  g_autoptr (RoastFormula) parsed = NULL;

  g_return_val_if_fail (ROAST_IS_REPORT (self), NULL);
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (recording), NULL);
  g_return_val_if_fail (name != NULL && formula != NULL, NULL);

  parsed = roast_formula_parse (formula, error);

  return parsed != NULL && evaluate (&context, parsed, &value, error) ? make_metric (name, &value) : NULL;
}

/* ---- metrics of a schema ---- */

typedef struct
{
  RoastReport *report;
  RoastRecordingSnapshot *recording;
  GHashTable *waiting; /* names of metrics that have not been evaluated yet */
} Formulas;

/* Look up the completeness of a metric in the table report_coverage. The lookup can make the value less certain than
 * the values in its formula, but never more certain. */
static void
formula_take_coverage (RoastReport *report, const char *name, RoastFormulaValue *value)
{
  g_autofree char *reason = NULL;
  int completeness = roast_report_coverage_find_metric (report, name, &reason);

  if (completeness == ROAST_COMPLETENESS_UNAVAILABLE)
    value->value = NAN;
  else if (completeness < 0 || isnan (value->value))
    return;
  if (completeness != ROAST_COMPLETENESS_COMPLETE)
    value->high = INFINITY;
  if (completeness == ROAST_COMPLETENESS_ESTIMATED)
    value->low = -INFINITY;
  if (reason == NULL)
    return;
  g_free (value->note);
  value->note = g_steal_pointer (&reason);
}

/* Evaluate the formula of a metric and add the metric to the report. First add the metrics that the formula names. */
static void
add_formula (const char *name, gpointer data)
{
  Formulas *self = data;
  RoastMetricInfo *info = roast_schema_lookup_metric (roast_report_get_schema (self->report), name, NULL);
  const RoastFormulaContext context = { self->recording, self->report, info, FALSE };
  g_auto (RoastFormulaValue) result = { NAN, NAN, NAN, FALSE, NULL };
  g_autoptr (RoastMetric) metric = NULL;
  g_autoptr (GError) error = NULL;
  RoastFormula *formula = NULL;

  if (info == NULL || roast_metric_info_get_value (info) == NULL || !g_hash_table_remove (self->waiting, name))
    return;
  formula = roast_metric_info_take_formula (info);
  roast_formula_each_metric (formula, add_formula, self);
  roast_report_begin (self->report, NULL, self->recording);
  if (evaluate (&context, formula, &result, &error))
    {
      formula_take_coverage (self->report, name, &result);
      metric = make_metric (name, &result);
      roast_report_add_metric (self->report, metric);
    }
  else
    {
      roast_report_add_unavailable (self->report, name, error->message);
    }
  roast_report_end (self->report);
  roast_metric_info_return_formula (info, formula);
}

/**
 * roast_report_add_formulas:
 * @self: a report
 * @recording: the recording of the report
 * @names: (array zero-terminated=1): names of metrics
 *
 * Evaluates the formulas that the schema has for these metrics, and adds the results to the report. If a formula names
 * other metrics in @names, their formulas are evaluated first. Metrics that the report already has, and metrics without
 * a formula, are skipped.
 *
 * A session evaluates the formulas of all metrics that no aggregator adds. Call this function if you run aggregators
 * yourself.
 *
 * Since: 0.9
 */
void
roast_report_add_formulas (RoastReport *self, RoastRecordingSnapshot *recording, const char *const *names)
{
  Formulas formulas = { self, recording, NULL };

  g_return_if_fail (ROAST_IS_REPORT (self));
  g_return_if_fail (ROAST_IS_RECORDING_SNAPSHOT (recording));
  g_return_if_fail (names != NULL);

  formulas.waiting = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; names[i] != NULL; i++)
    if (roast_report_lookup (self, names[i]) == NULL)
      g_hash_table_add (formulas.waiting, (gpointer) names[i]);
  for (guint i = 0; names[i] != NULL; i++)
    add_formula (names[i], &formulas);
  g_hash_table_unref (formulas.waiting);
}
