/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-recording.h"

#include "roast-model-private.h"
#include "roast-recording-snapshot-private.h"
#include "roast/roast-error.h"
#include "table/roast-table-private.h"

/**
 * RoastRecording:
 *
 * What was measured in one run: tables, and metadata of the run as a whole.
 *
 * The tables of the unified model are there by name when they are first asked for; others can be added. Everything may
 * be used from any thread.
 *
 * Since: 0.9
 */
struct _RoastRecording
{
  GObject parent_instance;

  GMutex mutex;
  GPtrArray *tables;
  GHashTable *metadata; /* char * to GVariant */
  GHashTable *sources;  /* backend to the number of its sources */
};

G_DEFINE_FINAL_TYPE (RoastRecording, roast_recording, G_TYPE_OBJECT)

static void
roast_recording_finalize (GObject *object)
{
  RoastRecording *self = ROAST_RECORDING (object);

  g_ptr_array_unref (self->tables);
  g_hash_table_unref (self->metadata);
  g_hash_table_unref (self->sources);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (roast_recording_parent_class)->finalize (object);
}

static void
roast_recording_class_init (RoastRecordingClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = roast_recording_finalize;
}

static void
roast_recording_init (RoastRecording *self)
{
  g_mutex_init (&self->mutex);
  self->tables = g_ptr_array_new_with_free_func (g_object_unref);
  self->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
  self->sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/**
 * roast_recording_new:
 *
 * Makes a recording of nothing.
 *
 * Returns: (transfer full): an empty recording
 *
 * Since: 0.9
 */
RoastRecording *
roast_recording_new (void)
{
  return g_object_new (ROAST_TYPE_RECORDING, NULL);
}

static RoastTable *
find_table (RoastRecording *self, const char *name)
{
  for (guint i = 0; i < self->tables->len; i++)
    {
      if (g_str_equal (roast_table_get_name (g_ptr_array_index (self->tables, i)), name))
        return g_ptr_array_index (self->tables, i);
    }

  return NULL;
}

/**
 * roast_recording_get_table:
 * @self: a recording
 * @name: name of a table
 *
 * Finds a table, or makes one of the model.
 *
 * Returns: (transfer none) (nullable): the table; those of the model are made when first asked for; %NULL if there is
 * none of that name
 *
 * Since: 0.9
 */
RoastTable *
roast_recording_get_table (RoastRecording *self, const char *name)
{
  g_autoptr (GMutexLocker) locker = NULL;
  RoastTable *table = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  locker = g_mutex_locker_new (&self->mutex);
  table = find_table (self, name);
  if (table == NULL)
    {
      table = roast_model_create_table (name);
      if (table != NULL)
        g_ptr_array_add (self->tables, table);
    }

  return table;
}

/**
 * roast_recording_add_table:
 * @self: a recording
 * @table: (transfer none): a table of your own
 * @error: return location for an error
 *
 * Adds a table, which is saved and exported like those of the model.
 *
 * Returns: %FALSE with %ROAST_TABLE_ERROR_EXISTS if the name is taken, by the model too
 *
 * Since: 0.9
 */
gboolean
roast_recording_add_table (RoastRecording *self, RoastTable *table, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;
  const char *name = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), FALSE);
  g_return_val_if_fail (ROAST_IS_TABLE (table), FALSE);

  name = roast_table_get_name (table);
  locker = g_mutex_locker_new (&self->mutex);
  if (find_table (self, name) != NULL || g_strv_contains (roast_model_get_table_names (), name))
    {
      g_set_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_EXISTS,
                   "the recording has a table “%s” already: add columns to that, or choose another name", name);
      return FALSE;
    }
  g_ptr_array_add (self->tables, g_object_ref (table));

  return TRUE;
}

/* The tables in the order of the model, then the added ones. */
static GPtrArray *
list_tables (RoastRecording *self)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);
  const char *const *names = roast_model_get_table_names ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      RoastTable *table = find_table (self, names[i]);

      if (table != NULL)
        g_ptr_array_add (list, g_object_ref (table));
    }
  for (guint i = 0; i < self->tables->len; i++)
    {
      RoastTable *table = g_ptr_array_index (self->tables, i);

      if (!g_strv_contains (names, roast_table_get_name (table)))
        g_ptr_array_add (list, g_object_ref (table));
    }

  return list;
}

/**
 * roast_recording_list_tables:
 * @self: a recording
 *
 * Lists the tables.
 *
 * Returns: (transfer container) (element-type RoastTable): the tables that there are, those of the model first
 *
 * Since: 0.9
 */
GPtrArray *
roast_recording_list_tables (RoastRecording *self)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), NULL);

  locker = g_mutex_locker_new (&self->mutex);

  return list_tables (self);
}

/**
 * roast_recording_set_metadata:
 * @self: a recording
 * @key: what is told
 * @value: (nullable): its value, consumed if floating; %NULL takes it back
 *
 * Tells something of the run as a whole.
 *
 * Since: 0.9
 */
void
roast_recording_set_metadata (RoastRecording *self, const char *key, GVariant *value)
{
  g_return_if_fail (ROAST_IS_RECORDING (self));
  g_return_if_fail (key != NULL);

  g_mutex_lock (&self->mutex);
  if (value != NULL)
    g_hash_table_insert (self->metadata, g_strdup (key), g_variant_ref_sink (value));
  else
    g_hash_table_remove (self->metadata, key);
  g_mutex_unlock (&self->mutex);
}

