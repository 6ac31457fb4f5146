/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-formula-aggregate-private.h"

/* Evaluate the text of a formula. Return FALSE with ROAST_SCHEMA_ERROR. */
gboolean roast_formula_evaluate (RoastReport *report, RoastRecordingSnapshot *recording, const char *text,
                                 RoastFormulaValue *result, GError **error);

/* Add the metrics in @names whose schema declares a Value, except metrics that the report already has. A formula may
 * name other metrics of the report or of @names. */
void roast_formula_add_metrics (RoastReport *report, RoastRecordingSnapshot *recording, const char *const *names);
