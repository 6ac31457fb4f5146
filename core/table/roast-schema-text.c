/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads the text of a schema. */

#include <string.h>

#include "base/roast-fail-private.h"
#include "base/roast-key-text-private.h"
#include "roast-agreement-private.h"
#include "roast-chart-info-private.h"
#include "roast-column-private.h"
#include "roast-metric-info-private.h"
#include "roast-schema-content-private.h"
#include "roast-table-info-private.h"
#include "roast-vocabulary-private.h"

#define MAX_SIZE (1 << 20) /* maximum number of bytes of a text */

/* A text being read, its declarations, and the declarations of earlier texts. */
typedef struct
{
  RoastSchemaContent *base;
  RoastSchemaContent *added;
  RoastKeyText *text;
  const char *origin;
  gboolean is_recorded;
} SchemaTextReader;

#define schema_text_fail(error, code, ...) roast_fail (error, ROAST_SCHEMA_ERROR, code, __VA_ARGS__)

/* Check that a name can also be used as a name in C, SQL and Python. */
static gboolean
schema_text_check_name (const char *group, const char *name, GError **error)
{
  gboolean valid = g_ascii_islower (*name);

  for (const char *c = name; valid && *c != '\0'; c++)
    valid = g_ascii_islower (*c) || g_ascii_isdigit (*c) || *c == '_';

  return valid || schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
                                    "[%s]: “%s”: a name consists of lower-case letters, digits and underscores, and "
                                    "begins with a letter",
                                    group, name);
}

/* Set an error because the name is already declared, in the same text or in another text. */
static gboolean
fail_taken (GError **error, const char *kind, const char *name, const char *declared_by)
{
  return schema_text_fail (error, ROAST_SCHEMA_ERROR_DUPLICATE,
                           "%s “%s” is declared already by %s: choose another name", kind, name, declared_by);
}

static gboolean
claim (SchemaTextReader *self, const char *kind, const char *name, GError **error)
{
  g_autofree char *key = g_strconcat (kind, " ", name, NULL);
  const char *taken = g_hash_table_lookup (self->base->origins, key);

  if (taken == NULL)
    taken = g_hash_table_lookup (self->added->origins, key);
  if (taken != NULL)
    return fail_taken (error, kind, name, taken);
  g_hash_table_insert (self->added->origins, g_ref_string_new (key), (char *) self->origin);

  return TRUE;
}

static RoastVocabulary *
find_vocabulary (SchemaTextReader *self, const char *name)
{
  RoastVocabulary *vocabulary = roast_schema_content_find_vocabulary (self->added, name);

  return vocabulary != NULL ? vocabulary : roast_schema_content_find_vocabulary (self->base, name);
}

/* Find the index of a value in a list of choices. If there is no value, take the first choice. */
static gboolean
schema_text_read_choice (const char *group, const char *key, const char *value, const char *const *choices,
                         guint *choice, GError **error)
{
  g_autofree char *list = NULL;

  *choice = 0;
  for (guint i = 0; value != NULL && choices[i] != NULL; i++)
    {
      *choice = i;
      if (strcmp (choices[i], value) == 0)
        return TRUE;
    }
  if (value == NULL)
    return TRUE;
  list = g_strjoinv (", ", (char **) choices);

  return schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: %s=%s must be one of %s", group, key, value, list);
}

/* Read the values of the known keys, NULL for missing keys. Refuse other keys, except in a recorded text, which a newer
 * version may have written. */
static gboolean
read_keys (SchemaTextReader *self, const RoastKeyGroup *group, const char *const *known, const char **values,
           GError **error)
{
  const RoastKeyEntry *entries = roast_key_text_get_entries (self->text, group);
  g_autofree char *list = NULL;

  for (guint k = 0; known[k] != NULL; k++)
    values[k] = NULL;
  for (guint i = 0; i < group->n_entries; i++)
    {
      guint k = 0;

      while (known[k] != NULL && (*known[k] != *entries[i].key || strcmp (known[k], entries[i].key) != 0))
        k++;
      if (known[k] == NULL && self->is_recorded)
        continue;
      if (known[k] == NULL)
        {
          list = g_strjoinv (", ", (char **) known);
          return schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
                                   "[%s] has an unknown key %s; the keys of this group are: %s", group->name,
                                   entries[i].key, list);
        }
      values[k] = entries[i].value;
    }

  return TRUE;
}

