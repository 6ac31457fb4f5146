/* SPDX-License-Identifier: BSD-3-Clause */

/* Whether a table has what a chart draws. */

#include <string.h>

#include "roast-chart-info-private.h"
#include "roast/roast-error.h"

typedef struct
{
  RoastChartInfo *chart;
  RoastTableInfo *table;
  GError **error;
} Check;

static const char *const type_names[] = { "int64", "double", "boolean", "string", "category" };

#define TYPE(type) (1U << ROAST_COLUMN_TYPE_##type)
#define NUMBERS (TYPE (INT64) | TYPE (DOUBLE))
#define NAMES (TYPE (INT64) | TYPE (BOOLEAN) | TYPE (STRING) | TYPE (CATEGORY))
#define TEXTS (TYPE (BOOLEAN) | TYPE (STRING) | TYPE (CATEGORY))

/* The column, if it is of one of these types; NULL with an error. */
static RoastColumn *
find_column (Check *self, const char *key, const char *name, guint types)
{
  const char *chart = roast_chart_info_get_name (self->chart);
  const char *table = roast_table_info_get_name (self->table);
  RoastColumn *column = NULL;
  RoastColumnType type = ROAST_COLUMN_TYPE_INT64;
  guint place = 0;

  if (!roast_table_info_find_column (self->table, name, &place))
    {
      g_set_error (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN,
                   "chart “%s”: %s names the column “%s”, which the table “%s” does not have", chart, key, name, table);
      return NULL;
    }
  column = roast_table_info_get_column (self->table, place);
  type = roast_column_get_column_type (column);
  if ((types & (1U << type)) != 0)
    return column;
  g_set_error (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
               "chart “%s”: %s needs %s; the column “%s” of the table “%s” has the type %s", chart, key,
               types == NUMBERS ? "numbers" : (types == TEXTS ? "words" : "names or whole numbers"), name, table,
               type_names[type]);

  return NULL;
}

static gboolean
check_column (Check *self, const char *key, const char *name, guint types)
{
  return name == NULL || find_column (self, key, name, types) != NULL;
}

/* A word that no row can have is a mistake. */
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

/* A condition on the row's source: the table needs a source; what is known of it is declared elsewhere. */
static gboolean
check_source (Check *self)
{
  return find_column (self, "Where", "source", TYPE (CATEGORY) | TYPE (STRING)) != NULL;
}

static gboolean
check_condition (Check *self, const char *key, const RoastChartWhere *where)
{
  RoastColumn *column = find_column (self, key, where->column, TEXTS);

  for (char **word = where->words; column != NULL && *word != NULL; word++)
    if (!check_word (self, key, column, *word))
      return FALSE;

  return column != NULL;
}

static gboolean
check_where (Check *self)
{
  guint n_where = 0;
  const RoastChartWhere *where = roast_chart_info_get_where (self->chart, &n_where);

  for (guint i = 0; i < n_where; i++)
    {
      gboolean of_source = g_str_has_prefix (where[i].column, ROAST_CHART_OF_SOURCE);

      if (!(of_source ? check_source (self) : check_condition (self, "Where", &where[i])))
        return FALSE;
    }

  return TRUE;
}

static gboolean
check_guides (Check *self)
{
  guint n_guides = 0;
  const RoastChartGuide *guides = roast_chart_info_get_guides (self->chart, &n_guides);

  for (guint i = 0; i < n_guides; i++)
    if (!check_column (self, "Guides", guides[i].column, NUMBERS))
      return FALSE;

  return TRUE;
}

