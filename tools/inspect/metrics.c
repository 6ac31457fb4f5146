/* SPDX-License-Identifier: BSD-3-Clause */
#include "inspect.h"

#include <string.h>

static char *
join_aliases (RoastMetricInfo *info, const char *before, const char *after)
{
  g_auto (GStrv) aliases = roast_metric_info_dup_aliases (info);
  GString *text = g_string_new (NULL);

  for (char **alias = aliases; alias != NULL && *alias != NULL; alias++)
    g_string_append_printf (text, "%s%s%s%s", text->len > 0 ? ", " : "", before, *alias, after);
  return g_string_free (text, FALSE);
}

/* Returns the description of the metric. If the metric is defined as in roastcoffea, the description begins with a
 * prefix that says so. */
static char *
describe (RoastMetricInfo *info)
{
  return g_strconcat (roast_metric_info_is_compat (info) ? "Compatible with roastcoffea: " : "",
                      roast_metric_info_get_description (info), NULL);
}

static void
show_metric (RoastMetricInfo *info)
{
  g_autoptr (InspectTable) table = inspect_table_new ();
  g_autofree char *aliases = join_aliases (info, "", "");
  g_autofree char *description = describe (info);

  inspect_table_add_field (table, "Name", roast_metric_info_get_name (info));
  inspect_table_add_field (table, "Label", roast_metric_info_get_label (info));
  inspect_table_add_field (table, "Group", roast_metric_info_get_group (info));
  inspect_table_add_field (table, "Unit", roast_metric_info_get_unit (info));
  inspect_table_add_field (table, "Description", description);
  inspect_table_add_field (table, "Formula", roast_metric_info_get_formula (info));
  inspect_table_add_field (table, "Source", roast_metric_info_get_source (info));
  inspect_table_add_field (table, "Older names", aliases);
  inspect_table_print (table, "");
}

static void
json_metric (JsonBuilder *builder, gpointer object)
{
  RoastMetricInfo *info = object;
  g_auto (GStrv) aliases = roast_metric_info_dup_aliases (info);

  json_builder_begin_object (builder);
  inspect_json_string (builder, "name", roast_metric_info_get_name (info));
  inspect_json_string (builder, "label", roast_metric_info_get_label (info));
  inspect_json_string (builder, "group", roast_metric_info_get_group (info));
  inspect_json_string (builder, "unit", roast_metric_info_get_unit (info));
  inspect_json_string (builder, "format", roast_metric_info_get_format (info));
  inspect_json_string (builder, "show", roast_metric_info_get_show (info));
  inspect_json_string (builder, "description", roast_metric_info_get_description (info));
  inspect_json_string (builder, "formula", roast_metric_info_get_formula (info));
  inspect_json_string (builder, "source", roast_metric_info_get_source (info));
  inspect_json_strv (builder, "aliases", (const char *const *) aliases);
  inspect_json_boolean (builder, "compatible", roast_metric_info_is_compat (info));
  json_builder_end_object (builder);
}

/* Converts to lower case and removes separators: “Efficiency Ratio” becomes “efficiencyratio”. */
static char *
reduce_name (const char *name)
{
  g_autofree char *folded = g_utf8_casefold (name, -1);
  GString *text = g_string_new (NULL);

  for (const char *c = folded; *c != '\0'; c++)
    if (strchr (" _-", *c) == NULL)
      g_string_append_c (text, *c);

  return g_string_free (text, FALSE);
}

static gboolean
is_same_name (const char *name, const char *reduced)
{
  g_autofree char *other = reduce_name (name);

  return g_str_equal (other, reduced);
}

/* Finds a metric whose name, alias or label is the same as @name apart from case, spaces and underscores. Names take
 * precedence over labels. */
static char *
find_similar (GPtrArray *metrics, const char *name)
{
  g_autofree char *reduced = reduce_name (name);

  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (metrics, i);
      g_auto (GStrv) aliases = roast_metric_info_dup_aliases (info);

      if (is_same_name (roast_metric_info_get_name (info), reduced))
        return g_strdup (roast_metric_info_get_name (info));
      for (char **alias = aliases; alias != NULL && *alias != NULL; alias++)
        if (is_same_name (*alias, reduced))
          return g_strdup (*alias);
    }
  for (guint i = 0; i < metrics->len; i++)
    if (is_same_name (roast_metric_info_get_label (g_ptr_array_index (metrics, i)), reduced))
      return g_strdup (roast_metric_info_get_name (g_ptr_array_index (metrics, i)));

  return NULL;
}

