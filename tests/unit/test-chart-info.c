/* SPDX-License-Identifier: BSD-3-Clause */

/* What groups [chart NAME] declare, and what is wrong with those that cannot be used. */

#include <roast/roast.h>
#include <string.h>

#include "table/roast-chart-info-private.h"
#include "table/roast-schema-private.h"

#define TABLE                                                                                                          \
  "[table t]\nDescription=d\n[columns t]\nsource=category: s\ntime=int64 us: t\nended=int64 us: e\n"                   \
  "a=double s: a\nb=int64 B: b\nc=double: c\nd=double: d\ne=double: e\nf=double: f\nname=string: n\n"                  \
  "ok=boolean: o\n"                                                                                                    \
  "status=category of status: s\nfree=category: f\n"
#define HEAD "[chart c]\nTitle=T\nDescription=D\nTable=t\n"
#define LINE HEAD "Kind=line\nX=time\nY=a\n"
#define HISTOGRAM HEAD "Kind=histogram\nX=a\n"
#define SCATTER HEAD "Kind=scatter\nX=b\nY=a\n"
#define BARS HEAD "Kind=bars\nX=name\nY=a\n"
#define LANES HEAD "Kind=lanes\nX=time\nEnd=ended\nLane=name\n"

static gboolean
load (RoastSchema *schema, const char *text, const char *origin, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return roast_schema_load_data (schema, bytes, origin, error);
}

/* The chart c of a text and the table t. */
static RoastChartInfo *
load_chart (const char *text)
{
  g_autofree char *all = g_strconcat (text, TABLE, NULL);
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GError) error = NULL;

  load (schema, all, "test", &error);
  g_assert_no_error (error);
  g_assert_true (roast_schema_check_chart (schema, roast_schema_get_chart (schema, "c"), &error));
  g_assert_no_error (error);

  /* It outlives its schema. */
  return g_object_ref (roast_schema_get_chart (schema, "c"));
}

static void
test_defaults (void)
{
  g_autoptr (RoastChartInfo) chart = load_chart (LINE);

  g_assert_cmpstr (roast_chart_info_get_name (chart), ==, "c");
  g_assert_cmpstr (roast_chart_info_get_title (chart), ==, "T");
  g_assert_cmpstr (roast_chart_info_get_description (chart), ==, "D");
  g_assert_cmpstr (roast_chart_info_get_table (chart), ==, "t");
  g_assert_cmpint (roast_chart_info_get_kind (chart), ==, ROAST_CHART_KIND_LINE);
  g_assert_cmpstr (roast_chart_info_get_text (chart, "X"), ==, "time");
  g_assert_cmpuint (g_strv_length ((char **) roast_chart_info_get_y (chart)), ==, 1);
  g_assert_cmpstr (roast_chart_info_get_y (chart)[0], ==, "a");
  g_assert_null (roast_chart_info_get_text (chart, "End"));
  g_assert_null (roast_chart_info_get_text (chart, "Y2"));
  g_assert_null (roast_chart_info_get_text (chart, "Group"));
  g_assert_null (roast_chart_info_get_text (chart, "Lane"));
  g_assert_cmpint (roast_chart_info_get_declaration (chart)->combine, ==, ROAST_CHART_COMBINE_ROWS);
  g_assert_null (roast_chart_info_get_text (chart, "Per"));
  g_assert_false (roast_chart_info_get_declaration (chart)->log_scale);
  g_assert_false (roast_chart_info_get_declaration (chart)->fit);
  g_assert_cmpuint (roast_chart_info_get_declaration (chart)->top, ==, 0);
  g_assert_cmpstr (roast_chart_info_get_heading (chart), ==, "Other");
  g_assert_cmpuint (roast_chart_info_get_declaration (chart)->needs, ==, 2);
  g_assert_false (roast_chart_info_get_show_detail (chart));
  g_assert_cmpstr (roast_chart_info_get_declared_by (chart), ==, "test");
  g_assert_null (roast_chart_info_get_text (chart, "Where"));
  g_assert_null (roast_chart_info_get_text (chart, "Guides"));
  g_assert_cmpuint (roast_chart_info_get_declaration (chart)->n_where, ==, 0);
  g_assert_cmpuint (roast_chart_info_get_declaration (chart)->n_guides, ==, 0);
}

