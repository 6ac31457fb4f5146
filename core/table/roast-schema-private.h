/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-schema.h"

/* Origin of the core's declarations. */
#define ROAST_SCHEMA_ORIGIN_CORE "the schema of roast"

/* Return the schema that has only the core's declarations. Callers must not change this schema. */
RoastSchema *roast_schema_get_core (void);
/* Make a schema without any declarations, not even the core's. */
RoastSchema *roast_schema_new_empty (void);
RoastSchema *roast_schema_copy (RoastSchema *from);

/* Load a text of a run file, like roast_schema_load_data (). A newer version of roast may have written the text, so
 * leave out keys, metrics, charts, agreements and labels that this version does not know. */
gboolean roast_schema_load_recorded (RoastSchema *self, GBytes *data, const char *origin, GError **error);

/* Return the agreements of the schema, an array of RoastAgreement that the schema owns. */
GPtrArray *roast_schema_get_agreements (RoastSchema *self);

/* Add the tables, columns, vocabularies and charts that the core declares but an older schema lacks. Return the names
 * of the added tables and columns, in the forms "table NAME" and "column NAME of TABLE". */
GPtrArray *roast_schema_complete (RoastSchema *self);

/* A text that a schema was loaded from. */
typedef struct
{
  char *origin;
  GBytes *data;
} RoastSchemaText;

RoastSchemaText *roast_schema_text_new (const char *origin, GBytes *data);
/* List all texts, but do not read the pending texts, which may turn out to be invalid. The list owns the texts. */
GPtrArray *roast_schema_list_texts (RoastSchema *self);
/* List the tables that a caller may already have looked up: only the core's tables while texts are pending, otherwise
 * all tables. */
GPtrArray *roast_schema_list_known_tables (RoastSchema *self);

/* Functions that provide texts which a schema reads later. */
typedef struct
{
  void (*read) (RoastSchema *schema, gpointer data); /* function that loads the texts into the schema */
  void (*list) (GPtrArray *texts, gpointer data);    /* function that appends the texts to a list, in any thread */
  GDestroyNotify destroy;
} RoastSchemaPending;

/* Give a new copy of the core's schema more texts, which the first thread that may need their declarations will read.
 * Take ownership of @extended, the names of the core tables to which the texts add columns. */
void roast_schema_set_pending (RoastSchema *self, GHashTable *extended, const RoastSchemaPending *pending,
                               gpointer data);
void roast_schema_read_pending (RoastSchema *self);
