/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Parses the options in @arguments, and removes and frees parsed arguments. Passes @data to callbacks. If an unknown
 * option is similar to an entry, adds “Did you mean --export?” to the error. */
gboolean option_advice_parse (GOptionContext *context, char ***arguments, const GOptionEntry *entries, gpointer data,
                              GError **error);
/* Adds “Did you mean --…?” to an error of g_option_context_parse(). */
void option_advice_add (GError *error, const char *const *arguments, const GOptionEntry *entries);
/* Returns FALSE with an error if an argument gives a value to an option that takes no value. */
gboolean option_advice_refuse_values (const char *const *arguments, const GOptionEntry *entries, GError **error);