static gboolean
check_description (const RoastKeyGroup *group, const char *description, GError **error)
{
  return (description != NULL && *description != '\0') ||
         schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s] needs a Description of one line", group->name);
}

/* Find the group [KIND NAME]. */
static const RoastKeyGroup *
schema_text_find_group (SchemaTextReader *self, const char *kind, const char *name)
{
  g_autofree char *group = g_strconcat (kind, " ", name, NULL);

  return roast_key_text_find (self->text, group);
}

static gboolean
read_words (SchemaTextReader *self, RoastVocabularyDeclaration *declaration, GError **error)
{
  const RoastKeyGroup *group = schema_text_find_group (self, "words", declaration->name);

  if (group != NULL)
    {
      declaration->words = roast_key_text_get_entries (self->text, group);
      declaration->n_words = group->n_entries;
    }
  for (guint i = 0; i < declaration->n_words; i++)
    if (*declaration->words[i].value == '\0')
      return schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: word “%s” needs a meaning of one line",
                               group->name, declaration->words[i].key);

  return declaration->n_words > 0 || !declaration->closed ||
         schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
                           "vocabulary “%s” is closed and has no words: add [words %s]", declaration->name,
                           declaration->name);
}

static gboolean
read_vocabulary (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error)
{
  static const char *const known[] = { "Closed", "Description", NULL };
  static const char *const closed_choices[] = { "false", "true", NULL };
  RoastVocabularyDeclaration declaration = { .text = self->text->data, .declared_by = self->origin, .name = name };
  RoastVocabulary *taken = find_vocabulary (self, name);
  const char *values[G_N_ELEMENTS (known)];
  guint closed = 0;

  if (!schema_text_check_name (group->name, name, error))
    return FALSE;
  if (taken != NULL)
    return fail_taken (error, "vocabulary", name, roast_vocabulary_get_declared_by (taken));
  if (!read_keys (self, group, known, values, error) || !check_description (group, values[1], error) ||
      !schema_text_read_choice (group->name, known[0], values[0], closed_choices, &closed, error))
    return FALSE;
  declaration.description = values[1];
  declaration.closed = closed != 0;
  if (!read_words (self, &declaration, error))
    return FALSE;
  g_ptr_array_add (self->added->vocabularies, roast_vocabulary_new (&declaration));

  return TRUE;
}

static gboolean
check_new_table (SchemaTextReader *self, const char *name, GError **error)
{
  guint i = 0;

  return !roast_schema_content_find_table (self->base, name, &i) ||
         fail_taken (error, "table", name,
                     roast_table_info_get_declared_by (g_ptr_array_index (self->base->tables, i)));
}

