/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-formula-rows-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "roast-table-info-private.h"
#include "roast-vocabulary-private.h"

#define formula_rows_fail(error, ...) roast_fail (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN, __VA_ARGS__)

static gboolean
is_text_column (RoastColumn *column)
{
  RoastColumnType type = roast_column_get_column_type (column);

  return type == ROAST_COLUMN_TYPE_STRING || type == ROAST_COLUMN_TYPE_CATEGORY;
}

void
roast_formula_list_columns (const RoastFormula *self, RoastTableInfo *info, GPtrArray *columns)
{
  guint found = 0;

  /* Add only names of columns. A name that is not a column is a word. */
  if (self->kind == ROAST_FORMULA_NAME && roast_table_info_find_column (info, self->name, &found) &&
      !g_ptr_array_find_with_equal_func (columns, self->name, g_str_equal, NULL))
    g_ptr_array_add (columns, self->name);
  for (guint i = 0; i < self->n_operands; i++)
    roast_formula_list_columns (roast_formula_get_operand (self, i), info, columns);
}

/* ---- binding ---- */

static gboolean
formula_rows_bind_column (RoastFormula *self, RoastTableInfo *info, GPtrArray *columns, GError **error)
{
  g_autofree char *names = NULL;
  RoastColumn *column = NULL;
  const char *unit = NULL;
  guint index = 0;

  if (!roast_table_info_find_column (info, self->name, &index) ||
      !g_ptr_array_find_with_equal_func (columns, self->name, g_str_equal, &self->slot))
    {
      names = g_strjoinv (", ", (char **) roast_table_info_get_column_names (info));
      return formula_rows_fail (error, "formula, character %u: table “%s” has no column “%s”; the columns are %s",
                                self->position + 1, roast_table_info_get_name (info), self->name, names);
    }
  column = roast_table_info_get_column (info, index);
  unit = roast_column_get_unit (column);
  self->is_text = is_text_column (column);
  self->micro = g_strcmp0 (unit, "us") == 0 ? 1 : 0;

  return TRUE;
}

/* Bind a word that is compared with a text column. If the column has a closed vocabulary, the word must be in the
 * vocabulary. */
static gboolean
bind_word (RoastFormula *self, const RoastFormula *column, RoastTableInfo *info, GError **error)
{
  RoastVocabulary *words = NULL;
  g_autofree char *list = NULL;
  guint index = 0;

  if (self->kind != ROAST_FORMULA_NAME && self->kind != ROAST_FORMULA_TEXT)
    return formula_rows_fail (error, "formula, character %u: column “%s” is text: compare it with a word",
                              self->position + 1, column->name);
  self->is_text = TRUE;
  roast_table_info_find_column (info, column->name, &index);
  words = roast_column_get_vocabulary (roast_table_info_get_column (info, index));
  if (words == NULL || !roast_vocabulary_is_closed (words) || *self->name == '\0' ||
      roast_vocabulary_find (words, self->name, NULL))
    return TRUE;
  list = roast_vocabulary_dup_words (words);

  return formula_rows_fail (error, "formula, character %u: “%s” is not a word of column “%s”: write one of %s",
                            self->position + 1, self->name, column->name, list);
}

/* Bind a comparison of a text column with words. */
static gboolean
bind_words (RoastFormula *self, RoastTableInfo *info, GError **error)
{
  self->is_text = TRUE;
  if (self->kind != ROAST_FORMULA_EQUAL && self->kind != ROAST_FORMULA_UNEQUAL && self->kind != ROAST_FORMULA_IN)
    return formula_rows_fail (error, "formula, character %u: compare text only with =, != or in", self->position + 1);
  for (guint i = 1; i < self->n_operands; i++)
    if (!bind_word (roast_formula_get_operand (self, i), roast_formula_get_operand (self, 0), info, error))
      return FALSE;

  return TRUE;
}

/* Return the power of 1e-6 that converts the values of an expression to the base unit. If the operands of a sum have
 * different powers, return the larger power, because times in µs would lose digits if they were converted to
 * seconds. */
