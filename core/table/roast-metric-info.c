/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-metric-info-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "base/roast-type-private.h"

/**
 * RoastMetricInfo:
 *
 * The meaning of a metric that a [class@Roast.Schema] declares. Immutable.
 *
 * Since: 0.9
 */
struct _RoastMetricInfo
{
  GObject parent_instance;

  char *text; /* memory that contains the strings of the members below */
  const char *declared_by;
  const char *name;
  const char *values[ROAST_METRIC_N_KEYS];
  RoastMetricAlias *aliases;
  guint n_aliases;
  int rank;
  int page_rank; /* 0: not on the first page; -1: not declared */
  const char *page_condition, *page_topic;
  RoastFormula *formula; /* parsed formula, accessed atomically; NULL if there is none, or while a caller holds it */
};

ROAST_DEFINE_TYPE (RoastMetricInfo, roast_metric_info)
ROAST_DEFINE_NO_INIT (RoastMetricInfo, roast_metric_info)

const char *const roast_metric_info_keys[ROAST_METRIC_N_KEYS + 1] = {
  [ROAST_METRIC_LABEL] = "Label",
  [ROAST_METRIC_GROUP] = "Group",
  [ROAST_METRIC_RANK] = "Rank",
  [ROAST_METRIC_UNIT] = "Unit",
  [ROAST_METRIC_FORMAT] = "Format",
  [ROAST_METRIC_SHOW] = "Show",
  [ROAST_METRIC_DESCRIPTION] = "Description",
  [ROAST_METRIC_FORMULA] = "Formula",
  [ROAST_METRIC_SOURCE] = "Source",
  [ROAST_METRIC_ALIASES] = "Aliases",
  [ROAST_METRIC_COMPAT] = "Compat",
  [ROAST_METRIC_ROWS] = "Rows",
  [ROAST_METRIC_VALUE] = "Value",
  [ROAST_METRIC_ABSENT] = "Absent",
  [ROAST_METRIC_PAGE] = "Page",
};

static void
roast_metric_info_release (RoastMetricInfo *self)
{
  for (guint i = 0; i < self->n_aliases; i++)
    {
      g_free (self->aliases[i].name);
      g_free (self->aliases[i].declaration);
    }
  g_free (self->aliases);
  g_clear_pointer (&self->formula, roast_formula_free);
  g_atomic_rc_box_release (self->text);
}

#define metric_info_fail(error, ...) roast_fail (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX, __VA_ARGS__)

static gboolean
check_choice (RoastMetricInfo *self, guint key, const char *const *choices, GError **error)
{
  g_autofree char *list = NULL;

  if (g_strv_contains (choices, self->values[key]))
    return TRUE;
  list = g_strjoinv (", ", (char **) choices);

  return metric_info_fail (error, "metric “%s”: %s=%s must be one of %s", self->name, roast_metric_info_keys[key],
                           self->values[key], list);
}

/* Check that the name of a metric follows the rules of OpenMetrics. */
static gboolean
metric_info_check_name (const char *name, GError **error)
{
  gboolean ok = g_ascii_isalpha (*name) || *name == '_';

  for (const char *c = name; ok && *c != '\0'; c++)
    ok = g_ascii_isalnum (*c) || *c == '_';

  return ok ||
         metric_info_fail (error,
                           "“%s” is not a valid metric name: use letters, digits and underscores, and no digit first",
                           name);
}

static gboolean
read_rank (RoastMetricInfo *self, GError **error)
{
  const char *text = self->values[ROAST_METRIC_RANK];
  gint64 rank = 0;

  if (text != NULL && !g_ascii_string_to_signed (text, 10, -1000, 1000, &rank, NULL))
    return metric_info_fail (error, "metric “%s”: Rank=%s is not a whole number from -1000 to 1000", self->name, text);
  self->rank = (int) rank;

  return TRUE;
}

