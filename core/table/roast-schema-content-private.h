/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-schema.h"

/* The declarations of one or more schema texts. */
typedef struct
{
  GPtrArray *tables;        /* tables in the order of their declaration, of RoastTableInfo */
  GHashTable *table_places; /* maps the name of a table, owned by the table, to its index in tables + 1 */
  GPtrArray *vocabularies;  /* vocabularies, of RoastVocabulary */
  GPtrArray *groups;        /* names of the groups of metrics, in the order in which reports list them */
  GPtrArray *metrics;       /* metrics in the order of reading, of RoastMetricInfo */
  GHashTable *metric_names; /* maps a name or alias to its RoastMetricInfo, which owns the name */
  GPtrArray *charts;        /* charts in the order of their declaration, of RoastChartInfo */
  GPtrArray *agreements;    /* agreements, of RoastAgreement */
  GHashTable *labels;       /* maps "BACKEND\nNAME" to the text of a label; both are GRefString */
  GHashTable *origins;      /* maps a GRefString "group NAME" or "label BACKEND.NAME" to the interned origin of its
                             * declaration */
} RoastSchemaContent;

RoastSchemaContent *roast_schema_content_new (void);
void roast_schema_content_free (RoastSchemaContent *self);
GPtrArray *roast_schema_content_copy_objects (GPtrArray *objects);
/* Return the metrics, sorted by group, then by rank, then in the order of reading. */
GPtrArray *roast_schema_content_list_metrics (RoastSchemaContent *self);
void roast_schema_content_take_table (RoastSchemaContent *self, RoastTableInfo *info);
gboolean roast_schema_content_find_table (RoastSchemaContent *self, const char *name, guint *index);
RoastVocabulary *roast_schema_content_find_vocabulary (RoastSchemaContent *self, const char *name);
RoastChartInfo *roast_schema_content_find_chart (RoastSchemaContent *self, const char *name);
char *roast_schema_content_dup_label_key (const char *backend, const char *name);
/* Add the declarations of @other. A table replaces a table of the same name in @self. */
void roast_schema_content_add (RoastSchemaContent *self, RoastSchemaContent *other);

/* In roast-schema-text.c: read a text. Return only the declarations that the text adds to @base, or NULL on error.
 * @is_recorded: whether the text is from a run file. Such a text may have keys, and declarations for reports, that this
 * version does not know: leave these keys and declarations out. */
RoastSchemaContent *roast_schema_content_read (RoastSchemaContent *base, GBytes *data, const char *origin,
                                               gboolean is_recorded, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastSchemaContent, roast_schema_content_free)
