/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-formula-aggregate-private.h"

/* Evaluate the text of a formula. Return FALSE with ROAST_SCHEMA_ERROR. */
gboolean roast_formula_evaluate (RoastReport *report, RoastRecordingSnapshot *recording, const char *text,
                                 RoastFormulaValue *result, GError **error);