/* Keys of lines, which may come before the table in the text. */
static void
test_line (void)
{
  g_autoptr (RoastChartInfo) chart =
      load_chart (LINE
                  "Y2=c\nGroup=name\nCombine=mean\nPer=b\nScale=log\nTop=10\nHeading=Memory\nNeeds=7\nShow=detail\n"
                  "Guides= 1.5e3 the limit ; column d what it may use;\n");
  guint n = roast_chart_info_get_declaration (chart)->n_guides;
  const RoastChartGuide *guides = roast_chart_info_get_declaration (chart)->guides;

  g_assert_cmpstr (roast_chart_info_get_text (chart, "Y2"), ==, "c");
  g_assert_cmpstr (roast_chart_info_get_text (chart, "Group"), ==, "name");
  g_assert_cmpint (roast_chart_info_get_declaration (chart)->combine, ==, ROAST_CHART_COMBINE_MEAN);
  g_assert_cmpstr (roast_chart_info_get_text (chart, "Per"), ==, "b");
  g_assert_true (roast_chart_info_get_declaration (chart)->log_scale);
  g_assert_cmpuint (roast_chart_info_get_declaration (chart)->top, ==, 10);
  g_assert_cmpstr (roast_chart_info_get_heading (chart), ==, "Memory");
  g_assert_cmpuint (roast_chart_info_get_declaration (chart)->needs, ==, 7);
  g_assert_true (roast_chart_info_get_show_detail (chart));
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (guides[0].kind, ==, ROAST_CHART_GUIDE_VALUE);
  g_assert_cmpfloat (guides[0].value, ==, 1500);
  g_assert_cmpstr (guides[0].label, ==, "the limit");
  g_assert_null (guides[0].column);
  g_assert_cmpint (guides[1].kind, ==, ROAST_CHART_GUIDE_COLUMN);
  g_assert_cmpstr (guides[1].column, ==, "d");
  g_assert_cmpstr (guides[1].label, ==, "what it may use");
}

static void
test_several_y (void)
{
  g_autoptr (RoastChartInfo) chart = load_chart (HEAD "Kind=area\nX=time\nY=d; e;c ;f\nCombine=sum\n");
  const char *const *y = roast_chart_info_get_y (chart);

  g_assert_cmpint (roast_chart_info_get_kind (chart), ==, ROAST_CHART_KIND_AREA);
  g_assert_cmpint (roast_chart_info_get_declaration (chart)->combine, ==, ROAST_CHART_COMBINE_SUM);
  g_assert_false (roast_chart_info_get_declaration (chart)->log_scale);
  g_assert_cmpuint (g_strv_length ((char **) y), ==, 4);
  g_assert_cmpstr (y[0], ==, "d");
  g_assert_cmpstr (y[1], ==, "e");
  g_assert_cmpstr (y[2], ==, "c");
  g_assert_cmpstr (y[3], ==, "f");
}

static void
test_other_kinds (void)
{
  static const struct
  {
    const char *text;
    RoastChartKind kind;
  } kinds[] = {
    { HEAD "Kind=step\nX=time\nY=a\nCombine=rows\n", ROAST_CHART_KIND_STEP },
    { HEAD "Kind=area\nX=time\nY=d;e\nY2=c\nShow=always\n", ROAST_CHART_KIND_AREA },
    { HEAD "Kind=bars\nX=a\nY=d;e\nScale=log\nTop=3\nGuides=1 one\n", ROAST_CHART_KIND_BARS },
    { BARS "Group=status\nCombine=mean\n", ROAST_CHART_KIND_BARS },
    { SCATTER "Group=ok\nTop=1000\nScale=log\nPer=c\n", ROAST_CHART_KIND_SCATTER },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (RoastChartInfo) chart = load_chart (kinds[i].text);

      g_assert_cmpint (roast_chart_info_get_kind (chart), ==, kinds[i].kind);
    }
}

