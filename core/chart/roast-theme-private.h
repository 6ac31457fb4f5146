/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-theme.h"

G_BEGIN_DECLS

/* What the classes and variables of a role end in: "axis", or the number of a series. */
void roast_theme_append_class (GString *text, RoastSceneRole role, guint palette);
/* "0.25" in any language. */
void roast_theme_append_opacity (GString *text, RoastTheme theme, RoastSceneRole role);

G_END_DECLS
