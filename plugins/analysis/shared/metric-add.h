/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Add a metric. NaN makes the metric unavailable because of @reason. Another value is complete if @note is NULL, else
 * @otherwise. */
void metric_add (RoastReport *report, const char *name, double value, RoastCompleteness otherwise, const char *note,
                 const char *reason);
/* Add a metric that is a whole number. */
void metric_add_integer (RoastReport *report, const char *name, double value, RoastCompleteness otherwise,
                         const char *note, const char *reason);

/* Convert a value that a program reported. A value beyond 64 bits becomes the largest that fits. */
gint64 metric_to_integer (double value);

G_END_DECLS
