/* SPDX-License-Identifier: BSD-3-Clause */

/* Implements --tables, which shows the tables that the schemas of the core and of plugins declare. */

#include "inspect.h"

static void
text_table (RoastTableInfo *info)
{
  g_autoptr (InspectTable) rows = inspect_table_new ();

  inspect_print ("%s (%s, %s): %s\n", roast_table_info_get_name (info),
                 inspect_enum_nick (ROAST_TYPE_TABLE_KIND, (int) roast_table_info_get_kind (info)),
                 inspect_enum_nick (ROAST_TYPE_TABLE_ORIGIN, (int) roast_table_info_get_origin (info)),
                 roast_table_info_get_description (info));
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);
      RoastVocabulary *vocabulary = roast_column_get_vocabulary (column);
      const char *unit = roast_column_get_unit (column);
      g_autofree char *words =
          vocabulary != NULL ? g_strconcat ("of ", roast_vocabulary_get_name (vocabulary), NULL) : NULL;

      inspect_table_add (rows, roast_column_get_name (column), roast_column_is_key (column) ? "key" : "",
                         inspect_enum_nick (ROAST_TYPE_COLUMN_TYPE, (int) roast_column_get_column_type (column)),
                         words != NULL  ? words
                         : unit != NULL ? unit
                                        : "",
                         roast_column_get_description (column), NULL);
    }
  inspect_table_print (rows, "  ");
}

static void
text_vocabulary (RoastVocabulary *vocabulary)
{
  g_autoptr (InspectTable) rows = inspect_table_new ();

  inspect_print ("%s (%s vocabulary): %s\n", roast_vocabulary_get_name (vocabulary),
                 roast_vocabulary_is_closed (vocabulary) ? "closed" : "open",
                 roast_vocabulary_get_description (vocabulary));
  for (guint i = 0; i < roast_vocabulary_get_n_words (vocabulary); i++)
    inspect_table_add (rows, roast_vocabulary_get_word (vocabulary, i), roast_vocabulary_get_meaning (vocabulary, i),
                       NULL);
  inspect_table_print (rows, "  ");
}

static void
json_enum (JsonBuilder *builder, const char *key, GType type, int value)
{
  inspect_json_string (builder, key, inspect_enum_nick (type, value));
}

static void
json_column (JsonBuilder *builder, RoastColumn *column)
{
  RoastVocabulary *vocabulary = roast_column_get_vocabulary (column);

  json_builder_begin_object (builder);
  inspect_json_string (builder, "name", roast_column_get_name (column));
  json_enum (builder, "type", ROAST_TYPE_COLUMN_TYPE, (int) roast_column_get_column_type (column));
  inspect_json_string (builder, "unit", roast_column_get_unit (column));
  inspect_json_string (builder, "vocabulary", vocabulary != NULL ? roast_vocabulary_get_name (vocabulary) : NULL);
  inspect_json_boolean (builder, "key", roast_column_is_key (column));
  inspect_json_string (builder, "description", roast_column_get_description (column));
  json_builder_end_object (builder);
}

static void
json_table (JsonBuilder *builder, gpointer object)
{
  RoastTableInfo *info = object;

  json_builder_begin_object (builder);
  inspect_json_string (builder, "name", roast_table_info_get_name (info));
  inspect_json_string (builder, "description", roast_table_info_get_description (info));
  json_enum (builder, "kind", ROAST_TYPE_TABLE_KIND, (int) roast_table_info_get_kind (info));
  json_enum (builder, "origin", ROAST_TYPE_TABLE_ORIGIN, (int) roast_table_info_get_origin (info));
  json_enum (builder, "storage", ROAST_TYPE_TABLE_STORAGE, (int) roast_table_info_get_storage (info));
  json_enum (builder, "from", ROAST_TYPE_TABLE_FROM, (int) roast_table_info_get_from (info));
  json_builder_set_member_name (builder, "columns");
  json_builder_begin_array (builder);
  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    json_column (builder, roast_table_info_get_column (info, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
json_vocabulary (JsonBuilder *builder, gpointer object)
{
  RoastVocabulary *vocabulary = object;

  json_builder_begin_object (builder);
  inspect_json_string (builder, "name", roast_vocabulary_get_name (vocabulary));
  inspect_json_string (builder, "description", roast_vocabulary_get_description (vocabulary));
  inspect_json_boolean (builder, "closed", roast_vocabulary_is_closed (vocabulary));
  json_builder_set_member_name (builder, "words");
  json_builder_begin_object (builder);
  for (guint i = 0; i < roast_vocabulary_get_n_words (vocabulary); i++)
    inspect_json_string (builder, roast_vocabulary_get_word (vocabulary, i),
                         roast_vocabulary_get_meaning (vocabulary, i));
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

/* Remove the objects that have another name. */
static void
keep_named (GPtrArray *objects, InspectGetName get_name, const char *name)
{
  for (guint i = objects->len; i-- > 0;)
    if (!g_str_equal (get_name (g_ptr_array_index (objects, i)), name))
      g_ptr_array_remove_index (objects, i);
}

static void
tables_list_as_text (GPtrArray *tables, GPtrArray *vocabularies)
{
  for (guint i = 0; i < tables->len; i++)
    {
      inspect_print ("%s", i > 0 ? "\n" : "");
      text_table (g_ptr_array_index (tables, i));
    }
  for (guint i = 0; i < vocabularies->len; i++)
    {
      inspect_print ("%s", tables->len + i > 0 ? "\n" : "");
      text_vocabulary (g_ptr_array_index (vocabularies, i));
    }
}

static void
tables_list_as_json (GPtrArray *tables, GPtrArray *vocabularies)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  inspect_json_list (builder, "tables", tables, json_table);
  inspect_json_list (builder, "vocabularies", vocabularies, json_vocabulary);
  json_builder_end_object (builder);
  inspect_print_json (builder);
}

/* If a table and a vocabulary have the same name, shows both of them. */
int
inspect_tables (RoastRegistry *registry, const char *name, gboolean json)
{
  const InspectGetName of_table = (InspectGetName) roast_table_info_get_name;
  const InspectGetName of_vocabulary = (InspectGetName) roast_vocabulary_get_name;
  RoastSchema *schema = roast_registry_get_schema (registry);
  g_autoptr (GPtrArray) tables = roast_schema_list_tables (schema);
  g_autoptr (GPtrArray) vocabularies = roast_schema_list_vocabularies (schema);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  inspect_add_names (names, tables, of_table);
  inspect_add_names (names, vocabularies, of_vocabulary);
  if (name != NULL)
    {
      keep_named (tables, of_table, name);
      keep_named (vocabularies, of_vocabulary, name);
    }
  if (tables->len + vocabularies->len == 0)
    return inspect_not_found ("table or vocabulary", names, name, "--tables");
  if (json)
    tables_list_as_json (tables, vocabularies);
  else
    tables_list_as_text (tables, vocabularies);

  return INSPECT_FINE;
}
