/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

#include <roast/roast-output.h>
#include <roast/roast-scene.h>
#include <roast/roast-theme.h>

G_BEGIN_DECLS

/**
 * RoastSvgFlags:
 * @ROAST_SVG_FLAGS_NONE: a picture in the colours of the theme
 * @ROAST_SVG_FLAGS_CLASSES: each mark also has a class that names its colour, so that the style sheet of
 *   [func@Theme.dup_css] can make the same picture light or dark
 * @ROAST_SVG_FLAGS_STYLE: the picture contains the style sheet; use with %ROAST_SVG_FLAGS_CLASSES
 *
 * Options for writing a picture.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_SVG_FLAGS_NONE = 0,
  ROAST_SVG_FLAGS_CLASSES = 1 << 0,
  ROAST_SVG_FLAGS_STYLE = 1 << 1,
} RoastSvgFlags;

ROAST_AVAILABLE_IN_0_9
char *roast_scene_to_svg (RoastScene *self, RoastTheme theme, RoastSvgFlags flags);
ROAST_AVAILABLE_IN_0_9
gboolean roast_scene_write_svg (RoastScene *self, RoastTheme theme, RoastSvgFlags flags, RoastOutput *output,
                                const char *name, GError **error);

G_END_DECLS