static gboolean
schema_text_read_table (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error)
{
  /* Do not use the values of Key, Negative and Expected here, because read_columns() reads these keys. */
  static const char *const known[] = { "Kind", "Origin",   "Storage",  "From", "Description",
                                       "Key",  "Negative", "Expected", NULL };
  static const char *const choices[][3] = { { "log", "entity", NULL },
                                            { "measured", "derived", NULL },
                                            { "blocks", "rows", NULL },
                                            { "backend", "program", NULL } };
  RoastTableDeclaration declaration = { .text = self->text->data, .declared_by = self->origin, .name = name };
  const char *values[G_N_ELEMENTS (known)];
  guint choice[G_N_ELEMENTS (choices)];

  if (!schema_text_check_name (group->name, name, error) || !check_new_table (self, name, error))
    return FALSE;
  if (schema_text_find_group (self, "columns", name) == NULL)
    return schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "table “%s” has no columns: add [columns %s]", name,
                             name);
  if (!read_keys (self, group, known, values, error) || !check_description (group, values[4], error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (!schema_text_read_choice (group->name, known[i], values[i], choices[i], &choice[i], error))
      return FALSE;
  declaration.description = values[4];
  declaration.kind = (RoastTableKind) choice[0];
  declaration.origin = (RoastTableOrigin) choice[1];
  declaration.storage = (RoastTableStorage) choice[2];
  declaration.from = (RoastTableFrom) choice[3];
  roast_schema_content_take_table (self->added, roast_table_info_new (&declaration));

  return TRUE;
}

static gboolean
fail_at_column (GError **error, RoastSchemaError code, const char *group, const char *name, const char *problem)
{
  return schema_text_fail (error, code, "[%s]: column “%s”: %s", group, name, problem);
}

/* Cut a text at its first space. Return the text after the space, or NULL if there is no space. */
static char *
schema_text_cut_word (char *text)
{
  char *space = text != NULL ? strchr (text, ' ') : NULL;

  if (space != NULL)
    *space++ = '\0';

  return space;
}

/* Split "TYPE [UNIT] [of VOCABULARY]: MEANING" in place. */
static gboolean
split_column (RoastColumnDeclaration *declaration, char *text, const char **type, const char **vocabulary)
{
  char *colon = strstr (text, ": ");
  char *second = NULL;
  char *third = NULL;

  if (colon == NULL || colon[2] == '\0' || colon == text)
    return FALSE;
  *colon = '\0';
  declaration->description = colon + 2;
  *type = text;
  second = schema_text_cut_word (text);
  third = schema_text_cut_word (second);
  if (third != NULL)
    {
      *vocabulary = third;
      return strcmp (second, "of") == 0 && strchr (third, ' ') == NULL && strcmp (third, "of") != 0;
    }
  declaration->unit = second;

  return second == NULL || strcmp (second, "of") != 0;
}

/* The columns that the keys of a table's declaration list. */
typedef struct
{
  GStrv keys, negative, expected;
} ColumnLists;

#define CONDITION " if "

/* Return the column of an item of a list: "COLUMN" or "COLUMN if CONDITION". */
static char *
dup_listed_column (const char *item)
{
  const char *condition = strstr (item, CONDITION);

  return condition != NULL ? g_strndup (item, condition - item) : g_strdup (item);
}

/* Return the condition of the rows that must have a cell of a column, from "COLUMN" or "COLUMN if CONDITION". Return
 * NULL if no row must have one. */
static const char *
find_expected (ColumnLists *lists, const char *name)
{
  for (guint i = 0; lists->expected[i] != NULL; i++)
    {
      const char *condition = strstr (lists->expected[i], CONDITION);
      g_autofree char *column = dup_listed_column (lists->expected[i]);

      if (strcmp (column, name) == 0)
        return g_intern_string (condition != NULL ? condition + strlen (CONDITION) : "");
    }

  return NULL;
}

static RoastColumn *
parse_column (SchemaTextReader *self, const char *group, RoastKeyEntry *entry, ColumnLists *lists, GError **error)
{
  RoastColumnDeclaration declaration = { .text = self->text->data, .declared_by = self->origin, .name = entry->key };
  const char *type_name = NULL;
  const char *vocabulary = NULL;
  guint type = 0;

  if (!split_column (&declaration, entry->value, &type_name, &vocabulary))
    {
      fail_at_column (error, ROAST_SCHEMA_ERROR_SYNTAX, group, entry->key,
                      "write TYPE [UNIT] [of VOCABULARY]: MEANING");
      return NULL;
    }
  while (roast_column_type_words[type] != NULL && strcmp (roast_column_type_words[type], type_name) != 0)
    type++;
  declaration.type = (RoastColumnType) type;
  declaration.key = g_strv_contains ((const char *const *) lists->keys, entry->key);
  declaration.negative = g_strv_contains ((const char *const *) lists->negative, entry->key);
  declaration.expected = find_expected (lists, entry->key);
  if (vocabulary != NULL)
    declaration.vocabulary = find_vocabulary (self, vocabulary);
  if (roast_column_type_words[type] == NULL)
    fail_at_column (error, ROAST_SCHEMA_ERROR_SYNTAX, group, entry->key,
                    "the type must be one of int64, double, boolean, string, category");
  else if (vocabulary != NULL && type != ROAST_COLUMN_TYPE_CATEGORY)
    fail_at_column (error, ROAST_SCHEMA_ERROR_SYNTAX, group, entry->key, "only a category has a vocabulary");
  else if (vocabulary != NULL && declaration.vocabulary == NULL)
    fail_at_column (error, ROAST_SCHEMA_ERROR_UNKNOWN, group, entry->key,
                    "the vocabulary of this column is not declared");
  else
    return roast_column_new (&declaration);

  return NULL;
}

/* Return the table to which columns are added: a table of this text, or a copy of a table of an earlier text. A copy is
 * needed because other code may hold the original, which must not change. */
static RoastTableInfo *
schema_text_find_table (SchemaTextReader *self, const char *name)
{
  RoastTableInfo *copy = NULL;
  guint i = 0;

  if (roast_schema_content_find_table (self->added, name, &i))
    return g_ptr_array_index (self->added->tables, i);
  if (!roast_schema_content_find_table (self->base, name, &i))
    return NULL;
  copy = roast_table_info_copy (g_ptr_array_index (self->base->tables, i));
  roast_schema_content_take_table (self->added, copy);

  return copy;
}

/* Return the columns that a key of the table's declaration lists. The array is empty if this text does not declare the
 * table, or if the declaration lacks the key. */
static char **
dup_listed (SchemaTextReader *self, const RoastKeyGroup *declaration, const char *key)
{
  const RoastKeyEntry *entries = declaration != NULL ? roast_key_text_get_entries (self->text, declaration) : NULL;

  for (guint i = 0; declaration != NULL && i < declaration->n_entries; i++)
    if (strcmp (entries[i].key, key) == 0)
      {
        g_autofree char *list = g_strdup (entries[i].value);

        if (g_str_has_suffix (list, ";"))
          list[strlen (list) - 1] = '\0';
        return g_strsplit (list, ";", -1);
      }

  return g_new0 (char *, 1);
}

/* Check that no earlier text declared the column. Within a group the parser has already refused duplicate keys. */
static gboolean
check_new_column (SchemaTextReader *self, const char *table, const char *name, GError **error)
{
  RoastTableInfo *info = NULL;
  g_autofree char *full_name = NULL;
  guint i = 0;

  if (!roast_schema_content_find_table (self->base, table, &i))
    return TRUE;
  info = g_ptr_array_index (self->base->tables, i);
  if (!roast_table_info_find_column (info, name, &i))
    return TRUE;
  full_name = g_strconcat (table, ".", name, NULL);

  return fail_taken (error, "column", full_name, roast_column_get_declared_by (roast_table_info_get_column (info, i)));
}

static gboolean
read_column (SchemaTextReader *self, const RoastKeyGroup *group, RoastTableInfo *info, RoastKeyEntry *entry,
             ColumnLists *lists, GError **error)
{
  RoastColumn *column = NULL;

  if (!schema_text_check_name (group->name, entry->key, error))
    return FALSE;
  column = parse_column (self, group->name, entry, lists, error);
  if (column != NULL)
    roast_table_info_take_column (info, column);

  return column != NULL;
}

/* Return whether a condition names a column of the table, and a word of its vocabulary if it asks for a word. */
static gboolean
is_condition (RoastTableInfo *info, const char *condition)
{
  const char *equals = strchr (condition, '=');
  g_autofree char *name = g_strndup (condition, strcspn (condition, "="));
  RoastVocabulary *words = NULL;
  guint i = 0;

  if (!roast_table_info_find_column (info, name, &i))
    return *condition == '\0';
  words = roast_column_get_vocabulary (roast_table_info_get_column (info, i));

  return equals == NULL || words == NULL || !roast_vocabulary_is_closed (words) ||
         roast_vocabulary_find (words, equals + 1, NULL);
}

/* Check that the keys of a table name only columns that the table has. */
static gboolean
check_lists (const ColumnLists *lists, RoastTableInfo *info, const char *declaration, const char *columns,
             GError **error)
{
  const struct
  {
    const char *key;
    GStrv items;
  } all[] = { { "Key", lists->keys }, { "Negative", lists->negative }, { "Expected", lists->expected } };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint j = 0; all[i].items[j] != NULL; j++)
      {
        g_autofree char *column = dup_listed_column (all[i].items[j]);
        guint k = 0;

        if (!roast_table_info_find_column (info, column, &k))
          return schema_text_fail (error, ROAST_SCHEMA_ERROR_UNKNOWN, "[%s]: %s names a column that [%s] does not have",
                                   declaration, all[i].key, columns);
      }
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      const char *condition = roast_column_get_expected (roast_table_info_get_column (info, i));

      if (condition != NULL && !is_condition (info, condition))
        return schema_text_fail (error, ROAST_SCHEMA_ERROR_UNKNOWN,
                                 "[%s]: Expected has the condition “%s”: name a column of [%s], or COLUMN=WORD with "
                                 "a word of its vocabulary",
                                 declaration, condition, columns);
    }

  return TRUE;
}

