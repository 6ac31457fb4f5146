/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Text from outside without what a browser would not show, or would show elsewhere: control characters and marks that
 * change the direction of text are shown as escapes, and what is not UTF-8 is replaced. At most @most characters: a
 * sentence loses its end, a name its middle. */
char *html_printable (const char *text, glong most);
/* The same as part of a page: in an element, or in an attribute between double quotes. */
void html_append_text (GString *page, const char *text, glong most);
/* An identifier of letters, digits, “-” and “_”; it may be empty. */
char *html_slug (const char *text);
