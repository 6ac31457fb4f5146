/* SPDX-License-Identifier: BSD-3-Clause */

/* What schemas declare, and what is wrong with those that cannot be read. */

#include <glib/gstdio.h>
#include <roast/roast.h>
#include <string.h>

#include "fixture-tables.h"

#define SOURCE "source=category: name of the source\n"
#define LOG "[table t]\nDescription=d\n[columns t]\n" SOURCE
#define WORDS "[vocabulary v]\nDescription=d\n[words v]\n"
#define METRIC "[metric m]\nDescription=d\n"
#define CHART "[chart p]\nTitle=T\nDescription=d\nTable=events\nKind=line\nX=time\nY=time\n"
#define FINE                                                                                                           \
  "[table fine]\nDescription=d\n[columns fine]\n" SOURCE                                                               \
  "[columns events]\nfine=int64: x\n[metric fine]\nDescription=d\nAliases=well\n"                                      \
  "[vocabulary fine]\nDescription=d\n[labels fine]\nfine=well\n"

static gboolean
load (RoastSchema *schema, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return roast_schema_load_data (schema, bytes, "test", error);
}

static RoastSchema *
load_new (const char *text)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GError) error = NULL;

  load (schema, text, &error);
  g_assert_no_error (error);

  return g_steal_pointer (&schema);
}

static void
test_core (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  RoastTableInfo *workers = roast_schema_lookup_table (schema, ROAST_TABLE_WORKERS);
  RoastVocabulary *status = roast_schema_lookup_vocabulary (schema, "status");
  RoastColumn *column = NULL;
  guint number = 0;

  g_assert_nonnull (workers);
  g_assert_cmpint (roast_table_info_get_kind (workers), ==, ROAST_TABLE_KIND_ENTITY);
  g_assert_cmpint (roast_table_info_get_origin (workers), ==, ROAST_TABLE_ORIGIN_MEASURED);
  g_assert_cmpint (roast_table_info_get_storage (workers), ==, ROAST_TABLE_STORAGE_ROWS);
  g_assert_cmpint (roast_table_info_get_from (workers), ==, ROAST_TABLE_FROM_BACKEND);
  g_assert_cmpuint (roast_table_info_get_n_columns (workers), ==, ROAST_WORKERS_N_COLUMNS);
  g_assert_true (roast_table_info_find_column (workers, "memory_limit", &number));
  g_assert_cmpuint (number, ==, ROAST_WORKERS_MEMORY_LIMIT);
  g_assert_false (roast_table_info_find_column (workers, "memory_limits", &number));
  column = roast_table_info_get_column (workers, ROAST_WORKERS_MEMORY_LIMIT);
  g_assert_cmpint (roast_column_get_column_type (column), ==, ROAST_COLUMN_TYPE_INT64);
  g_assert_cmpstr (roast_column_get_unit (column), ==, "B");
  g_assert_cmpstr (roast_column_get_description (column), ==, "memory it may use");
  g_assert_null (roast_column_get_vocabulary (column));
  g_assert_false (roast_column_is_key (column));
  g_assert_true (roast_column_is_key (roast_table_info_get_column (workers, ROAST_WORKERS_WORKER)));
  column = roast_table_info_get_column (roast_schema_lookup_table (schema, ROAST_TABLE_TASKS), ROAST_TASKS_STATUS);
  g_assert_true (roast_column_get_vocabulary (column) == status);

  g_assert_true (roast_vocabulary_is_closed (status));
  g_assert_cmpuint (roast_vocabulary_get_n_words (status), ==, ROAST_STATUS_N_WORDS);
  g_assert_true (roast_vocabulary_find (status, "killed_worker", &number));
  g_assert_cmpuint (number, ==, ROAST_STATUS_KILLED_WORKER);
  g_assert_cmpstr (roast_vocabulary_get_word (status, ROAST_STATUS_LOST), ==, "lost");
  g_assert_cmpstr (roast_vocabulary_get_meaning (status, ROAST_STATUS_DONE), ==, "it returned its result");
  g_assert_false (roast_vocabulary_find (status, "erred", NULL));
  g_assert_null (roast_schema_lookup_table (schema, "tables"));
  g_assert_null (roast_schema_lookup_vocabulary (schema, "workers"));
}

