/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-schema.h"

G_BEGIN_DECLS

/* The core's schema and those of @plugins, an array of RoastPlugin. A plugin whose schema cannot be used becomes
 * broken. */
RoastSchema *roast_registry_schema_new (GPtrArray *plugins);

G_END_DECLS
