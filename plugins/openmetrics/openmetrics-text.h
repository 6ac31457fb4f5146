/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Writes samples in the text format of OpenMetrics 1.0 or of Prometheus 0.0.4. Callers must write all samples of a
 * family together. The Prometheus format differs in three points: it has no units, it lacks the type info, and the name
 * of a counter ends in _total, like the names of its samples. */

typedef enum
{
  FAMILY_GAUGE,
  FAMILY_COUNTER, /* names of samples end in _total */
  FAMILY_INFO,    /* names of samples end in _info; values are 1 */
} FamilyType;

typedef struct
{
  GString *text;
  const char *run;     /* value of the label run, which all samples have; may be empty */
  gboolean is_classic; /* TRUE for the Prometheus format */
  double time;         /* s since the epoch; default time of samples; NaN to write no time */
  const char *name;    /* name of the current family */
  FamilyType type;     /* type of the current family */
} OpenMetrics;

/* Begins a family. @name must end with @unit, unless @unit is NULL. */
void open_metrics_begin (OpenMetrics *self, const char *name, FamilyType type, const char *unit, const char *help);
/* Adds a sample to the current family. If @time is NaN, the sample gets the default time. After @time, pass the labels
 * as NAME, VALUE, …, NULL. A label with the value NULL is left out. */
void open_metrics_add (OpenMetrics *self, double value, double time, ...) G_GNUC_NULL_TERMINATED;
