/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-variant-private.h"

/* Accept all integer types, because language bindings often pass a narrower type than the declared one. */
gboolean
roast_variant_get_integer (GVariant *value, gint64 *integer)
{
  switch (*g_variant_get_type_string (value))
    {
    case 'y':
      *integer = g_variant_get_byte (value);
      return TRUE;
    case 'n':
      *integer = g_variant_get_int16 (value);
      return TRUE;
    case 'q':
      *integer = g_variant_get_uint16 (value);
      return TRUE;
    case 'i':
      *integer = g_variant_get_int32 (value);
      return TRUE;
    case 'u':
      *integer = g_variant_get_uint32 (value);
      return TRUE;
    case 'x':
      *integer = g_variant_get_int64 (value);
      return TRUE;
    case 't':
      *integer = (gint64) g_variant_get_uint64 (value);
      return *integer >= 0;
    default:
      return FALSE;
    }
}