static gboolean
schema_text_read_columns (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error)
{
  const RoastKeyGroup *declaration = schema_text_find_group (self, "table", name);
  g_auto (GStrv) keys = dup_listed (self, declaration, "Key");
  g_auto (GStrv) negative = dup_listed (self, declaration, "Negative");
  g_auto (GStrv) expected = dup_listed (self, declaration, "Expected");
  ColumnLists lists = { keys, negative, expected };
  RoastKeyEntry *entries = roast_key_text_get_entries (self->text, group);
  RoastTableInfo *info = schema_text_find_table (self, name);

  if (info == NULL)
    return schema_text_fail (error, ROAST_SCHEMA_ERROR_UNKNOWN, "[%s]: no table “%s” is declared: add [table %s]",
                             group->name, name, name);
  for (guint i = 0; i < group->n_entries; i++)
    {
      if (declaration == NULL && !check_new_column (self, name, entries[i].key, error))
        return FALSE;
      if (!read_column (self, group, info, &entries[i], &lists, error))
        return FALSE;
    }
  if (declaration == NULL)
    return TRUE;
  if (!check_lists (&lists, info, declaration->name, group->name, error))
    return FALSE;
  if ((*lists.keys != NULL) != (roast_table_info_get_kind (info) == ROAST_TABLE_KIND_ENTITY))
    return schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
                             "[%s]: an entity table needs a Key, and a log cannot have a Key", declaration->name);

  return TRUE;
}

