/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-error.h"

/* The syntax of formulas; docs/metrics.md describes it. */

typedef enum
{
  ROAST_FORMULA_NUMBER,
  ROAST_FORMULA_NAME, /* of a column within an aggregate, else of a metric; a word where a text is compared */
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
  ROAST_FORMULA_IN, /* the first operand is one of the others */
  ROAST_FORMULA_AND,
  ROAST_FORMULA_OR,
  ROAST_FORMULA_NOT,
  ROAST_FORMULA_CALL,      /* a function of its operands */
  ROAST_FORMULA_AGGREGATE, /* the same over the rows of a table, or over the groups of its only operand */
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
  guint position; /* in the text, bytes */
  double number;
  char *name;
  RoastFormulaFunction function;
  GPtrArray *operands; /* RoastFormula */

  /* Of an aggregate over rows. */
  char *table;         /* NULL: over groups */
  RoastFormula *where; /* NULL: all rows */
  GPtrArray *last_per; /* names of columns, or NULL */
  GPtrArray *by;       /* the same */

  /* While it is evaluated for rows. */
  guint slot;
  int micro;        /* its values are in this power of a millionth of the base unit */
  gboolean is_text; /* of a column, or of what is compared with one */
};

/* NULL with ROAST_SCHEMA_ERROR_SYNTAX, which names the place. */
RoastFormula *roast_formula_parse (const char *text, GError **error);
void roast_formula_free (RoastFormula *self);
/* Calls back for each metric that it names. */
void roast_formula_each_metric (const RoastFormula *self, void (*metric) (const char *name, gpointer data),
                                gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastFormula, roast_formula_free)

static inline RoastFormula *
roast_formula_get_operand (const RoastFormula *self, guint index)
{
  return g_ptr_array_index (self->operands, index);
}