/* Parse Page=no or Page=RANK CONDITION [TOPIC]. */
static gboolean
read_page (RoastMetricInfo *self, GError **error)
{
  static const char *const conditions[] = { "any", "tasks", "chunks", "processes", NULL };
  const char *text = self->values[ROAST_METRIC_PAGE];
  g_auto (GStrv) words = NULL;
  guint n;
  gint64 rank = 0;

  self->page_rank = text == NULL ? -1 : 0;
  if (text == NULL || g_str_equal (text, "no"))
    return TRUE;
  words = g_strsplit (text, " ", -1);
  n = g_strv_length (words);
  if (n < 2 || n > 3 || !g_ascii_string_to_signed (words[0], 10, 1, 10000, &rank, NULL) ||
      !g_strv_contains (conditions, words[1]))
    return metric_info_fail (error,
                             "metric “%s”: Page=%s must be “no” or “RANK CONDITION [TOPIC]”: RANK is from 1 to 10000; "
                             "CONDITION is any, tasks, chunks or processes",
                             self->name, text);
  self->page_rank = (int) rank;
  self->page_condition = g_intern_string (words[1]);
  self->page_topic = n > 2 ? g_intern_string (words[2]) : NULL;

  return TRUE;
}

static gboolean
read_value (RoastMetricInfo *self, GError **error)
{
  if (self->values[ROAST_METRIC_VALUE] == NULL)
    return TRUE;
  self->formula = roast_formula_parse (self->values[ROAST_METRIC_VALUE], error);
  if (self->formula == NULL)
    g_prefix_error (error, "metric “%s”: ", self->name);

  return self->formula != NULL;
}

RoastFormula *
roast_metric_info_take_formula (RoastMetricInfo *self)
{
  RoastFormula *formula = g_atomic_pointer_get (&self->formula);

  if (formula != NULL && g_atomic_pointer_compare_and_exchange (&self->formula, formula, NULL))
    return formula;

  return self->values[ROAST_METRIC_VALUE] != NULL ? roast_formula_parse (self->values[ROAST_METRIC_VALUE], NULL) : NULL;
}

void
roast_metric_info_return_formula (RoastMetricInfo *self, RoastFormula *formula)
{
  if (!g_atomic_pointer_compare_and_exchange (&self->formula, NULL, formula))
    roast_formula_free (formula);
}

/* Parse an alias: NAME or NAME:FACTOR. */
static gboolean
read_alias (RoastMetricInfo *self, const char *text, GError **error)
{
  const char *colon = strchr (text, ':');
  RoastMetricAlias *alias = &self->aliases[self->n_aliases];
  char *end = NULL;

  if (*text == '\0' || colon == text)
    return TRUE;
  *alias = (RoastMetricAlias) { NULL, NULL, 1.0 };
  if (colon != NULL)
    {
      alias->scale = g_ascii_strtod (colon + 1, &end);
      if (end == colon + 1 || *end != '\0' || !isfinite (alias->scale) || alias->scale == 0)
        return metric_info_fail (error, "metric “%s”: alias “%s” needs a number after the colon", self->name, text);
    }
  alias->declaration = g_strdup (text);
  alias->name = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : g_strdup (text);
  self->n_aliases++;

  return TRUE;
}

static gboolean
read_aliases (RoastMetricInfo *self, GError **error)
{
  g_auto (GStrv) texts = NULL;

  if (self->values[ROAST_METRIC_ALIASES] == NULL)
    return TRUE;
  texts = g_strsplit (self->values[ROAST_METRIC_ALIASES], ";", -1);
  self->aliases = g_new (RoastMetricAlias, g_strv_length (texts));
  for (char **text = texts; *text != NULL; text++)
    if (!read_alias (self, *text, error))
      return FALSE;

  return TRUE;
}

