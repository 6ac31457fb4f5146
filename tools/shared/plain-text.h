/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Makes output of g_print() and g_printerr() readable if the locale is not UTF-8, as in many batch jobs. Call this
 * function after setlocale(). */
void plain_text_begin (void);

/* Converts @text to @charset. Typographic signs used by roast, such as quotation marks and dashes, become ASCII if
 * @charset lacks them. */
char *plain_text_convert (const char *text, const char *charset);
