/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the programs of roast have in common. */

/* Takes the language of the user, but numbers as in C: the same run has the same report in each language. What is
 * printed from now on is readable there. */
void tool_begin (void);
/* Prints the version, or how the tool is used, if either is asked for. Returns whether it did. */
gboolean tool_answer (const char *tool, gboolean version, gboolean help, const char *usage);
/* Says what is wrong, and for a wrong command line how to find help. Returns @status. */
int tool_fail (const char *tool, const GError *error, gboolean is_command_line, int status);
/* For g_ptr_array_sort () and qsort () of texts. */
int tool_compare_texts (gconstpointer a, gconstpointer b);
/* The path of another tool of the same build or installation, if it is there; else its name. */
char *tool_find (const char *name);

G_END_DECLS
