/* SPDX-License-Identifier: BSD-3-Clause */
#include "run-meta.h"

void
run_meta_set (RoastRunFile *file, GVariant *metadata, const char *const *keys)
{
  for (; *keys != NULL; keys++)
    {
      const char *text = NULL;
      gint64 number = 0;

      if (g_variant_lookup (metadata, *keys, "&s", &text))
        roast_run_file_set_meta (file, *keys, text);
      else if (g_variant_lookup (metadata, *keys, "x", &number))
        {
          g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, number);

          roast_run_file_set_meta (file, *keys, digits);
        }
    }
}
