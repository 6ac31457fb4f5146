/* SPDX-License-Identifier: BSD-3-Clause */

/* Whatever the bytes of a catalogue are: all of its metrics, or an error and none of them. */

#include <roast/roast.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (RoastCatalogue) catalogue = roast_catalogue_new ();
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok = roast_catalogue_load_data (catalogue, bytes, "fuzz", &error);

  g_assert_true (ok == (error == NULL));
  entries = roast_catalogue_list (catalogue);
  if (!ok)
    g_assert_cmpuint (entries->len, ==, 0);
  for (guint i = 0; i < entries->len; i++)
    {
      RoastMetricInfo *info = g_ptr_array_index (entries, i);

      g_assert_true (roast_catalogue_lookup (catalogue, roast_metric_info_get_name (info), NULL) == info);
    }

  return 0;
}
