/* SPDX-License-Identifier: BSD-3-Clause */

/* Parses the text of a formula by recursive descent. */

#include "roast-formula-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"

#define MAX_LENGTH 4096
#define MAX_DEPTH 40 /* maximum number of nested parentheses */

typedef struct
{
  const char *text, *at;
  guint depth;
  gboolean in_rows; /* whether the parser is within an aggregate over rows */
  GError **error;
} Parser;

static const struct
{
  const char *name;
  guint min, max;      /* minimum and maximum number of operands */
  gboolean aggregates; /* whether the function aggregates over the rows of a table or over groups */
} functions[ROAST_FORMULA_N_FUNCTIONS] = {
  [ROAST_FORMULA_COUNT] = { "count", 0, 0, TRUE },
  [ROAST_FORMULA_SUM] = { "sum", 1, 1, TRUE },
  [ROAST_FORMULA_MEAN] = { "mean", 1, 1, TRUE },
  [ROAST_FORMULA_MIN] = { "min", 1, 1, TRUE },
  [ROAST_FORMULA_MAX] = { "max", 1, 1, TRUE },
  [ROAST_FORMULA_DEVIATION] = { "deviation", 1, 1, TRUE },
  [ROAST_FORMULA_QUANTILE] = { "quantile", 2, 2, TRUE },
  [ROAST_FORMULA_DISTINCT] = { "distinct", 1, 1, TRUE },
  [ROAST_FORMULA_UNION] = { "union", 2, 2, TRUE },
  [ROAST_FORMULA_STEP] = { "step", 2, 2, TRUE },
  [ROAST_FORMULA_FIRST_KNOWN] = { "first_known", 1, 16, FALSE },
  [ROAST_FORMULA_KNOWN] = { "known", 1, 1, FALSE },
  [ROAST_FORMULA_ROUND] = { "round", 1, 1, FALSE },
  [ROAST_FORMULA_METADATA] = { "metadata", 1, 1, FALSE },
};

void
roast_formula_free (RoastFormula *self)
{
  if (self->where != NULL)
    roast_formula_free (self->where);
  for (guint i = 0; i < self->n_operands; i++)
    roast_formula_free (self->operands[i]);
  g_free (self->operands);
  g_clear_pointer (&self->last_per, g_ptr_array_unref);
  g_clear_pointer (&self->by, g_ptr_array_unref);
  g_free (self->name);
  g_free (self->table);
  g_free (self);
}

void
roast_formula_each_metric (const RoastFormula *self, void (*metric) (const char *name, gpointer data), gpointer data)
{
  if (self->kind == ROAST_FORMULA_NAME)
    metric (self->name, data);
  for (guint i = 0; self->kind != ROAST_FORMULA_AGGREGATE && i < self->n_operands; i++)
    roast_formula_each_metric (roast_formula_get_operand (self, i), metric, data);
}

static gpointer
formula_parse_fail (Parser *self, const char *at, const char *problem)
{
  /* Report only the first problem, because it causes the other problems. */
  if (self->error != NULL && *self->error == NULL)
    g_set_error (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX, "formula “%s”, character %ld: %s",
                 self->text, g_utf8_pointer_to_offset (self->text, at) + 1, problem);

  return NULL;
}

static RoastFormula *
formula_new (Parser *self, const char *at, RoastFormulaKind kind)
{
  RoastFormula *formula = g_new0 (RoastFormula, 1);

  formula->kind = kind;
  formula->position = (guint) (at - self->text);

  return formula;
}

static gboolean
add_operand (RoastFormula *formula, RoastFormula *operand)
{
  if (operand == NULL)
    return FALSE;
  formula->operands = g_renew (RoastFormula *, formula->operands, formula->n_operands + 1);
  formula->operands[formula->n_operands++] = operand;

  return TRUE;
}

/* ---- tokens ---- */

static void
skip_space (Parser *self)
{
  while (*self->at == ' ' || *self->at == '\t' || *self->at == '\n')
    self->at++;
}

