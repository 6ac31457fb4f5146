/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"
#include "table/roast-formula-private.h"

/* A number with bounds. If data are missing, the true value lies between the bounds. */
typedef struct
{
  double value;        /* the number; NaN if it is not available */
  double low, high;    /* bounds; both equal to value if no data are missing */
  gboolean is_integer; /* the value is a whole number */
  char *note;          /* note that says which data are missing, or why the value is not available; or NULL */
} RoastFormulaValue;

void roast_formula_value_clear (RoastFormulaValue *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RoastFormulaValue, roast_formula_value_clear)

/* The context in which a formula is evaluated. */
typedef struct
{
  RoastRecordingSnapshot *recording; /* recording with the rows; NULL if the formula has no aggregate */
  RoastReport *report;
  RoastMetricInfo *metric; /* the metric being computed, or NULL */
  gboolean is_strict;      /* a formula that names an undeclared metric causes an error */
} RoastFormulaContext;

/* Evaluate an aggregate over the rows of a table, which is measured or derived, or over the groups of another
 * aggregate. Return FALSE with ROAST_SCHEMA_ERROR_UNKNOWN. */
gboolean roast_formula_aggregate (const RoastFormulaContext *context, RoastFormula *self, RoastFormulaValue *result,
                                  GError **error);
/* Evaluate the text of a formula. Return FALSE with ROAST_SCHEMA_ERROR. */
gboolean roast_formula_evaluate (RoastReport *report, RoastRecordingSnapshot *recording, const char *text,
                                 RoastFormulaValue *result, GError **error);