static gboolean
schema_text_read_group (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error)
{
  static const char *const known[] = { "Description", NULL };
  const char *values[G_N_ELEMENTS (known)];

  if (!read_keys (self, group, known, values, error) || !check_description (group, values[0], error) ||
      !claim (self, "group", name, error))
    return FALSE;
  g_ptr_array_add (self->added->groups, g_strdup (name));

  return TRUE;
}

static gboolean
claim_metric (SchemaTextReader *self, const char *name, RoastMetricInfo *info, GError **error)
{
  RoastMetricInfo *taken = g_hash_table_lookup (self->base->metric_names, name);

  if (taken == NULL)
    taken = g_hash_table_lookup (self->added->metric_names, name);
  if (taken != NULL)
    return fail_taken (error, "metric", name, roast_metric_info_get_declared_by (taken));
  g_hash_table_insert (self->added->metric_names, (char *) name, info);

  return TRUE;
}

static gboolean
read_metric (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error)
{
  const char *values[ROAST_METRIC_N_KEYS];
  const RoastMetricAlias *aliases = NULL;
  RoastMetricInfo *info = NULL;
  guint n_aliases = 0;

  if (!read_keys (self, group, roast_metric_info_keys, values, error))
    return FALSE;
  info = roast_metric_info_new (self->text->data, self->origin, name, values, error);
  if (info == NULL)
    return FALSE;
  g_ptr_array_add (self->added->metrics, info);
  if (!claim_metric (self, roast_metric_info_get_name (info), info, error))
    return FALSE;
  aliases = roast_metric_info_get_aliases (info, &n_aliases);
  for (guint i = 0; i < n_aliases; i++)
    if (!claim_metric (self, aliases[i].name, info, error))
      return FALSE;

  return TRUE;
}

