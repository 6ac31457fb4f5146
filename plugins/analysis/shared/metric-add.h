/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Add a metric. If @value is NaN, the metric is unavailable because of @reason. If @note is NULL, the metric is
 * complete; otherwise its completeness is @otherwise. */
void metric_add (RoastReport *report, const char *name, double value, RoastCompleteness otherwise, const char *note,
                 const char *reason);
/* Add a metric whose value is a whole number. */
void metric_add_integer (RoastReport *report, const char *name, double value, RoastCompleteness otherwise,
                         const char *note, const char *reason);

/* Convert a value that a program reported to an integer. Values outside the range of 64 bits are set to the nearest
 * limit. */
gint64 metric_to_integer (double value);

G_END_DECLS
