/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-plan.h"

G_BEGIN_DECLS

/* Applies the comparisons of a plan with the values of one scan. */
typedef struct _QueryFilter QueryFilter;

/* @slots: slots of the reader, by column. The reader must have all columns of the plan's comparisons. */
QueryFilter *query_filter_new (const QueryPlan *plan, RoastTableReader *reader, const guint *slots);
void query_filter_free (QueryFilter *self);
/* Starts a scan with one value per comparison of the plan, and lets the reader skip blocks that cannot match. */
void query_filter_start (QueryFilter *self, sqlite3_value **values);
/* Moves to the next row that may match; returns FALSE after the last row. */
gboolean query_filter_next (QueryFilter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (QueryFilter, query_filter_free)

G_END_DECLS
