/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-metric.h"

#include <math.h>

#include "base/roast-type-private.h"
#include "roast-report-private.h"

/**
 * RoastMetric:
 *
 * A number or text of a report, with its completeness. If the metric is not available, it has a reason instead of a
 * value. The [class@Roast.Schema] declares the meaning of the metric.
 *
 * Since: 0.9
 */
ROAST_DEFINE_TYPE (RoastMetric, roast_metric)
ROAST_DEFINE_NO_INIT (RoastMetric, roast_metric)

static void
roast_metric_release (RoastMetric *self)
{
  g_free (self->name);
  g_clear_pointer (&self->value, g_variant_unref);
  g_free (self->reason);
  g_free (self->note);
  g_free (self->contradiction);
}

RoastMetric *
roast_metric_new (const char *name, GVariant *value, RoastCompleteness completeness, const char *note)
{
  RoastMetric *self = g_object_new (ROAST_TYPE_METRIC, NULL);

  self->name = g_utf8_make_valid (name, -1);
  self->value = value != NULL ? g_variant_ref_sink (value) : NULL;
  roast_metric_set_completeness (self, completeness, note);

  return self;
}

RoastMetric *
roast_metric_new_unavailable (const char *name, const char *reason)
{
  RoastMetric *self = roast_metric_new (name, NULL, ROAST_COMPLETENESS_UNAVAILABLE, NULL);

  self->reason = g_utf8_make_valid (reason, -1);

  return self;
}

void
roast_metric_set_completeness (RoastMetric *self, RoastCompleteness completeness, const char *note)
{
  char *copy = note != NULL ? g_utf8_make_valid (note, -1) : NULL;

  self->completeness = self->value != NULL ? completeness : ROAST_COMPLETENESS_UNAVAILABLE;
  g_free (self->note);
  self->note = copy;
}

/**
 * roast_metric_get_name:
 * @self: a metric
 *
 * Gets the name of the metric, which the schema declares.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Metric, METRIC, const char *, roast_metric_get_name, NULL, self->name)

/**
 * roast_metric_is_available:
 * @self: a metric
 *
 * Checks whether the metric has a value.
 *
 * Returns: %TRUE if the metric has a value
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Metric, METRIC, gboolean, roast_metric_is_available, FALSE, self->value != NULL)

/**
 * roast_metric_get_value:
 * @self: a metric
 *
 * Gets the value with its type.
 *
 * Returns: (transfer none) (nullable): the value as `d`, `x` or `s`; %NULL if the metric is not available
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Metric, METRIC, GVariant *, roast_metric_get_value, NULL, self->value)

/**
 * roast_metric_get_double:
 * @self: a metric
 *
 * Gets the value as a double, whether it is an integer or a double.
 *
 * Returns: the value as a double; NaN if the metric is not available, or if its value is a text
 *
 * Since: 0.9
 */
double
roast_metric_get_double (RoastMetric *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC (self), NAN);

  if (self->value == NULL)
    return NAN;
  if (g_variant_is_of_type (self->value, G_VARIANT_TYPE_DOUBLE))
    return g_variant_get_double (self->value);
  if (g_variant_is_of_type (self->value, G_VARIANT_TYPE_INT64))
    return (double) g_variant_get_int64 (self->value);

  return NAN;
}

/**
 * roast_metric_get_reason:
 * @self: a metric
 *
 * Gets the reason why there is no value.
 *
 * Returns: (transfer none) (nullable): the reason; %NULL if the metric has a value
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Metric, METRIC, const char *, roast_metric_get_reason, NULL, self->reason)

/**
 * roast_metric_get_completeness:
 * @self: a metric
 *
 * Gets the completeness of the value.
 *
 * Returns: the completeness
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Metric, METRIC, RoastCompleteness, roast_metric_get_completeness, ROAST_COMPLETENESS_UNAVAILABLE,
                     self->completeness)

/**
 * roast_metric_get_note:
 * @self: a metric
 *
 * Gets a note about the completeness of the value.
 *
 * Returns: (transfer none) (nullable): what is missing, or how the value was estimated
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Metric, METRIC, const char *, roast_metric_get_note, NULL, self->note)

/**
 * roast_metric_get_contradiction:
 * @self: a metric
 *
 * Gets a description of a contradiction: another measurement of the same quantity had a different result.
 *
 * Returns: (transfer none) (nullable): both values and their sources; %NULL if no measurement contradicts the value
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Metric, METRIC, const char *, roast_metric_get_contradiction, NULL, self->contradiction)

RoastMetric *
roast_metric_copy (RoastMetric *self)
{
  RoastMetric *copy = roast_metric_new (self->name, self->value, self->completeness, self->note);

  copy->reason = g_strdup (self->reason);
  copy->contradiction = g_strdup (self->contradiction);

  return copy;
}
