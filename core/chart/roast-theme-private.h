/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-theme.h"

G_BEGIN_DECLS

/* Append the suffix of the classes and variables of a role: "axis", or the number of a series. */
void roast_theme_append_class (GString *text, RoastSceneRole role, guint palette);
/* Append a number such as "0.25", independent of the locale. */
void roast_theme_append_opacity (GString *text, RoastTheme theme, RoastSceneRole role);

G_END_DECLS