/* The names in the header and the text of the library are made from one file, and are the same in all tables. */
static void
test_header (void)
{
  static const struct
  {
    const char *table;
    const char *const *columns;
  } tables[] = {
    { ROAST_TABLE_SOURCES, roast_sources_columns },
    { ROAST_TABLE_WORKER_SAMPLES, roast_worker_samples_columns },
    { ROAST_TABLE_TASKS, roast_tasks_columns },
    { ROAST_TABLE_EVENTS, roast_events_columns },
  };
  g_autoptr (RoastSchema) schema = roast_schema_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      RoastTableInfo *info = roast_schema_lookup_table (schema, tables[i].table);

      g_assert_cmpuint (g_strv_length ((char **) tables[i].columns), ==, roast_table_info_get_n_columns (info));
      for (guint j = 0; tables[i].columns[j] != NULL; j++)
        g_assert_cmpstr (roast_column_get_name (roast_table_info_get_column (info, j)), ==, tables[i].columns[j]);
    }
}

/* The header of a plugin's schema, whose columns follow those of the core. */
static void
test_plugin_header (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "schema", "fixture.roast-schema", NULL);
  RoastTableInfo *workers = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (roast_schema_load (schema, path, &error));
  g_assert_no_error (error);
  workers = roast_schema_lookup_table (schema, ROAST_TABLE_WORKERS);
  g_assert_cmpuint (roast_table_info_get_n_columns (workers), ==, ROAST_WORKERS_N_COLUMNS_WITH_FIXTURE);
  for (guint i = 0; i < ROAST_WORKERS_N_COLUMNS_WITH_FIXTURE; i++)
    g_assert_cmpstr (roast_column_get_name (roast_table_info_get_column (workers, i)), ==,
                     roast_workers_columns_with_fixture[i]);
  g_assert_cmpstr (roast_workers_columns_with_fixture[ROAST_WORKERS_HOST], ==, "host");
  g_assert_cmpstr (roast_workers_columns_with_fixture[ROAST_WORKERS_GPUS], ==, "gpus");
  g_assert_cmpuint (roast_table_info_get_n_columns (roast_schema_lookup_table (schema, ROAST_TABLE_FIXTURE_ROWS)), ==,
                    ROAST_FIXTURE_ROWS_N_COLUMNS);
  g_assert_cmpstr (roast_fixture_rows_columns[ROAST_FIXTURE_ROWS_FOR], ==, "for");
  g_assert_cmpstr (roast_fixture_mood_words[ROAST_FIXTURE_MOOD_NOT_SO_FINE], ==, "not-so-fine");
}

static void
test_lists (void)
{
  g_autoptr (RoastSchema) schema = load_new (LOG WORDS "one=first\n" METRIC);
  g_autoptr (GPtrArray) tables = roast_schema_list_tables (schema);
  g_autoptr (GPtrArray) vocabularies = roast_schema_list_vocabularies (schema);
  g_autoptr (GPtrArray) metrics = roast_schema_list_metrics (schema);

  g_assert_cmpstr (roast_table_info_get_name (g_ptr_array_index (tables, 0)), ==, ROAST_TABLE_SOURCES);
  g_assert_cmpstr (roast_table_info_get_name (g_ptr_array_index (tables, tables->len - 1)), ==, "t");
  g_assert_cmpstr (roast_vocabulary_get_name (g_ptr_array_index (vocabularies, vocabularies->len - 1)), ==, "v");
  g_assert_cmpstr (roast_metric_info_get_name (g_ptr_array_index (metrics, metrics->len - 1)), ==, "m");
}

