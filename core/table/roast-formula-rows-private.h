/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-formula-private.h"
#include "roast/roast-table-reader.h"

/* Expressions for one row of a table. Where a cell is missing, a number is NaN, and a text is "". */

/* Adds the names of the columns that an expression reads, each once. */
void roast_formula_list_columns (const RoastFormula *self, RoastTableInfo *info, GPtrArray *columns);
/* Binds an expression to the columns, in this order, of a table. FALSE with ROAST_SCHEMA_ERROR_UNKNOWN. */
gboolean roast_formula_bind (RoastFormula *self, RoastTableInfo *info, GPtrArray *columns, GError **error);
/* The value at the row of a reader of these columns; 1 or 0 of a condition. */
double roast_formula_get_of_row (const RoastFormula *self, RoastTableReader *reader);
