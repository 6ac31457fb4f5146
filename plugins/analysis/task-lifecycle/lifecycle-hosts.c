/* SPDX-License-Identifier: BSD-3-Clause */
#include "lifecycle-hosts.h"

#include "names-key.h"

#define MAX_SHOWN 3

struct _LifecycleHosts
{
  GHashTable *hosts; /* source and worker to host name */
};

LifecycleHosts *
lifecycle_hosts_new (RoastRecordingSnapshot *recording)
{
  LifecycleHosts *self = g_new0 (LifecycleHosts, 1);
  g_autoptr (RoastTableReader) workers =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_WORKERS, roast_workers_columns, NULL);

  self->hosts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  while (roast_table_reader_next (workers))
    {
      const char *worker = roast_table_reader_get_string (workers, ROAST_WORKERS_WORKER);
      const char *host = roast_table_reader_get_string (workers, ROAST_WORKERS_HOST);

      if (host != NULL)
        g_hash_table_replace (self->hosts,
                              names_key_join (roast_table_reader_get_string (workers, ROAST_WORKERS_SOURCE), worker),
                              g_strdup (host));
    }

  return self;
}

void
lifecycle_hosts_free (LifecycleHosts *self)
{
  g_hash_table_unref (self->hosts);
  g_free (self);
}

const char *
lifecycle_hosts_lookup (LifecycleHosts *self, const char *source, const char *worker)
{
  g_autofree char *key = worker != NULL ? names_key_join (source, worker) : NULL;

  return key != NULL ? g_hash_table_lookup (self->hosts, key) : NULL;
}

static int
compare_hosts (gconstpointer a, gconstpointer b, gpointer counts)
{
  guint x = GPOINTER_TO_UINT (g_hash_table_lookup (counts, a));
  guint y = GPOINTER_TO_UINT (g_hash_table_lookup (counts, b));

  int order = (y > x) - (y < x);

  return order != 0 ? order : g_strcmp0 (a, b);
}

char *
lifecycle_hosts_describe (GHashTable *counts)
{
  g_autoptr (GList) names = g_list_sort_with_data (g_hash_table_get_keys (counts), compare_hosts, counts);
  GString *text = g_string_new (NULL);
  guint n = 0;

  for (GList *l = names; l != NULL && n < MAX_SHOWN; l = l->next, n++)
    g_string_append_printf (text, "%s%s (%u)", n > 0 ? ", " : "", (const char *) l->data,
                            GPOINTER_TO_UINT (g_hash_table_lookup (counts, l->data)));
  if (g_hash_table_size (counts) > n)
    g_string_append_printf (text, " and %u more", g_hash_table_size (counts) - n);

  return g_string_free (text, n == 0);
}
