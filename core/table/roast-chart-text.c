/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads a group [chart NAME], and checks its keys against the kind of the chart. */

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "roast-chart-info-private.h"
#include "roast/roast-error.h"

#define MAX_TOP 1000
#define MAX_NEEDS 1000000000

#define BIT(kind) (1U << ROAST_CHART_KIND_##kind)
#define LINES (BIT (LINE) | BIT (STEP) | BIT (AREA))
#define WITH_Y (LINES | BIT (SCATTER) | BIT (BARS))
#define ALL (WITH_Y | BIT (HISTOGRAM) | BIT (LANES))

const char *const roast_chart_info_keys[ROAST_CHART_N_KEYS + 1] = {
  [ROAST_CHART_TITLE] = "Title",
  [ROAST_CHART_DESCRIPTION] = "Description",
  [ROAST_CHART_TABLE] = "Table",
  [ROAST_CHART_KIND] = "Kind",
  [ROAST_CHART_X] = "X",
  [ROAST_CHART_END] = "End",
  [ROAST_CHART_Y] = "Y",
  [ROAST_CHART_Y2] = "Y2",
  [ROAST_CHART_GROUP] = "Group",
  [ROAST_CHART_LANE] = "Lane",
  [ROAST_CHART_COMBINE] = "Combine",
  [ROAST_CHART_PER] = "Per",
  [ROAST_CHART_SCALE] = "Scale",
  [ROAST_CHART_WHERE] = "Where",
  [ROAST_CHART_GUIDES] = "Guides",
  [ROAST_CHART_FIT] = "Fit",
  [ROAST_CHART_TOP] = "Top",
  [ROAST_CHART_HEADING] = "Heading",
  [ROAST_CHART_NEEDS] = "Needs",
  [ROAST_CHART_SHOW] = "Show",
  [ROAST_CHART_MISSING] = "Missing",
  [ROAST_CHART_COUNT] = "Count",
  [ROAST_CHART_LATE] = "Late",
};

/* The kinds of charts that may have a key, and the kinds that must have the key. */
static const struct
{
  guint may;
  guint must;
} use[ROAST_CHART_N_KEYS] = {
  [ROAST_CHART_TITLE] = { ALL, ALL },
  [ROAST_CHART_DESCRIPTION] = { ALL, ALL },
  [ROAST_CHART_TABLE] = { ALL, ALL },
  [ROAST_CHART_KIND] = { ALL, ALL },
  [ROAST_CHART_X] = { ALL, ALL },
  [ROAST_CHART_END] = { BIT (LANES), BIT (LANES) },
  [ROAST_CHART_Y] = { WITH_Y, WITH_Y },
  [ROAST_CHART_Y2] = { LINES, 0 },
  [ROAST_CHART_GROUP] = { WITH_Y | BIT (LANES), 0 },
  [ROAST_CHART_LANE] = { BIT (LANES), BIT (LANES) },
  [ROAST_CHART_COMBINE] = { LINES | BIT (BARS), 0 },
  [ROAST_CHART_PER] = { WITH_Y, 0 },
  [ROAST_CHART_SCALE] = { LINES | BIT (HISTOGRAM) | BIT (SCATTER) | BIT (BARS), 0 },
  [ROAST_CHART_WHERE] = { ALL, 0 },
  [ROAST_CHART_GUIDES] = { WITH_Y | BIT (HISTOGRAM), 0 },
  [ROAST_CHART_FIT] = { BIT (SCATTER), 0 },
  [ROAST_CHART_TOP] = { WITH_Y | BIT (LANES), 0 },
  [ROAST_CHART_HEADING] = { ALL, 0 },
  [ROAST_CHART_NEEDS] = { ALL, 0 },
  [ROAST_CHART_SHOW] = { ALL, 0 },
  [ROAST_CHART_MISSING] = { WITH_Y | BIT (LANES), 0 },
  [ROAST_CHART_COUNT] = { BIT (LANES), 0 },
  [ROAST_CHART_LATE] = { BIT (LANES), 0 },
};

typedef struct
{
  RoastChartDeclaration *to;
  const char *name;
} TextReader;

/* Set an error that names the chart, and return FALSE. */
#define text_fail(self, error, ...)                                                                                    \
  (roast_fail (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX, __VA_ARGS__),                                     \
   g_prefix_error (error, "chart “%s”: ", (self)->name), FALSE)

/* Set *@choice to the index of a key's value in a list of choices, or to 0 if the key has no value. */
static gboolean
text_read_choice (TextReader *self, guint key, const char *const *choices, guint *choice, GError **error)
{
  const char *value = self->to->values[key];
  g_autofree char *list = NULL;

  for (*choice = 0; value != NULL && choices[*choice] != NULL; (*choice)++)
    if (strcmp (choices[*choice], value) == 0)
      return TRUE;
  if (value == NULL)
    return TRUE;
  list = g_strjoinv (", ", (char **) choices);

  return text_fail (self, error, "%s=%s must be one of %s", roast_chart_info_keys[key], value, list);
}