static void
test_defaults (void)
{
  g_autoptr (RoastSchema) schema = load_new (LOG WORDS "one=first\n");
  RoastTableInfo *info = roast_schema_lookup_table (schema, "t");

  g_assert_cmpstr (roast_table_info_get_description (info), ==, "d");
  g_assert_cmpint (roast_table_info_get_kind (info), ==, ROAST_TABLE_KIND_LOG);
  g_assert_cmpint (roast_table_info_get_origin (info), ==, ROAST_TABLE_ORIGIN_MEASURED);
  g_assert_cmpint (roast_table_info_get_storage (info), ==, ROAST_TABLE_STORAGE_BLOCKS);
  g_assert_cmpint (roast_table_info_get_from (info), ==, ROAST_TABLE_FROM_BACKEND);
  g_assert_false (roast_vocabulary_is_closed (roast_schema_lookup_vocabulary (schema, "v")));
}

/* A table can be declared with all it may have, in any order of the groups. */
static void
test_order_of_groups (void)
{
  g_autoptr (RoastSchema) schema =
      load_new ("# Columns before their table, and that before the vocabulary.\n"
                "[columns t]\n" SOURCE "name=category of v: one of several\nsize=double B/s: with: a colon\n"
                "text=string: a backslash \\\\\n"
                "[table "
                "t]\nDescription=d\nKind=entity\nKey=source;name\nNegative=size\nOrigin=derived\nStorage=rows\nFrom="
                "program\n"
                "[words v]\none-word=first\n[vocabulary v]\nClosed=true\nDescription=d\n");
  RoastTableInfo *info = roast_schema_lookup_table (schema, "t");
  RoastColumn *size = NULL;

  g_assert_false (roast_column_may_be_negative (roast_table_info_get_column (info, 1)));
  g_assert_true (roast_column_may_be_negative (roast_table_info_get_column (info, 2)));
  g_assert_cmpint (roast_table_info_get_kind (info), ==, ROAST_TABLE_KIND_ENTITY);
  g_assert_cmpint (roast_table_info_get_origin (info), ==, ROAST_TABLE_ORIGIN_DERIVED);
  g_assert_cmpint (roast_table_info_get_storage (info), ==, ROAST_TABLE_STORAGE_ROWS);
  g_assert_cmpint (roast_table_info_get_from (info), ==, ROAST_TABLE_FROM_PROGRAM);
  g_assert_true (roast_column_get_vocabulary (roast_table_info_get_column (info, 1)) ==
                 roast_schema_lookup_vocabulary (schema, "v"));
  size = roast_table_info_get_column (info, 2);
  g_assert_cmpstr (roast_column_get_unit (size), ==, "B/s");
  g_assert_cmpstr (roast_column_get_description (size), ==, "with: a colon");
  g_assert_cmpstr (roast_column_get_description (roast_table_info_get_column (info, 3)), ==, "a backslash \\");
}

/* A plugin adds columns to a table of the core; who looked at the table before sees no change. */
static void
test_added_columns (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (RoastTableInfo) before = g_object_ref (roast_schema_lookup_table (schema, ROAST_TABLE_WORKERS));
  g_autoptr (GError) error = NULL;
  RoastTableInfo *after = NULL;
  guint number = 0;

  g_assert_true (load (schema, "[columns workers]\ngpus=int64: graphics cards\n", &error));
  g_assert_no_error (error);
  after = roast_schema_lookup_table (schema, ROAST_TABLE_WORKERS);
  g_assert_cmpuint (roast_table_info_get_n_columns (before), ==, ROAST_WORKERS_N_COLUMNS);
  g_assert_cmpuint (roast_table_info_get_n_columns (after), ==, ROAST_WORKERS_N_COLUMNS + 1);
  g_assert_true (roast_table_info_find_column (after, "gpus", &number));
  g_assert_cmpuint (number, ==, ROAST_WORKERS_N_COLUMNS);
  g_assert_cmpint (roast_table_info_get_kind (after), ==, ROAST_TABLE_KIND_ENTITY);
  g_assert_true (roast_column_is_key (roast_table_info_get_column (after, ROAST_WORKERS_WORKER)));

  /* Another schema has the core's columns only. */
  g_clear_object (&schema);
  schema = roast_schema_new ();
  after = roast_schema_lookup_table (schema, ROAST_TABLE_WORKERS);
  g_assert_cmpuint (roast_table_info_get_n_columns (after), ==, ROAST_WORKERS_N_COLUMNS);
}

