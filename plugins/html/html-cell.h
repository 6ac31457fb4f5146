/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "html-page.h"

/* A cell of a table for @value, which may be NULL: as a person reads it, and with the exact number beside if that is
 * shorter. */
void html_put_cell (HtmlPage *self, GVariant *value, const char *shown, const char *tag);
