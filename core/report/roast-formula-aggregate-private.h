/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"
#include "table/roast-formula-private.h"

/* A number, and between which it is when all is known that is missing. */
typedef struct
{
  double value;        /* NaN: not available */
  double low, high;    /* the same as value if nothing is missing */
  gboolean is_integer; /* it has no fraction */
  char *note;          /* what is missing, or why it is not available; NULL */
} RoastFormulaValue;

void roast_formula_value_clear (RoastFormulaValue *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RoastFormulaValue, roast_formula_value_clear)

/* Where a formula is evaluated. */
typedef struct
{
  RoastRecordingSnapshot *recording; /* NULL: the formula has no aggregate */
  RoastReport *report;
  RoastMetricInfo *metric; /* whose value it is, or NULL */
} RoastFormulaContext;

/* Evaluates an aggregate over the rows of a table, of the recording or derived, or over the groups of another one.
 * FALSE with ROAST_SCHEMA_ERROR_UNKNOWN. */
gboolean roast_formula_aggregate (const RoastFormulaContext *context, RoastFormula *self, RoastFormulaValue *result,
                                  GError **error);
