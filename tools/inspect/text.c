/* SPDX-License-Identifier: BSD-3-Clause */
#include "inspect.h"

#include <stdarg.h>

#include "core/base/roast-suggest-private.h"

/* Replaces control characters, so that text from a key file cannot change the state of the terminal. */
static void
make_harmless (char *text)
{
  for (char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c) && *c != '\n')
      *c = ' ';
}

void
inspect_print (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  make_harmless (text);
  g_print ("%s", text);
}

void
inspect_complain (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  make_harmless (text);
  g_printerr ("roast-inspect: %s\n", text);
}

static void
row_free (gpointer row)
{
  g_strfreev (row);
}

InspectTable *
inspect_table_new (void)
{
  return g_ptr_array_new_with_free_func (row_free);
}

void
inspect_table_add (InspectTable *table, const char *cell, ...)
{
  GPtrArray *row = g_ptr_array_new ();
  va_list args;

  va_start (args, cell);
  for (; cell != NULL; cell = va_arg (args, const char *))
    g_ptr_array_add (row, g_strdup (cell));
  va_end (args);
  g_ptr_array_add (row, NULL);
  g_ptr_array_add (table, g_ptr_array_free (row, FALSE));
}

void
inspect_table_add_field (InspectTable *table, const char *label, const char *value)
{
  if (value != NULL && *value != '\0')
    inspect_table_add (table, label, value, NULL);
}

static glong
column_width (InspectTable *table, guint column)
{
  glong width = 0;

  for (guint i = 0; i < table->len; i++)
    {
      char **row = g_ptr_array_index (table, i);

      if (column < g_strv_length (row))
        width = MAX (width, g_utf8_strlen (row[column], -1));
    }
  return width;
}

char *
inspect_escape_cell (const char *text)
{
  g_autoptr (GString) cell = g_string_new (text);

  g_string_replace (cell, "|", "\\|", 0);
  g_string_replace (cell, "<", "&lt;", 0);
  g_string_replace (cell, "*", "\\*", 0);
  return g_strdup (cell->str);
}

void
inspect_table_print (InspectTable *table, const char *indent)
{
  for (guint i = 0; i < table->len; i++)
    {
      char **row = g_ptr_array_index (table, i);

      inspect_print ("%s", indent);
      for (guint j = 0; row[j] != NULL; j++)
        {
          glong padding = row[j + 1] != NULL ? column_width (table, j) - g_utf8_strlen (row[j], -1) + 2 : 0;

          inspect_print ("%s%*s", row[j], (int) padding, "");
        }
      inspect_print ("\n");
    }
}

void
inspect_add_names (GPtrArray *names, GPtrArray *objects, InspectGetName get_name)
{
  for (guint i = 0; i < objects->len; i++)
    g_ptr_array_add (names, (gpointer) get_name (g_ptr_array_index (objects, i)));
}

int
inspect_not_found (const char *kind, GPtrArray *names, const char *name, const char *option)
{
  const char *near = NULL;

  g_ptr_array_add (names, NULL);
  near = roast_suggest (name, (const char *const *) names->pdata);
  inspect_complain ("there is no %s '%s'.%s%s%s roast-inspect %s lists all names", kind, name,
                    near != NULL ? " Did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "", option);

  return INSPECT_BROKEN;
}

void
inspect_print_json (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);

  g_print ("%s\n", text);
}

void
inspect_print_json_of (gpointer object, InspectJsonFunc add)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  add (builder, object);
  inspect_print_json (builder);
}

void
inspect_print_json_list (GPtrArray *objects, InspectJsonFunc add)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  inspect_json_list (builder, NULL, objects, add);
  inspect_print_json (builder);
}

void
inspect_json_list (JsonBuilder *builder, const char *key, GPtrArray *objects, InspectJsonFunc add)
{
  if (key != NULL)
    json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (guint i = 0; i < objects->len; i++)
    add (builder, g_ptr_array_index (objects, i));
  json_builder_end_array (builder);
}

void
inspect_json_boolean (JsonBuilder *builder, const char *key, gboolean value)
{
  json_builder_set_member_name (builder, key);
  json_builder_add_boolean_value (builder, value);
}

void
inspect_json_string (JsonBuilder *builder, const char *key, const char *value)
{
  json_builder_set_member_name (builder, key);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
inspect_json_strv (JsonBuilder *builder, const char *key, const char *const *values)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_array (builder);
  for (; values != NULL && *values != NULL; values++)
    json_builder_add_string_value (builder, *values);
  json_builder_end_array (builder);
}

const char *
inspect_enum_nick (GType type, int value)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (type);
  GEnumValue *found = g_enum_get_value (klass, value);

  /* The nick is a static string, so it stays valid after the class was released. */
  return found != NULL ? found->value_nick : NULL;
}

const char *
inspect_role_name (RoastRole role)
{
  return inspect_enum_nick (ROAST_TYPE_ROLE, (int) role);
}

GPtrArray *
inspect_list_plugins (RoastRegistry *registry)
{
  GPtrArray *plugins = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (registry)); i++)
    g_ptr_array_add (plugins, g_list_model_get_item (G_LIST_MODEL (registry), i));

  return plugins;
}

void
inspect_each_provided (RoastPlugin *plugin, InspectProvidedFunc func, gpointer data)
{
  for (int role = 0; role < INSPECT_ROLES; role++)
    {
      g_auto (GStrv) names = roast_plugin_dup_provides (plugin, (RoastRole) role);

      for (char **name = names; *name != NULL; name++)
        func (plugin, (RoastRole) role, *name, data);
    }
}

const char *
inspect_error_code (const GError *error)
{
  return error->domain == ROAST_PLUGIN_ERROR ? inspect_enum_nick (ROAST_TYPE_PLUGIN_ERROR, error->code) : NULL;
}
