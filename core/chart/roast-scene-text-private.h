/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-scene.h"

G_BEGIN_DECLS

/* Longest text in a picture, in characters. Nobody reads more. */
#define ROAST_SCENE_TEXT_MAX 400

/* Convert any text to one line that all picture formats can contain. Invalid UTF-8, control characters and
 * characters that change the direction of text are replaced. Right-to-left text is isolated. */
char *roast_scene_text_clean (const char *text);

/* Shorten a text to the width, with an ellipsis in its middle, since the beginnings of names are often equal. */
char *roast_scene_text_fit (const char *text, double size, double width);

/* Wrap a text into at most @most lines of the width. If the rest does not fit into the last line, it gets an
 * ellipsis. */
char **roast_scene_text_wrap (const char *text, double size, double width, guint most);

G_END_DECLS