const char *const roast_chart_info_kinds[] = { "line", "step", "area", "histogram", "scatter", "bars", "lanes", NULL };

/* Check that the chart has only keys that its kind may have, and all keys that its kind must have. */
static gboolean
check_use (TextReader *self, GError **error)
{
  const char *kind = roast_chart_info_kinds[self->to->kind];
  guint bit = 1U << self->to->kind;

  for (guint i = 0; i < ROAST_CHART_N_KEYS; i++)
    {
      if (self->to->values[i] != NULL && (use[i].may & bit) == 0)
        return text_fail (self, error, "a chart of Kind=%s cannot have the key %s: remove this key", kind,
                          roast_chart_info_keys[i]);
      if (self->to->values[i] == NULL && (use[i].must & bit) != 0)
        return text_fail (self, error, "the key %s, which Kind=%s needs, is missing", roast_chart_info_keys[i], kind);
      if (self->to->values[i] != NULL && *self->to->values[i] == '\0')
        return text_fail (self, error, "the key %s is empty: write a value, or remove this key",
                          roast_chart_info_keys[i]);
    }

  return TRUE;
}

static gboolean
read_kind (TextReader *self, GError **error)
{
  guint choice = 0;

  if (self->to->values[ROAST_CHART_KIND] == NULL)
    {
      g_autofree char *list = g_strjoinv (", ", (char **) roast_chart_info_kinds);

      return text_fail (self, error, "the key Kind is missing: write Kind=KIND, where KIND is one of %s", list);
    }
  if (!text_read_choice (self, ROAST_CHART_KIND, roast_chart_info_kinds, &choice, error))
    return FALSE;
  self->to->kind = (RoastChartKind) choice;

  return check_use (self, error);
}

static gboolean
read_count (TextReader *self, guint key, guint otherwise, guint max, guint *count, GError **error)
{
  const char *text = self->to->values[key];
  guint64 number = otherwise;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 1, max, &number, NULL))
    return text_fail (self, error, "%s=%s is not a whole number from 1 to %u", roast_chart_info_keys[key], text, max);
  *count = (guint) number;

  return TRUE;
}

/* Split a text at semicolons. Strip blanks around the parts, and ignore an empty last part. */
static char **
text_split (const char *text)
{
  char **parts = g_strsplit (text != NULL ? text : "", ";", -1);
  guint n = g_strv_length (parts);

  for (guint i = 0; i < n; i++)
    g_strstrip (parts[i]);
  if (n > 0 && *parts[n - 1] == '\0')
    g_clear_pointer (&parts[n - 1], g_free);

  return parts;
}

/* Read the columns of X or Y. */
static gboolean
text_read_columns (TextReader *self, guint key, char ***columns, GError **error)
{
  const char *name = roast_chart_info_keys[key];
  char **parts = *columns = text_split (self->to->values[key]);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (*parts[i] == '\0')
        return text_fail (self, error, "the key %s lacks a column before a semicolon: write COLUMN;COLUMN", name);
      for (guint j = 0; j < i; j++)
        if (strcmp (parts[i], parts[j]) == 0)
          return text_fail (self, error, "the key %s names the column “%s” twice", name, parts[i]);
    }

  return TRUE;
}

static gboolean
read_x (TextReader *self, GError **error)
{
  guint n = 0;

  if (!text_read_columns (self, ROAST_CHART_X, &self->to->x, error))
    return FALSE;
  n = g_strv_length (self->to->x);
  if (n > 1 && self->to->kind != ROAST_CHART_KIND_BARS)
    return text_fail (self, error, "the key X names %u columns; only a chart of Kind=bars can have several", n);

  return n <= ROAST_CHART_MAX_X ||
         text_fail (self, error, "the key X names %u columns; a chart of Kind=bars can have at most %d columns in X", n,
                    ROAST_CHART_MAX_X);
}

static gboolean
read_y (TextReader *self, GError **error)
{
  guint n = 0;

  if (!text_read_columns (self, ROAST_CHART_Y, &self->to->y, error))
    return FALSE;
  n = g_strv_length (self->to->y);
  if (n > ROAST_CHART_MAX_Y)
    return text_fail (self, error, "the key Y names %u columns; a chart can have at most %d columns in Y", n,
                      ROAST_CHART_MAX_Y);
  if (n > 1 && self->to->kind == ROAST_CHART_KIND_SCATTER)
    return text_fail (self, error, "the key Y names %u columns; a chart of Kind=scatter has one column in Y", n);

  return n <= 1 || self->to->values[ROAST_CHART_GROUP] == NULL ||
         text_fail (self, error,
                    "the key Group cannot be combined with several columns in Y, because both make series: remove "
                    "Group, or name one column in Y");
}

