/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ROAST_JSON_MAX_DEPTH 64

/* Whether a text from outside is one JSON value (RFC 8259), in UTF-8, nested no deeper than @max_depth (at most
 * ROAST_JSON_MAX_DEPTH). NULL if it is; else why not, in a few words. To be asked before json-glib, which takes more
 * than JSON (comments, octal numbers, `var x =`), follows any nesting, and makes -1 of 18446744073709551615. */
const char *roast_json_find_fault (const char *text, gsize length, guint max_depth);

G_END_DECLS