static void
test_histogram (void)
{
  g_autoptr (RoastChartInfo) chart = load_chart (HISTOGRAM "Scale=log\nGuides=mean;median\n");
  guint n = roast_chart_info_get_declaration (chart)->n_guides;
  const RoastChartGuide *guides = roast_chart_info_get_declaration (chart)->guides;

  g_assert_cmpint (roast_chart_info_get_kind (chart), ==, ROAST_CHART_KIND_HISTOGRAM);
  g_assert_nonnull (roast_chart_info_get_y (chart));
  g_assert_null (roast_chart_info_get_y (chart)[0]);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (guides[0].kind, ==, ROAST_CHART_GUIDE_MEAN);
  g_assert_cmpstr (guides[0].label, ==, "mean");
  g_assert_cmpint (guides[1].kind, ==, ROAST_CHART_GUIDE_MEDIAN);
  g_assert_cmpstr (guides[1].label, ==, "median");
}

static void
test_scatter (void)
{
  g_autoptr (RoastChartInfo) chart = load_chart (SCATTER "Fit=linear\nGuides=per-second 25000 25 kHz; -3 bottom\n");
  guint n = roast_chart_info_get_declaration (chart)->n_guides;
  const RoastChartGuide *guides = roast_chart_info_get_declaration (chart)->guides;

  g_assert_true (roast_chart_info_get_declaration (chart)->fit);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (guides[0].kind, ==, ROAST_CHART_GUIDE_PER_SECOND);
  g_assert_cmpstr (roast_chart_info_get_text (chart, "Guides"), ==, "per-second 25000 25 kHz; -3 bottom");
  g_assert_cmpfloat (guides[0].value, ==, 25000);
  g_assert_cmpstr (guides[0].label, ==, "25 kHz");
  g_assert_cmpint (guides[1].kind, ==, ROAST_CHART_GUIDE_VALUE);
  g_assert_cmpfloat (guides[1].value, ==, -3);
}

/* The difference of two times is in seconds, of two other columns in their unit. */
static void
test_differences (void)
{
  g_autoptr (RoastChartInfo) chart = load_chart (HEAD "Kind=scatter\nX=c-d\nY= ended - time \n");
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  RoastTableInfo *table = NULL;
  RoastChartTerm term;

  g_assert_true (load (schema, TABLE, "test", NULL));
  table = roast_schema_lookup_table (schema, "t");
  g_assert_cmpstr (roast_chart_info_get_text (chart, "X"), ==, "c-d");
  g_assert_cmpstr (roast_chart_info_get_y (chart)[0], ==, "ended - time");

  g_assert_true (roast_chart_term_find ("ended - time", table, &term));
  g_assert_cmpstr (roast_column_get_name (term.column), ==, "ended");
  g_assert_cmpstr (roast_column_get_name (term.minus), ==, "time");
  g_assert_cmpfloat (term.factor, ==, 1e-6);
  g_assert_cmpstr (term.unit, ==, "s");

  g_assert_true (roast_chart_term_find ("c-d", table, &term));
  g_assert_cmpfloat (term.factor, ==, 1);
  g_assert_null (term.unit);
  g_assert_true (roast_chart_term_find ("b", table, &term));
  g_assert_null (term.minus);
  g_assert_cmpfloat (term.factor, ==, 1);
  g_assert_cmpstr (term.unit, ==, "B");
  g_assert_false (roast_chart_term_find ("b-mood", table, &term));
  g_assert_false (roast_chart_term_find ("mood", table, &term));
}

