/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-run-quota-private.h"

/* Writes the rows of one program into one table. Checks the cells against the schema, and fills in the source, the
 * process and the time. */
typedef struct _RoastRunTable RoastRunTable;

RoastRunTable *roast_run_table_new (RoastRecording *recording, RoastTableInfo *info, const char *source, gint64 pid,
                                    RoastRunShare *share, GError **error);
void roast_run_table_free (RoastRunTable *self);
RoastTableInfo *roast_run_table_get_info (RoastRunTable *self);
/* Adds a row to the table, or only to the sums if the quota is used up. @values: a value for each column of the table.
 * If a value does not fit its column, the error names the table and the column. */
gboolean roast_run_table_add (RoastRunTable *self, const RoastWireValue *values, GError **error);
/* Returns a remark about cells that were left out of added rows, or NULL if there is no remark. */
char *roast_run_table_steal_remark (RoastRunTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunTable, roast_run_table_free)
