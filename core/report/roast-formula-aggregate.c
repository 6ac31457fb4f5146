/* SPDX-License-Identifier: BSD-3-Clause */

/* Evaluates aggregates: computes their values from the existing rows, and, if rows are missing, the bounds of the true
 * values. */

#include "roast-formula-aggregate-private.h"

#include <math.h>

#include "base/roast-fail-private.h"
#include "recording/roast-recording-snapshot-private.h"
#include "roast-report-private.h"
#include "table/roast-formula-rows-private.h"
#include "table/roast-metric-info-private.h"

/* Intermediate results for the rows of one group. */
typedef struct
{
  guint64 n, n_missing; /* number of rows with a value, and number of rows without a value */
  double sum, min, max;
  double mean, squares; /* state of Welford's method */
  GArray *pairs;        /* operands of each row, of FormulaAggregatePair; NULL if the function needs no list */
  GHashTable *texts;    /* set of distinct texts, or NULL */
} FormulaAggregateSums;

typedef struct
{
  double first, second;
} FormulaAggregatePair;

typedef struct
{
  const RoastFormulaContext *context;
  RoastFormula *formula;
  RoastTableReader *reader;
  GArray *groups;       /* results for each group, of FormulaAggregateSums */
  guint *by, *last_per; /* slots of the columns that name the group of a row, and the key whose last row counts */
  gboolean is_split;    /* whether the result depends on the group that each row is in */
  FormulaAggregateSums keyless; /* results for the rows that do not say their group */
  gboolean lacks_keys;          /* some rows do not say which key they are a row of */
  guint64 n_rows;               /* number of rows that meet the condition */
  guint64 n_unknown, n_judged;  /* number of rows whose condition is unknown, and number of all rows; a condition is
                                   unknown if a number in it is missing */
  gboolean is_whole;
  char *missing;     /* reason why rows or cells are missing; NULL if no rows or cells are missing */
  char *none;        /* reason why the table or one of the columns is not available; NULL if all are available */
  gboolean is_vague; /* values of existing rows may be wrong, as in derived tables */

  /* Columns of a derived table with the completeness of each row: whether the table has them, and their slots. */
  gboolean has_completeness, has_reason;
  guint completeness, reason;
} Aggregate;

void
roast_formula_value_clear (RoastFormulaValue *self)
{
  g_clear_pointer (&self->note, g_free);
}

static void
sums_clear (FormulaAggregateSums *self)
{
  g_clear_pointer (&self->pairs, g_array_unref);
  g_clear_pointer (&self->texts, g_hash_table_unref);
}

/* ---- taking values one by one ---- */

static void
formula_aggregate_take_number (FormulaAggregateSums *self, double value, RoastFormulaFunction function)
{
  double before = self->mean;

  self->min = self->n == 0 ? value : fmin (self->min, value);
  self->max = self->n == 0 ? value : fmax (self->max, value);
  self->n++;
  self->sum += value;
  if (function != ROAST_FORMULA_DEVIATION)
    return;
  self->mean += (value - before) / (double) self->n;
  self->squares += (value - before) * (value - self->mean);
}

static void
take_pair (FormulaAggregateSums *self, double first, double second)
{
  FormulaAggregatePair pair = { first, second };

  if (self->pairs == NULL)
    self->pairs = g_array_new (FALSE, FALSE, sizeof (FormulaAggregatePair));
  g_array_append_val (self->pairs, pair);
}

/* Add the value of a row to the distinct values. Return FALSE if the row has no value. */
static gboolean
take_distinct (FormulaAggregateSums *self, const RoastFormula *operand, RoastTableReader *reader)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double value;
  const char *text = number;

  if (operand->is_text)
    {
      text = roast_table_reader_get_string (reader, operand->slot);
    }
  else
    {
      value = roast_formula_get_of_row (operand, reader);
      if (isnan (value))
        return FALSE;
      g_ascii_dtostr (number, sizeof number, value);
    }
  if (text == NULL || *text == '\0')
    return FALSE;
  if (self->texts == NULL)
    self->texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!g_hash_table_contains (self->texts, text))
    g_hash_table_add (self->texts, g_strdup (text));

  return TRUE;
}

