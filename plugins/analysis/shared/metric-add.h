/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Adds a metric. NaN is not available, because of @reason. Other values are complete if @note is NULL, and else
 * @otherwise. */
void metric_add (RoastReport *report, const char *name, double value, RoastCompleteness otherwise, const char *note,
                 const char *reason);
/* The same of a whole number. */
void metric_add_integer (RoastReport *report, const char *name, double value, RoastCompleteness otherwise,
                         const char *note, const char *reason);

/* What programs report may exceed 64 bits: it becomes the greatest that fits. */
gint64 metric_to_integer (double value);

G_END_DECLS