void
roast_chart_term_split (const char *text, char **column, char **minus)
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

  *term = (RoastChartTerm) { .factor = 1 };
  roast_chart_term_split (text, &column, &minus);
  if (!roast_table_info_find_column (table, column, &term->place) ||
      (minus != NULL && !roast_table_info_find_column (table, minus, &term->minus_place)))
    return FALSE;
  term->column = roast_table_info_get_column (table, term->place);
  term->unit = roast_column_get_unit (term->column);
  if (minus == NULL)
    return TRUE;
  term->minus = roast_table_info_get_column (table, term->minus_place);
  if (g_strcmp0 (term->unit, "us") == 0)
    {
      term->unit = "s";
      term->factor = 1.0 / G_USEC_PER_SEC;
    }

  return TRUE;
}

/* A column of these types, or the difference of two columns with numbers of one unit. */
static gboolean
check_term (Check *self, const char *key, const char *text, guint types)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  RoastColumn *column = NULL;
  RoastColumn *minus = NULL;

  if (strchr (text, '-') == NULL)
    return find_column (self, key, text, types) != NULL;
  roast_chart_term_split (text, &first, &second);
  column = find_column (self, key, first, NUMBERS);
  minus = column != NULL ? find_column (self, key, second, NUMBERS) : NULL;
  if (minus == NULL)
    return FALSE;
  if (g_strcmp0 (roast_column_get_unit (column), roast_column_get_unit (minus)) == 0)
    return TRUE;
  g_set_error (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
               "chart “%s”: %s: the columns “%s” and “%s” of the table “%s” have different units",
               roast_chart_info_get_name (self->chart), key, first, second, roast_table_info_get_name (self->table));

  return FALSE;
}

/* Values on one axis have one unit. */
static gboolean
check_units (Check *self)
{
  const char *const *y = roast_chart_info_get_y (self->chart);
  RoastChartTerm first;
  RoastChartTerm other;

  for (guint i = 1; y[0] != NULL && y[i] != NULL; i++)
    {
      if (!roast_chart_term_find (y[0], self->table, &first) || !roast_chart_term_find (y[i], self->table, &other) ||
          g_strcmp0 (first.unit, other.unit) == 0)
        continue;
      g_set_error (self->error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
                   "chart “%s”: Y: “%s” (%s) and “%s” (%s) of the table “%s” have different units, and the chart has "
                   "one "
                   "axis for both: draw two charts%s",
                   roast_chart_info_get_name (self->chart), y[0], first.unit != NULL ? first.unit : "no unit", y[i],
                   other.unit != NULL ? other.unit : "no unit", roast_table_info_get_name (self->table),
                   roast_chart_info_get_kind (self->chart) <= ROAST_CHART_KIND_AREA ? ", or write Y2" : "");
      return FALSE;
    }

  return TRUE;
}

gboolean
roast_chart_info_check_table (RoastChartInfo *self, RoastTableInfo *table, GError **error)
{
  Check check = { self, table, error };
  const char *const *x = roast_chart_info_get_all_x (self);
  const char *const *y = roast_chart_info_get_y (self);
  const RoastChartWhere *late = roast_chart_info_get_late (self);
  gboolean has_names = roast_chart_info_get_kind (self) == ROAST_CHART_KIND_BARS;

  for (guint i = 0; x[i] != NULL; i++)
    if (!check_term (&check, "X", x[i], has_names ? NUMBERS | NAMES : NUMBERS))
      return FALSE;
  for (guint i = 0; y[i] != NULL; i++)
    if (!check_term (&check, "Y", y[i], NUMBERS))
      return FALSE;

  return check_units (&check) && check_column (&check, "End", roast_chart_info_get_end (self), NUMBERS) &&
         check_column (&check, "Y2", roast_chart_info_get_y2 (self), NUMBERS) &&
         check_column (&check, "Per", roast_chart_info_get_per (self), NUMBERS) &&
         check_column (&check, "Group", roast_chart_info_get_group (self), NAMES) &&
         check_column (&check, "Lane", roast_chart_info_get_lane (self), NAMES) &&
         check_column (&check, "Count", roast_chart_info_get_count (self), TYPE (INT64)) && check_where (&check) &&
         (late == NULL || check_condition (&check, "Late", late)) && check_guides (&check);
}