/* If this text declares the table of a chart, check that the table has the columns that the chart needs. Do not check a
 * table of another text, because later texts may add the columns. Drawing the chart reports missing columns. */
static gboolean
check_chart (SchemaTextReader *self, RoastChartInfo *info, GError **error)
{
  const char *table = roast_chart_info_get_table (info);
  guint i = 0;

  return schema_text_find_group (self, "table", table) == NULL ||
         !roast_schema_content_find_table (self->added, table, &i) ||
         roast_chart_info_check_table (info, g_ptr_array_index (self->added->tables, i), error);
}

static gboolean
schema_text_read_chart (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error)
{
  const char *values[ROAST_CHART_N_KEYS];
  RoastChartInfo *info = NULL;

  if (!schema_text_check_name (group->name, name, error) || !claim (self, "chart", name, error) ||
      !read_keys (self, group, roast_chart_info_keys, values, error))
    return FALSE;
  info = roast_chart_info_new (self->text->data, self->origin, name, values, error);
  if (info == NULL)
    return FALSE;
  g_ptr_array_add (self->added->charts, info);

  return check_chart (self, info, error);
}

static gboolean
read_agreement (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error)
{
  const char *values[ROAST_AGREEMENT_N_KEYS];
  RoastAgreement *agreement = NULL;

  if (!schema_text_check_name (group->name, name, error) || !claim (self, "agreement", name, error) ||
      !read_keys (self, group, roast_agreement_keys, values, error) ||
      !check_description (group, values[ROAST_AGREEMENT_DESCRIPTION], error))
    return FALSE;
  agreement = roast_agreement_new (self->text->data, name, values, error);
  if (agreement != NULL)
    g_ptr_array_add (self->added->agreements, agreement);

  return agreement != NULL;
}

static gboolean
read_labels (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error)
{
  const RoastKeyEntry *entries = roast_key_text_get_entries (self->text, group);

  for (guint i = 0; i < group->n_entries; i++)
    {
      g_autofree char *full_name = g_strconcat (name, ".", entries[i].key, NULL);
      g_autofree char *key = NULL;

      if (*entries[i].value == '\0')
        return schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "[%s]: “%s” needs a label", group->name,
                                 entries[i].key);
      if (!claim (self, "label", full_name, error))
        return FALSE;
      key = roast_schema_content_dup_label_key (name, entries[i].key);
      g_hash_table_insert (self->added->labels, g_ref_string_new (key), g_ref_string_new (entries[i].value));
    }

  return TRUE;
}

/* Check that a group [words NAME] belongs to a group [vocabulary NAME] of the same text. read_vocabulary () reads the
 * words. */
static gboolean
check_words (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error)
{
  return schema_text_find_group (self, "vocabulary", name) != NULL ||
         schema_text_fail (error, ROAST_SCHEMA_ERROR_UNKNOWN,
                           "[%s]: this text does not declare the vocabulary: add [vocabulary %s]", group->name, name);
}

/* The kinds of groups, in the order of their dependencies. */
static const struct
{
  const char *name;
  gboolean (*read) (SchemaTextReader *self, const RoastKeyGroup *group, const char *name, GError **error);
  gboolean is_of_report; /* only reports need groups of this kind; a recording can be read without such groups */
} kinds[] = {
  { "vocabulary", read_vocabulary, FALSE },
  { "words", check_words, FALSE },
  { "table", schema_text_read_table, FALSE },
  { "columns", schema_text_read_columns, FALSE },
  { "group", schema_text_read_group, TRUE },
  { "metric", read_metric, TRUE },
  { "chart", schema_text_read_chart, TRUE },
  { "agree", read_agreement, TRUE },
  { "labels", read_labels, TRUE },
};

