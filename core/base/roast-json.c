/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast/roast-json.h"

#include <string.h>

#include "roast-json-scan-private.h"
#include "roast/roast-error.h"

/**
 * roast_json_check:
 * @text: what came from outside
 * @length: its length in bytes; -1 if it ends with a zero
 * @max_depth: how deep it may be nested, at most 64
 * @error: return location for an error
 *
 * Checks whether a text is one JSON value (RFC 8259) in UTF-8 that is safe to be parsed. To be asked before json-glib,
 * which takes more than JSON, follows any nesting, and makes wrong numbers of integers that are too long: they are
 * refused here.
 *
 * Fails with %ROAST_BACKEND_ERROR_PROTOCOL, and says why in a few words.
 *
 * Returns: whether it is
 *
 * Since: 0.9
 */
gboolean
roast_json_check (const char *text, gssize length, guint max_depth, GError **error)
{
  const char *reason = NULL;

  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (max_depth <= ROAST_JSON_MAX_DEPTH, FALSE);

  reason = roast_json_find_fault (text, length < 0 ? strlen (text) : (gsize) length, max_depth);
  if (reason == NULL)
    return TRUE;
  g_set_error_literal (error, ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, reason);

  return FALSE;
}
