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

/* Evaluates an aggregate over the rows of a table, of @recording or derived, or over the groups of another one. @absent
 * says why there is nothing, or is NULL. FALSE with ROAST_SCHEMA_ERROR_UNKNOWN. */
gboolean roast_formula_aggregate (RoastFormula *self, RoastRecordingSnapshot *recording, RoastReport *report,
                                  const char *absent, RoastFormulaValue *result, GError **error);
