/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What g_print () and g_printerr () write from now on is readable where the locale is not UTF-8, as in many batch jobs.
 * Called after setlocale (). */
void plain_text_begin (void);

/* @text in @charset. Quotation marks, dashes and other signs of our own that it does not have become ASCII. */
char *plain_text_convert (const char *text, const char *charset);

G_END_DECLS