static void
formula_aggregate_take_row (FormulaAggregateSums *self, const RoastFormula *formula, RoastTableReader *reader)
{
  double first = 1, second = 0;

  if (formula->function == ROAST_FORMULA_DISTINCT)
    first = take_distinct (self, roast_formula_get_operand (formula, 0), reader) ? 1 : NAN;
  else if (formula->n_operands > 0)
    first = roast_formula_get_of_row (roast_formula_get_operand (formula, 0), reader);
  if (formula->function == ROAST_FORMULA_UNION)
    second = roast_formula_get_in_micro (roast_formula_get_operand (formula, 1), reader,
                                         roast_formula_get_operand (formula, 0)->micro);
  else if (formula->n_operands > 1)
    second = roast_formula_get_of_row (roast_formula_get_operand (formula, 1), reader);
  if (isnan (first) || isnan (second))
    {
      self->n_missing++;
      return;
    }
  formula_aggregate_take_number (self, first, formula->function);
  if (formula->n_operands > 1)
    take_pair (self, first, second);
}

/* ---- functions ---- */

static int
compare_first (const FormulaAggregatePair *a, const FormulaAggregatePair *b)
{
  return (a->first > b->first) - (a->first < b->first);
}

static int
compare_second (const FormulaAggregatePair *a, const FormulaAggregatePair *b)
{
  return (a->second > b->second) - (a->second < b->second);
}

/* Return a quantile: the smallest value that is greater than or equal to the given share of all values. */
static double
get_quantile (FormulaAggregateSums *self)
{
  double share = g_array_index (self->pairs, FormulaAggregatePair, 0).second;
  guint rank;

  g_array_sort (self->pairs, (GCompareFunc) compare_first);
  rank = (guint) ceil (CLAMP (share, 0, 1) * self->pairs->len);

  return g_array_index (self->pairs, FormulaAggregatePair, MAX (rank, 1) - 1).first;
}

static double
get_union (FormulaAggregateSums *self)
{
  double length = 0, end = -INFINITY;

  g_array_sort (self->pairs, (GCompareFunc) compare_first);
  for (guint i = 0; i < self->pairs->len; i++)
    {
      const FormulaAggregatePair *pair = &g_array_index (self->pairs, FormulaAggregatePair, i);

      length += fmax (pair->second - fmax (pair->first, end), 0);
      end = fmax (end, pair->second);
    }

  return length;
}

/* Integrate values over time, where each value is valid until the time of the next value. */
static double
get_step (FormulaAggregateSums *self)
{
  double integral = 0;

  g_array_sort (self->pairs, (GCompareFunc) compare_second);
  for (guint i = 1; i < self->pairs->len; i++)
    integral += g_array_index (self->pairs, FormulaAggregatePair, i - 1).first *
                (g_array_index (self->pairs, FormulaAggregatePair, i).second -
                 g_array_index (self->pairs, FormulaAggregatePair, i - 1).second);

  return integral;
}

/* Return the result of a function, or NaN if it has no result. */
static double
formula_aggregate_get_value (FormulaAggregateSums *self, RoastFormulaFunction function)
{
  gboolean is_sum = function == ROAST_FORMULA_COUNT || function == ROAST_FORMULA_SUM ||
                    function == ROAST_FORMULA_DISTINCT || function == ROAST_FORMULA_UNION;

  if (self->n == 0)
    return is_sum && self->n_missing == 0 ? 0 : NAN;
  switch (function)
    {
    case ROAST_FORMULA_COUNT:
      return (double) self->n;
    case ROAST_FORMULA_SUM:
      return self->sum;
    case ROAST_FORMULA_MEAN:
      return self->sum / (double) self->n;
    case ROAST_FORMULA_MIN:
      return self->min;
    case ROAST_FORMULA_MAX:
      return self->max;
    case ROAST_FORMULA_DEVIATION:
      return self->n > 1 ? sqrt (self->squares / (double) (self->n - 1)) : 0;
    case ROAST_FORMULA_QUANTILE:
      return get_quantile (self);
    case ROAST_FORMULA_UNION:
      return get_union (self);
    case ROAST_FORMULA_STEP:
      return get_step (self);
    default:
      return self->texts != NULL ? g_hash_table_size (self->texts) : NAN;
    }
}

