/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Sets the user's locale, but keeps numbers as in C, so that a run has the same report in each language. Makes later
 * output readable in that locale. */
void tool_begin (void);
/* Prints the version or the usage if requested. Returns whether it printed anything. */
gboolean tool_answer (const char *tool, gboolean version, gboolean help, const char *usage);
/* Prints the error, and for a wrong command line how to find help. Returns @status. */
int tool_fail (const char *tool, const GError *error, gboolean is_command_line, int status);
/* Returns the path of another tool in the same build or installation if it exists, and otherwise its name. */
char *tool_find (const char *name);

G_END_DECLS
