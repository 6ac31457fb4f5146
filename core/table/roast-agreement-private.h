/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

enum
{
  ROAST_AGREEMENT_DESCRIPTION,
  ROAST_AGREEMENT_FIRST,
  ROAST_AGREEMENT_SECOND,
  ROAST_AGREEMENT_FIRST_SOURCE,
  ROAST_AGREEMENT_SECOND_SOURCE,
  ROAST_AGREEMENT_RELATION,
  ROAST_AGREEMENT_TOLERANCE,
  ROAST_AGREEMENT_MARGIN,
  ROAST_AGREEMENT_METRICS,
  ROAST_AGREEMENT_N_KEYS,
};

/* A group [agree NAME] of a schema: two formulas for the same quantity. */
typedef struct
{
  char *text; /* memory that contains the strings of the members below */
  const char *name;
  const char *values[ROAST_AGREEMENT_N_KEYS];
  gboolean is_at_most; /* the first value must be at most the second */
  double tolerance;    /* allowed difference, as a share of the larger value */
  double margin;       /* allowed difference in the unit of the values, added to the relative tolerance */
  char **metrics;      /* names of metrics that are wrong if the values disagree */
} RoastAgreement;

extern const char *const roast_agreement_keys[ROAST_AGREEMENT_N_KEYS + 1];

/* Make an agreement. @values has, for each key, a value or NULL. The values are parts of @text, memory from
 * g_atomic_rc_box_alloc (). Return NULL with ROAST_SCHEMA_ERROR. */
RoastAgreement *roast_agreement_new (char *text, const char *name, const char *const *values, GError **error);
RoastAgreement *roast_agreement_ref (RoastAgreement *self);
void roast_agreement_unref (RoastAgreement *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastAgreement, roast_agreement_unref)

G_END_DECLS