/* Return whether more rows could only increase the value, so that it is a lower bound if rows are missing. */
static gboolean
grows (const FormulaAggregateSums *sums, RoastFormulaFunction function)
{
  return function == ROAST_FORMULA_COUNT || function == ROAST_FORMULA_DISTINCT || function == ROAST_FORMULA_UNION ||
         function == ROAST_FORMULA_MAX || (function == ROAST_FORMULA_SUM && sums->min >= 0);
}

/* Set the bounds of a value that was computed while rows are missing. */
static void
formula_aggregate_set_bounds (RoastFormulaValue *value, const FormulaAggregateSums *sums, RoastFormulaFunction function,
                              gboolean is_vague)
{
  value->low = grows (sums, function) && !is_vague ? value->value : -INFINITY;
  value->high = function == ROAST_FORMULA_MIN && !is_vague ? value->value : INFINITY;
}

/* ---- rows ---- */

/* Return whether the value of an expression is a whole number in each row. */
static gboolean
is_whole (const RoastFormula *self, RoastTableInfo *info)
{
  guint index = 0;

  if (self->kind == ROAST_FORMULA_CALL && self->function == ROAST_FORMULA_ROUND)
    return TRUE;
  if (self->micro != 0 || self->kind == ROAST_FORMULA_DIVIDE)
    return FALSE;
  if (self->kind == ROAST_FORMULA_NUMBER)
    return self->number == floor (self->number);
  if (self->kind == ROAST_FORMULA_NAME && roast_table_info_find_column (info, self->name, &index))
    return roast_column_get_column_type (roast_table_info_get_column (info, index)) == ROAST_COLUMN_TYPE_INT64;
  for (guint i = 0; i < self->n_operands; i++)
    if (!is_whole (roast_formula_get_operand (self, i), info))
      return FALSE;

  return TRUE;
}

static void
formula_aggregate_find_slot (GPtrArray *columns, const char *name, guint *slot)
{
  if (g_ptr_array_find_with_equal_func (columns, name, g_str_equal, slot))
    return;
  *slot = columns->len;
  g_ptr_array_add (columns, (gpointer) name);
}

static gboolean
find_slots (const RoastFormula *formula, GPtrArray *names, RoastTableInfo *info, GPtrArray *columns, guint *slots,
            GError **error)
{
  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      char *name = g_ptr_array_index (names, i);

      if (!roast_table_info_find_column (info, name, NULL))
        return roast_fail (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN,
                           "formula, character %u: table “%s” has no column “%s” for “by” or “last per”",
                           formula->position + 1, roast_table_info_get_name (info), name);
      formula_aggregate_find_slot (columns, name, &slots[i]);
    }

  return TRUE;
}

/* Make a reader of a table. Return NULL for a derived table that no aggregator wrote. This saves time, because most
 * metrics of a small run need tables that the run does not have. */
static RoastTableReader *
formula_aggregate_open_table (const RoastFormulaContext *context, RoastTableInfo *info, const char *const *columns)
{
  const char *name = roast_table_info_get_name (info);

  if (roast_table_info_get_origin (info) != ROAST_TABLE_ORIGIN_DERIVED)
    return roast_recording_snapshot_read_table (context->recording, name, columns, NULL);
  if (roast_table_find (context->report->tables, name) == NULL && !roast_report_is_table_of_findings (name))
    return NULL;

  return roast_report_read_table (context->report, name, columns, NULL);
}

static gboolean
fail_text (const RoastFormula *column, GError **error)
{
  return roast_fail (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN,
                     "formula, character %u: column “%s” is text, not a number", column->position + 1, column->name);
}

