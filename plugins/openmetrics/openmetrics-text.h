/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The text format of OpenMetrics 1.0: families of samples, each family in one piece. Or that of Prometheus 0.0.4, which
 * knows neither units nor infos, and names a counter by its samples. */

typedef enum
{
  FAMILY_GAUGE,
  FAMILY_COUNTER, /* its samples end in _total */
  FAMILY_INFO,    /* its samples end in _info, and are 1 */
} FamilyType;

typedef struct
{
  GString *text;
  const char *run; /* label of all samples; may be empty */
  gboolean is_classic;
  double time;      /* of samples without a time of their own, s since the epoch; NaN: none have */
  const char *name; /* of the family, */
  FamilyType type;  /* and what it is */
} OpenMetrics;

/* Begins a family. @unit may be NULL; else the name ends with it. */
void open_metrics_begin (OpenMetrics *self, const char *name, FamilyType type, const char *unit, const char *help);
/* A sample, with the texts of its labels: NAME, VALUE, …, NULL. A label without a value is left out. @time: NaN for
 * that of all. */
void open_metrics_add (OpenMetrics *self, double value, double time, ...) G_GNUC_NULL_TERMINATED;
void open_metrics_end (OpenMetrics *self);

G_END_DECLS
