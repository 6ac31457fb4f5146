/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Makes untrusted text safe to show. Escapes control characters and marks that change the direction of text,
 * replaces invalid UTF-8, and shortens the text to @most characters. A sentence is shortened at its end, a name in
 * the middle. */
char *html_printable (const char *text, glong most);
/* Appends the result of html_printable (), escaped so that it can be used in HTML elements and in attributes with
 * double quotes. */
void html_append_text (GString *page, const char *text, glong most);
/* Converts a text to an identifier, which consists of letters, digits, “-” and “_”. The identifier may be empty. */
char *html_slug (const char *text);