/* Split words at each “|”. An empty text gives one empty word. */
static char **
split_words (const char *text)
{
  char **words = g_strsplit (*text != '\0' ? text : " ", "|", -1);

  for (guint i = 0; words[i] != NULL; i++)
    g_strstrip (words[i]);

  return words;
}

/* Parse COLUMN=WORD or COLUMN=WORD|WORD. */
static gboolean
read_condition (TextReader *self, guint key, const char *text, RoastChartWhere *where, GError **error)
{
  const char *equals = strchr (text, '=');

  if (equals == NULL || equals == text)
    return text_fail (self, error,
                      "%s: “%s” is not a condition: write COLUMN=WORD or COLUMN=WORD|WORD, with an empty WORD for a "
                      "missing cell",
                      roast_chart_info_keys[key], text);
  where->column = g_strchomp (g_strndup (text, (gsize) (equals - text)));
  where->words = split_words (equals + 1);

  return TRUE;
}

static gboolean
read_where (TextReader *self, GError **error)
{
  g_auto (GStrv) parts = text_split (self->to->values[ROAST_CHART_WHERE]);

  for (char **part = parts; *part != NULL; part++)
    {
      if (self->to->n_where == ROAST_CHART_MAX_WHERE)
        return text_fail (self, error, "the key Where has more than %d conditions", ROAST_CHART_MAX_WHERE);
      if (!read_condition (self, ROAST_CHART_WHERE, *part, &self->to->where[self->to->n_where], error))
        return FALSE;
      self->to->n_where++;
    }

  return TRUE;
}

static gboolean
read_late (TextReader *self, GError **error)
{
  const char *text = self->to->values[ROAST_CHART_LATE];

  if (text == NULL)
    return TRUE;
  if (strchr (text, ';') != NULL)
    return text_fail (self, error, "the key Late takes only one condition: write COLUMN=WORD or COLUMN=WORD|WORD");

  return read_condition (self, ROAST_CHART_LATE, text, &self->to->late, error);
}

static gboolean
text_read_number (const char *text, double *number)
{
  char *end = NULL;

  *number = g_ascii_strtod (text, &end);

  return end != text && *end == '\0' && isfinite (*number);
}

/* Cut a text at its first blank. Return the text after the blank, or NULL if there is no blank. */
static char *
text_cut_word (char *text)
{
  char *blank = text != NULL ? strchr (text, ' ') : NULL;

  if (blank == NULL)
    return NULL;
  *blank = '\0';

  return g_strchug (blank + 1);
}

static gboolean
fail_at_guide (TextReader *self, GError **error, const char *text)
{
  static const char *const usage[] = {
    [ROAST_CHART_KIND_LINE] = "“VALUE LABEL” or “column COLUMN LABEL”",
    [ROAST_CHART_KIND_STEP] = "“VALUE LABEL” or “column COLUMN LABEL”",
    [ROAST_CHART_KIND_AREA] = "“VALUE LABEL” or “column COLUMN LABEL”",
    [ROAST_CHART_KIND_HISTOGRAM] = "“mean” or “median”",
    [ROAST_CHART_KIND_SCATTER] = "“VALUE LABEL” or “per-second VALUE LABEL”",
    [ROAST_CHART_KIND_BARS] = "“VALUE LABEL”",
    [ROAST_CHART_KIND_LANES] = "no guides",
  };

  return text_fail (self, error, "the guide “%s” is invalid: with Kind=%s, write %s", text,
                    roast_chart_info_kinds[self->to->kind], usage[self->to->kind]);
}

/* Parse a guide. The kind of the chart determines which guides are allowed. */
static gboolean
parse_guide (RoastChartKind kind, char *text, RoastChartGuide *guide)
{
  char *rest = NULL;
  char *label = NULL;

  if (kind == ROAST_CHART_KIND_HISTOGRAM)
    {
      guide->kind = strcmp (text, "mean") == 0 ? ROAST_CHART_GUIDE_MEAN : ROAST_CHART_GUIDE_MEDIAN;
      guide->label = g_strdup (text);
      return guide->kind == ROAST_CHART_GUIDE_MEAN || strcmp (text, "median") == 0;
    }
  rest = text_cut_word (text);
  if (rest == NULL || *rest == '\0')
    return FALSE;
  if (kind == ROAST_CHART_KIND_SCATTER && strcmp (text, "per-second") == 0)
    {
      label = text_cut_word (rest);
      guide->kind = ROAST_CHART_GUIDE_PER_SECOND;
      guide->label = g_strdup (label != NULL ? label : "");
      return text_read_number (rest, &guide->value) && guide->value > 0 && *guide->label != '\0';
    }
  if (kind <= ROAST_CHART_KIND_AREA && strcmp (text, "column") == 0)
    {
      label = text_cut_word (rest);
      guide->kind = ROAST_CHART_GUIDE_COLUMN;
      guide->column = g_strdup (rest);
      guide->label = g_strdup (label != NULL ? label : "");
      return *guide->label != '\0';
    }
  guide->kind = ROAST_CHART_GUIDE_VALUE;
  guide->label = g_strdup (rest);

  return text_read_number (text, &guide->value);
}

