/* SPDX-License-Identifier: BSD-3-Clause */
#include "run-meta.h"

void
run_meta_set (RoastRunFile *file, GVariant *metadata, const char *const *keys)
{
  for (; *keys != NULL; keys++)
    {
      g_autoptr (GVariant) value = g_variant_lookup_value (metadata, *keys, NULL);
      g_autofree char *digits = NULL;

      if (value == NULL)
        continue;
      if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
        digits = g_strdup_printf ("%" G_GINT64_FORMAT, g_variant_get_int64 (value));
      roast_run_file_set_meta (file, *keys, digits != NULL ? digits : g_variant_get_string (value, NULL));
    }
}
