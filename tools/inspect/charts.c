/* SPDX-License-Identifier: BSD-3-Clause */

/* Implements --charts, which shows the charts that the schemas of the core and of plugins declare. */

#include "inspect.h"

typedef void (*FieldFunc) (const char *label, const char *value, gpointer data);

/* Calls @func for each key that defines what the chart draws. */
static void
visit_keys (RoastChartInfo *info, FieldFunc func, gpointer data)
{
  static const char *const keys[] = { "Table",   "Kind",   "X",     "End",  "Y",       "Y2",  "Group",
                                      "Missing", "Lane",   "Count", "Late", "Combine", "Per", "Scale",
                                      "Where",   "Guides", "Fit",   "Top",  "Needs",   "Show" };

  g_autofree char *y = g_strjoinv ("; ", (char **) roast_chart_info_get_y (info));

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const char *text = roast_chart_info_get_text (info, keys[i]);

      if (text != NULL)
        func (keys[i], g_str_equal (keys[i], "Y") ? y : text, data);
    }
}

static void
add_field (const char *label, const char *value, gpointer table)
{
  inspect_table_add_field (table, label, value);
}

static InspectTable *
list_fields (RoastChartInfo *info)
{
  InspectTable *table = inspect_table_new ();

  add_field ("Name", roast_chart_info_get_name (info), table);
  add_field ("Title", roast_chart_info_get_title (info), table);
  add_field ("Description", roast_chart_info_get_description (info), table);
  add_field ("Heading", roast_chart_info_get_heading (info), table);
  visit_keys (info, add_field, table);
  add_field ("Declared by", roast_chart_info_get_declared_by (info), table);

  return table;
}

static void
json_chart (JsonBuilder *builder, gpointer info)
{
  g_autoptr (InspectTable) table = list_fields (info);

  json_builder_begin_object (builder);
  for (guint i = 0; i < table->len; i++)
    {
      char **field = g_ptr_array_index (table, i);
      g_autofree char *key = g_strdelimit (g_ascii_strdown (field[0], -1), " ", '_');

      inspect_json_string (builder, key, field[1]);
    }
  json_builder_end_object (builder);
}

static int
one_chart (RoastSchema *schema, GPtrArray *charts, const char *name, gboolean json)
{
  RoastChartInfo *info = roast_schema_get_chart (schema, name);
  g_autoptr (InspectTable) table = info != NULL ? list_fields (info) : NULL;

  if (info == NULL)
    {
      g_autoptr (GPtrArray) names = g_ptr_array_new ();

      inspect_add_names (names, charts, (InspectGetName) roast_chart_info_get_name);
      return inspect_not_found ("chart", names, name, "--charts");
    }
  if (json)
    inspect_print_json_of (info, json_chart);
  else
    inspect_table_print (table, "");

  return INSPECT_FINE;
}

static void
add_heading (GPtrArray *headings, const char *heading)
{
  if (!g_ptr_array_find_with_equal_func (headings, heading, g_str_equal, NULL))
    g_ptr_array_add (headings, g_strdup (heading));
}

static gboolean
has_charts (GPtrArray *charts, const char *heading)
{
  for (guint i = 0; i < charts->len; i++)
    if (g_str_equal (roast_chart_info_get_heading (g_ptr_array_index (charts, i)), heading))
      return TRUE;

  return FALSE;
}

/* Lists the headings under which there are charts, in the same order as the headings of metrics. */
static GPtrArray *
list_headings (RoastSchema *schema, GPtrArray *charts)
{
  GPtrArray *headings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) metrics = roast_schema_list_metrics (schema);

  for (guint i = 0; i < metrics->len; i++)
    if (has_charts (charts, roast_metric_info_get_group (g_ptr_array_index (metrics, i))))
      add_heading (headings, roast_metric_info_get_group (g_ptr_array_index (metrics, i)));
  for (guint i = 0; i < charts->len; i++)
    add_heading (headings, roast_chart_info_get_heading (g_ptr_array_index (charts, i)));

  return headings;
}

static void
print_line (RoastChartInfo *info)
{
  inspect_print ("  %-24s %-10s %-18s %s\n", roast_chart_info_get_name (info),
                 inspect_enum_nick (ROAST_TYPE_CHART_KIND, (int) roast_chart_info_get_kind (info)),
                 roast_chart_info_get_table (info), roast_chart_info_get_title (info));
}

static void
print_cell (const char *label, const char *value, gpointer data)
{
  g_autofree char *cell = inspect_escape_cell (value);

  inspect_print ("| %s | `%s` |\n", label, cell);
}

static void
print_section (RoastChartInfo *info)
{
  g_autofree char *title = inspect_escape_cell (roast_chart_info_get_title (info));
  g_autofree char *description = inspect_escape_cell (roast_chart_info_get_description (info));

  inspect_print ("### `%s`\n\n**%s.** %s.\n\n| | |\n|---|---|\n", roast_chart_info_get_name (info), title, description);
  visit_keys (info, print_cell, NULL);
  inspect_print ("\n");
}

static void
print_charts (GPtrArray *charts, const char *heading, void (*print) (RoastChartInfo *))
{
  for (guint i = 0; i < charts->len; i++)
    if (g_str_equal (roast_chart_info_get_heading (g_ptr_array_index (charts, i)), heading))
      print (g_ptr_array_index (charts, i));
}

int
inspect_charts (RoastRegistry *registry, const char *name, gboolean json)
{
  RoastSchema *schema = roast_registry_get_schema (registry);
  g_autoptr (GPtrArray) charts = roast_schema_list_charts (schema);
  g_autoptr (GPtrArray) headings = list_headings (schema, charts);

  if (name != NULL)
    return one_chart (schema, charts, name, json);
  for (guint i = 0; !json && i < headings->len; i++)
    {
      const char *heading = g_ptr_array_index (headings, i);

      inspect_print ("%s%s\n", i > 0 ? "\n" : "", heading);
      print_charts (charts, heading, print_line);
    }
  if (json)
    inspect_print_json_list (charts, json_chart);

  return INSPECT_FINE;
}

int
inspect_charts_markdown (RoastRegistry *registry)
{
  RoastSchema *schema = roast_registry_get_schema (registry);
  g_autoptr (GPtrArray) charts = roast_schema_list_charts (schema);
  g_autoptr (GPtrArray) headings = list_headings (schema, charts);

  inspect_print (
      "# Charts\n\n"
      "<!-- Made from the schemas by `roast-inspect --charts --markdown`: do not edit. -->\n\n"
      "Every chart of a run, and the table and columns that it draws. A chart whose table has no rows in a run is "
      "left out. "
      "Charts are declared in schemas: the top of `roast.roast-schema` explains the keys, and [plugins](plugins.md) "
      "how a plugin's own table gets one. `-e html:FILE` and `-e plots:DIRECTORY` draw them; [how to read "
      "a report](reading.md#charts) has pictures of some.\n\n");
  for (guint i = 0; i < headings->len; i++)
    {
      const char *heading = g_ptr_array_index (headings, i);

      inspect_print ("## %s\n\n", heading);
      print_charts (charts, heading, print_section);
    }

  return INSPECT_FINE;
}
