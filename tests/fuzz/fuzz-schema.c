/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever the bytes of a schema are: all that it declares, or an error and nothing. */

#include <roast/roast.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

static void
check_tables (RoastSchema *schema, RoastSchema *core, gboolean same)
{
  g_autoptr (GPtrArray) tables = roast_schema_list_tables (schema);
  g_autoptr (GPtrArray) before = roast_schema_list_tables (core);

  g_assert_cmpuint (tables->len, >=, before->len);
  g_assert_true (!same || tables->len == before->len);
  for (guint i = 0; i < tables->len; i++)
    {
      RoastTableInfo *info = g_ptr_array_index (tables, i);
      RoastTableInfo *had = roast_schema_lookup_table (core, roast_table_info_get_name (info));
      gboolean has_key = FALSE;

      g_assert_true (roast_schema_lookup_table (schema, roast_table_info_get_name (info)) == info);
      g_assert_true (!same || had == info);
      if (had == info)
        continue;
      for (guint j = 0; j < roast_table_info_get_n_columns (info); j++)
        {
          RoastColumn *column = roast_table_info_get_column (info, j);
          guint found = 0;

          g_assert_true (roast_table_info_find_column (info, roast_column_get_name (column), &found));
          g_assert_cmpuint (found, ==, j);
          g_assert_nonnull (roast_column_get_description (column));
          has_key |= roast_column_is_key (column);
        }
      g_assert_true (has_key == (roast_table_info_get_kind (info) == ROAST_TABLE_KIND_ENTITY));
    }
}

static void
check_vocabularies (RoastSchema *schema)
{
  g_autoptr (GPtrArray) vocabularies = roast_schema_list_vocabularies (schema);

  for (guint i = 0; i < vocabularies->len; i++)
    {
      RoastVocabulary *vocabulary = g_ptr_array_index (vocabularies, i);

      g_assert_true (roast_schema_lookup_vocabulary (schema, roast_vocabulary_get_name (vocabulary)) == vocabulary);
      for (guint j = 0; j < roast_vocabulary_get_n_words (vocabulary); j++)
        {
          guint found = 0;

          g_assert_true (roast_vocabulary_find (vocabulary, roast_vocabulary_get_word (vocabulary, j), &found));
          g_assert_cmpuint (found, ==, j);
        }
    }
}

/* A chart of a table that is there has what it needs, or says what is missing. */
static void
check_charts (RoastSchema *schema)
{
  g_autoptr (GPtrArray) charts = roast_schema_list_charts (schema);

  for (guint i = 0; i < charts->len; i++)
    {
      RoastChartInfo *info = g_ptr_array_index (charts, i);
      const char *const *y = roast_chart_info_get_y (info);
      RoastChartKind kind = roast_chart_info_get_kind (info);
      gboolean has_y = kind != ROAST_CHART_KIND_HISTOGRAM && kind != ROAST_CHART_KIND_LANES;
      g_autoptr (GError) error = NULL;

      g_assert_true (roast_schema_get_chart (schema, roast_chart_info_get_name (info)) == info);
      g_assert_nonnull (roast_chart_info_get_text (info, "X"));
      g_assert_true (has_y == (y[0] != NULL));
      g_assert_cmpuint (g_strv_length ((char **) y), <=, 4);
      g_assert_true (roast_schema_check_chart (schema, info, &error) == (error == NULL));
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (RoastSchema) core = roast_schema_new ();
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GPtrArray) metrics = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok = roast_schema_load_data (schema, bytes, "fuzz", &error);

  g_assert_true (ok == (error == NULL));
  check_tables (schema, core, !ok);
  if (ok)
    check_vocabularies (schema);
  check_charts (schema);
  metrics = roast_schema_list_metrics (schema);
  for (guint i = 0; i < metrics->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (metrics, i);

      g_assert_true (roast_schema_lookup_metric (schema, roast_metric_info_get_name (info), NULL) == info);
    }

  return 0;
}
