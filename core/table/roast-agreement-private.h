/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A group [agree NAME] of a schema: two formulas for the same quantity. */
typedef struct
{
  char *name;
  char *first, *second;               /* formulas */
  char *first_source, *second_source; /* source of each formula */
  gboolean is_at_most;                /* the first value must be at most the second */
  double tolerance;                   /* allowed difference, as a share of the larger value */
  double margin;                      /* added to this difference, in the unit of the values */
  char **metrics;                     /* names of metrics that are wrong if the values disagree */
} RoastAgreement;

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

extern const char *const roast_agreement_keys[ROAST_AGREEMENT_N_KEYS + 1];

/* @values has a value or NULL for each key. Return NULL with ROAST_SCHEMA_ERROR. */
RoastAgreement *roast_agreement_new (const char *name, const char *const *values, GError **error);
RoastAgreement *roast_agreement_ref (RoastAgreement *self);
void roast_agreement_unref (RoastAgreement *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastAgreement, roast_agreement_unref)

G_END_DECLS