static void
bind_completeness (Aggregate *self, RoastTableInfo *info, GPtrArray *columns)
{
  if (roast_table_info_get_origin (info) != ROAST_TABLE_ORIGIN_DERIVED)
    return;
  for (guint i = 0; i < roast_table_info_get_n_columns (info) && !self->has_completeness; i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);
      RoastVocabulary *words = roast_column_get_vocabulary (column);

      self->has_completeness = words != NULL && g_str_equal (roast_vocabulary_get_name (words), "completeness");
      if (self->has_completeness)
        formula_aggregate_find_slot (columns, roast_column_get_name (column), &self->completeness);
    }
  self->has_reason = self->has_completeness && roast_table_info_find_column (info, "reason", NULL);
  if (self->has_reason)
    formula_aggregate_find_slot (columns, "reason", &self->reason);
}

/* Bind the names in the formula to a reader of the table. The reader stays NULL if the table does not exist. */
static gboolean
formula_aggregate_bind (Aggregate *self, RoastTableInfo *info, GPtrArray *columns, GError **error)
{
  RoastFormula *formula = self->formula;
  guint n_last = formula->last_per != NULL ? formula->last_per->len : 0;
  guint n_by = formula->by != NULL ? formula->by->len : 0;

  self->last_per = g_new0 (guint, n_last + 1);
  self->by = g_new0 (guint, n_by + 1);
  for (guint i = 0; i < formula->n_operands; i++)
    roast_formula_list_columns (roast_formula_get_operand (formula, i), info, columns);
  if (formula->where != NULL)
    roast_formula_list_columns (formula->where, info, columns);
  if (!find_slots (formula, formula->last_per, info, columns, self->last_per, error) ||
      !find_slots (formula, formula->by, info, columns, self->by, error) ||
      (formula->where != NULL && !roast_formula_bind (formula->where, info, columns, error)))
    return FALSE;
  if (formula->where != NULL && formula->where->is_text && formula->where->kind == ROAST_FORMULA_NAME)
    return fail_text (formula->where, error);
  for (guint i = 0; i < formula->n_operands; i++)
    {
      RoastFormula *operand = roast_formula_get_operand (formula, i);

      if (!roast_formula_bind (operand, info, columns, error))
        return FALSE;
      if (operand->is_text && operand->kind == ROAST_FORMULA_NAME && formula->function != ROAST_FORMULA_DISTINCT)
        return fail_text (operand, error);
    }
  self->is_whole = formula->n_operands == 0 || formula->function == ROAST_FORMULA_DISTINCT ||
                   is_whole (roast_formula_get_operand (formula, 0), info);
  bind_completeness (self, info, columns);
  g_ptr_array_add (columns, NULL);
  self->reader = formula_aggregate_open_table (self->context, info, (const char *const *) columns->pdata);
  g_ptr_array_set_size (columns, (int) columns->len - 1);
  if (self->reader != NULL && n_last > 0)
    roast_table_reader_last_per (self->reader, self->last_per, n_last);
  if (self->reader != NULL && n_by > 0)
    roast_table_reader_group_by (self->reader, self->by, n_by);

  return TRUE;
}

/* Return whether existing values of a derived table may be wrong because rows of other tables are missing. For a metric
 * that is declared as a lower bound, the values can only be too small. */
static gboolean
is_of_other_rows (const Aggregate *self)
{
  RoastMetricInfo *metric = self->context->metric;

  return metric == NULL || roast_metric_info_get_rows (metric) != ROAST_METRIC_ROWS_LOWER_BOUND;
}

/* Note a reason why rows or cells are missing. Only the first reason is kept. */
static void
take_missing (Aggregate *self, const char *reason, gboolean is_vague)
{
  self->is_vague |= is_vague;
  if (self->missing == NULL)
    self->missing = g_strdup (reason);
}

static void
take_completeness (Aggregate *self)
{
  int completeness = roast_table_reader_get_word (self->reader, self->completeness);
  const char *reason = self->has_reason ? roast_table_reader_get_string (self->reader, self->reason) : NULL;

  if (completeness == ROAST_COMPLETENESS_PARTIAL || completeness == ROAST_COMPLETENESS_ESTIMATED)
    take_missing (self, reason != NULL ? reason : "some rows are incomplete",
                  completeness == ROAST_COMPLETENESS_ESTIMATED || is_of_other_rows (self));
}

