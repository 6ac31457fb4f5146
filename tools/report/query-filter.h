/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "query-plan.h"

G_BEGIN_DECLS

/* The comparisons of a plan with the values of one scan. */
typedef struct _QueryFilter QueryFilter;

/* @slots: by column, slots of the reader, which has all columns of the plan's comparisons. */
QueryFilter *query_filter_new (const QueryPlan *plan, RoastTableReader *reader, const guint *slots);
void query_filter_free (QueryFilter *self);
/* Takes the values that belong to the plan's comparisons, and lets the reader leave out blocks by them. */
void query_filter_start (QueryFilter *self, sqlite3_value **values);
/* Goes to the next row that may be wanted; FALSE if there is none. */
gboolean query_filter_next (QueryFilter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (QueryFilter, query_filter_free)

G_END_DECLS
