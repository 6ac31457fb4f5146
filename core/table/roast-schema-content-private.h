/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-schema.h"

/* What one text or several declare. */
typedef struct
{
  GPtrArray *tables;        /* of RoastTableInfo, in the order of their declaration */
  GPtrArray *vocabularies;  /* of RoastVocabulary */
  GPtrArray *groups;        /* names of the groups of metrics, in the order in which they are listed */
  GPtrArray *metrics;       /* of RoastMetricInfo, as they were read */
  GHashTable *metric_names; /* name or alias to RoastMetricInfo; metrics own both */
  GPtrArray *charts;        /* of RoastChartInfo, in the order of their declaration */
  GPtrArray *agreements;    /* of RoastAgreement */
  GHashTable *labels;       /* "BACKEND\nNAME" to text */
  GHashTable *origins;      /* "group “NAME”" or "label “BACKEND.NAME”" to where the text comes from */
} RoastSchemaContent;

RoastSchemaContent *roast_schema_content_new (void);
void roast_schema_content_free (RoastSchemaContent *self);
GPtrArray *roast_schema_content_copy_objects (GPtrArray *objects);
/* By group, then by rank, then as they were read. */
GPtrArray *roast_schema_content_list_metrics (RoastSchemaContent *self);
gboolean roast_schema_content_find_table (RoastSchemaContent *self, const char *name, guint *index);
RoastVocabulary *roast_schema_content_find_vocabulary (RoastSchemaContent *self, const char *name);
RoastChartInfo *roast_schema_content_find_chart (RoastSchemaContent *self, const char *name);
char *roast_schema_content_dup_label_key (const char *backend, const char *name);
/* Adds what @other declares; a table of the same name takes the place of the one of @self. */
void roast_schema_content_add (RoastSchemaContent *self, RoastSchemaContent *other);

/* roast-schema-text.c: what a text declares in addition to @base, and nothing else; NULL on error. */
RoastSchemaContent *roast_schema_content_read (RoastSchemaContent *base, GBytes *data, const char *origin,
                                               GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastSchemaContent, roast_schema_content_free)
