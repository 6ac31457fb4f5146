/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-scene.h"

G_BEGIN_DECLS

/* More characters than this are not read in a picture, whatever a name is. */
#define ROAST_SCENE_TEXT_MAX 400

/* Any text as one line that every format of pictures can hold: what is not UTF-8, control characters and
 * those that change the direction of what follows are replaced; text from right to left is isolated. */
char *roast_scene_text_clean (const char *text);

/* The text, with an ellipsis in its middle if it is wider than that: the beginnings of names are often equal. */
char *roast_scene_text_fit (const char *text, double size, double width);

/* The text in lines of that width, at most so many: in the last one, the rest has an ellipsis if it needs one. */
char **roast_scene_text_wrap (const char *text, double size, double width, guint most);

G_END_DECLS
