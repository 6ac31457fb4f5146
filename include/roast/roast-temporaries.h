/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

ROAST_AVAILABLE_IN_0_9
void roast_remove_temporaries (void);

G_END_DECLS
