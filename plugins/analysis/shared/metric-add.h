/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Add a metric. If @value is NaN, the metric is unavailable because of @reason. Else the metric is complete if @note is
 * NULL; if not, its completeness is @otherwise. */
void metric_add (RoastReport *report, const char *name, double value, RoastCompleteness otherwise, const char *note,
                 const char *reason);
/* Add a metric whose value is a whole number. */
void metric_add_integer (RoastReport *report, const char *name, double value, RoastCompleteness otherwise,
                         const char *note, const char *reason);

/* Convert a value that a program reported to an integer. A value that exceeds 64 bits becomes the largest integer. */
gint64 metric_to_integer (double value);

G_END_DECLS