RoastMetricInfo *
roast_metric_info_new (char *text, const char *declared_by, const char *name, const char *const *values, GError **error)
{
  static const char *const formats[] = { "duration", "bytes",  "bytes-rate", "bits-rate", "rate",
                                         "count",    "number", "percent",    "text",      NULL };
  static const char *const shows[] = { "always", "nonzero", "available", "detail", NULL };
  static const char *const answers[] = { "no", "yes", NULL };
  static const char *const rows[] = { "no", "yes", "lower-bound", NULL };
  static const char *const otherwise[ROAST_METRIC_N_KEYS] = {
    [ROAST_METRIC_GROUP] = "Other", [ROAST_METRIC_UNIT] = "",        [ROAST_METRIC_FORMAT] = "number",
    [ROAST_METRIC_SHOW] = "always", [ROAST_METRIC_DESCRIPTION] = "", [ROAST_METRIC_FORMULA] = "",
    [ROAST_METRIC_SOURCE] = "",     [ROAST_METRIC_COMPAT] = "no",    [ROAST_METRIC_ROWS] = "yes",
  };
  g_autoptr (RoastMetricInfo) self = g_object_new (ROAST_TYPE_METRIC_INFO, NULL);

  self->text = g_atomic_rc_box_acquire (text);
  self->declared_by = declared_by;
  self->name = name;
  for (guint i = 0; i < ROAST_METRIC_N_KEYS; i++)
    self->values[i] = values[i] != NULL ? values[i] : otherwise[i];
  if (values[ROAST_METRIC_LABEL] == NULL)
    self->values[ROAST_METRIC_LABEL] = name;
  if (values[ROAST_METRIC_FORMULA] == NULL && values[ROAST_METRIC_VALUE] != NULL)
    self->values[ROAST_METRIC_FORMULA] = values[ROAST_METRIC_VALUE];

  if (!metric_info_check_name (name, error))
    return NULL;
  if (*self->values[ROAST_METRIC_DESCRIPTION] == '\0')
    {
      metric_info_fail (error, "metric “%s” has no Description: describe the metric in one line", name);
      return NULL;
    }
  if (!check_choice (self, ROAST_METRIC_FORMAT, formats, error) ||
      !check_choice (self, ROAST_METRIC_SHOW, shows, error) ||
      !check_choice (self, ROAST_METRIC_COMPAT, answers, error) ||
      !check_choice (self, ROAST_METRIC_ROWS, rows, error) || !read_value (self, error) || !read_rank (self, error) ||
      !read_page (self, error) || !read_aliases (self, error))
    return NULL;

  return g_steal_pointer (&self);
}

ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_declared_by, NULL, self->declared_by)

ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, int, roast_metric_info_get_rank, 0, self->rank)

RoastMetricRows
roast_metric_info_get_rows (RoastMetricInfo *self)
{
  const char *rows = self->values[ROAST_METRIC_ROWS];

  return g_str_equal (rows, "no")    ? ROAST_METRIC_ROWS_NONE
         : g_str_equal (rows, "yes") ? ROAST_METRIC_ROWS_ANY
                                     : ROAST_METRIC_ROWS_LOWER_BOUND;
}

const RoastMetricAlias *
roast_metric_info_get_aliases (RoastMetricInfo *self, guint *n_aliases)
{
  *n_aliases = self->n_aliases;

  return self->aliases;
}

double
roast_metric_info_get_scale (RoastMetricInfo *self, const char *name)
{
  for (guint i = 0; i < self->n_aliases; i++)
    if (g_str_equal (self->aliases[i].name, name))
      return self->aliases[i].scale;

  return 1.0;
}