/* Return whether the current row has a cell in any of the columns @names, which says its group or its key. A row that
 * has only some of the columns does: in rows of a worker as a whole, for example, the category is missing. */
static gboolean
has_any (const Aggregate *self, GPtrArray *names, const guint *slots)
{
  gboolean has = FALSE;

  for (guint i = 0; !has && i < names->len; i++)
    has = roast_table_reader_has (self->reader, slots[i]);

  return has;
}

static void
read_rows (Aggregate *self)
{
  const RoastFormula *formula = self->formula;

  if (formula->by == NULL)
    g_array_set_size (self->groups, 1);
  while (self->reader != NULL && roast_table_reader_next (self->reader))
    {
      guint group = formula->by != NULL ? roast_table_reader_get_group (self->reader) : 0;
      FormulaAggregateSums *sums = &self->keyless;
      double holds = formula->where != NULL ? roast_formula_get_of_row (formula->where, self->reader) : 1;

      self->n_judged++;
      /* A row without a key may be a newer row of any key. */
      if (formula->last_per != NULL && !has_any (self, formula->last_per, self->last_per))
        {
          sums = formula->by != NULL ? sums : &g_array_index (self->groups, FormulaAggregateSums, 0);
          sums->n_missing++;
          self->lacks_keys = TRUE;
          continue;
        }
      self->n_unknown += isnan (holds);
      if (holds == 0 || isnan (holds))
        continue;
      if (group >= self->groups->len)
        g_array_set_size (self->groups, group + 1);
      /* Where the result does not depend on the groups, no row has to say its group. */
      if (!self->is_split || has_any (self, formula->by, self->by))
        sums = &g_array_index (self->groups, FormulaAggregateSums, group);
      self->n_rows++;
      formula_aggregate_take_row (sums, formula, self->reader);
      if (self->has_completeness)
        take_completeness (self);
    }
}

/* Look up the completeness of the table and its columns in the table report_coverage, and note why the table or a
 * column is incomplete. */
static void
formula_aggregate_take_coverage (Aggregate *self, GPtrArray *columns)
{
  RoastReport *report = self->context->report;
  const char *table = self->formula->table;

  if (self->context->metric != NULL &&
      roast_report_coverage_find_metric (report, roast_metric_info_get_name (self->context->metric), NULL) >= 0)
    return;
  for (guint i = 0; i <= columns->len; i++)
    {
      const char *column = i < columns->len ? g_ptr_array_index (columns, i) : NULL;
      g_autofree char *reason = NULL;
      int completeness = roast_report_coverage_find (report, table, column, &reason);

      if (completeness == ROAST_COMPLETENESS_UNAVAILABLE && self->none == NULL)
        self->none = g_steal_pointer (&reason);
      else if (completeness == ROAST_COMPLETENESS_PARTIAL || completeness == ROAST_COMPLETENESS_ESTIMATED)
        take_missing (self, reason, completeness == ROAST_COMPLETENESS_ESTIMATED);
    }
}

/* Note why rows or cells are missing. The reason is a doubt of the report or a gap of the recording. */
static void
take_gap (Aggregate *self)
{
  RoastRecordingSnapshot *recording = self->context->recording;
  const char *table = self->formula->table;
  const char *doubt = g_hash_table_lookup (self->context->report->doubtful_tables, table);
  const char *gap = doubt != NULL ? doubt : roast_recording_snapshot_find_gap (recording, table);

  if (gap == NULL)
    gap = roast_recording_snapshot_find_column_gap (recording, table, "");
  take_missing (self, gap,
                doubt != NULL &&
                    (is_of_other_rows (self) || g_hash_table_contains (self->context->report->vague_tables, table)));
}

/* Note which columns lack cells. The reader has noticed those in which no row of the table coverage says so. */
static void
take_column_gaps (Aggregate *self, GPtrArray *columns)
{
  for (guint i = 0; i < columns->len; i++)
    take_missing (self,
                  roast_recording_snapshot_find_column_gap (self->context->recording, self->formula->table,
                                                            g_ptr_array_index (columns, i)),
                  FALSE);
}