static int
formula_rows_get_micro (const RoastFormula *self)
{
  int first = self->n_operands > 0 ? roast_formula_get_operand (self, 0)->micro : 0;
  int second = self->n_operands > 1 ? roast_formula_get_operand (self, 1)->micro : first;

  switch (self->kind)
    {
    case ROAST_FORMULA_MULTIPLY:
      return first + second;
    case ROAST_FORMULA_DIVIDE:
      return first - second;
    case ROAST_FORMULA_ADD:
    case ROAST_FORMULA_SUBTRACT:
      return MAX (first, second);
    case ROAST_FORMULA_CALL:
      return first == second && self->function != ROAST_FORMULA_KNOWN && self->function != ROAST_FORMULA_ROUND &&
                     self->n_operands < 3
                 ? first
                 : 0;
    default:
      return 0;
    }
}

gboolean
roast_formula_bind (RoastFormula *self, RoastTableInfo *info, GPtrArray *columns, GError **error)
{
  gboolean compares = self->kind >= ROAST_FORMULA_EQUAL && self->kind <= ROAST_FORMULA_IN;
  gboolean may_be_text = self->kind == ROAST_FORMULA_CALL && self->function == ROAST_FORMULA_KNOWN;

  if (self->kind == ROAST_FORMULA_TEXT)
    return formula_rows_fail (error, "formula, character %u: text is allowed only in a comparison", self->position + 1);
  if (self->kind == ROAST_FORMULA_NAME)
    return formula_rows_bind_column (self, info, columns, error);
  for (guint i = 0; i < self->n_operands; i++)
    {
      RoastFormula *operand = roast_formula_get_operand (self, i);

      if (!roast_formula_bind (operand, info, columns, error))
        return FALSE;
      if (operand->kind != ROAST_FORMULA_NAME || !operand->is_text || may_be_text)
        continue;
      if (!compares || i > 0)
        return formula_rows_fail (error, "formula, character %u: column “%s” is text, not a number",
                                  operand->position + 1, operand->name);
      return bind_words (self, info, error);
    }
  self->micro = formula_rows_get_micro (self);

  return TRUE;
}

/* ---- rows ---- */

static const char *
get_text (const RoastFormula *self, RoastTableReader *reader)
{
  const char *text = roast_table_reader_get_string (reader, self->slot);

  return text != NULL ? text : "";
}

double
roast_formula_get_in_micro (const RoastFormula *self, RoastTableReader *reader, int micro)
{
  double value = roast_formula_get_of_row (self, reader);
  double factor = 1;

  if (self->micro == micro)
    return value;
  for (int i = ABS (self->micro - micro); i > 0; i--)
    factor *= 1e6;

  return self->micro > micro ? value / factor : value * factor;
}

/* Return the value of an expression in the base unit. */
static double
get_in_unit (const RoastFormula *self, RoastTableReader *reader)
{
  return roast_formula_get_in_micro (self, reader, 0);
}

/* The value of a condition is 1, 0, or NaN if it depends on a missing number. */

static double
is_one_of (const RoastFormula *self, RoastTableReader *reader)
{
  const RoastFormula *first = roast_formula_get_operand (self, 0);
  const char *text = self->is_text ? get_text (first, reader) : NULL;
  double number = self->is_text ? 0 : get_in_unit (first, reader);
  gboolean is_unknown = isnan (number);

  for (guint i = 1; i < self->n_operands; i++)
    {
      const RoastFormula *other = roast_formula_get_operand (self, i);
      double value = self->is_text ? strcmp (text, other->name) : get_in_unit (other, reader);

      if (value == number)
        return 1;
      is_unknown |= isnan (value);
    }

  return is_unknown ? NAN : 0;
}

static double
negate (double condition)
{
  return isnan (condition) ? NAN : condition == 0;
}

double
roast_formula_apply (RoastFormulaKind kind, double a, double b)
{
  switch (kind)
    {
    case ROAST_FORMULA_ADD:
      return a + b;
    case ROAST_FORMULA_SUBTRACT:
      return a - b;
    case ROAST_FORMULA_MULTIPLY:
      return a * b;
    default:
      return b != 0 ? a / b : NAN;
    }
}

