/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "table/roast-table-snapshot-private.h"

/* Returns why cells of a column are unknown, if some rows of a source have such a cell and others lack it. Returns NULL
 * if no cell is missing, or if a source has none at all, which readers see. @column: a column with
 * roast_column_get_expected(). */
char *roast_recording_cells_dup_gap (RoastTableSnapshot *table, RoastColumn *column);