static void
take_unknown (Aggregate *self)
{
  guint64 n_missing = self->keyless.n_missing;
  guint64 n_keyless = self->keyless.n + self->keyless.n_missing;
  g_autofree char *reason = NULL;
  g_autofree char *condition = NULL;
  g_autofree char *keyless = NULL;

  if (self->n_unknown > 0)
    condition =
        g_strdup_printf ("the condition is unknown for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows of %s",
                         self->n_unknown, self->n_judged, self->formula->table);
  take_missing (self, condition, FALSE);
  if (self->lacks_keys)
    {
      g_autofree char *last = g_strdup_printf ("rows of %s do not say their key", self->formula->table);

      take_missing (self, last, TRUE);
    }
  if (n_keyless > 0)
    keyless = g_strdup_printf ("the group is unknown for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows of %s",
                               n_keyless, self->n_rows, self->formula->table);
  take_missing (self, keyless, FALSE);
  for (guint i = 0; i < self->groups->len; i++)
    n_missing += g_array_index (self->groups, FormulaAggregateSums, i).n_missing;
  if (n_missing == 0)
    return;
  reason = g_strdup_printf ("the value is unknown for %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " rows of %s",
                            n_missing, self->n_rows, self->formula->table);
  take_missing (self, reason, FALSE);
}

static char *
dup_why_none (const Aggregate *self)
{
  RoastMetricInfo *metric = self->context->metric;

  if (self->none != NULL)
    return g_strdup (self->none);
  if (metric != NULL && roast_metric_info_get_absent (metric) != NULL)
    return g_strdup (roast_metric_info_get_absent (metric));
  if (self->missing != NULL)
    return g_strdup (self->missing);
  if (self->reader == NULL || roast_table_reader_get_n_rows (self->reader) == 0)
    return g_strdup_printf ("table %s has no rows", self->formula->table);

  return g_strdup_printf ("no row of table %s meets the condition", self->formula->table);
}

/* Return whether a condition tests if a value is known (“known (…)”). If no row meets such a condition, the values are
 * unknown, not absent. */
static gboolean
asks_known (const RoastFormula *self)
{
  gboolean asks = self->kind == ROAST_FORMULA_CALL && self->function == ROAST_FORMULA_KNOWN;

  for (guint i = 0; !asks && i < self->n_operands; i++)
    asks = asks_known (roast_formula_get_operand (self, i));

  return asks;
}

/* Return whether an aggregate has a value: either some rows meet the condition, or it is certain that no row meets the
 * condition, so that a sum is 0. */
static gboolean
has_rows (const Aggregate *self)
{
  if (self->reader == NULL || roast_table_reader_get_n_rows (self->reader) == 0)
    return FALSE;

  return self->n_rows > 0 || (self->none == NULL && self->n_unknown == 0 &&
                              (self->formula->where == NULL || !asks_known (self->formula->where)));
}

/* ---- results ---- */

static int
formula_aggregate_get_micro (const RoastFormula *self)
{
  if (self->n_operands == 0 || self->function == ROAST_FORMULA_DISTINCT)
    return 0;

  return roast_formula_get_operand (self, 0)->micro +
         (self->function == ROAST_FORMULA_STEP ? roast_formula_get_operand (self, 1)->micro : 0);
}

/* Return whether a function of whole numbers has a whole number as its result. */
static gboolean
keeps_whole (RoastFormulaFunction function)
{
  return function != ROAST_FORMULA_MEAN && function != ROAST_FORMULA_DEVIATION && function != ROAST_FORMULA_STEP &&
         function != ROAST_FORMULA_UNION;
}

