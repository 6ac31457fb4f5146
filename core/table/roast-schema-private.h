/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-schema.h"

G_BEGIN_DECLS

/* The schema of the core alone, which nobody changes. */
RoastSchema *roast_schema_get_core (void);
/* A schema that declares nothing, not even what the core does. */
RoastSchema *roast_schema_new_empty (void);

/* The texts that a schema was made of, in their order. */
typedef struct
{
  char *origin;
  GBytes *data;
} RoastSchemaText;

GPtrArray *roast_schema_get_texts (RoastSchema *self);

G_END_DECLS