static GVariant *
dup_metadata (RoastRecording *self)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (self->metadata), (GCompareFunc) g_strcmp0);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  for (GList *l = keys; l != NULL; l = l->next)
    g_variant_builder_add (&builder, "{sv}", l->data, g_hash_table_lookup (self->metadata, l->data));

  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

/**
 * roast_recording_dup_metadata:
 * @self: a recording
 *
 * Gives all metadata as they are now.
 *
 * Returns: (transfer full): what is known of the run as a whole, as `a{sv}`, sorted by key
 *
 * Since: 0.9
 */
GVariant *
roast_recording_dup_metadata (RoastRecording *self)
{
  g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), NULL);

  locker = g_mutex_locker_new (&self->mutex);

  return dup_metadata (self);
}

static void
set_string (RoastRow *row, RoastTable *table, const char *column, const char *value)
{
  roast_row_set_string (row, (guint) roast_table_find_column (table, column), value);
}

/**
 * roast_recording_add_source:
 * @self: a recording
 * @backend: name of the backend that reads it
 * @address: (nullable): where it was found
 * @version: (nullable): its versions
 * @capabilities: (nullable): what it can tell, and why not the rest
 *
 * Adds a row to the table `sources`.
 *
 * Returns: (transfer full): the name of the source, as "local-1": the first column of every row that comes from it
 *
 * Since: 0.9
 */
char *
roast_recording_add_source (RoastRecording *self, const char *backend, const char *address, const char *version,
                            const char *capabilities)
{
  g_autofree char *source = NULL;
  g_autoptr (RoastRow) row = NULL;
  RoastTable *table = NULL;
  int n = 0;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), NULL);
  g_return_val_if_fail (backend != NULL, NULL);

  g_mutex_lock (&self->mutex);
  n = GPOINTER_TO_INT (g_hash_table_lookup (self->sources, backend)) + 1;
  g_hash_table_insert (self->sources, g_strdup (backend), GINT_TO_POINTER (n));
  g_mutex_unlock (&self->mutex);

  source = g_strdup_printf ("%s-%d", backend, n);
  table = roast_recording_get_table (self, "sources");
  row = roast_row_new (table);
  set_string (row, table, "source", source);
  set_string (row, table, "backend", backend);
  set_string (row, table, "address", address);
  set_string (row, table, "version", version);
  set_string (row, table, "capabilities", capabilities);
  roast_table_merge (table, row, NULL);

  return g_steal_pointer (&source);
}

/**
 * roast_recording_add_event:
 * @self: a recording
 * @source: (nullable): name of the source that it is about
 * @severity: how much it matters
 * @kind: (nullable): what kind of event, in a word
 * @message: what a reader of the numbers must know
 *
 * Adds a row to the table `events`, with the time of now.
 *
 * Since: 0.9
 */
void
roast_recording_add_event (RoastRecording *self, const char *source, RoastSeverity severity, const char *kind,
                           const char *message)
{
  static const char *const severities[] = { "info", "warning", "error" };
  g_autoptr (RoastRow) row = NULL;
  RoastTable *table = NULL;

  g_return_if_fail (ROAST_IS_RECORDING (self));
  g_return_if_fail (severity <= ROAST_SEVERITY_ERROR);
  g_return_if_fail (message != NULL);

  table = roast_recording_get_table (self, "events");
  row = roast_row_new (table);
  set_string (row, table, "source", source);
  roast_row_set_int64 (row, (guint) roast_table_find_column (table, "time"), g_get_real_time ());
  set_string (row, table, "severity", severities[severity]);
  set_string (row, table, "kind", kind);
  set_string (row, table, "message", message);
  roast_table_append (table, row, NULL);
}

static int
compare_addresses (gconstpointer a, gconstpointer b)
{
  guintptr first = (guintptr) * (gconstpointer *) a;
  guintptr second = (guintptr) * (gconstpointer *) b;

  return (first > second) - (first < second);
}

/* All tables at one time: a row that was added after another, in whatever table, is never there without it. */
static GPtrArray *
snapshot_tables (GPtrArray *tables)
{
  GPtrArray *snapshots = g_ptr_array_new_full (tables->len, g_object_unref);
  g_autoptr (GPtrArray) in_order = g_ptr_array_copy (tables, (GCopyFunc) g_object_ref, NULL);

  g_ptr_array_sort (in_order, compare_addresses);
  for (guint i = 0; i < in_order->len; i++)
    roast_table_lock (g_ptr_array_index (in_order, i));
  for (guint i = 0; i < tables->len; i++)
    g_ptr_array_add (snapshots, roast_table_snapshot_locked (g_ptr_array_index (tables, i)));
  for (guint i = 0; i < in_order->len; i++)
    roast_table_unlock (g_ptr_array_index (in_order, i));

  return snapshots;
}

/**
 * roast_recording_snapshot:
 * @self: a recording
 *
 * Takes all tables and the metadata as they are now, at one time.
 *
 * Returns: (transfer full): a snapshot
 *
 * Since: 0.9
 */
RoastRecordingSnapshot *
roast_recording_snapshot (RoastRecording *self)
{
  g_autoptr (GMutexLocker) locker = NULL;
  g_autoptr (GPtrArray) tables = NULL;
  g_autoptr (GVariant) metadata = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), NULL);

  locker = g_mutex_locker_new (&self->mutex);
  tables = list_tables (self);
  metadata = dup_metadata (self);

  return roast_recording_snapshot_new (snapshot_tables (tables), metadata);
}
