/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Command lines are stored with the measurements, but passwords and tokens in them are not. Anything that may be a
 * secret is replaced, because a lost word costs less than a published password. */

/* Stands for removed text. */
#define ROAST_REDACTED "***"

/* Redacts the words of a command line. */
char **roast_redact_argv (const char *const *argv);
/* Redacts text of any kind: a URL, a message, a word of a command line, a script. */
char *roast_redact_text (const char *text);
/* Redacts a file name that is a URL: secrets in its authority, query and fragment. Returns NULL if there are none, so
 * that plain paths never change. */
char *roast_redact_file (const char *name);

/* Adds a regular expression to the rules. Its first group is removed, or the whole match if it has no group. */
gboolean roast_redact_add_pattern (const char *pattern, GError **error);
void roast_redact_remove_patterns (void);

/* In roast-redact-text.c: redacts without the added patterns. */
char *roast_redact_by_form (const char *text);
/* Returns whether a variable, option, header or parameter of this name holds a secret. */
gboolean roast_redact_is_secret_name (const char *name, gsize length);
/* Returns whether a word such as Bearer announces that a secret follows. */
gboolean roast_redact_is_scheme (const char *word);
