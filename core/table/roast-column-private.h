/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-column.h"

G_BEGIN_DECLS

RoastColumn *roast_column_new (const char *name, RoastColumnType type, const char *unit, const char *description,
                               gboolean key, RoastVocabulary *vocabulary);

G_END_DECLS
