/* SPDX-License-Identifier: BSD-3-Clause */

/* Checks whether a table has the columns and words that a chart needs. */

#include <string.h>

#include "base/roast-fail-private.h"
#include "roast-chart-info-private.h"
#include "roast-column-private.h"
#include "roast/roast-error.h"
#include "roast/roast-schema.h"

typedef struct
{
  RoastChartInfo *chart;
  const RoastChartDeclaration *declared;
  RoastTableInfo *table;
  GError **error;
} Check;

#define TYPE(type) (1U << ROAST_COLUMN_TYPE_##type)
#define NUMBERS (TYPE (INT64) | TYPE (DOUBLE))
#define NAMES (TYPE (INT64) | TYPE (BOOLEAN) | TYPE (STRING) | TYPE (CATEGORY))
#define TEXTS (TYPE (BOOLEAN) | TYPE (STRING) | TYPE (CATEGORY))

/* Find the column @name, which must have one of these types. Return NULL with an error if the table has no such
 * column. */
static RoastColumn *
check_find_column (Check *self, const char *key, const char *name, guint types)
{
  const char *chart = roast_chart_info_get_name (self->chart);
  const char *table = roast_table_info_get_name (self->table);
  RoastColumn *column = NULL;
  RoastColumnType type = ROAST_COLUMN_TYPE_INT64;
  guint place = 0;

  if (!roast_table_info_find_column (self->table, name, &place))
    return roast_fail_null (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN,
                            "chart “%s”: %s names the column “%s”, which the table “%s” does not have", chart, key,
                            name, table);
  column = roast_table_info_get_column (self->table, place);
  type = roast_column_get_column_type (column);
  if ((types & (1U << type)) != 0)
    return column;
  return roast_fail_null (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
                          "chart “%s”: %s needs %s, but the column “%s” of the table “%s” has the type %s", chart, key,
                          types == NUMBERS ? "numbers" : (types == TEXTS ? "words" : "names or whole numbers"), name,
                          table, roast_column_type_words[type]);
}

static gboolean
check_column (Check *self, const char *key, const char *name, guint types)
{
  return name == NULL || check_find_column (self, key, name, types) != NULL;
}

/* Set an error if the column cannot contain the word. */
static gboolean
check_word (Check *self, const char *key, RoastColumn *column, const char *word)
{
  RoastVocabulary *vocabulary = roast_column_get_vocabulary (column);
  gboolean known = TRUE;

  if (*word == '\0')
    return TRUE;
  if (roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_BOOLEAN)
    known = strcmp (word, "true") == 0 || strcmp (word, "false") == 0;
  else if (vocabulary != NULL && roast_vocabulary_is_closed (vocabulary))
    known = roast_vocabulary_find (vocabulary, word, NULL);
  if (!known)
    g_set_error (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN,
                 "chart “%s”: %s: the column “%s” of the table “%s” never has the word “%s”",
                 roast_chart_info_get_name (self->chart), key, roast_column_get_name (column),
                 roast_table_info_get_name (self->table), word);

  return known;
}

static gboolean
check_condition (Check *self, const char *key, const RoastChartWhere *where)
{
  RoastColumn *column = check_find_column (self, key, where->column, TEXTS);

  for (char **word = where->words; column != NULL && *word != NULL; word++)
    if (!check_word (self, key, column, *word))
      return FALSE;

  return column != NULL;
}

/* Check the conditions. For a condition on a property of the row's source, check only that the table has the column
 * “source”, because the property is a column of the table of sources. */
static gboolean
check_where (Check *self)
{
  for (guint i = 0; i < self->declared->n_where; i++)
    {
      const RoastChartWhere *where = &self->declared->where[i];

      if (g_str_has_prefix (where->column, ROAST_CHART_OF_SOURCE)
              ? check_find_column (self, "Where", "source", TYPE (CATEGORY) | TYPE (STRING)) == NULL
              : !check_condition (self, "Where", where))
        return FALSE;
    }

  return TRUE;
}

static gboolean
check_guides (Check *self)
{
  for (guint i = 0; i < self->declared->n_guides; i++)
    if (!check_column (self, "Guides", self->declared->guides[i].column, NUMBERS))
      return FALSE;

  return TRUE;
}

/* Split a term COLUMN or COLUMN-MINUS into names of columns, which the caller frees. Set @minus to NULL if the term has
 * only one column. */
static void
split_term (const char *text, char **column, char **minus)
{
  const char *sign = strchr (text, '-');

  *column = g_strstrip (sign != NULL ? g_strndup (text, (gsize) (sign - text)) : g_strdup (text));
  *minus = sign != NULL ? g_strstrip (g_strdup (sign + 1)) : NULL;
}

gboolean
roast_chart_term_find (const char *text, RoastTableInfo *table, RoastChartTerm *term)
{
  g_autofree char *column = NULL;
  g_autofree char *minus = NULL;
  guint place = 0;
  guint minus_place = 0;

  *term = (RoastChartTerm) { .factor = 1 };
  split_term (text, &column, &minus);
  if (!roast_table_info_find_column (table, column, &place) ||
      (minus != NULL && !roast_table_info_find_column (table, minus, &minus_place)))
    return FALSE;
  term->column = roast_table_info_get_column (table, place);
  term->unit = roast_column_get_unit (term->column);
  if (minus == NULL)
    return TRUE;
  term->minus = roast_table_info_get_column (table, minus_place);
  if (g_strcmp0 (term->unit, "us") == 0)
    {
      term->unit = "s";
      term->factor = 1.0 / G_USEC_PER_SEC;
    }

  return TRUE;
}

