/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-fail-private.h"

gboolean
roast_fail (GError **error, GQuark domain, int code, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (domain, code, format, arguments);
  va_end (arguments);

  return FALSE;
}