static int
one_metric (RoastSchema *schema, GPtrArray *metrics, const char *name, gboolean json)
{
  double scale = 1;
  RoastMetricInfo *info = roast_schema_lookup_metric (schema, name, &scale);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *similar = info == NULL && g_utf8_validate (name, -1, NULL) ? find_similar (metrics, name) : NULL;

  if (similar != NULL)
    {
      name = similar;
      info = roast_schema_lookup_metric (schema, name, &scale);
    }
  if (info == NULL)
    {
      inspect_add_names (names, metrics, (InspectGetName) roast_metric_info_get_name);
      return inspect_not_found ("metric", names, name, "--metrics");
    }
  if (json)
    {
      inspect_print_json_of (info, json_metric);
      return INSPECT_FINE;
    }
  show_metric (info);
  if (!g_str_equal (name, roast_metric_info_get_name (info)))
    inspect_print ("\n%s is an older name of this metric: %s = %g x %s\n", name, name, scale,
                   roast_metric_info_get_name (info));
  return INSPECT_FINE;
}

static void
all_as_text (GPtrArray *metrics)
{
  const char *group = NULL;

  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (metrics, i);
      g_autofree char *description = describe (info);

      if (g_strcmp0 (group, roast_metric_info_get_group (info)) != 0)
        inspect_print ("%s%s\n", i > 0 ? "\n" : "", roast_metric_info_get_group (info));
      group = roast_metric_info_get_group (info);
      inspect_print ("  %-40s %-6s %s\n", roast_metric_info_get_name (info), roast_metric_info_get_unit (info),
                     description);
    }
}

int
inspect_metrics (RoastRegistry *registry, const char *name, gboolean json)
{
  RoastSchema *schema = roast_registry_get_schema (registry);
  g_autoptr (GPtrArray) metrics = roast_schema_list_metrics (schema);

  if (name != NULL)
    return one_metric (schema, metrics, name, json);
  if (json)
    inspect_print_json_list (metrics, json_metric);
  else
    all_as_text (metrics);

  return INSPECT_FINE;
}

static void
markdown_metric (RoastMetricInfo *info)
{
  g_autofree char *aliases = join_aliases (info, "`", "`");
  g_autofree char *text = describe (info);
  g_autofree char *description = inspect_escape_cell (text);
  g_autofree char *source = inspect_escape_cell (roast_metric_info_get_source (info));
  g_autofree char *formula = inspect_escape_cell (roast_metric_info_get_formula (info));

  inspect_print ("### `%s`\n\n%s.\n\n", roast_metric_info_get_name (info), description);
  inspect_print ("| | |\n|---|---|\n| Label | %s |\n", roast_metric_info_get_label (info));
  if (*roast_metric_info_get_unit (info) != '\0')
    inspect_print ("| Unit | %s |\n", roast_metric_info_get_unit (info));
  if (*formula != '\0')
    inspect_print ("| Formula | %s |\n", formula);
  if (*source != '\0')
    inspect_print ("| Source | %s |\n", source);
  if (*aliases != '\0')
    inspect_print ("| Older names | %s |\n", aliases);
  inspect_print ("\n");
}

int
inspect_markdown (RoastRegistry *registry)
{
  g_autoptr (GPtrArray) metrics = roast_schema_list_metrics (roast_registry_get_schema (registry));
  const char *group = NULL;

  inspect_print ("# Metrics\n\n"
                 "<!-- Made from the schemas by `roast-inspect --metrics --markdown`: do not edit. -->\n\n"
                 "Every number of a report, its unit, its formula and its source. A number that could not be measured "
                 "is \"not "
                 "available\", with the reason, and never 0. `roast-inspect --metrics NAME` also finds older names, "
                 "with the factor "
                 "by which their values differ. How formulas are read, and how to add a metric of your own: "
                 "[formulas](formulas.md).\n\n");
  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (metrics, i);

      if (g_strcmp0 (group, roast_metric_info_get_group (info)) != 0)
        {
          group = roast_metric_info_get_group (info);
          inspect_print ("## %s\n\n", group);
        }
      markdown_metric (info);
    }
  return INSPECT_FINE;
}
