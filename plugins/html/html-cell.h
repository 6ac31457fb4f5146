/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "html-page.h"

/* Puts a table cell that shows the text @shown for @value (or NULL). If @value is a number shown in another form, the
 * exact number is added as an attribute. */
void html_put_cell (HtmlPage *self, GVariant *value, const char *shown, const char *tag);