/**
 * roast_metric_info_get_name:
 * @self: a metric
 *
 * Gets the machine-readable name of the metric.
 *
 * Returns: (transfer none): the name
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_name, NULL, self->name)

/**
 * roast_metric_info_get_label:
 * @self: a metric
 *
 * Gets the human-readable name of the metric.
 *
 * Returns: (transfer none): the label
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_label, NULL,
                     self->values[ROAST_METRIC_LABEL])

/**
 * roast_metric_info_get_group:
 * @self: a metric
 *
 * Gets the heading under which reports list the metric.
 *
 * Returns: (transfer none): the heading
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_group, NULL,
                     self->values[ROAST_METRIC_GROUP])

/**
 * roast_metric_info_get_unit:
 * @self: a metric
 *
 * Gets the unit of the value.
 *
 * Returns: (transfer none): the base unit: `s`, `B`, `B/s`, `bit/s`, `1/s`; empty for plain numbers and text
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_unit, NULL,
                     self->values[ROAST_METRIC_UNIT])

/**
 * roast_metric_info_get_format:
 * @self: a metric
 *
 * Gets the human-readable format of the value: see [func@Roast.format_number].
 *
 * Returns: (transfer none): `duration`, `bytes`, `bytes-rate`, `bits-rate`, `rate`, `count`, `number`, `percent` or
 * `text`
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_format, NULL,
                     self->values[ROAST_METRIC_FORMAT])

/**
 * roast_metric_info_get_show:
 * @self: a metric
 *
 * Gets the condition under which human-readable reports show the metric.
 *
 * Returns: (transfer none): `always`, `nonzero`, `available` or `detail`
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_show, NULL,
                     self->values[ROAST_METRIC_SHOW])

/**
 * roast_metric_info_get_page:
 * @self: a metric
 * @condition: (out) (optional) (nullable) (transfer none): return location for the runs in which the page shows the
 * metric: `tasks` (an executor ran tasks), `chunks` (the program processed chunks of events), `processes` (no executor
 * ran tasks) or `any`
 * @topic: (out) (optional) (nullable) (transfer none): return location for a word; of the available metrics with the
 * same topic, the page shows only the one with the lowest rank
 *
 * Gets the place of the metric among the key numbers of the first page. A schema declares it as `Page=RANK CONDITION`
 * or `Page=RANK CONDITION TOPIC`.
 *
 * Returns: the rank, the lowest first; 0 if the schema says `Page=no`; -1 if it has no `Page=`: the page then shows the
 * metric, before all others, if it is always shown
 *
 * Since: 0.9
 */
int
roast_metric_info_get_page (RoastMetricInfo *self, const char **condition, const char **topic)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), -1);

  if (condition != NULL)
    *condition = self->page_condition;
  if (topic != NULL)
    *topic = self->page_topic;

  return self->page_rank;
}

/**
 * roast_metric_info_get_description:
 * @self: a metric
 *
 * Gets the description of the metric.
 *
 * Returns: (transfer none): one line
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_description, NULL,
                     self->values[ROAST_METRIC_DESCRIPTION])

/**
 * roast_metric_info_get_formula:
 * @self: a metric
 *
 * Gets the description of how the metric is computed.
 *
 * Returns: (transfer none): the computation from tables and other metrics, for human readers
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_formula, NULL,
                     self->values[ROAST_METRIC_FORMULA])

/**
 * roast_metric_info_get_value:
 * @self: a metric
 *
 * Gets the formula that roast evaluates for the metric. See [method@Roast.Report.evaluate].
 *
 * Returns: (transfer none) (nullable): the key `Value` of the metric's declaration; %NULL if an aggregator computes the
 * metric
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_value, NULL,
                     self->values[ROAST_METRIC_VALUE])

ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_absent, NULL,
                     self->values[ROAST_METRIC_ABSENT])

/**
 * roast_metric_info_get_source:
 * @self: a metric
 *
 * Gets the source of the metric's data.
 *
 * Returns: (transfer none): the name of the source
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, const char *, roast_metric_info_get_source, NULL,
                     self->values[ROAST_METRIC_SOURCE])

/**
 * roast_metric_info_dup_aliases:
 * @self: a metric
 *
 * Gets the older names of the metric.
 *
 * Returns: (transfer full): the older names, as `NAME` or `NAME:FACTOR`. The value under an older name is FACTOR times
 * the value of the metric
 *
 * Since: 0.9
 */
char **
roast_metric_info_dup_aliases (RoastMetricInfo *self)
{
  char **copy = NULL;

  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  copy = g_new0 (char *, self->n_aliases + 1);
  for (guint i = 0; i < self->n_aliases; i++)
    copy[i] = g_strdup (self->aliases[i].declaration);

  return copy;
}

/**
 * roast_metric_info_is_compat:
 * @self: a metric
 *
 * Checks whether the metric has the definition of a former tool, so that numbers of that tool can be compared with
 * numbers of roast. For each such metric, another metric has roast's own definition of the same quantity.
 *
 * Returns: %TRUE if the schema declares the metric with `Compat=yes`
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (MetricInfo, METRIC_INFO, gboolean, roast_metric_info_is_compat, FALSE,
                     g_str_equal (self->values[ROAST_METRIC_COMPAT], "yes"))
