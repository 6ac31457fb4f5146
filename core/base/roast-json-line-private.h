/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One JSON object on a line of text, with nothing but memory: no type system, no lock. So it can be written after a
 * fork in a program with threads, where another thread may have held any lock of GObject's for ever. */
typedef GString RoastJsonLine;

RoastJsonLine *roast_json_line_new (void);
/* Members; texts that are not UTF-8 are made so. */
void roast_json_line_add_text (RoastJsonLine *self, const char *name, const char *value);
void roast_json_line_add_int (RoastJsonLine *self, const char *name, gint64 value);
void roast_json_line_add_real (RoastJsonLine *self, const char *name, double value);
/* Ends the object; gives its text, without a newline. */
char *roast_json_line_end (RoastJsonLine *self);

G_END_DECLS
