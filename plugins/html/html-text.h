/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Makes untrusted text safe to show: escapes control characters and marks that change the direction of text, replaces
 * invalid UTF-8, and shortens the text to @most characters. A sentence loses its end, a name its middle. */
char *html_printable (const char *text, glong most);
/* Appends such text, escaped for an element or for an attribute in double quotes. */
void html_append_text (GString *page, const char *text, glong most);
/* Returns an identifier of letters, digits, “-” and “_”. It may be empty. */
char *html_slug (const char *text);
