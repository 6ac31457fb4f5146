/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-formula-aggregate-private.h"

/* Evaluates a text. FALSE with ROAST_SCHEMA_ERROR. */
gboolean roast_formula_evaluate (RoastReport *report, RoastRecordingSnapshot *recording, const char *text,
                                 RoastFormulaValue *result, GError **error);

/* Adds those of the metrics whose schema declares a Value, unless the report has them already. A formula may name other
 * metrics of the report or of @names. */
void roast_formula_add_metrics (RoastReport *report, RoastRecordingSnapshot *recording, const char *const *names);