/* Rows with one of several words, with a missing cell, and with an answer. */
static void
test_where (void)
{
  g_autoptr (RoastChartInfo) chart =
      load_chart (LANES "Group=status\nTop=5\nWhere=status=done | failed; free=|x y;ok=true;name=\n");
  guint n = roast_chart_info_get_declaration (chart)->n_where;
  const RoastChartWhere *where = roast_chart_info_get_declaration (chart)->where;

  g_assert_cmpint (roast_chart_info_get_kind (chart), ==, ROAST_CHART_KIND_LANES);
  g_assert_cmpstr (roast_chart_info_get_text (chart, "End"), ==, "ended");
  g_assert_cmpstr (roast_chart_info_get_text (chart, "Lane"), ==, "name");
  g_assert_cmpstr (roast_chart_info_get_text (chart, "Where"), ==, "status=done | failed; free=|x y;ok=true;name=");
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpstr (where[0].column, ==, "status");
  g_assert_cmpuint (g_strv_length (where[0].words), ==, 2);
  g_assert_cmpstr (where[0].words[0], ==, "done");
  g_assert_cmpstr (where[0].words[1], ==, "failed");
  g_assert_cmpstr (where[1].column, ==, "free");
  g_assert_cmpuint (g_strv_length (where[1].words), ==, 2);
  g_assert_cmpstr (where[1].words[0], ==, "");
  g_assert_cmpstr (where[1].words[1], ==, "x y");
  g_assert_cmpstr (where[2].words[0], ==, "true");
  g_assert_cmpstr (where[3].column, ==, "name");
  g_assert_cmpuint (g_strv_length (where[3].words), ==, 1);
  g_assert_cmpstr (where[3].words[0], ==, "");
}

