/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-metric-info-private.h"

#include "roast/roast-error.h"

/**
 * RoastMetricInfo:
 *
 * The meaning of a metric, as a [class@Roast.Schema] declares it. Immutable.
 *
 * Since: 0.9
 */
struct _RoastMetricInfo
{
  GObject parent_instance;

  char *name;
  char *label;
  char *group;
  char *unit;
  char *format;
  char *show;
  char *description;
  char *formula;
  char *source;
  char **aliases;
  int rank;
};

G_DEFINE_FINAL_TYPE (RoastMetricInfo, roast_metric_info, G_TYPE_OBJECT)

static void
roast_metric_info_finalize (GObject *object)
{
  RoastMetricInfo *self = ROAST_METRIC_INFO (object);

  g_free (self->name);
  g_free (self->label);
  g_free (self->group);
  g_free (self->unit);
  g_free (self->format);
  g_free (self->show);
  g_free (self->description);
  g_free (self->formula);
  g_free (self->source);
  g_strfreev (self->aliases);

  G_OBJECT_CLASS (roast_metric_info_parent_class)->finalize (object);
}

static void
roast_metric_info_class_init (RoastMetricInfoClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_metric_info_finalize;
}

static void
roast_metric_info_init (RoastMetricInfo *self)
{
}

static char *
get_string (GKeyFile *file, const char *group, const char *key, const char *otherwise)
{
  g_autofree char *value = g_key_file_get_string (file, group, key, NULL);

  return value != NULL ? g_steal_pointer (&value) : g_strdup (otherwise);
}

static gboolean
check_choice (RoastMetricInfo *self, const char *key, const char *value, const char *const *choices, GError **error)
{
  g_autofree char *list = NULL;

  if (g_strv_contains (choices, value))
    return TRUE;
  list = g_strjoinv (", ", (char **) choices);
  g_set_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX, "metric “%s”: %s=%s must be one of %s", self->name,
               key, value, list);

  return FALSE;
}

/* As OpenMetrics wants names. */
static gboolean
check_name (const char *name, GError **error)
{
  gboolean ok = g_ascii_isalpha (*name) || *name == '_';

  for (const char *c = name; ok && *c != '\0'; c++)
    ok = g_ascii_isalnum (*c) || *c == '_';
  if (!ok)
    g_set_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
                 "“%s” is not a valid metric name: use letters, digits and underscores, and no digit first", name);

  return ok;
}

static gboolean
read_rank (RoastMetricInfo *self, GKeyFile *file, const char *group, GError **error)
{
  g_autofree char *text = g_key_file_get_string (file, group, "Rank", NULL);
  gint64 rank = 0;

  if (text != NULL && !g_ascii_string_to_signed (text, 10, -1000, 1000, &rank, NULL))
    {
      g_set_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
                   "metric “%s”: Rank=%s is not a whole number from -1000 to 1000", self->name, text);
      return FALSE;
    }
  self->rank = (int) rank;

  return TRUE;
}

RoastMetricInfo *
roast_metric_info_new_from_group (GKeyFile *file, const char *group, const char *name, GError **error)
{
  static const char *const formats[] = { "duration", "bytes",  "bytes-rate", "bits-rate", "rate",
                                         "count",    "number", "percent",    "text",      NULL };
  static const char *const shows[] = { "always", "nonzero", "available", "detail", NULL };
  g_autoptr (RoastMetricInfo) self = g_object_new (ROAST_TYPE_METRIC_INFO, NULL);

  if (!check_name (name, error))
    return NULL;
  self->name = g_strdup (name);
  self->label = get_string (file, group, "Label", name);
  self->group = get_string (file, group, "Group", "Other");
  self->unit = get_string (file, group, "Unit", "");
  self->format = get_string (file, group, "Format", "number");
  self->show = get_string (file, group, "Show", "always");
  self->description = get_string (file, group, "Description", "");
  self->formula = get_string (file, group, "Formula", "");
  self->source = get_string (file, group, "Source", "");
  self->aliases = g_key_file_get_string_list (file, group, "Aliases", NULL, NULL);
  if (self->aliases == NULL)
    self->aliases = g_new0 (char *, 1);

  if (*self->description == '\0')
    {
      g_set_error (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX,
                   "metric “%s” has no Description: describe it in one line", name);
      return NULL;
    }
  if (!check_choice (self, "Format", self->format, formats, error) ||
      !check_choice (self, "Show", self->show, shows, error))
    return NULL;

  return read_rank (self, file, group, error) ? g_steal_pointer (&self) : NULL;
}

