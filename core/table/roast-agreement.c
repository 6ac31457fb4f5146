/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-agreement-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "roast-formula-private.h"

#define agreement_fail(error, ...) roast_fail (error, ROAST_SCHEMA_ERROR, ROAST_SCHEMA_ERROR_SYNTAX, __VA_ARGS__)

const char *const roast_agreement_keys[ROAST_AGREEMENT_N_KEYS + 1] = {
  "Description", "First", "Second", "FirstSource", "SecondSource", "Relation", "Tolerance", "Margin", "Metrics", NULL,
};

static gboolean
is_missing (const char *value)
{
  return value == NULL || *value == '\0';
}

static gboolean
agreement_read_number (const char *name, const char *key, const char *text, double *number, GError **error)
{
  char *end = NULL;

  *number = text != NULL ? g_ascii_strtod (text, &end) : 0;
  if (text == NULL || (end != text && *end == '\0' && isfinite (*number) && *number >= 0))
    return TRUE;

  return agreement_fail (error, "[agree %s]: %s=%s is not a non-negative number", name, key, text);
}

static gboolean
check_formula (const char *name, const char *key, const char *text, GError **error)
{
  g_autoptr (RoastFormula) formula = roast_formula_parse (text, error);

  if (formula == NULL)
    g_prefix_error (error, "[agree %s]: %s: ", name, key);

  return formula != NULL;
}

static gboolean
agreement_check (const char *name, const char *const *values, GError **error)
{
  static const int required[] = { ROAST_AGREEMENT_FIRST, ROAST_AGREEMENT_SECOND, ROAST_AGREEMENT_FIRST_SOURCE,
                                  ROAST_AGREEMENT_SECOND_SOURCE, ROAST_AGREEMENT_METRICS };
  const char *relation = values[ROAST_AGREEMENT_RELATION];

  for (guint i = 0; i < G_N_ELEMENTS (required); i++)
    if (is_missing (values[required[i]]))
      return agreement_fail (error, "[agree %s] needs the key %s", name, roast_agreement_keys[required[i]]);
  if (relation != NULL && !g_str_equal (relation, "equal") && !g_str_equal (relation, "at-most"))
    return agreement_fail (error, "[agree %s]: Relation=%s is unknown: write “equal” or “at-most”", name, relation);

  return check_formula (name, "First", values[ROAST_AGREEMENT_FIRST], error) &&
         check_formula (name, "Second", values[ROAST_AGREEMENT_SECOND], error);
}

RoastAgreement *
roast_agreement_new (char *text, const char *name, const char *const *values, GError **error)
{
  g_autoptr (RoastAgreement) self = NULL;

  if (!agreement_check (name, values, error))
    return NULL;
  self = g_atomic_rc_box_new0 (RoastAgreement);
  self->text = g_atomic_rc_box_acquire (text);
  self->name = name;
  memcpy (self->values, values, sizeof self->values);
  self->is_at_most = g_strcmp0 (values[ROAST_AGREEMENT_RELATION], "at-most") == 0;
  self->metrics = g_strsplit (values[ROAST_AGREEMENT_METRICS], ";", -1);
  if (!agreement_read_number (name, "Tolerance", values[ROAST_AGREEMENT_TOLERANCE], &self->tolerance, error) ||
      !agreement_read_number (name, "Margin", values[ROAST_AGREEMENT_MARGIN], &self->margin, error))
    return NULL;

  return g_steal_pointer (&self);
}

RoastAgreement *
roast_agreement_ref (RoastAgreement *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
agreement_clear (gpointer data)
{
  RoastAgreement *self = data;

  g_atomic_rc_box_release (self->text);
  g_strfreev (self->metrics);
}

void
roast_agreement_unref (RoastAgreement *self)
{
  g_atomic_rc_box_release_full (self, agreement_clear);
}
