/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Command lines are stored with the measurements, but without passwords and tokens. Text that looks like a secret is
 * replaced, even if it may be harmless, because losing a harmless word costs less than publishing a password. */

/* Replacement for removed text. */
#define ROAST_REDACTED "***"

/* Redacts the words of a command line. */
char **roast_redact_argv (const char *const *argv);
/* Redacts text of any kind: a URL, a message, a word of a command line, a script. */
char *roast_redact_text (const char *text);
/* Redacts the secrets in a file name that is a URL: in its authority, query and fragment. Returns NULL if there are no
 * secrets, so that plain paths never change. */
char *roast_redact_file (const char *name);

/* Adds a regular expression to the rules. The text that the first group of the expression matches is replaced; if the
 * expression has no group, the whole match is replaced. */
gboolean roast_redact_add_pattern (const char *pattern, GError **error);
void roast_redact_remove_patterns (void);

/* Redacts text by the built-in rules only, without the patterns that were added. Defined in roast-redact-text.c. */
char *roast_redact_by_form (const char *text);
/* Returns whether a variable, option, header or parameter of this name holds a secret. */
gboolean roast_redact_is_secret_name (const char *name, gsize length);
/* Returns whether the word is an authentication scheme, such as Bearer, before a secret. */
gboolean roast_redact_is_scheme (const char *word);
