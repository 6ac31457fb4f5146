/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Command lines are kept with what was measured; passwords and tokens on them are not. What may be a secret is
 * replaced, also where it is none: a lost word costs less than a published password. */

/* Stands for what was removed. */
#define ROAST_REDACTED "***"

/* The words of a command line. */
char **roast_redact_argv (const char *const *argv);
/* A text of any kind: a URL, a message, a word of a command line, a script. */
char *roast_redact_text (const char *text);
/* The name of a file: secrets in the authority, query and fragment of a URL. NULL if there are none, so that no path
 * changes. */
char *roast_redact_file (const char *name);

/* Adds a regular expression to the rules: what it matches is removed, or its first group if it has one. */
gboolean roast_redact_add_pattern (const char *pattern, GError **error);
void roast_redact_remove_patterns (void);

/* roast-redact-text.c: without the patterns that were added. */
char *roast_redact_by_form (const char *text);
/* Whether a variable, option, header or parameter of this name holds a secret. */
gboolean roast_redact_is_secret_name (const char *name, gsize length);
/* Whether it is a word such as Bearer, which the secret follows. */
gboolean roast_redact_is_scheme (const char *word);
