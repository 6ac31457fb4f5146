/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include <roast/roast-scene.h>

G_BEGIN_DECLS

/**
 * RoastTheme:
 * @ROAST_THEME_LIGHT: dark marks on white
 * @ROAST_THEME_DARK: light marks on a dark background
 *
 * The colours of the marks of a [class@Roast.Scene].
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_THEME_LIGHT,
  ROAST_THEME_DARK,
} RoastTheme;

/**
 * ROAST_THEME_N_COLOURS:
 *
 * The number of colours that a theme has for series. Series beyond this number use the colours again, beginning with
 * the first colour.
 *
 * Since: 0.9
 */
#define ROAST_THEME_N_COLOURS 24

ROAST_AVAILABLE_IN_0_9
guint32 roast_theme_get_colour (RoastTheme theme, RoastSceneRole role, guint palette);
ROAST_AVAILABLE_IN_0_9
double roast_theme_get_opacity (RoastTheme theme, RoastSceneRole role);
ROAST_AVAILABLE_IN_0_9
char *roast_theme_dup_css (void);

G_END_DECLS
