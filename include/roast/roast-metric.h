/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

/**
 * RoastCompleteness:
 * @ROAST_COMPLETENESS_COMPLETE: all data for the metric were measured
 * @ROAST_COMPLETENESS_PARTIAL: some data are known to be missing; the value is a lower bound or covers only a part
 * @ROAST_COMPLETENESS_ESTIMATED: the value is sampled or scaled; no data are known to be missing, but the value is not
 *   exact
 * @ROAST_COMPLETENESS_UNAVAILABLE: the metric has no value, but a reason why it has no value
 *
 * How complete the value of a metric is.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_COMPLETENESS_COMPLETE,
  ROAST_COMPLETENESS_PARTIAL,
  ROAST_COMPLETENESS_ESTIMATED,
  ROAST_COMPLETENESS_UNAVAILABLE,
} RoastCompleteness;

#define ROAST_TYPE_METRIC (roast_metric_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastMetric, roast_metric, ROAST, METRIC, GObject)

ROAST_AVAILABLE_IN_0_9
const char *roast_metric_get_name (RoastMetric *self);
ROAST_AVAILABLE_IN_0_9
gboolean roast_metric_is_available (RoastMetric *self);
ROAST_AVAILABLE_IN_0_9
GVariant *roast_metric_get_value (RoastMetric *self);
ROAST_AVAILABLE_IN_0_9
double roast_metric_get_double (RoastMetric *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_get_reason (RoastMetric *self);
ROAST_AVAILABLE_IN_0_9
RoastCompleteness roast_metric_get_completeness (RoastMetric *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_get_note (RoastMetric *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_metric_get_contradiction (RoastMetric *self);

G_END_DECLS