static gboolean
read_guides (TextReader *self, GError **error)
{
  g_auto (GStrv) parts = text_split (self->to->values[ROAST_CHART_GUIDES]);

  for (char **part = parts; *part != NULL; part++)
    {
      g_autofree char *text = g_strdup (*part);

      if (self->to->n_guides == ROAST_CHART_MAX_GUIDES)
        return text_fail (self, error, "the key Guides has more than %d values", ROAST_CHART_MAX_GUIDES);
      if (!parse_guide (self->to->kind, *part, &self->to->guides[self->to->n_guides++]))
        return fail_at_guide (self, error, text);
    }

  return TRUE;
}

/* Check that the values of several keys fit together. */
static gboolean
check_together (TextReader *self, GError **error)
{
  RoastChartDeclaration *to = self->to;
  gboolean has_group = to->values[ROAST_CHART_GROUP] != NULL;

  if (to->log_scale && to->kind == ROAST_CHART_KIND_BARS && has_group)
    return text_fail (self, error, "the parts of a bar have no logarithmic scale: remove Scale or Group");
  if (to->share_scale && (to->kind != ROAST_CHART_KIND_BARS || !has_group))
    return text_fail (self, error, "Scale=share needs Kind=bars and the key Group, which divides each bar into parts");
  if (to->share_scale && (to->values[ROAST_CHART_PER] != NULL || to->combine == ROAST_CHART_COMBINE_MEAN))
    return text_fail (self, error, "Scale=share shows parts of a sum: remove Per and Combine=mean");
  if (to->values[ROAST_CHART_MISSING] != NULL && !has_group)
    return text_fail (self, error, "the key Missing, which names the rows without a group, needs the key Group");
  if (to->values[ROAST_CHART_TOP] != NULL && !has_group && to->kind != ROAST_CHART_KIND_BARS &&
      to->kind != ROAST_CHART_KIND_LANES)
    return text_fail (self, error, "the key Top, which limits the series of Group, needs the key Group");

  return TRUE;
}

static gboolean
read_options (TextReader *self, GError **error)
{
  static const char *const combines[] = { "rows", "sum", "mean", NULL };
  static const char *const scales[] = { "linear", "log", "share", NULL };
  static const char *const fits[] = { "linear", NULL };
  static const char *const shows[] = { "always", "detail", NULL };
  guint choice[4];

  if (!text_read_choice (self, ROAST_CHART_COMBINE, combines, &choice[0], error) ||
      !text_read_choice (self, ROAST_CHART_SCALE, scales, &choice[1], error) ||
      !text_read_choice (self, ROAST_CHART_FIT, fits, &choice[2], error) ||
      !text_read_choice (self, ROAST_CHART_SHOW, shows, &choice[3], error))
    return FALSE;
  self->to->combine = (RoastChartCombine) choice[0];
  self->to->log_scale = choice[1] == 1;
  self->to->share_scale = choice[1] == 2;
  self->to->fit = self->to->values[ROAST_CHART_FIT] != NULL;
  self->to->show_detail = choice[3] != 0;

  return read_count (self, ROAST_CHART_TOP, 0, MAX_TOP, &self->to->top, error) &&
         read_count (self, ROAST_CHART_NEEDS, 2, MAX_NEEDS, &self->to->needs, error);
}

gboolean
roast_chart_declaration_read (RoastChartDeclaration *self, const char *name, const char *const *values, GError **error)
{
  TextReader reader = { self, name };

  memcpy (self->values, values, sizeof self->values);

  return read_kind (&reader, error) && read_options (&reader, error) && read_x (&reader, error) &&
         read_y (&reader, error) && read_where (&reader, error) && read_late (&reader, error) &&
         read_guides (&reader, error) && check_together (&reader, error);
}

void
roast_chart_declaration_clear (RoastChartDeclaration *self)
{
  g_clear_pointer (&self->x, g_strfreev);
  g_clear_pointer (&self->y, g_strfreev);
  for (guint i = 0; i < self->n_where; i++)
    {
      g_free (self->where[i].column);
      g_strfreev (self->where[i].words);
    }
  g_free (self->late.column);
  g_strfreev (self->late.words);
  for (guint i = 0; i < self->n_guides; i++)
    {
      g_free (self->guides[i].column);
      g_free (self->guides[i].label);
    }
}
