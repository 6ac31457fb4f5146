/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-formula-private.h"
#include "roast/roast-table-reader.h"

/* Expressions for one row of a table. A missing cell is NaN as a number, and "" as text. */

/* Add the names of the columns that an expression reads, without duplicates. */
void roast_formula_list_columns (const RoastFormula *self, RoastTableInfo *info, GPtrArray *columns);
/* Bind an expression to the columns of a table. The slot of a name becomes its index in @columns. Return FALSE with
 * ROAST_SCHEMA_ERROR_UNKNOWN. */
gboolean roast_formula_bind (RoastFormula *self, RoastTableInfo *info, GPtrArray *columns, GError **error);
/* Return the value of an expression in the current row of a reader, which is bound to the same columns. The value of a
 * condition is 1 or 0. */
double roast_formula_get_of_row (const RoastFormula *self, RoastTableReader *reader);
/* Return the value of an expression in the current row, in the base unit times 1e-6 to the power @micro. */
double roast_formula_get_in_micro (const RoastFormula *self, RoastTableReader *reader, int micro);
/* Apply an arithmetic operator to two numbers. Return NaN for a division by 0. */
double roast_formula_apply (RoastFormulaKind kind, double a, double b);
