/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-metric.h"

#include <math.h>

#include "base/roast-type-private.h"
#include "roast-report-private.h"

/**
 * RoastMetric:
 *
 * A number or text of a report, with its completeness. A metric without a value has the reason why it is not available.
 * The [class@Roast.Schema] declares the meaning of the metric.
 *
 * Since: 0.9
 */
struct _RoastMetric
{
  GObject parent_instance;

  char *name;
  GVariant *value; /* d, x or s; NULL if not available */
  char *reason;
  RoastCompleteness completeness;
  char *note;
  char *contradiction;
};

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

static RoastMetric *
new_metric (const char *name, GVariant *value)
{
  RoastMetric *self = g_object_new (ROAST_TYPE_METRIC, NULL);

  self->name = g_utf8_make_valid (name, -1);
  self->value = value != NULL ? g_variant_ref_sink (value) : NULL;
  self->completeness = value != NULL ? ROAST_COMPLETENESS_COMPLETE : ROAST_COMPLETENESS_UNAVAILABLE;

  return self;
}

/**
 * roast_metric_new_double:
 * @name: name of the metric, as in the schema
 * @value: the value, in its base unit; if it is not finite, the metric is not available
 *
 * Makes a metric with a number as its value.
 *
 * Returns: (transfer full): a metric, complete unless changed
 *
 * Since: 0.9
 */
RoastMetric *
roast_metric_new_double (const char *name, double value)
{
  g_return_val_if_fail (name != NULL, NULL);

  if (!isfinite (value))
    return roast_metric_new_unavailable (name, "the computed value is not a finite number");

  return new_metric (name, g_variant_new_double (value));
}

/**
 * roast_metric_new_int64:
 * @name: name of the metric, as in the schema
 * @value: the value, in its base unit
 *
 * Makes a metric with a count as its value.
 *
 * Returns: (transfer full): a metric, complete unless changed
 *
 * Since: 0.9
 */
RoastMetric *
roast_metric_new_int64 (const char *name, gint64 value)
{
  g_return_val_if_fail (name != NULL, NULL);

  return new_metric (name, g_variant_new_int64 (value));
}

/**
 * roast_metric_new_string:
 * @name: name of the metric, as in the schema
 * @value: a text
 *
 * Makes a metric with a text as its value.
 *
 * Returns: (transfer full): a metric, complete unless changed
 *
 * Since: 0.9
 */
RoastMetric *
roast_metric_new_string (const char *name, const char *value)
{
  g_autofree char *valid = NULL;

  g_return_val_if_fail (name != NULL && value != NULL, NULL);

  valid = g_utf8_make_valid (value, -1);

  return new_metric (name, g_variant_new_string (valid));
}

/**
 * roast_metric_new_unavailable:
 * @name: name of the metric, as in the schema
 * @reason: why there is no value, a text to follow "not available: "
 *
 * Makes a metric without a value.
 *
 * Returns: (transfer full): a metric without a value
 *
 * Since: 0.9
 */
RoastMetric *
roast_metric_new_unavailable (const char *name, const char *reason)
{
  RoastMetric *self = NULL;

  g_return_val_if_fail (name != NULL && reason != NULL, NULL);

  self = new_metric (name, NULL);
  self->reason = g_utf8_make_valid (reason, -1);

  return self;
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
const char *
roast_metric_get_name (RoastMetric *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC (self), NULL);

  return self->name;
}

/**
 * roast_metric_is_available:
 * @self: a metric
 *
 * Checks whether the metric has a value.
 *
 * Returns: whether it has a value
 *
 * Since: 0.9
 */
gboolean
roast_metric_is_available (RoastMetric *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC (self), FALSE);

  return self->value != NULL;
}

/**
 * roast_metric_get_value:
 * @self: a metric
 *
 * Gets the value with its type.
 *
 * Returns: (transfer none) (nullable): its value as `d`, `x` or `s`; %NULL if it is not available
 *
 * Since: 0.9
 */
GVariant *
roast_metric_get_value (RoastMetric *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC (self), NULL);

  return self->value;
}

/**
 * roast_metric_get_double:
 * @self: a metric
 *
 * Gets the value as a double, whether it is an integer or a double.
 *
 * Returns: its value as a double; NaN if it is not available, or is a text
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
const char *
roast_metric_get_reason (RoastMetric *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC (self), NULL);

  return self->reason;
}

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
RoastCompleteness
roast_metric_get_completeness (RoastMetric *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC (self), ROAST_COMPLETENESS_UNAVAILABLE);

  return self->completeness;
}

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
const char *
roast_metric_get_note (RoastMetric *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC (self), NULL);

  return self->note;
}

/**
 * roast_metric_set_completeness:
 * @self: a metric
 * @completeness: completeness of the value
 * @note: (nullable): what is missing, or how the value was estimated
 *
 * Sets the completeness of the value. A metric that is not available stays not available.
 *
 * Since: 0.9
 */
void
roast_metric_set_completeness (RoastMetric *self, RoastCompleteness completeness, const char *note)
{
  char *copy = NULL;

  g_return_if_fail (ROAST_IS_METRIC (self));
  g_return_if_fail (completeness != ROAST_COMPLETENESS_UNAVAILABLE);

  if (self->value != NULL)
    self->completeness = completeness;
  copy = note != NULL ? g_utf8_make_valid (note, -1) : NULL;
  g_free (self->note);
  self->note = copy;
}

/**
 * roast_metric_get_contradiction:
 * @self: a metric
 *
 * Gets the different result of another measurement of the same quantity.
 *
 * Returns: (transfer none) (nullable): both values and their sources; %NULL if no measurement contradicts the value
 *
 * Since: 0.9
 */
const char *
roast_metric_get_contradiction (RoastMetric *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC (self), NULL);

  return self->contradiction;
}

/**
 * roast_metric_set_contradiction:
 * @self: a metric
 * @contradiction: both values and their sources, such as “33 by the executor's counters, but 31 by the rows of tasks”
 *
 * Marks the value as contradicted by another measurement. The note then includes the contradiction, and no finding uses
 * the metric.
 *
 * Since: 0.9
 */
void
roast_metric_set_contradiction (RoastMetric *self, const char *contradiction)
{
  g_autofree char *before = NULL;

  g_return_if_fail (ROAST_IS_METRIC (self));
  g_return_if_fail (contradiction != NULL);

  g_free (self->contradiction);
  self->contradiction = g_utf8_make_valid (contradiction, -1);
  before = g_steal_pointer (&self->note);
  self->note = g_strconcat ("contradictory: ", self->contradiction, before != NULL ? "; " : NULL, before, NULL);
}

RoastMetric *
roast_metric_copy (RoastMetric *self)
{
  RoastMetric *copy = new_metric (self->name, self->value);

  copy->completeness = self->completeness;
  copy->reason = g_strdup (self->reason);
  copy->note = g_strdup (self->note);
  copy->contradiction = g_strdup (self->contradiction);

  return copy;
}
