/* SPDX-License-Identifier: BSD-3-Clause */
#include "metadata.h"

gboolean
metadata_get_int64 (RoastRecordingSnapshot *recording, const char *key, gint64 *value)
{
  g_autoptr (GVariant) found = roast_recording_snapshot_lookup_metadata (recording, key, NULL);

  if (found == NULL)
    return FALSE;
  switch (g_variant_classify (found))
    {
    case G_VARIANT_CLASS_INT64:
      *value = g_variant_get_int64 (found);
      return TRUE;
    case G_VARIANT_CLASS_UINT64:
      *value = (gint64) g_variant_get_uint64 (found);
      return TRUE;
    case G_VARIANT_CLASS_UINT32:
      *value = g_variant_get_uint32 (found);
      return TRUE;
    case G_VARIANT_CLASS_INT32:
      *value = g_variant_get_int32 (found);
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
metadata_get_double (RoastRecordingSnapshot *recording, const char *key, double *value)
{
  g_autoptr (GVariant) found = roast_recording_snapshot_lookup_metadata (recording, key, G_VARIANT_TYPE_DOUBLE);

  if (found == NULL)
    return FALSE;
  *value = g_variant_get_double (found);

  return TRUE;
}

char *
metadata_dup_string (RoastRecordingSnapshot *recording, const char *key)
{
  g_autoptr (GVariant) found = roast_recording_snapshot_lookup_metadata (recording, key, G_VARIANT_TYPE_STRING);

  return found != NULL ? g_variant_dup_string (found, NULL) : NULL;
}

gboolean
metadata_is_true (RoastRecordingSnapshot *recording, const char *key)
{
  g_autoptr (GVariant) found = roast_recording_snapshot_lookup_metadata (recording, key, G_VARIANT_TYPE_BOOLEAN);

  return found != NULL && g_variant_get_boolean (found);
}