static const struct
{
  const char *text;
  const char *message;
} bad[] = {
  { "[chart C]\nTitle=T\n", "[chart C]: “C”: a name consists of lower-case letters" },
  { "[chart c]\nDescription=D\nTable=t\nKind=line\nX=time\nY=a\n", "chart “c”: the key Title, which" },
  { "[chart c]\nTitle=T\nTable=t\nKind=line\nX=time\nY=a\n", "the key Description, which" },
  { "[chart c]\nTitle=T\nDescription=D\nKind=line\nX=time\nY=a\n", "the key Table, which" },
  { HEAD "X=time\nY=a\n", "the key Kind is missing: write Kind=KIND, where KIND is one of line, step, area, histogram, "
                          "scatter, bars, lanes" },
  { HEAD "Kind=pie\nX=time\nY=a\n", "Kind=pie must be one of line, step" },
  { HEAD "Kind=line\nY=a\n", "the key X, which Kind=line needs, is missing" },
  { HEAD "Kind=line\nX=time\n", "the key Y, which Kind=line needs, is missing" },
  { HEAD "Kind=bars\nX=name\n", "the key Y, which Kind=bars needs, is missing" },
  { HEAD "Kind=lanes\nX=time\nLane=name\n", "the key End, which Kind=lanes needs, is missing" },
  { HEAD "Kind=lanes\nX=time\nEnd=ended\n", "the key Lane, which Kind=lanes needs, is missing" },
  { LINE "Colour=red\n", "[chart c] has an unknown key Colour; the keys of this group are: Title, Description, Table" },
  { LINE "Heading=\n", "the key Heading is empty: write a value, or remove this key" },

  { LINE "End=ended\n", "a chart of Kind=line cannot have the key End: remove this key" },
  { LINE "Lane=name\n", "a chart of Kind=line cannot have the key Lane" },
  { LINE "Fit=linear\n", "a chart of Kind=line cannot have the key Fit" },
  { HISTOGRAM "Y=b\n", "a chart of Kind=histogram cannot have the key Y" },
  { HISTOGRAM "Group=name\n", "a chart of Kind=histogram cannot have the key Group" },
  { HISTOGRAM "Combine=sum\n", "a chart of Kind=histogram cannot have the key Combine" },
  { HISTOGRAM "Per=b\n", "a chart of Kind=histogram cannot have the key Per" },
  { HISTOGRAM "Top=3\n", "a chart of Kind=histogram cannot have the key Top" },
  { SCATTER "Y2=b\n", "a chart of Kind=scatter cannot have the key Y2" },
  { SCATTER "Combine=sum\n", "a chart of Kind=scatter cannot have the key Combine" },
  { BARS "Y2=b\n", "a chart of Kind=bars cannot have the key Y2" },
  { BARS "Fit=linear\n", "a chart of Kind=bars cannot have the key Fit" },
  { LANES "Y=a\n", "a chart of Kind=lanes cannot have the key Y" },
  { LANES "Scale=log\n", "a chart of Kind=lanes cannot have the key Scale" },
  { LANES "Guides=1 one\n", "a chart of Kind=lanes cannot have the key Guides" },
  { LANES "Combine=sum\n", "a chart of Kind=lanes cannot have the key Combine" },

  { LINE "Combine=max\n", "Combine=max must be one of rows, sum, mean" },
  { LINE "Scale=square\n", "Scale=square must be one of linear, log, share" },
  { BARS "Scale=share\n", "Scale=share needs Kind=bars and the key Group" },
  { LINE "Group=name\nScale=share\n", "Scale=share needs Kind=bars and the key Group" },
  { BARS "Group=name\nScale=share\nCombine=mean\n", "remove Per and Combine=mean" },
  { LINE "Missing=under way\n", "the key Missing, which names the rows without a group, needs the key Group" },
  { HISTOGRAM "Missing=under way\n", "a chart of Kind=histogram cannot have the key Missing" },
  { LINE "Count=a\n", "a chart of Kind=line cannot have the key Count" },
  { LINE "Late=name=x\n", "a chart of Kind=line cannot have the key Late" },
  { LANES "Late=name\n", "Late: “name” is not a condition: write COLUMN=WORD" },
  { LANES "Late=name=x; name=y\n", "the key Late takes only one condition" },
  { LINE "Show=never\n", "Show=never must be one of always, detail" },
  { SCATTER "Fit=cubic\n", "Fit=cubic must be one of linear" },
  { LINE "Group=name\nTop=0\n", "Top=0 is not a whole number from 1 to 1000" },
  { LINE "Group=name\nTop=1001\n", "Top=1001 is not a whole number from 1 to 1000" },
  { LINE "Needs=some\n", "Needs=some is not a whole number from 1 to 1000000000" },
  { LINE "Needs=0\n", "Needs=0 is not" },
  { BARS "Group=name\nScale=log\n", "the parts of a bar have no logarithmic scale" },
  { LINE "Top=3\n", "the key Top, which limits the series of Group, needs the key Group" },
  { SCATTER "Top=3\n", "the key Top, which limits the series of Group, needs the key Group" },

  { HEAD "Kind=line\nX=time\nY=a;b;c;d;e\n", "Y names 5 columns; a chart can have at most 4" },
  { HEAD "Kind=line\nX=time\nY=a;b;a\n", "Y names the column “a” twice" },
  { HEAD "Kind=line\nX=time\nY=a;;b\n", "the key Y lacks a column before a semicolon" },
  { HEAD "Kind=line\nX=time\nY=;\n", "the key Y lacks a column before a semicolon" },
  { HEAD "Kind=scatter\nX=b\nY=a;c\n", "Y names 2 columns; a chart of Kind=scatter has one" },
  { HEAD "Kind=line\nX=time\nY=a;b\nGroup=name\n", "the key Group cannot be combined with several columns in Y" },

  { HEAD "Kind=line\nX=time;ended\nY=a\n", "X names 2 columns; only a chart of Kind=bars can have several" },
  { HEAD "Kind=bars\nX=name;status;ok\nY=a\n",
    "X names 3 columns; a chart of Kind=bars can have at most 2 columns in X" },
  { HEAD "Kind=bars\nX=name;name\nY=a\n", "X names the column “name” twice" },
  { HEAD "Kind=bars\nX=;name\nY=a\n", "the key X lacks a column before a semicolon" },
  { HEAD "Kind=bars\nX=name;mood\nY=a\n", "X names the column “mood”" },
  { HEAD "Kind=line\nX=time\nY=a\nWhere=name.backend=x\n", "Where names the column “name.backend”" },

  { LINE "Where=status\n", "Where: “status” is not a condition: write COLUMN=WORD or COLUMN=WORD|WORD" },
  { LINE "Where==done\n", "Where: “=done”" },
  { LINE "Where=ok=true;;\n", "Where: “”" },
  { LINE "Where=ok=true;ok=true;ok=true;ok=true;ok=true;ok=true;ok=true;ok=true;ok=true\n",
    "the key Where has more than 8 conditions" },
  { LINE "Where=ok=yes\n", "the column “ok” of the table “t” never has the word “yes”" },
  { LINE "Where=status=done|fine\n", "the column “status” of the table “t” never has the word “fine”" },
  { LINE "Where=mood=good\n", "Where names the column “mood”, which the table “t” does not have" },
  { LINE "Where=a=1\n", "Where needs words, but the column “a” of the table “t” has the type double" },

  { LINE "Guides=5\n", "the guide “5” is invalid: with Kind=line, write “VALUE LABEL” or “column COLUMN LABEL”" },
  { LINE "Guides=high limit\n", "the guide “high limit”" },
  { LINE "Guides=inf limit\n", "the guide “inf limit”" },
  { LINE "Guides=mean\n", "the guide “mean”" },
  { LINE "Guides=column b\n", "the guide “column b”" },
  { LINE "Guides=per-second 5 x\n", "the guide “per-second 5 x”" },
  { LINE "Guides=column mood x\n", "Guides names the column “mood”, which the table “t” does not have" },
  { LINE "Guides=column name x\n", "Guides needs numbers, but the column “name” of the table “t” has the type string" },
  { LINE "Guides=1 a;2 b;3 c;4 d;5 e;6 f;7 g;8 h;9 i\n", "Guides has more than 8 values" },
  { HISTOGRAM "Guides=mode\n", "the guide “mode” is invalid: with Kind=histogram, write “mean” or “median”" },
  { SCATTER "Guides=per-second 0 x\n",
    "the guide “per-second 0 x” is invalid: with Kind=scatter, write “VALUE LABEL” or “per-second" },
  { SCATTER "Guides=per-second 5\n", "the guide “per-second 5”" },
  { SCATTER "Guides=column b x\n", "the guide “column b x”" },
  { BARS "Guides=column b x\n", "the guide “column b x” is invalid: with Kind=bars, write “VALUE LABEL”" },

  { HEAD "Kind=line\nX=when\nY=a\n", "X names the column “when”, which the table “t” does not have" },
  { HEAD "Kind=line\nX=name\nY=a\n", "X needs numbers, but the column “name” of the table “t” has the type string" },
  { HEAD "Kind=line\nX=time\nY=a;mood\n", "Y names the column “mood”" },
  { HEAD "Kind=bars\nX=name\nY=status\n",
    "Y needs numbers, but the column “status” of the table “t” has the type category" },
  { HEAD "Kind=line\nX=time\nY=a;c\n",
    "Y: “a” (s) and “c” (no unit) of the table “t” have different units, and the chart has "
    "one axis for both: draw two charts, or write Y2" },
  { HEAD "Kind=bars\nX=name\nY=ended-time;c\n", "Y: “ended-time” (s) and “c” (no unit)" },
  { HEAD "Kind=histogram\nX=ended-mood\n", "X names the column “mood”" },
  { HEAD "Kind=histogram\nX=ended-\n", "X names the column “”" },
  { HEAD "Kind=bars\nX=name-status\nY=a\n",
    "X needs numbers, but the column “name” of the table “t” has the type string" },
  { HEAD "Kind=line\nX=time\nY=a-b\n", "Y: the columns “a” and “b” of the table “t” have different units" },
  { LINE "Y2=mood\n", "Y2 names the column “mood”" },
  { LINE "Per=ok\n", "Per needs numbers, but the column “ok” of the table “t” has the type boolean" },
  { LINE "Group=mood\n", "Group names the column “mood”" },
  { LINE "Group=c\n", "Group needs names or whole numbers, but the column “c” of the table “t” has the type double" },
  { HEAD "Kind=lanes\nX=time\nEnd=name\nLane=name\n", "End needs numbers" },
  { HEAD "Kind=lanes\nX=time\nEnd=ended\nLane=mood\n", "Lane names the column “mood”" },
};

