/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes samples in the text format of OpenMetrics 1.0 or of Prometheus 0.0.4. The samples of a family must be
 * contiguous. The Prometheus format has no units or infos, and names a counter after its samples. */

typedef enum
{
  FAMILY_GAUGE,
  FAMILY_COUNTER, /* names of samples end in _total */
  FAMILY_INFO,    /* names of samples end in _info; values are 1 */
} FamilyType;

typedef struct
{
  GString *text;
  const char *run; /* label of all samples; may be empty */
  gboolean is_classic;
  double time;      /* default time of samples, s since the epoch; NaN: none */
  const char *name; /* of the current family */
  FamilyType type;  /* of the current family */
} OpenMetrics;

/* Begins a family. @unit may be NULL; otherwise @name must end with it. */
void open_metrics_begin (OpenMetrics *self, const char *name, FamilyType type, const char *unit, const char *help);
/* Adds a sample with its labels: NAME, VALUE, …, NULL. A label with a NULL value is left out. @time: NaN means the
 * default time. */
void open_metrics_add (OpenMetrics *self, double value, double time, ...) G_GNUC_NULL_TERMINATED;
void open_metrics_end (OpenMetrics *self);

G_END_DECLS