/* Compute the result from the sums. @formula: the aggregate whose function turns the sums into a value. */
static void
set_result (Aggregate *self, const RoastFormula *formula, FormulaAggregateSums *sums, RoastFormulaValue *result)
{
  double unit = pow (1e6, formula_aggregate_get_micro (self->formula));

  result->value = has_rows (self) ? formula_aggregate_get_value (sums, formula->function) : NAN;
  result->is_integer = self->is_whole && keeps_whole (self->formula->function) && keeps_whole (formula->function);
  if (isnan (result->value))
    {
      result->note = dup_why_none (self);
      return;
    }
  result->low = result->high = result->value;
  if (self->missing != NULL)
    formula_aggregate_set_bounds (result, sums, formula->function, self->is_vague);
  result->note = g_strdup (self->missing);
  if (formula->function == ROAST_FORMULA_COUNT)
    return;
  result->value /= unit;
  result->low /= unit;
  result->high /= unit;
}

/* Return whether an aggregate over groups depends on which rows are in which group. */
static gboolean
is_split (const RoastFormula *outer, const RoastFormula *inner)
{
  if (outer->function == ROAST_FORMULA_SUM)
    return inner->function != ROAST_FORMULA_SUM && inner->function != ROAST_FORMULA_COUNT;

  return outer->function != inner->function ||
         (outer->function != ROAST_FORMULA_MIN && outer->function != ROAST_FORMULA_MAX);
}

/* Aggregate over the values of groups. Ignore groups in which no row meets the condition. */
static void
set_of_groups (Aggregate *self, const RoastFormula *outer, RoastFormulaValue *result)
{
  FormulaAggregateSums sums = { .n_missing = self->keyless.n + self->keyless.n_missing };
  gboolean all_grow = outer->function != ROAST_FORMULA_MIN && (self->keyless.n == 0 || self->keyless.min >= 0);

  for (guint i = 0; i < self->groups->len; i++)
    {
      FormulaAggregateSums *group = &g_array_index (self->groups, FormulaAggregateSums, i);
      double value = group->n > 0 ? formula_aggregate_get_value (group, self->formula->function) : NAN;

      if (!isnan (value))
        formula_aggregate_take_number (&sums, value, outer->function);
      all_grow &= grows (group, self->formula->function);
    }
  /* No bound is certain if missing rows may decrease the value of a group, or if the outer function is the minimum,
   * because missing rows of a group can increase the minimum, and a missing group can decrease the minimum. */
  self->is_vague |= !all_grow && outer->function != ROAST_FORMULA_COUNT;
  set_result (self, outer, &sums, result);
}

static void
aggregate_clear (Aggregate *self)
{
  g_clear_object (&self->reader);
  g_array_unref (self->groups);
  sums_clear (&self->keyless);
  g_free (self->by);
  g_free (self->last_per);
  g_free (self->missing);
  g_free (self->none);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Aggregate, aggregate_clear)

gboolean
roast_formula_aggregate (const RoastFormulaContext *context, RoastFormula *formula, RoastFormulaValue *result,
                         GError **error)
{
  RoastFormula *inner = formula->table != NULL ? formula : roast_formula_get_operand (formula, 0);
  RoastTableInfo *info = roast_schema_lookup_table (roast_report_get_schema (context->report), inner->table);
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  g_auto (Aggregate) self = { .context = context,
                              .formula = inner,
                              .is_split = inner != formula && is_split (formula, inner),
                              .groups = g_array_new (FALSE, TRUE, sizeof (FormulaAggregateSums)) };

  g_array_set_clear_func (self.groups, (GDestroyNotify) sums_clear);
  *result = (RoastFormulaValue) { NAN, NAN, NAN, FALSE, NULL };
  if (info == NULL)
    return roast_fail (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN,
                       "formula, character %u: there is no table “%s”: “roast-inspect --tables” lists the tables",
                       inner->position + 1, inner->table);
  if (!formula_aggregate_bind (&self, info, columns, error))
    return FALSE;
  take_gap (&self);
  read_rows (&self);
  take_column_gaps (&self, columns);
  formula_aggregate_take_coverage (&self, columns);
  take_unknown (&self);
  if (inner == formula)
    set_result (&self, formula, &g_array_index (self.groups, FormulaAggregateSums, 0), result);
  else
    set_of_groups (&self, formula, result);

  return TRUE;
}