static void
test_errors (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *text = g_strconcat (TABLE, bad[i].text, NULL);
      g_autoptr (RoastSchema) schema = roast_schema_new ();
      g_autoptr (GError) error = NULL;

      /* One line: before GLib 2.68 further lines are not marked as a comment of TAP. */
      g_autofree char *shown = g_strescape (bad[i].text, NULL);

      g_test_message ("%s", shown);
      g_assert_false (load (schema, text, "test", &error));
      g_assert_cmpint (error->domain, ==, ROAST_SCHEMA_ERROR);
      if (!g_str_has_prefix (error->message, "test is not a valid schema: ") ||
          strstr (error->message, bad[i].message) == NULL)
        g_error ("“%s” does not say “%s”", error->message, bad[i].message);
      g_assert_null (roast_schema_lookup_table (schema, "t"));
      g_assert_null (roast_schema_get_chart (schema, "c"));
    }
}

/* A chart of a table that other texts declare, or add columns to, is read; whether it can be drawn is seen when all
 * are there. */
static void
test_others_tables (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  RoastChartInfo *workers = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (load (schema, LINE, "a", &error));
  g_assert_no_error (error);
  g_assert_true (load (schema,
                       "[chart w]\nTitle=T\nDescription=D\nTable=workers\nKind=lanes\nX=joined\nEnd=left\nLane=rack\n",
                       "a", &error));
  g_assert_no_error (error);
  workers = roast_schema_get_chart (schema, "w");
  g_assert_false (roast_schema_check_chart (schema, roast_schema_get_chart (schema, "c"), &error));
  g_assert_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN);
  g_assert_cmpstr (error->message, ==, "chart “c”: no schema declares the table “t”");
  g_clear_error (&error);
  g_assert_false (roast_schema_check_chart (schema, workers, &error));
  g_assert_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_UNKNOWN);
  g_assert_cmpstr (error->message, ==,
                   "chart “w”: Lane names the column “rack”, which the table “workers” does not have");
  g_clear_error (&error);

  g_assert_true (load (schema, TABLE "[columns workers]\nrack=category: rack of its machine\n", "b", &error));
  g_assert_no_error (error);
  g_assert_true (roast_schema_check_chart (schema, roast_schema_get_chart (schema, "c"), &error));
  g_assert_true (roast_schema_check_chart (schema, workers, &error));
  g_assert_no_error (error);
}

