/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-recording-snapshot.h"
#include "roast/roast-report.h"

G_BEGIN_DECLS

/* What the aggregators of the core share: reading a snapshot, and adding to a report. */

/* A sum over the cells of a column that are there. */
typedef struct
{
  double sum;
  guint64 n;       /* cells that are there */
  guint64 missing; /* cells that are not */
  double max;      /* NaN without any */
} RoastColumnSum;

RoastColumnSum roast_aggregation_sum (RoastTableSnapshot *table, const char *column);

gboolean roast_aggregation_get_int64 (RoastRecordingSnapshot *recording, const char *key, gint64 *value);
gboolean roast_aggregation_get_double (RoastRecordingSnapshot *recording, const char *key, double *value);
char *roast_aggregation_dup_string (RoastRecordingSnapshot *recording, const char *key);

void roast_aggregation_add_double (RoastReport *report, const char *name, double value);
void roast_aggregation_add_int64 (RoastReport *report, const char *name, gint64 value);
void roast_aggregation_add_unavailable (RoastReport *report, const char *name, const char *reason);
/* With how complete it is; note may be NULL. */
void roast_aggregation_add_qualified (RoastReport *report, const char *name, double value, gboolean integer,
                                      RoastCompleteness completeness, const char *note);
/* numerator / denominator, or why it is not available: also if a part of it is not. Handles completeness: that of the
 * worse of the two metrics. */
void roast_aggregation_add_ratio (RoastReport *report, const char *name, const char *numerator, const char *denominator,
                                  double factor);

G_END_DECLS
