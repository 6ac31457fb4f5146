/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-report.h"
#include "roast/roast-table-snapshot.h"

G_BEGIN_DECLS

/* Adds the derived table "per_command": what processes of each name used together, the most CPU time first. */
void roast_command_table_add (RoastTableSnapshot *processes, RoastReport *report);

G_END_DECLS