static void
test_labels (void)
{
  g_autoptr (RoastSchema) schema =
      load_new ("[labels dask]\nmanaged=managed memory\nlost=killed\n[labels taskvine]\nlost=vanished\n");

  g_assert_cmpstr (roast_schema_get_label (schema, "dask", "managed"), ==, "managed memory");
  g_assert_cmpstr (roast_schema_get_label (schema, "dask", "lost"), ==, "killed");
  g_assert_cmpstr (roast_schema_get_label (schema, "taskvine", "lost"), ==, "vanished");
  g_assert_cmpstr (roast_schema_get_label (schema, "taskvine", "managed"), ==, "managed");
  g_assert_cmpstr (roast_schema_get_label (schema, "local", "lost"), ==, "lost");
}

static void
test_metrics (void)
{
  g_autoptr (RoastSchema) schema =
      load_new ("[metric rate]\nLabel=Rate\nUnit=bit/s\nFormat=bits-rate\nShow=detail\nGroup=Tasks\nDescription=x\n"
                "Formula=a / b\nSource=the kernel\nAliases=old_gbps:1e-9;old\nCompat=yes\nPage=30 tasks speed\n"
                "[metric bare]\nDescription=y\n[metric hidden]\nDescription=z\nPage=no\n");
  RoastMetricInfo *info = roast_schema_lookup_metric (schema, "rate", NULL);
  const char *condition = NULL, *topic = NULL;
  double scale = 0;

  g_assert_cmpstr (roast_metric_info_get_label (info), ==, "Rate");
  g_assert_cmpint (roast_metric_info_get_page (info, &condition, &topic), ==, 30);
  g_assert_cmpstr (condition, ==, "tasks");
  g_assert_cmpstr (topic, ==, "speed");
  g_assert_cmpstr (roast_metric_info_get_group (info), ==, "Tasks");
  g_assert_cmpstr (roast_metric_info_get_unit (info), ==, "bit/s");
  g_assert_cmpstr (roast_metric_info_get_format (info), ==, "bits-rate");
  g_assert_cmpstr (roast_metric_info_get_show (info), ==, "detail");
  g_assert_true (roast_metric_info_is_compat (info));
  g_assert_cmpstr (roast_metric_info_get_formula (info), ==, "a / b");
  g_assert_cmpstr (roast_metric_info_get_source (info), ==, "the kernel");
  g_assert_true (roast_schema_lookup_metric (schema, "old_gbps", &scale) == info);
  g_assert_cmpfloat (scale, ==, 1e-9);
  g_assert_true (roast_schema_lookup_metric (schema, "old", &scale) == info);
  g_assert_cmpfloat (scale, ==, 1);
  g_assert_null (roast_schema_lookup_metric (schema, "older", &scale));
  g_assert_cmpfloat (scale, ==, 1);

  info = roast_schema_lookup_metric (schema, "bare", NULL);
  g_assert_cmpstr (roast_metric_info_get_label (info), ==, "bare");
  g_assert_cmpstr (roast_metric_info_get_group (info), ==, "Other");
  g_assert_cmpstr (roast_metric_info_get_unit (info), ==, "");
  g_assert_cmpstr (roast_metric_info_get_format (info), ==, "number");
  g_assert_cmpstr (roast_metric_info_get_show (info), ==, "always");
  g_assert_false (roast_metric_info_is_compat (info));
  g_assert_cmpint (roast_metric_info_get_page (info, NULL, NULL), ==, -1);
  info = roast_schema_lookup_metric (schema, "hidden", NULL);
  g_assert_cmpint (roast_metric_info_get_page (info, NULL, NULL), ==, 0);
}

/* The names of the metrics of @schema that are not the core's. */
static char *
join_metrics (RoastSchema *schema)
{
  g_autoptr (GPtrArray) metrics = roast_schema_list_metrics (schema);
  g_autoptr (RoastSchema) core = roast_schema_new ();
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < metrics->len; i++)
    {
      const char *name = roast_metric_info_get_name (g_ptr_array_index (metrics, i));

      if (roast_schema_lookup_metric (core, name, NULL) == NULL)
        g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", name);
    }

  return g_string_free (names, FALSE);
}