int
roast_metric_info_get_rank (RoastMetricInfo *self)
{
  return self->rank;
}

const char *const *
roast_metric_info_get_aliases (RoastMetricInfo *self)
{
  return (const char *const *) self->aliases;
}

/**
 * roast_metric_info_get_name:
 * @self: a metric
 *
 * Gets the name of the metric for programs.
 *
 * Returns: (transfer none): its name
 *
 * Since: 0.9
 */
const char *
roast_metric_info_get_name (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return self->name;
}

/**
 * roast_metric_info_get_label:
 * @self: a metric
 *
 * Gets the name of the metric for a person.
 *
 * Returns: (transfer none): its label
 *
 * Since: 0.9
 */
const char *
roast_metric_info_get_label (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return self->label;
}

/**
 * roast_metric_info_get_group:
 * @self: a metric
 *
 * Gets the heading of the metric.
 *
 * Returns: (transfer none): the heading under which reports list it
 *
 * Since: 0.9
 */
const char *
roast_metric_info_get_group (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return self->group;
}

/**
 * roast_metric_info_get_unit:
 * @self: a metric
 *
 * Gets the unit of the value.
 *
 * Returns: (transfer none): its base unit: `s`, `B`, `B/s`, `bit/s`, `1/s`; empty for plain numbers and text
 *
 * Since: 0.9
 */
const char *
roast_metric_info_get_unit (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return self->unit;
}

/**
 * roast_metric_info_get_format:
 * @self: a metric
 *
 * Gets the format of the value for a person: see [func@Roast.format_number].
 *
 * Returns: (transfer none): `duration`, `bytes`, `bytes-rate`, `bits-rate`, `rate`, `count`, `number`, `percent` or
 * `text`
 *
 * Since: 0.9
 */
const char *
roast_metric_info_get_format (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return self->format;
}

/**
 * roast_metric_info_get_show:
 * @self: a metric
 *
 * Gets when a report for a person shows the metric.
 *
 * Returns: (transfer none): `always`, `nonzero`, `available` or `detail`
 *
 * Since: 0.9
 */
const char *
roast_metric_info_get_show (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return self->show;
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
const char *
roast_metric_info_get_description (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return self->description;
}

/**
 * roast_metric_info_get_formula:
 * @self: a metric
 *
 * Gets the formula of the metric.
 *
 * Returns: (transfer none): the computation from tables and other metrics
 *
 * Since: 0.9
 */
const char *
roast_metric_info_get_formula (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return self->formula;
}

/**
 * roast_metric_info_get_source:
 * @self: a metric
 *
 * Gets the source of the data.
 *
 * Returns: (transfer none): the source of the data from which it is computed
 *
 * Since: 0.9
 */
const char *
roast_metric_info_get_source (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return self->source;
}

/**
 * roast_metric_info_dup_aliases:
 * @self: a metric
 *
 * Gets the older names of the metric.
 *
 * Returns: (transfer full): its older names, as `NAME` or `NAME:FACTOR`, where the value under the older name is FACTOR
 * times this
 *
 * Since: 0.9
 */
char **
roast_metric_info_dup_aliases (RoastMetricInfo *self)
{
  g_return_val_if_fail (ROAST_IS_METRIC_INFO (self), NULL);

  return g_strdupv (self->aliases);
}
