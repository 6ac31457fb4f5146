/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Sets the user's locale, but keeps the number format of the C locale, so that a report is the same in each language.
 * Also makes output readable in the encoding of the locale, see plain_text_begin (). */
void tool_begin (void);
/* Prints the version or the usage if requested. Returns whether it printed anything. */
gboolean tool_answer (const char *tool, gboolean version, gboolean help, const char *usage);
/* Prints the error. If the command line was wrong, also prints how to find help. Returns @status. */
int tool_fail (const char *tool, const GError *error, gboolean is_command_line, int status);
/* Returns the path of another tool in the same directory as this tool. If there is no such tool in the directory,
 * returns @name. */
char *tool_find (const char *name);
