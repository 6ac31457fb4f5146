/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-error.h"

/* The syntax of formulas, which docs/formulas.md describes. */

typedef enum
{
  ROAST_FORMULA_NUMBER,
  ROAST_FORMULA_NAME, /* within an aggregate, the name of a column, or a word that is compared with a column of texts;
                         elsewhere, the name of a metric */
  ROAST_FORMULA_TEXT,
  ROAST_FORMULA_ADD,
  ROAST_FORMULA_SUBTRACT,
  ROAST_FORMULA_MULTIPLY,
  ROAST_FORMULA_DIVIDE,
  ROAST_FORMULA_EQUAL,
  ROAST_FORMULA_UNEQUAL,
  ROAST_FORMULA_LESS,
  ROAST_FORMULA_AT_MOST,
  ROAST_FORMULA_GREATER,
  ROAST_FORMULA_AT_LEAST,
  ROAST_FORMULA_IN, /* whether the first operand equals one of the later operands */
  ROAST_FORMULA_AND,
  ROAST_FORMULA_OR,
  ROAST_FORMULA_NOT,
  ROAST_FORMULA_CALL,      /* a function applied to its operands */
  ROAST_FORMULA_AGGREGATE, /* a function over the rows of a table, or over the groups of its only operand */
} RoastFormulaKind;

typedef enum
{
  ROAST_FORMULA_COUNT,
  ROAST_FORMULA_SUM,
  ROAST_FORMULA_MEAN,
  ROAST_FORMULA_MIN,
  ROAST_FORMULA_MAX,
  ROAST_FORMULA_DEVIATION,
  ROAST_FORMULA_QUANTILE,
  ROAST_FORMULA_DISTINCT,
  ROAST_FORMULA_UNION,
  ROAST_FORMULA_STEP,
  ROAST_FORMULA_FIRST_KNOWN,
  ROAST_FORMULA_KNOWN,
  ROAST_FORMULA_ROUND,
  ROAST_FORMULA_METADATA,
  ROAST_FORMULA_N_FUNCTIONS,
} RoastFormulaFunction;

typedef struct _RoastFormula RoastFormula;

struct _RoastFormula
{
  RoastFormulaKind kind;
  guint position; /* byte offset of this part in the text of the formula */
  double number;
  char *name;
  RoastFormulaFunction function;
  RoastFormula **operands;
  guint n_operands;

  /* Members of aggregates: */
  char *table;         /* name of the table; NULL for an aggregate over groups */
  RoastFormula *where; /* condition on the rows; NULL to include all rows */
  GPtrArray *last_per; /* names of columns, or NULL */
  GPtrArray *by;       /* names of columns, or NULL */

  /* Members that roast_formula_bind () sets: */
  guint slot;
  int micro;        /* power of 1e-6 that converts values to the base unit: 0 for the base unit itself, 1 for µs */
  gboolean is_text; /* whether this is a text column, or a word that is compared with a text column */
};

/* Parse the text of a formula. Return NULL with ROAST_SCHEMA_ERROR_SYNTAX; the message names the position of the
 * error. */
RoastFormula *roast_formula_parse (const char *text, GError **error);
void roast_formula_free (RoastFormula *self);
/* Call @metric for each metric that the formula names. */
void roast_formula_each_metric (const RoastFormula *self, void (*metric) (const char *name, gpointer data),
                                gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastFormula, roast_formula_free)

static inline RoastFormula *
roast_formula_get_operand (const RoastFormula *self, guint index)
{
  return self->operands[index];
}