static void
test_order (void)
{
  g_autoptr (RoastSchema) schema = roast_schema_new ();
  g_autoptr (GPtrArray) core = roast_schema_list_charts (schema);
  g_autoptr (GPtrArray) charts = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (load (schema, "[chart z]\nTitle=T\nDescription=D\nTable=t\nKind=line\nX=time\nY=a\n" LINE, "a",
                       &error));
  g_assert_true (load (schema, "[chart b]\nTitle=T\nDescription=D\nTable=t\nKind=line\nX=time\nY=a\n", "b", &error));
  charts = roast_schema_list_charts (schema);
  g_assert_cmpuint (charts->len, ==, core->len + 3);
  g_assert_cmpstr (roast_chart_info_get_name (g_ptr_array_index (charts, core->len)), ==, "z");
  g_assert_cmpstr (roast_chart_info_get_name (g_ptr_array_index (charts, core->len + 1)), ==, "c");
  g_assert_cmpstr (roast_chart_info_get_name (g_ptr_array_index (charts, core->len + 2)), ==, "b");

  g_assert_false (load (schema, LINE, "c", &error));
  g_assert_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_DUPLICATE);
  g_assert_nonnull (strstr (error->message, "chart “c” is declared already by a"));
}

/* What the core declares is correct. */
static void
test_core (void)
{
  RoastSchema *core = roast_schema_get_core ();
  g_autoptr (GPtrArray) charts = roast_schema_list_charts (core);

  for (guint i = 0; i < charts->len; i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (roast_schema_check_chart (core, g_ptr_array_index (charts, i), &error));
      g_assert_no_error (error);
    }
}

