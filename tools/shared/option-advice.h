/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Adds “Did you mean --export?” to the error of g_option_context_parse () if an option of @arguments is almost one of
 * @entries. */
void option_advice_add (GError *error, const char *const *arguments, const GOptionEntry *entries);

G_END_DECLS
