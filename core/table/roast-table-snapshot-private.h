/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-table-chunk-private.h"
#include "roast/roast-table-info.h"
#include "roast/roast-table-snapshot.h"

G_BEGIN_DECLS

/* Takes over the arrays: chunks with the first row of each, columns, dictionaries by column (NULL where none). */
RoastTableSnapshot *roast_table_snapshot_new (RoastTableInfo *info, const char *name, const char *description,
                                              guint64 serial, guint64 n_rows, GPtrArray *chunks, GArray *first_rows,
                                              GPtrArray *columns, GPtrArray *dictionaries);

G_END_DECLS