static void
test_order_of_metrics (void)
{
  g_autoptr (RoastSchema) schema =
      load_new ("[group Jobs]\nDescription=d\n"
                "[metric a]\nGroup=Undeclared\nDescription=d\n[metric b]\nGroup=Jobs\nDescription=d\n"
                "[metric c]\nGroup=Memory\nDescription=d\nRank=1\n[metric d]\nGroup=Memory\nDescription=d\n"
                "[metric e]\nGroup=Run\nDescription=d\n[metric f]\nGroup=Undeclared\nDescription=d\n");
  g_autofree char *names = join_metrics (schema);
  g_autofree char *more = NULL;

  g_assert_cmpstr (names, ==, "e d c b a f");
  g_assert_true (load (schema,
                       "[metric g]\nGroup=Memory\nDescription=d\n[metric h]\nDescription=d\n"
                       "[metric i]\nGroup=Memory\nRank=-1\nDescription=d\n[metric j]\nGroup=Jobs\nDescription=d\n",
                       NULL));
  more = join_metrics (schema);
  g_assert_cmpstr (more, ==, "e i d g c b j a f h");
}

static const struct
{
  const char *text;
  RoastSchemaError code;
  const char *message;
} bad[] = {
  { "no key file", ROAST_SCHEMA_ERROR_SYNTAX, "test is not a valid schema" },
  { "[what]\n", ROAST_SCHEMA_ERROR_SYNTAX, "unknown group [what]" },
  { "[table]\nDescription=d\n", ROAST_SCHEMA_ERROR_SYNTAX, "unknown group [table]" },
  { "[chart]\nDescription=d\n", ROAST_SCHEMA_ERROR_SYNTAX, "unknown group [chart]" },
  { "[tables t]\nDescription=d\n", ROAST_SCHEMA_ERROR_SYNTAX, "unknown group [tables t]" },
  { METRIC "Formula=half\\\n", ROAST_SCHEMA_ERROR_SYNTAX, "write \\\\ for a backslash" },
  { METRIC METRIC, ROAST_SCHEMA_ERROR_DUPLICATE, "group [metric m] appears twice" },
  { METRIC " [metric m] \nLabel=M\n", ROAST_SCHEMA_ERROR_DUPLICATE, "group [metric m] appears twice" },
  { METRIC "Description=e\n", ROAST_SCHEMA_ERROR_DUPLICATE, "Description appears twice in [metric m]" },
  { LOG "a=int64: x\na = double: y\n", ROAST_SCHEMA_ERROR_DUPLICATE, "a appears twice in [columns t]" },

  { "[table T]\nDescription=d\n[columns T]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX, "lower-case letters" },
  { "[table 1t]\nDescription=d\n[columns 1t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX, "begins with a letter" },
  { "[table t]\nDescription=d\n", ROAST_SCHEMA_ERROR_SYNTAX, "table “t” has no columns: add [columns t]" },
  { "[table t]\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX, "[table t] needs a Description" },
  { "[table t]\nDescription=\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX, "[table t] needs a Description" },
  { "[table t]\nDescription=d\nKind=heap\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX,
    "Kind=heap must be one of log, entity" },
  { "[table t]\nDescription=d\nOrigin=guessed\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX, "measured, derived" },
  { "[table t]\nDescription=d\nStorage=disk\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX, "blocks, rows" },
  { "[table t]\nDescription=d\nFrom=anyone\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX, "backend, program" },
  { "[table t]\nDescription=d\nColour=red\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX,
    "[table t] has an unknown key Colour" },
  { "[table workers]\nDescription=d\n[columns workers]\n" SOURCE, ROAST_SCHEMA_ERROR_DUPLICATE,
    "table “workers” is declared already by the schema of roast" },
  { "[table t]\nDescription=d\nKind=entity\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX, "needs a Key" },
  { "[table t]\nDescription=d\nKey=source\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_SYNTAX,
    "a log cannot have a Key" },
  { "[table t]\nDescription=d\nKind=entity\nKey=source;id\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_UNKNOWN,
    "Key names a column that [columns t] does not have" },
  { "[table t]\nDescription=d\nNegative=change\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_UNKNOWN,
    "Negative names a column that [columns t] does not have" },
  { "[table t]\nDescription=d\nExpected=change\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_UNKNOWN,
    "Expected names a column that [columns t] does not have" },
  { "[table t]\nDescription=d\nExpected=source if kind=b\n[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_UNKNOWN,
    "Expected has the condition “kind=b”" },
  { "[vocabulary v]\nDescription=d\nClosed=true\n[words v]\na=b\n[table t]\nDescription=d\nExpected=source if k=c\n"
    "[columns t]\n" SOURCE "k=category of v: d\n",
    ROAST_SCHEMA_ERROR_UNKNOWN, "Expected has the condition “k=c”" },

  { "[columns t]\n" SOURCE, ROAST_SCHEMA_ERROR_UNKNOWN, "no table “t” is declared: add [table t]" },
  { LOG "A=int64: x\n", ROAST_SCHEMA_ERROR_SYNTAX, "“A”: a name consists of" },
  { LOG "a=int64\n", ROAST_SCHEMA_ERROR_SYNTAX, "column “a”: write TYPE [UNIT] [of VOCABULARY]: MEANING" },
  { LOG "a=int64: \n", ROAST_SCHEMA_ERROR_SYNTAX, "column “a”: write TYPE" },
  { LOG "a=: x\n", ROAST_SCHEMA_ERROR_SYNTAX, "column “a”" },
  { LOG "a=float: x\n", ROAST_SCHEMA_ERROR_SYNTAX, "column “a”: the type must be one of int64, double" },
  { LOG "a=category of: x\n", ROAST_SCHEMA_ERROR_SYNTAX, "column “a”" },
  { LOG "a=int64 B s: x\n", ROAST_SCHEMA_ERROR_SYNTAX, "column “a”: write TYPE" },
  { LOG "a=category of v: x\n", ROAST_SCHEMA_ERROR_UNKNOWN,
    "column “a”: the vocabulary of this column is not declared" },
  { LOG "a=string of status: x\n", ROAST_SCHEMA_ERROR_SYNTAX, "only a category has a vocabulary" },
  { "[columns workers]\nhost=string: x\n", ROAST_SCHEMA_ERROR_DUPLICATE,
    "column “workers.host” is declared already by the schema of roast" },

  { "[vocabulary v]\n[words v]\na=x\n", ROAST_SCHEMA_ERROR_SYNTAX, "[vocabulary v] needs a Description" },
  { "[vocabulary v]\nDescription=d\nClosed=yes\n", ROAST_SCHEMA_ERROR_SYNTAX, "Closed=yes must be one of false, true" },
  { "[vocabulary v]\nDescription=d\nOpen=true\n", ROAST_SCHEMA_ERROR_SYNTAX, "[vocabulary v] has an unknown key Open" },
  { "[vocabulary v]\nDescription=d\nClosed=true\n", ROAST_SCHEMA_ERROR_SYNTAX, "is closed and has no words" },
  { "[vocabulary status]\nDescription=d\n", ROAST_SCHEMA_ERROR_DUPLICATE, "vocabulary “status” is declared already" },
  { "[vocabulary my-own]\nDescription=d\n", ROAST_SCHEMA_ERROR_SYNTAX, "“my-own”: a name consists of" },
  { "[words v]\na=x\n", ROAST_SCHEMA_ERROR_UNKNOWN, "add [vocabulary v]" },
  { "[words activity]\na=x\n", ROAST_SCHEMA_ERROR_UNKNOWN, "[words activity]" },
  { WORDS "a=\n", ROAST_SCHEMA_ERROR_SYNTAX, "word “a” needs a meaning" },

  { "[metric m]\nLabel=M\n", ROAST_SCHEMA_ERROR_SYNTAX, "m” has no Description" },
  { METRIC "Format=parrots\n", ROAST_SCHEMA_ERROR_SYNTAX, "Format=parrots" },
  { METRIC "Show=sometimes\n", ROAST_SCHEMA_ERROR_SYNTAX, "Show=sometimes" },
  { METRIC "Compat=perhaps\n", ROAST_SCHEMA_ERROR_SYNTAX, "Compat=perhaps must be one of no, yes" },
  { METRIC "Rank=high\n", ROAST_SCHEMA_ERROR_SYNTAX, "Rank=high" },
  { METRIC "Page=first\n", ROAST_SCHEMA_ERROR_SYNTAX, "Page=first" },
  { METRIC "Page=5\n", ROAST_SCHEMA_ERROR_SYNTAX, "Page=5 must be" },
  { METRIC "Page=0 any\n", ROAST_SCHEMA_ERROR_SYNTAX, "Page=0 any" },
  { METRIC "Page=5 workers\n", ROAST_SCHEMA_ERROR_SYNTAX, "Page=5 workers" },
  { METRIC "Page=5 any a b\n", ROAST_SCHEMA_ERROR_SYNTAX, "Page=5 any a b" },
  { METRIC "Formla=a / b\n", ROAST_SCHEMA_ERROR_SYNTAX, "[metric m] has an unknown key Formla" },
  { METRIC "Aliases=n:zero\n", ROAST_SCHEMA_ERROR_SYNTAX, "alias “n:zero” needs a number after the colon" },
  { METRIC "Aliases=n:0\n", ROAST_SCHEMA_ERROR_SYNTAX, "alias “n:0”" },
  { METRIC "Aliases=n:inf\n", ROAST_SCHEMA_ERROR_SYNTAX, "alias “n:inf”" },
  { METRIC "Aliases=n;n:2\n", ROAST_SCHEMA_ERROR_DUPLICATE, "metric “n” is declared already by test" },
  { METRIC "[metric n]\nDescription=d\nAliases=m\n", ROAST_SCHEMA_ERROR_DUPLICATE,
    "metric “m” is declared already by test" },
  { "[metric m:1]\nDescription=x\n", ROAST_SCHEMA_ERROR_SYNTAX, "m:1" },
  { "[metric 9m]\nDescription=x\n", ROAST_SCHEMA_ERROR_SYNTAX, "9m" },

  { "[group Run]\nDescription=d\n", ROAST_SCHEMA_ERROR_DUPLICATE, "group “Run” is declared already" },
  { "[group Jobs]\n", ROAST_SCHEMA_ERROR_SYNTAX, "[group Jobs] needs a Description" },
  { "[group Jobs]\nDescription=d\nOrder=1\n", ROAST_SCHEMA_ERROR_SYNTAX, "[group Jobs] has an unknown key Order" },
  { CHART CHART, ROAST_SCHEMA_ERROR_DUPLICATE, "group [chart p] appears twice" },
  { CHART "Kind=line\n", ROAST_SCHEMA_ERROR_DUPLICATE, "Kind appears twice in [chart p]" },
  { "[labels dask]\nmanaged=\n", ROAST_SCHEMA_ERROR_SYNTAX, "[labels dask]: “managed” needs a label" },
};

static void
test_errors (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (RoastSchema) schema = roast_schema_new ();
      g_autoptr (GError) error = NULL;

      /* One line: before GLib 2.68 further lines are not marked as a comment of TAP. */
      g_autofree char *shown = g_strescape (bad[i].text, NULL);

      g_test_message ("%s", shown);
      g_assert_false (load (schema, bad[i].text, &error));
      g_assert_error (error, ROAST_SCHEMA_ERROR, (int) bad[i].code);
      if (!g_str_has_prefix (error->message, "test is not a valid schema: ") ||
          strstr (error->message, bad[i].message) == NULL)
        g_error ("“%s” does not say “%s”", error->message, bad[i].message);
    }
}

static void
test_all_or_nothing (void)
{
  g_autoptr (RoastSchema) core = roast_schema_new ();
  g_autoptr (GPtrArray) core_tables = roast_schema_list_tables (core);
  g_autoptr (GPtrArray) core_metrics = roast_schema_list_metrics (core);
  g_autoptr (GPtrArray) core_vocabularies = roast_schema_list_vocabularies (core);

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *text = g_strconcat (FINE, bad[i].text, NULL);
      g_autoptr (RoastSchema) schema = roast_schema_new ();
      g_autoptr (GPtrArray) tables = NULL;
      g_autoptr (GPtrArray) metrics = NULL;
      g_autoptr (GPtrArray) vocabularies = NULL;

      g_assert_false (load (schema, text, NULL));
      tables = roast_schema_list_tables (schema);
      metrics = roast_schema_list_metrics (schema);
      vocabularies = roast_schema_list_vocabularies (schema);
      g_assert_cmpuint (tables->len, ==, core_tables->len);
      g_assert_cmpuint (metrics->len, ==, core_metrics->len);
      g_assert_cmpuint (vocabularies->len, ==, core_vocabularies->len);
      g_assert_cmpuint (roast_table_info_get_n_columns (roast_schema_lookup_table (schema, ROAST_TABLE_EVENTS)), ==,
                        ROAST_EVENTS_N_COLUMNS);
      g_assert_null (roast_schema_lookup_metric (schema, "well", NULL));
      g_assert_cmpstr (roast_schema_get_label (schema, "fine", "fine"), ==, "fine");
      g_assert_true (load (schema, FINE, NULL));
      g_assert_cmpstr (roast_schema_get_label (schema, "fine", "fine"), ==, "well");
    }
}

/* Two texts that clash: the error names both. */
static void
test_clash (void)
{
  static const char *const texts[] = {
    "[labels dask]\nhost=H\n",       LOG,   METRIC, WORDS "a=x\n", "[columns events]\nmore=int64: x\n",
    "[group Jobs]\nDescription=d\n", CHART,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (texts[i], strlen (texts[i]));
      g_autoptr (RoastSchema) schema = roast_schema_new ();
      g_autoptr (GError) error = NULL;

      g_assert_true (roast_schema_load_data (schema, bytes, "a.roast-schema", NULL));
      g_assert_false (roast_schema_load_data (schema, bytes, "b.roast-schema", &error));
      g_assert_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_DUPLICATE);
      g_assert_nonnull (strstr (error->message, "a.roast-schema"));
      g_assert_nonnull (strstr (error->message, "b.roast-schema"));
    }
}

static void
test_size (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autofree char *large = g_strnfill ((1 << 20) + 1, '\n');
  g_autoptr (GError) error = NULL;

  g_assert_true (load (schema, "", NULL));
  g_assert_false (load (schema, large, &error));
  g_assert_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX);
  g_assert_nonnull (strstr (error->message, "1 MiB"));
}

static void
test_files (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autofree char *directory = g_dir_make_tmp ("roast-schema-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "mine.roast-schema", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (roast_schema_load (schema, path, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, LOG, -1, NULL));
  g_assert_true (roast_schema_load (schema, path, &error));
  g_assert_no_error (error);
  g_assert_nonnull (roast_schema_lookup_table (schema, "t"));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schema/core", test_core);
  g_test_add_func ("/schema/header", test_header);
  g_test_add_func ("/schema/plugin-header", test_plugin_header);
  g_test_add_func ("/schema/lists", test_lists);
  g_test_add_func ("/schema/defaults", test_defaults);
  g_test_add_func ("/schema/order-of-groups", test_order_of_groups);
  g_test_add_func ("/schema/added-columns", test_added_columns);
  g_test_add_func ("/schema/labels", test_labels);
  g_test_add_func ("/schema/metrics", test_metrics);
  g_test_add_func ("/schema/order-of-metrics", test_order_of_metrics);
  g_test_add_func ("/schema/errors", test_errors);
  g_test_add_func ("/schema/all-or-nothing", test_all_or_nothing);
  g_test_add_func ("/schema/clash", test_clash);
  g_test_add_func ("/schema/size", test_size);
  g_test_add_func ("/schema/files", test_files);

  return g_test_run ();
}
