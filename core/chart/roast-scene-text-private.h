/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-scene.h"

/* Maximum length of a text in a picture, in characters. */
#define ROAST_SCENE_TEXT_MAX 400

/* Convert any text to one line that is valid in all picture formats. Replace invalid UTF-8, control characters and
 * characters that change the direction of text. Enclose text with right-to-left letters in a Unicode isolate. */
char *roast_scene_text_clean (const char *text);

/* Shorten a text to @width. Put the ellipsis into the middle, because names often begin alike and differ at the end. */
char *roast_scene_text_fit (const char *text, double size, double width);

/* Wrap a text into at most @most lines of @width. Shorten the last line with an ellipsis if the rest does not fit. */
char **roast_scene_text_wrap (const char *text, double size, double width, guint most);
