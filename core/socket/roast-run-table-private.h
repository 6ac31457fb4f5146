/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-run-quota-private.h"

/* A table as one program writes it: its cells are checked against the schema and get source, process and time. */
typedef struct _RoastRunTable RoastRunTable;

RoastRunTable *roast_run_table_new (RoastRecording *recording, RoastTableInfo *info, const char *source, gint64 pid,
                                    RoastRunShare *share, GError **error);
void roast_run_table_free (RoastRunTable *self);
RoastTableInfo *roast_run_table_get_info (RoastRunTable *self);
/* Beyond the quota the row is added up only. @values: one per column of the table. Fails if a value does not fit its
 * column, naming table and column. */
gboolean roast_run_table_add (RoastRunTable *self, const RoastWireValue *values, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RoastRunTable, roast_run_table_free)
