/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-theme.h"

/* Append the suffix for CSS classes and variables: the name of the role, such as "axis", or the number of a series. */
void roast_theme_append_class (GString *text, RoastSceneRole role, guint palette);
/* Append the opacity of a role as a number such as "0.25", independent of the locale. */
void roast_theme_append_opacity (GString *text, RoastTheme theme, RoastSceneRole role);
