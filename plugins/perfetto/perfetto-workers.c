/* SPDX-License-Identifier: BSD-3-Clause */

/* Maps workers and sources to processes of the trace, and slots of a worker to threads of the trace. */

#include "perfetto.h"

#include <string.h>

#include "exporter.h"

typedef struct
{
  char *source, *name, *host; /* each may be NULL */
  gint64 pid;                 /* process ID; 0 if unknown */
  guint64 track;              /* track of the worker; 0 until it is in the trace */
  gint32 number;
  GArray *slots; /* elements are guint64: track of each slot */
} Worker;

struct _Workers
{
  Export *export;
  GPtrArray *workers;
  GHashTable *by_name;    /* maps "source\nworker" to the index of the worker, plus 1 */
  GHashTable *by_process; /* maps "host\npid" to the index of the worker, plus 1 */
  GHashTable *sources;    /* maps the name of a source to its track */
  guint64 run;
};

static void
worker_free (Worker *worker)
{
  g_free (worker->source);
  g_free (worker->name);
  g_free (worker->host);
  g_array_unref (worker->slots);
  g_free (worker);
}

static guint
add_worker (Workers *self, const char *source, const char *name)
{
  Worker *worker = g_new0 (Worker, 1);

  worker->source = g_strdup (source);
  worker->name = g_strdup (name);
  worker->slots = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_ptr_array_add (self->workers, worker);

  return self->workers->len - 1;
}

guint
workers_find (Workers *self, RoastTableReader *table, guint source_slot, guint worker_slot)
{
  const char *source = roast_table_reader_get_string (table, source_slot);
  const char *worker = roast_table_reader_get_string (table, worker_slot);
  g_autofree char *key = g_strconcat (source != NULL ? source : "", "\n", worker, NULL);
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_name, key));

  if (place == 0)
    {
      place = add_worker (self, source, worker) + 1;
      g_hash_table_insert (self->by_name, g_steal_pointer (&key), GUINT_TO_POINTER (place));
    }

  return place - 1;
}

static char *
dup_process_key (const char *host, gint64 pid)
{
  return g_strdup_printf ("%s\n%" G_GINT64_FORMAT, host != NULL ? host : "", pid);
}

static void
read_worker (Workers *self, RoastTableReader *table)
{
  const char *name = roast_table_reader_get_string (table, ROAST_WORKERS_NAME);
  guint place = workers_find (self, table, ROAST_WORKERS_SOURCE, ROAST_WORKERS_WORKER);
  Worker *worker = g_ptr_array_index (self->workers, place);

  if (name != NULL)
    {
      g_free (worker->name);
      worker->name = g_strdup (name);
    }
  g_free (worker->host);
  worker->host = g_strdup (roast_table_reader_get_string (table, ROAST_WORKERS_HOST));
  worker->pid = roast_table_reader_get_int64 (table, ROAST_WORKERS_PID, 0);
  if (worker->pid > 0)
    g_hash_table_insert (self->by_process, dup_process_key (worker->host, worker->pid), GUINT_TO_POINTER (place + 1));
}

Workers *
workers_new (Export *export)
{
  Workers *self = g_new0 (Workers, 1);
  g_autoptr (RoastTableReader) table = roast_workers_read (export->recording);

  self->export = export;
  self->workers = g_ptr_array_new_with_free_func ((GDestroyNotify) worker_free);
  self->by_name = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_process = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  while (roast_table_reader_next (table))
    read_worker (self, table);

  return self;
}

void
workers_free (Workers *self)
{
  g_ptr_array_unref (self->workers);
  g_hash_table_unref (self->by_name);
  g_hash_table_unref (self->by_process);
  g_hash_table_unref (self->sources);
  g_free (self);
}

guint
workers_find_process (Workers *self, const char *host, gint64 pid)
{
  g_autofree char *key = dup_process_key (host, pid);
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_process, key));

  if (place == 0)
    {
      Worker *worker = NULL;

      place = add_worker (self, NULL, pid > 0 ? "program" : "program, unknown process") + 1;
      worker = g_ptr_array_index (self->workers, place - 1);
      worker->host = g_strdup (host);
      worker->pid = pid;
      g_hash_table_insert (self->by_process, g_steal_pointer (&key), GUINT_TO_POINTER (place));
    }

  return place - 1;
}

/* Return a name that consists of the name of the worker and its host. Leave out the host if the name of the worker
 * already contains it, as is often the case. */
static char *
dup_full_name (const Worker *worker)
{
  const char *name = worker->name != NULL ? worker->name : "unknown worker";
  gboolean has_host = worker->host == NULL || strstr (name, worker->host) != NULL;

  return g_strconcat (worker->source != NULL ? worker->source : "", worker->source != NULL ? " " : "", name,
                      has_host ? "" : " on ", has_host ? "" : worker->host, NULL);
}

guint64
workers_get_track (Workers *self, guint place)
{
  Worker *worker = g_ptr_array_index (self->workers, place);

  if (worker->track == 0)
    {
      g_autofree char *name = dup_full_name (worker);

      worker->track = trace_add_process (self->export->trace, worker->pid, name, worker->host, &worker->number);
    }

  return worker->track;
}

guint64
workers_get_slot (Workers *self, guint place, guint slot)
{
  Worker *worker = g_ptr_array_index (self->workers, place);

  workers_get_track (self, place);
  if (slot >= worker->slots->len)
    g_array_set_size (worker->slots, slot + 1);
  if (g_array_index (worker->slots, guint64, slot) == 0)
    {
      g_autofree char *name = g_strdup_printf ("slot %u", slot + 1);

      g_array_index (worker->slots, guint64, slot) = trace_add_thread (self->export->trace, worker->number, name);
    }

  return g_array_index (worker->slots, guint64, slot);
}

/* ---- sources ---- */

static guint64
get_run (Workers *self)
{
  g_autofree char *line = exporter_dup_command (self->export->recording);
  g_autofree char *name =
      g_strdup_printf ("run%s%s", line != NULL && *line != '\0' ? ": " : "", line != NULL ? line : "");
  gint32 number;

  if (self->run == 0)
    self->run = trace_add_process (self->export->trace, 0, name, NULL, &number);

  return self->run;
}

guint64
workers_get_source (Workers *self, const char *source)
{
  guint64 *track = NULL;
  gint32 number;

  if (source == NULL)
    return get_run (self);
  track = g_hash_table_lookup (self->sources, source);
  if (track == NULL)
    {
      track = g_new (guint64, 1);
      *track = trace_add_process (self->export->trace, 0, source, NULL, &number);
      g_hash_table_insert (self->sources, g_strdup (source), track);
    }

  return *track;
}