/* A schema of an older version gets the core's charts, and keeps its own. */
static void
test_completion (void)
{
  g_autoptr (RoastSchema) old = roast_schema_new_empty ();
  g_autoptr (GPtrArray) core = roast_schema_list_charts (roast_schema_get_core ());
  g_autoptr (GPtrArray) charts = NULL;
  g_autoptr (GPtrArray) lacking = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (load (old, "[table t]\nDescription=d\n[columns t]\ntime=int64 us: t\na=double s: a\n" LINE,
                       "third party", &error));
  g_assert_no_error (error);
  lacking = roast_schema_complete (old);
  charts = roast_schema_list_charts (old);
  g_assert_cmpuint (charts->len, ==, core->len + 1);
  for (guint i = 0; i < core->len; i++)
    {
      const char *name = roast_chart_info_get_name (g_ptr_array_index (core, i));

      g_assert_true (roast_schema_check_chart (old, roast_schema_get_chart (old, name), &error));
      g_assert_no_error (error);
    }
  g_assert_cmpstr (roast_chart_info_get_declared_by (roast_schema_get_chart (old, "c")), ==, "third party");
}

/* The charts that are installed here, then those that only the recording has. */
static void
test_report (void)
{
  g_autoptr (RoastSchema) here = roast_schema_new ();
  g_autoptr (RoastSchema) there = roast_schema_new ();
  g_autoptr (RoastRecording) recording = NULL;
  g_autoptr (RoastRecordingSnapshot) snapshot = NULL;
  g_autoptr (RoastReport) report = NULL;
  g_autoptr (GPtrArray) core = roast_schema_list_charts (roast_schema_get_core ());
  g_autoptr (GPtrArray) charts = NULL;

  g_assert_true (load (here, TABLE LINE, "here", NULL));
  g_assert_true (load (there, "[chart other]\nTitle=T\nDescription=D\nTable=t\nKind=line\nX=time\nY=a\n" TABLE LINE,
                       "there", NULL));
  recording = roast_recording_new (there);
  snapshot = roast_recording_snapshot (recording);
  report = roast_report_new (here);
  charts = roast_report_list_charts (report, snapshot);
  g_assert_cmpuint (charts->len, ==, core->len + 2);
  g_assert_cmpstr (roast_chart_info_get_declared_by (g_ptr_array_index (charts, core->len)), ==, "here");
  g_assert_cmpstr (roast_chart_info_get_name (g_ptr_array_index (charts, core->len + 1)), ==, "other");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart-info/defaults", test_defaults);
  g_test_add_func ("/chart-info/line", test_line);
  g_test_add_func ("/chart-info/several-y", test_several_y);
  g_test_add_func ("/chart-info/other-kinds", test_other_kinds);
  g_test_add_func ("/chart-info/histogram", test_histogram);
  g_test_add_func ("/chart-info/scatter", test_scatter);
  g_test_add_func ("/chart-info/differences", test_differences);
  g_test_add_func ("/chart-info/where", test_where);
  g_test_add_func ("/chart-info/errors", test_errors);
  g_test_add_func ("/chart-info/others-tables", test_others_tables);
  g_test_add_func ("/chart-info/order", test_order);
  g_test_add_func ("/chart-info/core", test_core);
  g_test_add_func ("/chart-info/completion", test_completion);
  g_test_add_func ("/chart-info/report", test_report);

  return g_test_run ();
}
