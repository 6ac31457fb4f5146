/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-schema.h"

G_BEGIN_DECLS

/* The schema of the core alone, which nobody changes. */
RoastSchema *roast_schema_get_core (void);

G_END_DECLS
