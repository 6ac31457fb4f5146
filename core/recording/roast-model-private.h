/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-table.h"

G_BEGIN_DECLS

/* The unified model: the tables that every executor fills. */

const char *const *roast_model_get_table_names (void);
RoastTable *roast_model_create_table (const char *name);

G_END_DECLS
