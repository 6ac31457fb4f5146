/* SPDX-License-Identifier: BSD-3-Clause */

/* Any words as a command line, one on each line: they stay as many and remain UTF-8, and the value of a password option
 * is gone whatever it is. */

#include <stdint.h>
#include <string.h>

#include "base/roast-redact-private.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_utf8_make_valid (size > 0 ? (const char *) data : "", (gssize) size);
  g_auto (GStrv) words = g_strsplit (text, "\n", 100);
  g_auto (GStrv) redacted = roast_redact_argv ((const char *const *) words);
  g_autofree char *option = g_strconcat ("--password=", text, NULL);
  g_autofree char *value = roast_redact_text (option);
  gsize value_length = 0;

  g_assert_cmpuint (g_strv_length (redacted), ==, g_strv_length (words));
  for (guint i = 0; redacted[i] != NULL; i++)
    g_assert_true (g_utf8_validate (redacted[i], -1, NULL));
  value_length = strlen (text) - strspn (text, "=:> \t");
  /* After many of these signs, the rest of them may be taken for the value. */
  if (value_length == 0 && g_str_has_suffix (value, ROAST_REDACTED))
    return 0;
  g_assert_true (g_str_has_suffix (value, value_length > 0 ? ROAST_REDACTED : ""));
  g_assert_cmpuint (strcspn (value, "*") + (value_length > 0 ? strlen (ROAST_REDACTED) : 0), ==, strlen (value));

  return 0;
}