static gboolean
is_of_name (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

static gboolean
formula_parse_take (Parser *self, const char *token)
{
  gsize length;

  skip_space (self);
  /* Compare the first characters before the rest, because most tokens already differ there. */
  if (*self->at != *token)
    return FALSE;
  length = strlen (token);
  if (strncmp (self->at, token, length) != 0)
    return FALSE;
  if (g_ascii_isalpha (*token) && is_of_name (self->at[length]))
    return FALSE;
  self->at += length;

  return TRUE;
}

static char *
formula_parse_take_name (Parser *self, const char *expected)
{
  const char *start = NULL;

  skip_space (self);
  start = self->at;
  if (!g_ascii_isalpha (*start) && *start != '_')
    return formula_parse_fail (self, start, expected);
  while (is_of_name (*self->at))
    self->at++;

  return g_strndup (start, (gsize) (self->at - start));
}

static GPtrArray *
take_names (Parser *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  do
    {
      char *name = formula_parse_take_name (self, "expected the name of a column");

      if (name == NULL)
        return NULL;
      g_ptr_array_add (names, name);
    }
  while (formula_parse_take (self, ","));

  return g_steal_pointer (&names);
}

/* ---- expressions ---- */

static RoastFormula *parse_or (Parser *self);

static RoastFormula *
parse_text (Parser *self)
{
  const char *start = self->at;
  const char *end = strchr (start + 1, *start);
  RoastFormula *formula = NULL;

  if (end == NULL)
    return formula_parse_fail (self, start, "the quotation mark is not closed");
  formula = formula_new (self, start, ROAST_FORMULA_TEXT);
  formula->name = g_strndup (start + 1, (gsize) (end - start - 1));
  self->at = end + 1;

  return formula;
}

static RoastFormula *
formula_parse_number (Parser *self)
{
  const char *start = self->at;
  char *end = NULL;
  double number = g_ascii_strtod (start, &end);
  RoastFormula *formula = NULL;

  if (end == start || !isfinite (number))
    return formula_parse_fail (self, start, "expected a number, a name, a function or “(”");
  formula = formula_new (self, start, ROAST_FORMULA_NUMBER);
  formula->number = number;
  self->at = end;

  return formula;
}

/* Parse the part of an aggregate that follows its operands: over TABLE [last per COLUMNS] [where CONDITION] [by
 * COLUMNS] */
static gboolean
parse_over (Parser *self, RoastFormula *formula)
{
  formula->table = formula_parse_take_name (self, "expected the name of a table");
  if (formula->table != NULL && formula_parse_take (self, "last"))
    {
      if (!formula_parse_take (self, "per"))
        return formula_parse_fail (self, self->at, "expected “per” after “last”") != NULL;
      formula->last_per = take_names (self);
      if (formula->last_per == NULL)
        return FALSE;
    }
  if (formula->table != NULL && formula_parse_take (self, "where"))
    {
      formula->where = parse_or (self);
      if (formula->where == NULL)
        return FALSE;
    }
  if (formula->table != NULL && formula_parse_take (self, "by"))
    {
      formula->by = take_names (self);
      if (formula->by == NULL)
        return FALSE;
    }

  return formula->table != NULL;
}

static gboolean
parse_operands (Parser *self, RoastFormula *formula)
{
  skip_space (self);
  if (*self->at == ')' || g_str_has_prefix (self->at, "over "))
    return TRUE;
  do
    {
      if (!add_operand (formula, parse_or (self)))
        return FALSE;
    }
  while (formula_parse_take (self, ","));

  return TRUE;
}

static gboolean
is_grouped (const RoastFormula *self)
{
  const RoastFormula *inner = self->n_operands == 1 ? roast_formula_get_operand (self, 0) : NULL;

  return inner != NULL && inner->kind == ROAST_FORMULA_AGGREGATE && inner->by != NULL;
}

/* Find out whether a call is an aggregate over a table, an aggregate over groups, or a plain function. Check its
 * operands. */
static gboolean
check_call (Parser *self, RoastFormula *formula, const char *start)
{
  guint n = formula->n_operands;
  gboolean chooses = formula->function == ROAST_FORMULA_MIN || formula->function == ROAST_FORMULA_MAX;

  if (formula->table != NULL && !functions[formula->function].aggregates)
    return formula_parse_fail (self, start, "this function does not take “over”") != NULL;
  if (formula->table == NULL && functions[formula->function].aggregates && !is_grouped (formula))
    {
      if (!chooses || n < 2)
        return formula_parse_fail (self, start,
                                   "the table is missing: write “sum (COLUMN over TABLE)”, or use an operand "
                                   "with “by”") != NULL;
      formula->kind = ROAST_FORMULA_CALL;
      return TRUE;
    }
  if (formula->table == NULL && formula->function == ROAST_FORMULA_DISTINCT)
    return formula_parse_fail (self, start, "“distinct” does not count groups: write “count”") != NULL;
  formula->kind = functions[formula->function].aggregates ? ROAST_FORMULA_AGGREGATE : ROAST_FORMULA_CALL;
  if (n < functions[formula->function].min ||
      n > (formula->table == NULL && functions[formula->function].max == 0 ? 1 : functions[formula->function].max))
    return formula_parse_fail (self, start, "wrong number of operands for this function") != NULL;
  if (formula->function == ROAST_FORMULA_METADATA && roast_formula_get_operand (formula, 0)->kind != ROAST_FORMULA_TEXT)
    return formula_parse_fail (self, start, "quotation marks are missing: write metadata ('KEY')") != NULL;
  if (formula->function == ROAST_FORMULA_QUANTILE &&
      (roast_formula_get_operand (formula, 1)->kind != ROAST_FORMULA_NUMBER ||
       roast_formula_get_operand (formula, 1)->number > 1))
    return formula_parse_fail (self, start, "the share must be a number from 0 to 1, such as 0.95") != NULL;

  return TRUE;
}

/* Check that each part of a formula is in an allowed place. Columns and metrics are both plain names: a name within an
 * aggregate over rows is a column, any other name is a metric. Therefore an aggregate over rows cannot contain another
 * aggregate. An aggregate over the groups of “by” contains the aggregate that makes the groups. */
static gboolean
check_place (Parser *self, const RoastFormula *formula, gboolean in_rows)
{
  gboolean is_aggregate = formula->kind == ROAST_FORMULA_AGGREGATE;

  if (formula->kind == ROAST_FORMULA_CALL && formula->function == ROAST_FORMULA_METADATA)
    return !in_rows || formula_parse_fail (self, self->text + formula->position,
                                           "metadata belong to the run, not to a row") != NULL;
  if (!in_rows && (formula->kind == ROAST_FORMULA_TEXT ||
                   (formula->kind >= ROAST_FORMULA_EQUAL && formula->kind <= ROAST_FORMULA_NOT)))
    return formula_parse_fail (self, self->text + formula->position, "a condition is allowed only after “where”") !=
           NULL;
  if (is_aggregate && in_rows)
    return formula_parse_fail (self, self->text + formula->position,
                               "an aggregate over rows cannot contain another aggregate") != NULL;
  for (guint i = 0; i < formula->n_operands; i++)
    if (!check_place (self, roast_formula_get_operand (formula, i),
                      in_rows || (is_aggregate && formula->table != NULL)))
      return FALSE;

  return formula->where == NULL || check_place (self, formula->where, TRUE);
}

static RoastFormula *
parse_function (Parser *self, const char *start, const char *name)
{
  g_autoptr (RoastFormula) formula = formula_new (self, start, ROAST_FORMULA_CALL);
  guint function = 0;

  while (function < ROAST_FORMULA_N_FUNCTIONS && !g_str_equal (functions[function].name, name))
    function++;
  if (function == ROAST_FORMULA_N_FUNCTIONS)
    return formula_parse_fail (self, start,
                               "unknown function; the functions are count, sum, mean, min, max, deviation, quantile, "
                               "distinct, "
                               "union, step, first_known, known, round and metadata");
  formula->function = (RoastFormulaFunction) function;
  if (!parse_operands (self, formula) || (formula_parse_take (self, "over") && !parse_over (self, formula)))
    return NULL;
  if (!formula_parse_take (self, ")"))
    return formula_parse_fail (self, self->at, "expected “)”, “,”, “over”, “last per”, “where” or “by”");

  return check_call (self, formula, start) ? g_steal_pointer (&formula) : NULL;
}

static RoastFormula *
parse_name (Parser *self)
{
  const char *start = self->at;
  g_autofree char *name = formula_parse_take_name (self, "expected a name");
  RoastFormula *formula = NULL;

  if (formula_parse_take (self, "("))
    return parse_function (self, start, name);
  formula = formula_new (self, start, ROAST_FORMULA_NAME);
  if (g_str_equal (name, "true") || g_str_equal (name, "false"))
    {
      formula->kind = ROAST_FORMULA_NUMBER;
      formula->number = *name == 't';
    }
  formula->name = g_steal_pointer (&name);

  return formula;
}

static RoastFormula *
parse_operand (Parser *self)
{
  RoastFormula *formula = NULL;

  skip_space (self);
  if (*self->at == '\'' || *self->at == '"')
    return parse_text (self);
  if (g_ascii_isalpha (*self->at) || *self->at == '_')
    return parse_name (self);
  if (!formula_parse_take (self, "("))
    return formula_parse_number (self);
  formula = parse_or (self);
  if (formula == NULL || formula_parse_take (self, ")"))
    return formula;
  roast_formula_free (formula);

  return formula_parse_fail (self, self->at, "expected “)” or an operator");
}

/* ---- operators ---- */

/* Parse an operand with an optional sign. */
static RoastFormula *
parse_signed (Parser *self)
{
  const char *start = self->at;
  g_autoptr (RoastFormula) formula = NULL;

  if (!formula_parse_take (self, "-"))
    return parse_operand (self);
  formula = formula_new (self, start, ROAST_FORMULA_MULTIPLY);
  add_operand (formula, formula_new (self, start, ROAST_FORMULA_NUMBER));
  roast_formula_get_operand (formula, 0)->number = -1;

  return add_operand (formula, parse_operand (self)) ? g_steal_pointer (&formula) : NULL;
}

/* Precedence of operators, the lowest first. */
enum
{
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARISON,
  LEVEL_SUM,
  LEVEL_PRODUCT,
};

typedef struct
{
  const char *token;
  guint level;
  RoastFormulaKind kind;
} Operator;

/* Operators in the order in which they are tried. If a token is a prefix of another token, the longer token comes
 * first. */
static const Operator operators[] = {
  { "or", LEVEL_OR, ROAST_FORMULA_OR },
  { "and", LEVEL_AND, ROAST_FORMULA_AND },
  { "in", LEVEL_COMPARISON, ROAST_FORMULA_IN },
  { "!=", LEVEL_COMPARISON, ROAST_FORMULA_UNEQUAL },
  { "<=", LEVEL_COMPARISON, ROAST_FORMULA_AT_MOST },
  { ">=", LEVEL_COMPARISON, ROAST_FORMULA_AT_LEAST },
  { "=", LEVEL_COMPARISON, ROAST_FORMULA_EQUAL },
  { "<", LEVEL_COMPARISON, ROAST_FORMULA_LESS },
  { ">", LEVEL_COMPARISON, ROAST_FORMULA_GREATER },
  { "+", LEVEL_SUM, ROAST_FORMULA_ADD },
  { "-", LEVEL_SUM, ROAST_FORMULA_SUBTRACT },
  { "*", LEVEL_PRODUCT, ROAST_FORMULA_MULTIPLY },
  { "/", LEVEL_PRODUCT, ROAST_FORMULA_DIVIDE },
};

/* Take an operator that binds at least as tightly as @level. */
static const Operator *
take_operator (Parser *self, guint level)
{
  skip_space (self);
  for (gsize i = 0; i < G_N_ELEMENTS (operators); i++)
    if (*operators[i].token == *self->at && operators[i].level >= level &&
        formula_parse_take (self, operators[i].token))
      return &operators[i];

  return NULL;
}

static gboolean
parse_words (Parser *self, RoastFormula *formula)
{
  return (formula_parse_take (self, "(") && parse_operands (self, formula) && formula->n_operands > 1 &&
          formula_parse_take (self, ")")) ||
         formula_parse_fail (self, self->at, "expected “(WORD, WORD…)” after “in”") != NULL;
}

/* Parse operands and the operators between them that bind at least as tightly as @level. */
static RoastFormula *
parse_level (Parser *self, guint level)
{
  const char *start = self->at;
  g_autoptr (RoastFormula) formula = NULL;
  const Operator *found = NULL;

  if (level <= LEVEL_NOT && formula_parse_take (self, "not"))
    {
      formula = formula_new (self, start, ROAST_FORMULA_NOT);
      if (!add_operand (formula, parse_level (self, LEVEL_COMPARISON)))
        return NULL;
    }
  else
    formula = parse_signed (self);
  while (formula != NULL && (found = take_operator (self, level)) != NULL)
    {
      RoastFormula *first = g_steal_pointer (&formula);

      formula = formula_new (self, self->text + first->position, found->kind);
      add_operand (formula, first);
      if (found->kind == ROAST_FORMULA_IN ? !parse_words (self, formula)
                                          : !add_operand (formula, parse_level (self, found->level + 1)))
        return NULL;
    }

  return g_steal_pointer (&formula);
}

static RoastFormula *
parse_or (Parser *self)
{
  RoastFormula *formula = NULL;

  if (++self->depth > MAX_DEPTH)
    return formula_parse_fail (self, self->at, "too many parentheses");
  formula = parse_level (self, LEVEL_OR);
  self->depth--;

  return formula;
}

RoastFormula *
roast_formula_parse (const char *text, GError **error)
{
  GError *own = NULL;
  Parser self = { .text = text, .at = text, .error = &own };
  g_autoptr (RoastFormula) formula = NULL;

  if (strlen (text) > MAX_LENGTH || !g_utf8_validate (text, -1, NULL))
    return roast_fail_null (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
                            "a formula must be UTF-8 text of at most %d bytes", MAX_LENGTH);
  formula = parse_or (&self);
  skip_space (&self);
  if (formula != NULL && *self.at != '\0')
    formula_parse_fail (&self, self.at, "expected an operator or the end");
  else if (formula != NULL && formula->by != NULL)
    formula_parse_fail (&self, text,
                        "the formula has a value for each group, not one value: write “max (sum (… by …))”");
  else if (formula != NULL)
    check_place (&self, formula, FALSE);
  if (own == NULL)
    return g_steal_pointer (&formula);
  g_propagate_error (error, own);

  return NULL;
}