/* Check that a term is a column of these types, or the difference of two numeric columns with the same unit. */
static gboolean
check_term (Check *self, const char *key, const char *text, guint types)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  RoastColumn *column = NULL;
  RoastColumn *minus = NULL;

  if (strchr (text, '-') == NULL)
    return check_find_column (self, key, text, types) != NULL;
  split_term (text, &first, &second);
  column = check_find_column (self, key, first, NUMBERS);
  minus = column != NULL ? check_find_column (self, key, second, NUMBERS) : NULL;
  if (minus == NULL)
    return FALSE;
  if (g_strcmp0 (roast_column_get_unit (column), roast_column_get_unit (minus)) == 0)
    return TRUE;
  return roast_fail (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
                     "chart “%s”: %s: the columns “%s” and “%s” of the table “%s” have different units",
                     roast_chart_info_get_name (self->chart), key, first, second,
                     roast_table_info_get_name (self->table));
}

/* Check that all values on one axis have the same unit. */
static gboolean
check_units (Check *self)
{
  char **y = self->declared->y;
  RoastChartTerm first;
  RoastChartTerm other;

  for (guint i = 1; y[0] != NULL && y[i] != NULL; i++)
    {
      if (!roast_chart_term_find (y[0], self->table, &first) || !roast_chart_term_find (y[i], self->table, &other) ||
          g_strcmp0 (first.unit, other.unit) == 0)
        continue;
      return roast_fail (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
                         "chart “%s”: Y: “%s” (%s) and “%s” (%s) of the table “%s” have different units, and the chart "
                         "has "
                         "one "
                         "axis for both: draw two charts%s",
                         roast_chart_info_get_name (self->chart), y[0], first.unit != NULL ? first.unit : "no unit",
                         y[i], other.unit != NULL ? other.unit : "no unit", roast_table_info_get_name (self->table),
                         roast_chart_info_get_kind (self->chart) <= ROAST_CHART_KIND_AREA ? ", or write Y2" : "");
    }

  return TRUE;
}

gboolean
roast_chart_info_check_table (RoastChartInfo *self, RoastTableInfo *table, GError **error)
{
  static const struct
  {
    guint key, types;
  } columns[] = {
    { ROAST_CHART_END, NUMBERS }, { ROAST_CHART_Y2, NUMBERS }, { ROAST_CHART_PER, NUMBERS },
    { ROAST_CHART_GROUP, NAMES }, { ROAST_CHART_LANE, NAMES }, { ROAST_CHART_COUNT, TYPE (INT64) },
  };
  const RoastChartDeclaration *declared = roast_chart_info_get_declaration (self);
  Check check = { self, declared, table, error };
  gboolean has_names = declared->kind == ROAST_CHART_KIND_BARS;

  for (guint i = 0; declared->x[i] != NULL; i++)
    if (!check_term (&check, "X", declared->x[i], has_names ? NUMBERS | NAMES : NUMBERS))
      return FALSE;
  for (guint i = 0; declared->y[i] != NULL; i++)
    if (!check_term (&check, "Y", declared->y[i], NUMBERS))
      return FALSE;
  if (!check_units (&check))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (!check_column (&check, roast_chart_info_keys[columns[i].key], declared->values[columns[i].key],
                       columns[i].types))
      return FALSE;

  return check_where (&check) && (declared->late.column == NULL || check_condition (&check, "Late", &declared->late)) &&
         check_guides (&check);
}

/**
 * roast_schema_check_chart:
 * @self: a schema
 * @chart: a chart, which another schema may have declared
 * @error: return location for an error
 *
 * Checks whether the schema declares the table of a chart, with the columns that the chart needs. The chart of a plugin
 * may need tables and columns of another plugin, which may not be installed.
 *
 * Returns: %TRUE if the schema declares everything that the chart needs; %FALSE with %ROAST_SCHEMA_ERROR_UNKNOWN if a
 * table, column or word is not declared, or with %ROAST_SCHEMA_ERROR_SYNTAX if a column has another type than the chart
 * needs
 *
 * Since: 0.9
 */
gboolean
roast_schema_check_chart (RoastSchema *self, RoastChartInfo *chart, GError **error)
{
  RoastTableInfo *table = NULL;

  g_return_val_if_fail (ROAST_IS_SCHEMA (self), FALSE);
  g_return_val_if_fail (ROAST_IS_CHART_INFO (chart), FALSE);

  table = roast_schema_lookup_table (self, roast_chart_info_get_table (chart));
  if (table != NULL)
    return roast_chart_info_check_table (chart, table, error);
  return roast_fail (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN,
                     "chart “%s”: no schema declares the table “%s”", roast_chart_info_get_name (chart),
                     roast_chart_info_get_table (chart));
}
