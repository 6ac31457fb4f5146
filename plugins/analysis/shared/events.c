/* SPDX-License-Identifier: BSD-3-Clause */
#include "events.h"

char *
events_describe (RoastRecordingSnapshot *recording, const char *kinds)
{
  g_auto (GStrv) list = g_strsplit (kinds, " ", -1);
  g_autoptr (RoastTableReader) events = roast_events_read (recording);
  const char *first = NULL;
  guint n = 0;

  while (roast_table_reader_next (events))
    {
      const char *kind = roast_table_reader_get_string (events, ROAST_EVENTS_KIND);

      if (kind == NULL || !g_strv_contains ((const char *const *) list, kind))
        continue;
      if (n++ == 0)
        first = roast_table_reader_get_string (events, ROAST_EVENTS_MESSAGE);
    }

  return n > 1 ? g_strdup_printf ("%s (and %u more: see the table events)", first, n - 1) : g_strdup (first);
}
