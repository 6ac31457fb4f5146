/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-schema.h"

/* The schema of the core alone, which nobody changes. */
RoastSchema *roast_schema_get_core (void);
/* A schema that declares nothing, not even what the core does. */
RoastSchema *roast_schema_new_empty (void);
RoastSchema *roast_schema_copy (RoastSchema *from);

/* Of RoastAgreement; not to be freed. */
GPtrArray *roast_schema_get_agreements (RoastSchema *self);

/* Adds the tables, columns, vocabularies and charts that the core declares and an older schema does not. Gets which
 * tables and columns they are, as "table NAME" and "column NAME of TABLE". */
GPtrArray *roast_schema_complete (RoastSchema *self);

/* The texts that a schema was made of, in their order. */
typedef struct
{
  char *origin;
  GBytes *data;
} RoastSchemaText;

GPtrArray *roast_schema_get_texts (RoastSchema *self);

/* Loads texts into the schema. */
typedef void (*RoastSchemaReadFunc) (RoastSchema *schema, gpointer data);

/* Lets a new schema, which has what the core declares, read more texts when something of them may be needed: once, and
 * in the thread that needs it first. Takes @extended: the names of the tables of the core to which they add columns. */
void roast_schema_set_pending (RoastSchema *self, GHashTable *extended, RoastSchemaReadFunc read, gpointer data,
                               GDestroyNotify destroy);
void roast_schema_read_pending (RoastSchema *self);
