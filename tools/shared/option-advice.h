/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Parses the options of @arguments, of which it frees those that it takes; @data is for callbacks. Adds “Did you mean
 * --export?” to the error if an option is almost one of @entries. */
gboolean option_advice_parse (GOptionContext *context, char ***arguments, const GOptionEntry *entries, gpointer data,
                              GError **error);
/* The same advice for an error of g_option_context_parse (). */
void option_advice_add (GError *error, const char *const *arguments, const GOptionEntry *entries);

G_END_DECLS