/* Return the NAME of the group [KIND NAME], or NULL if the group is of another kind. */
static const char *
name_of (const char *group, const char *kind)
{
  gsize length = strlen (kind);

  return strncmp (group, kind, length) == 0 && group[length] == ' ' && group[length + 1] != '\0' ? group + length + 1
                                                                                                 : NULL;
}

/* Find the kind of each group. */
static gboolean
find_kinds (SchemaTextReader *self, guint8 *of_groups, GError **error)
{
  for (guint i = 0; i < self->text->groups->len; i++)
    {
      const char *group = g_array_index (self->text->groups, RoastKeyGroup, i).name;

      while (of_groups[i] < G_N_ELEMENTS (kinds) && name_of (group, kinds[of_groups[i]].name) == NULL)
        of_groups[i]++;
      if (of_groups[i] == G_N_ELEMENTS (kinds) && !self->is_recorded)
        return schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX,
                                 "unknown group [%s]; groups are [vocabulary NAME], [words NAME], [table NAME], "
                                 "[columns NAME], "
                                 "[group NAME], [metric NAME], [chart NAME], [agree NAME], [labels BACKEND]",
                                 group);
    }

  return TRUE;
}

/* Read a group of the kind @k. In a recorded text, leave out a group that this version cannot read, if only reports
 * need such groups. */
static gboolean
read_group_of (SchemaTextReader *self, guint k, const RoastKeyGroup *group, const char *name, GError **error)
{
  GError *local = NULL;

  if (kinds[k].read (self, group, name, &local))
    return TRUE;
  if (self->is_recorded && kinds[k].is_of_report)
    {
      g_debug ("left out a group of the schema: %s", local->message);
      g_clear_error (&local);
      return TRUE;
    }
  g_propagate_error (error, local);

  return FALSE;
}

static gboolean
schema_text_read_groups (SchemaTextReader *self, GError **error)
{
  g_autofree guint8 *of_groups = g_new0 (guint8, self->text->groups->len + 1);

  if (!find_kinds (self, of_groups, error))
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint i = 0; i < self->text->groups->len; i++)
      {
        const RoastKeyGroup *group = &g_array_index (self->text->groups, RoastKeyGroup, i);

        if (of_groups[i] == k && !read_group_of (self, k, group, name_of (group->name, kinds[k].name), error))
          return FALSE;
      }

  return TRUE;
}

static RoastKeyText *
schema_text_split (GBytes *data, GError **error)
{
  gsize size = 0;
  const char *text = g_bytes_get_data (data, &size);
  g_autoptr (GError) local = NULL;
  RoastKeyText *groups = NULL;

  if (size > MAX_SIZE)
    {
      schema_text_fail (error, ROAST_SCHEMA_ERROR_SYNTAX, "the text of the schema has %zu bytes; the limit is 1 MiB",
                        size);
      return NULL;
    }
  groups = roast_key_text_new (text, size, &local);
  if (groups == NULL)
    schema_text_fail (error,
                      g_error_matches (local, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE)
                          ? ROAST_SCHEMA_ERROR_DUPLICATE
                          : ROAST_SCHEMA_ERROR_SYNTAX,
                      "%s", local->message);

  return groups;
}

RoastSchemaContent *
roast_schema_content_read (RoastSchemaContent *base, GBytes *data, const char *origin, gboolean is_recorded,
                           GError **error)
{
  g_autoptr (RoastSchemaContent) added = roast_schema_content_new ();
  g_autoptr (GError) local = NULL;
  g_autoptr (RoastKeyText) text = schema_text_split (data, &local);
  SchemaTextReader reader = { base, added, text, g_intern_string (origin), is_recorded };

  if (text != NULL && schema_text_read_groups (&reader, &local))
    return g_steal_pointer (&added);
  schema_text_fail (error, (RoastSchemaError) local->code, "%s is not a valid schema: %s", origin, local->message);

  return NULL;
}
