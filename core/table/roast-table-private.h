/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-table.h"

G_BEGIN_DECLS

/* For snapshots of several tables at one time: whoever locks more than one does it in the order of their addresses. */
void roast_table_lock (RoastTable *self);
void roast_table_unlock (RoastTable *self);
RoastTableSnapshot *roast_table_snapshot_locked (RoastTable *self);

G_END_DECLS