static double
formula_rows_compare (RoastFormulaKind kind, double a, double b)
{
  if (isnan (a) || isnan (b))
    return NAN;
  switch (kind)
    {
    case ROAST_FORMULA_EQUAL:
      return a == b;
    case ROAST_FORMULA_UNEQUAL:
      return a != b;
    case ROAST_FORMULA_LESS:
      return a < b;
    case ROAST_FORMULA_AT_MOST:
      return a <= b;
    case ROAST_FORMULA_GREATER:
      return a > b;
    default:
      return a >= b;
    }
}

/* Apply “and” or “or” to the operands. A single operand with the value @decisive decides the result. */
static double
formula_rows_join (const RoastFormula *self, RoastTableReader *reader, gboolean decisive)
{
  gboolean is_unknown = FALSE;

  for (guint i = 0; i < self->n_operands; i++)
    {
      double value = roast_formula_get_of_row (roast_formula_get_operand (self, i), reader);

      if (!isnan (value) && (value != 0) == decisive)
        return decisive;
      is_unknown |= isnan (value);
    }

  return is_unknown ? NAN : !decisive;
}

static double
formula_rows_call (const RoastFormula *self, RoastTableReader *reader)
{
  double result = NAN;

  if (self->function == ROAST_FORMULA_KNOWN && roast_formula_get_operand (self, 0)->kind == ROAST_FORMULA_NAME)
    return roast_table_reader_has (reader, roast_formula_get_operand (self, 0)->slot);
  if (self->function == ROAST_FORMULA_ROUND)
    return round (get_in_unit (roast_formula_get_operand (self, 0), reader));
  for (guint i = 0; i < self->n_operands; i++)
    {
      const RoastFormula *operand = roast_formula_get_operand (self, i);
      double value = self->micro == 0 ? get_in_unit (operand, reader) : roast_formula_get_of_row (operand, reader);
      gboolean chooses = self->function == ROAST_FORMULA_MIN || self->function == ROAST_FORMULA_MAX;

      if (isnan (value) == chooses)
        return self->function == ROAST_FORMULA_KNOWN ? 1 : value;
      if (self->function == ROAST_FORMULA_MIN)
        result = fmin (result, value);
      if (self->function == ROAST_FORMULA_MAX)
        result = fmax (result, value);
    }

  return self->function == ROAST_FORMULA_KNOWN ? 0 : result;
}

double
roast_formula_get_of_row (const RoastFormula *self, RoastTableReader *reader)
{
  const RoastFormula *first = self->n_operands > 0 ? roast_formula_get_operand (self, 0) : NULL;
  const RoastFormula *second = self->n_operands > 1 ? roast_formula_get_operand (self, 1) : NULL;
  double a, b;
  int micro;

  if (self->kind == ROAST_FORMULA_NAME)
    return roast_table_reader_get_double (reader, self->slot);
  if (self->kind == ROAST_FORMULA_NUMBER)
    return self->number;
  if (self->kind == ROAST_FORMULA_CALL)
    return formula_rows_call (self, reader);
  if (self->kind == ROAST_FORMULA_IN || self->is_text)
    return self->kind == ROAST_FORMULA_UNEQUAL ? negate (is_one_of (self, reader)) : is_one_of (self, reader);
  if (self->kind == ROAST_FORMULA_AND || self->kind == ROAST_FORMULA_OR)
    return formula_rows_join (self, reader, self->kind == ROAST_FORMULA_OR);
  if (self->kind == ROAST_FORMULA_NOT)
    return negate (roast_formula_get_of_row (first, reader));
  if (self->kind == ROAST_FORMULA_MULTIPLY || self->kind == ROAST_FORMULA_DIVIDE)
    return roast_formula_apply (self->kind, roast_formula_get_of_row (first, reader),
                                roast_formula_get_of_row (second, reader));
  micro = MAX (first->micro, second->micro);
  a = roast_formula_get_in_micro (first, reader, micro);
  b = roast_formula_get_in_micro (second, reader, micro);

  return self->kind == ROAST_FORMULA_ADD || self->kind == ROAST_FORMULA_SUBTRACT
             ? roast_formula_apply (self->kind, a, b)
             : formula_rows_compare (self->kind, a, b);
}
