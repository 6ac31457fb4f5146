/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast/roast-recording.h"

#include "base/roast-fail-private.h"
#include "base/roast-redact-private.h"
#include "base/roast-suggest-private.h"
#include "base/roast-type-private.h"
#include "roast-recording-private.h"
#include "roast-recording-snapshot-private.h"
#include "roast/roast-error.h"
#include "roast/roast-tables.h"
#include "table/roast-schema-private.h"
#include "table/roast-table-private.h"
#include "table/roast-table-reader-private.h"
#include "table/roast-table-writer-private.h"

#define YEAR_2000 G_GINT64_CONSTANT (946684800000000) /* start of the year 2000, in µs since the epoch */

/**
 * RoastRecording:
 *
 * The measurements of one run: tables, and metadata of the run as a whole.
 *
 * A table that the schema declares is created when it is first used. All functions may be called from any thread.
 *
 * Since: 0.9
 */
struct _RoastRecording
{
  GObject parent_instance;

  RoastSchema *schema;
  RoastTableWriter *source_writer; /* writer of the table sources; guarded by writer_mutex, like event_writer */
  RoastTableWriter *event_writer;
  GMutex writer_mutex;

  GMutex mutex; /* guards all members below */
  GPtrArray *tables;
  GHashTable *refused; /* set of reported refusals "PLUGIN\nTABLE\nCOLUMN" and of lost cells "TABLE\nCOLUMN" */
  guint64 n_refused;
  gboolean finished;
  GHashTable *metadata; /* maps a key to its value, a GVariant */
  GVariant *copy;       /* copy of the metadata, sorted by key; NULL if the metadata have changed since the last copy */
  GHashTable *sources;  /* maps the name of a backend to the number of its sources */
  GHashTable *backends; /* maps the name of a source to the name of its backend */
};

ROAST_DEFINE_TYPE (RoastRecording, roast_recording)

static void
roast_recording_release (RoastRecording *self)
{
  g_clear_object (&self->schema);
  g_clear_object (&self->source_writer);
  g_clear_object (&self->event_writer);
  g_mutex_clear (&self->writer_mutex);
  g_hash_table_unref (self->refused);
  g_hash_table_unref (self->backends);
  g_ptr_array_unref (self->tables);
  g_hash_table_unref (self->metadata);
  g_clear_pointer (&self->copy, g_variant_unref);
  g_hash_table_unref (self->sources);
  g_mutex_clear (&self->mutex);
}

static void
roast_recording_init (RoastRecording *self)
{
  g_mutex_init (&self->mutex);
  g_mutex_init (&self->writer_mutex);
  self->refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->backends = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->tables = g_ptr_array_new_with_free_func (g_object_unref);
  self->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_variant_unref);
  self->sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->schema = g_object_ref (roast_schema_get_core ());
}

/**
 * roast_recording_new:
 * @schema: (nullable): schema of the allowed tables; %NULL for the core schema
 *
 * Creates an empty recording.
 *
 * Returns: (transfer full): a recording
 *
 * Since: 0.9
 */
RoastRecording *
roast_recording_new (RoastSchema *schema)
{
  RoastRecording *self = NULL;

  g_return_val_if_fail (schema == NULL || ROAST_IS_SCHEMA (schema), NULL);

  self = g_object_new (ROAST_TYPE_RECORDING, NULL);
  if (schema != NULL)
    g_set_object (&self->schema, schema);

  return self;
}

/**
 * roast_recording_get_schema:
 * @self: a recording
 *
 * Gets the schema that declares the tables of the recording.
 *
 * Returns: (transfer none): the schema
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (Recording, RECORDING, RoastSchema *, roast_recording_get_schema, NULL, self->schema)

static void
seal (RoastTable *table)
{
  if (!g_str_equal (roast_table_get_name (table), ROAST_TABLE_EVENTS))
    roast_table_seal (table);
}

/* Get a measured table of the schema. Create the table if it does not exist yet. */
static RoastTable *
recording_get_table (RoastRecording *self, RoastTableInfo *info)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  RoastTable *table = roast_table_find (self->tables, roast_table_info_get_name (info));

  if (table == NULL)
    {
      table = roast_table_new (info);
      g_ptr_array_add (self->tables, table);
      if (self->finished)
        seal (table);
    }

  return table;
}

RoastTable *
roast_recording_get_table (RoastRecording *self, const char *name)
{
  return recording_get_table (self, roast_schema_lookup_table (self->schema, name));
}

/* List the existing tables in the order of the schema. */
static GPtrArray *
list_tables (RoastRecording *self)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) infos = roast_schema_list_known_tables (self->schema);

  for (guint i = 0; i < infos->len; i++)
    {
      RoastTable *table = roast_table_find (self->tables, roast_table_info_get_name (g_ptr_array_index (infos, i)));

      if (table != NULL)
        g_ptr_array_add (list, g_object_ref (table));
    }

  return list;
}

GPtrArray *
roast_recording_list_tables (RoastRecording *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  return list_tables (self);
}

/**
 * roast_recording_set_metadata:
 * @self: a recording
 * @key: key of the value
 * @value: (nullable): the value, consumed if floating; %NULL removes the key
 *
 * Sets a metadata value of the run as a whole.
 *
 * Since: 0.9
 */
void
roast_recording_set_metadata (RoastRecording *self, const char *key, GVariant *value)
{
  g_return_if_fail (ROAST_IS_RECORDING (self));
  g_return_if_fail (key != NULL);

  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->copy, g_variant_unref);
  if (value != NULL)
    g_hash_table_insert (self->metadata, g_strdup (key), g_variant_ref_sink (value));
  else
    g_hash_table_remove (self->metadata, key);
  g_mutex_unlock (&self->mutex);
}

/* Record a gap in the metadata. Return FALSE if the table already had a gap. */
static gboolean
set_gap (RoastRecording *self, const char *table, gboolean is_end, const char *reason)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  gboolean is_new = FALSE;
  GVariant *before = g_hash_table_lookup (self->metadata, ROAST_GAPS);
  GVariant *end = g_hash_table_lookup (self->metadata, ROAST_GAPS_END);
  GVariantDict gaps;

  if (before != NULL && !g_variant_is_of_type (before, G_VARIANT_TYPE_VARDICT))
    before = NULL;
  is_end = is_end && (before == NULL || (end != NULL && g_variant_is_of_type (end, G_VARIANT_TYPE_BOOLEAN) &&
                                         g_variant_get_boolean (end)));
  g_variant_dict_init (&gaps, before);
  if (table == NULL)
    table = "";
  is_new = !g_variant_dict_contains (&gaps, table);
  if (is_new)
    g_variant_dict_insert (&gaps, table, "s", reason);
  g_clear_pointer (&self->copy, g_variant_unref);
  g_hash_table_insert (self->metadata, g_strdup (ROAST_GAPS), g_variant_ref_sink (g_variant_dict_end (&gaps)));
  g_hash_table_insert (self->metadata, g_strdup (ROAST_GAPS_END), g_variant_ref_sink (g_variant_new_boolean (is_end)));

  return is_new;
}

/* Add a row to the table coverage. @column is NULL for whole rows. @from is negative if the time is unknown. */
static void
add_coverage (RoastRecording *self, const char *table, const char *column, gint64 from, const char *reason)
{
  g_autoptr (RoastTableWriter) writer = roast_coverage_write (self, NULL);

  roast_table_writer_set_string (writer, ROAST_COVERAGE_TABLE, table);
  roast_table_writer_set_string (writer, ROAST_COVERAGE_COLUMN, column);
  roast_table_writer_set_count (writer, ROAST_COVERAGE_FROM, from);
  roast_table_writer_set_word (writer, ROAST_COVERAGE_STATE, ROAST_COVERAGE_STATE_PARTIAL);
  roast_table_writer_set_string (writer, ROAST_COVERAGE_REASON, reason);
  roast_table_writer_end (writer, NULL);
}

/* Record the gap twice: in the metadata, for readers of this recording, and as a row of the table coverage, for readers
 * of exported tables. */
void
roast_recording_add_gap (RoastRecording *self, const char *table, gint64 from, gboolean is_end, const char *reason)
{
  if (set_gap (self, table, is_end, reason))
    add_coverage (self, table, NULL, from, reason);
}

void
roast_recording_add_lost_cells (RoastRecording *self, const char *table, const char *column, const char *reason)
{
  gboolean first;

  g_mutex_lock (&self->mutex);
  first = g_hash_table_add (self->refused, g_strjoin ("\n", table, column, NULL));
  g_mutex_unlock (&self->mutex);
  if (first)
    add_coverage (self, table, column, -1, reason);
}

static GVariant *
dup_metadata (RoastRecording *self)
{
  g_autoptr (GList) keys = NULL;
  GVariantBuilder builder;

  if (self->copy != NULL)
    return g_variant_ref (self->copy);
  keys = g_list_sort (g_hash_table_get_keys (self->metadata), (GCompareFunc) g_strcmp0);
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  for (GList *l = keys; l != NULL; l = l->next)
    g_variant_builder_add (&builder, "{sv}", l->data, g_hash_table_lookup (self->metadata, l->data));
  self->copy = g_variant_ref_sink (g_variant_builder_end (&builder));

  return g_variant_ref (self->copy);
}

/**
 * roast_recording_dup_metadata:
 * @self: a recording
 *
 * Gets a copy of the current metadata.
 *
 * Returns: (transfer full): the metadata of the run as a whole, as `a{sv}`, sorted by key
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

/* ---- writing and reading tables ---- */

static RoastTable *
recording_open_table (RoastRecording *self, const char *name, GError **error)
{
  RoastTableInfo *info = roast_schema_lookup_table (self->schema, name);
  g_autoptr (GPtrArray) infos = NULL;
  g_autoptr (GPtrArray) names = NULL;
  g_autofree char *sentence = NULL;

  if (info != NULL && roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED)
    return recording_get_table (self, info);
  if (info != NULL)
    return roast_fail_null (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE,
                            "the derived table “%s” is part of the report, not of the recording", name);
  infos = roast_schema_list_tables (self->schema);
  names = g_ptr_array_new ();
  for (guint i = 0; i < infos->len; i++)
    g_ptr_array_add (names, (char *) roast_table_info_get_name (g_ptr_array_index (infos, i)));
  g_ptr_array_add (names, NULL);
  sentence = roast_suggest_sentence (name, (const char *const *) names->pdata, "the tables are", "there are no tables");
  return roast_fail_null (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE, "no schema declares a table “%s”; %s",
                          name, sentence);
}

/* Count a refused row, and report the first refusal for each plugin, table and column. */
static void
recording_on_refused (GObject *owner, const char *plugin, const char *table, const char *column, gboolean is_row,
                      const GError *error)
{
  RoastRecording *self = ROAST_RECORDING (owner);
  g_autofree char *key = g_strjoin ("\n", plugin != NULL ? plugin : "", table, column != NULL ? column : "", NULL);
  gboolean first;

  g_mutex_lock (&self->mutex);
  self->n_refused += is_row ? 1 : 0;
  first = g_hash_table_add (self->refused, g_steal_pointer (&key));
  g_mutex_unlock (&self->mutex);
  g_debug ("a row or value is refused: %s", error->message);
  /* Do not report a refused event, because the report would be another event. */
  if (!first || g_str_equal (table, ROAST_TABLE_EVENTS))
    return;
  roast_recording_add_event (self, NULL, -1, ROAST_SEVERITY_ERROR, is_row ? "refused-row" : "impossible-value",
                             error->message);
  if (g_str_equal (table, ROAST_TABLE_COVERAGE) || roast_schema_lookup_table (self->schema, table) == NULL ||
      g_error_matches (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_LATE))
    return;
  if (is_row)
    roast_recording_add_gap (self, table, -1, FALSE, error->message);
  else
    roast_recording_add_lost_cells (self, table, column, error->message);
}

/* Return whether the run started after 2000, so that a time before 2000 in its rows must be in a wrong unit. */
static gboolean
is_of_today (RoastRecording *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  GVariant *started = g_hash_table_lookup (self->metadata, "started");

  return started != NULL && g_variant_is_of_type (started, G_VARIANT_TYPE_INT64) &&
         g_variant_get_int64 (started) >= YEAR_2000;
}

/* Return the name of the backend that provides a source, or the source itself if its backend is unknown. */
static char *
dup_plugin (RoastRecording *self, const char *source)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);
  const char *backend = source != NULL ? g_hash_table_lookup (self->backends, source) : NULL;

  return g_strdup (backend != NULL ? backend : source);
}

/**
 * roast_recording_write_table:
 * @self: a recording
 * @table: name of a measured table
 * @source: (nullable): name of the rows' source, which is written into each row
 * @columns: (nullable) (array zero-terminated=1): names of the columns to write, in the order of their slots; %NULL for
 *   all columns, in the order of the table
 * @error: return location for an error
 *
 * Creates a writer of a table.
 *
 * Fails with %ROAST_TABLE_ERROR_TABLE if no schema declares the table, or with %ROAST_TABLE_ERROR_COLUMN if the table
 * lacks one of the columns. The error is also recorded as an event.
 *
 * Returns: (transfer full): a writer
 *
 * Since: 0.9
 */
RoastTableWriter *
roast_recording_write_table (RoastRecording *self, const char *table, const char *source, const char *const *columns,
                             GError **error)
{
  g_autofree char *plugin = NULL;
  RoastTable *opened = NULL;
  RoastTableWriter *writer = NULL;
  GError *local = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), NULL);
  g_return_val_if_fail (table != NULL, NULL);

  plugin = dup_plugin (self, source);
  opened = recording_open_table (self, table, &local);
  if (opened == NULL)
    {
      recording_on_refused (G_OBJECT (self), plugin, table, NULL, TRUE, local);
      g_propagate_error (error, local);
      return NULL;
    }
  writer = roast_table_writer_new (opened, source, plugin, columns, G_OBJECT (self), recording_on_refused, error);
  if (writer != NULL && is_of_today (self))
    roast_table_writer_set_earliest (writer, YEAR_2000);

  return writer;
}

/**
 * roast_recording_read_table:
 * @self: a recording
 * @table: name of a measured table
 * @columns: (nullable) (array zero-terminated=1): names of the columns to read, in the order of their slots; %NULL for
 *   all columns, in the order of the table
 * @error: return location for an error
 *
 * Creates a reader of the current rows of a table.
 *
 * Returns: (transfer full): a reader; %NULL with %ROAST_TABLE_ERROR_TABLE or %ROAST_TABLE_ERROR_COLUMN
 *
 * Since: 0.9
 */
RoastTableReader *
roast_recording_read_table (RoastRecording *self, const char *table, const char *const *columns, GError **error)
{
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  RoastTable *opened = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), NULL);
  g_return_val_if_fail (table != NULL, NULL);

  opened = recording_open_table (self, table, error);
  if (opened == NULL)
    return NULL;
  snapshot = roast_table_snapshot (opened);

  return roast_table_reader_new (snapshot, columns, error);
}

/**
 * roast_recording_dup_table_names:
 * @self: a recording
 *
 * Lists the tables that have been written or read so far.
 *
 * Returns: (transfer full): names of the tables, in the order of the schema
 *
 * Since: 0.9
 */
char **
roast_recording_dup_table_names (RoastRecording *self)
{
  g_autoptr (GPtrArray) tables = NULL;
  char **names = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), NULL);

  tables = roast_recording_list_tables (self);
  names = g_new0 (char *, tables->len + 1);
  for (guint i = 0; i < tables->len; i++)
    names[i] = g_strdup (roast_table_get_name (g_ptr_array_index (tables, i)));

  return names;
}

/**
 * roast_recording_get_n_refused:
 * @self: a recording
 *
 * Gets the number of refused rows and writers. Each refusal is a bug in a plugin or a program.
 *
 * Returns: the number of refusals
 *
 * Since: 0.9
 */
guint64
roast_recording_get_n_refused (RoastRecording *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), 0);

  locker = g_mutex_locker_new (&self->mutex);

  return self->n_refused;
}

/**
 * roast_recording_get_memory:
 * @self: a recording
 * @table: (nullable): name of a table; %NULL for all tables
 *
 * Gets the memory that the rows of a table take.
 *
 * Returns: the size in bytes, including free space in the last block and the index of open rows
 *
 * Since: 0.9
 */
gsize
roast_recording_get_memory (RoastRecording *self, const char *table)
{
  g_autoptr (GPtrArray) tables = NULL;
  gsize memory = 0;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), 0);

  tables = roast_recording_list_tables (self);
  for (guint i = 0; i < tables->len; i++)
    if (table == NULL || g_str_equal (roast_table_get_name (g_ptr_array_index (tables, i)), table))
      memory += roast_table_get_memory (g_ptr_array_index (tables, i));

  return memory;
}

/**
 * roast_recording_finish:
 * @self: a recording
 *
 * Ends the recording. Rows that are added later are refused (%ROAST_TABLE_ERROR_LATE). Only events are still recorded,
 * so that refusals can be reported.
 *
 * Since: 0.9
 */
void
roast_recording_finish (RoastRecording *self)
{
  g_return_if_fail (ROAST_IS_RECORDING (self));

  g_mutex_lock (&self->mutex);
  self->finished = TRUE;
  for (guint i = 0; i < self->tables->len; i++)
    seal (g_ptr_array_index (self->tables, i));
  g_mutex_unlock (&self->mutex);
}

/* Return whether the run can have started or ended at a time. Report an impossible time. */
static gboolean
is_time_of_run (RoastRecording *self, gint64 time, const char *what)
{
  const char *fault = time > g_get_real_time () + ROAST_TIME_AHEAD ? ROAST_TIME_TOO_LATE : NULL;
  g_autofree char *message = NULL;

  if (time < YEAR_2000 && is_of_today (self))
    fault = ROAST_TIME_TOO_EARLY;
  if (fault == NULL)
    return TRUE;
  message = g_strdup_printf ("%s of the run: %s; roast leaves this value out", what, fault);
  roast_recording_add_event (self, NULL, -1, ROAST_SEVERITY_ERROR, "impossible-value", message);
  roast_recording_set_metadata (self, "times-refused", g_variant_new_string (message));

  return FALSE;
}

/**
 * roast_recording_set_times:
 * @self: a recording
 * @started: when the run started, in µs since the epoch; -1 to leave it unchanged
 * @ended: when the run ended, in µs since the epoch; -1 to leave it unchanged
 *
 * Sets the start and end time of the run. A backend that reads a past run calls this function, because the defaults are
 * the start and end of the measurement. A time more than a year ahead, or before 2000 in a run of today, is left out
 * and reported as an event, and the elapsed time of the run is not available.
 *
 * Since: 0.9
 */
void
roast_recording_set_times (RoastRecording *self, gint64 started, gint64 ended)
{
  g_return_if_fail (ROAST_IS_RECORDING (self));

  if (started >= 0 && is_time_of_run (self, started, "start"))
    roast_recording_set_metadata (self, "started", g_variant_new_int64 (started));
  if (ended >= 0 && is_time_of_run (self, ended, "end"))
    {
      roast_recording_set_metadata (self, "ended", g_variant_new_int64 (ended));
      roast_recording_set_metadata (self, "ended-recorded", g_variant_new_boolean (TRUE));
    }
}

/**
 * roast_recording_add_source:
 * @self: a recording
 * @backend: name of the backend that reads the source
 * @address: (nullable): address of the source
 * @version: (nullable): versions of the source
 * @capabilities: (nullable): a sentence that describes what the source measures
 *
 * Adds a row to the table `sources`. The row stays open, so that the backend can fill more of its columns.
 *
 * Returns: (transfer full): the name of the source, such as "local-1", for [method@Roast.Recording.write_table]
 *
 * Since: 0.9
 */
char *
roast_recording_add_source (RoastRecording *self, const char *backend, const char *address, const char *version,
                            const char *capabilities)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = NULL;
  g_autofree char *redacted = NULL;
  char *source = NULL;
  int n = 0;

  g_return_val_if_fail (ROAST_IS_RECORDING (self), NULL);
  g_return_val_if_fail (backend != NULL, NULL);

  g_mutex_lock (&self->mutex);
  n = GPOINTER_TO_INT (g_hash_table_lookup (self->sources, backend)) + 1;
  g_hash_table_insert (self->sources, g_strdup (backend), GINT_TO_POINTER (n));
  source = g_strdup_printf ("%s-%d", backend, n);
  g_hash_table_insert (self->backends, g_strdup (source), g_strdup (backend));
  g_mutex_unlock (&self->mutex);

  locker = g_mutex_locker_new (&self->writer_mutex);
  if (self->source_writer == NULL)
    self->source_writer = roast_table_writer_new (roast_recording_get_table (self, ROAST_TABLE_SOURCES), NULL, NULL,
                                                  roast_sources_columns, NULL, NULL, NULL);
  roast_table_writer_set_string (self->source_writer, ROAST_SOURCES_SOURCE, source);
  roast_table_writer_set_string (self->source_writer, ROAST_SOURCES_BACKEND, backend);
  redacted = address != NULL ? roast_redact_text (address) : NULL;
  roast_table_writer_set_string (self->source_writer, ROAST_SOURCES_ADDRESS, redacted);
  roast_table_writer_set_string (self->source_writer, ROAST_SOURCES_VERSION, version);
  roast_table_writer_set_string (self->source_writer, ROAST_SOURCES_CAPABILITIES, capabilities);
  roast_table_writer_end (self->source_writer, NULL);

  return source;
}

/**
 * roast_recording_add_event:
 * @self: a recording
 * @source: (nullable): name of the source that the event is about
 * @time: time of the event, in µs since the epoch; -1 for now
 * @severity: severity of the event
 * @kind: (nullable): kind of event, as a single word
 * @message: a sentence that describes the event
 *
 * Adds a row to the table `events`.
 *
 * Since: 0.9
 */
void
roast_recording_add_event (RoastRecording *self, const char *source, gint64 time, RoastSeverity severity,
                           const char *kind, const char *message)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = NULL;

  g_return_if_fail (ROAST_IS_RECORDING (self));
  g_return_if_fail (severity <= ROAST_SEVERITY_ERROR);
  g_return_if_fail (message != NULL);

  locker = g_mutex_locker_new (&self->writer_mutex);
  if (self->event_writer == NULL)
    self->event_writer = roast_table_writer_new (roast_recording_get_table (self, ROAST_TABLE_EVENTS), NULL, NULL,
                                                 roast_events_columns, NULL, NULL, NULL);
  roast_table_writer_set_string (self->event_writer, ROAST_EVENTS_SOURCE, source);
  roast_table_writer_set_int64 (self->event_writer, ROAST_EVENTS_TIME, time >= 0 ? time : g_get_real_time ());
  roast_table_writer_set_word (self->event_writer, ROAST_EVENTS_SEVERITY, severity);
  roast_table_writer_set_string (self->event_writer, ROAST_EVENTS_KIND, kind);
  roast_table_writer_set_string (self->event_writer, ROAST_EVENTS_MESSAGE, message);
  roast_table_writer_end (self->event_writer, NULL);
}

static int
compare_addresses (gconstpointer a, gconstpointer b)
{
  guintptr first = (guintptr) * (gconstpointer *) a;
  guintptr second = (guintptr) * (gconstpointer *) b;

  return (first > second) - (first < second);
}

/* Take snapshots of all tables at the same time: if a row is in its snapshot, all rows of any table that were written
 * before this row are in the snapshots, too. */
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
 * Takes a consistent snapshot of all tables and the metadata.
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

  return roast_recording_snapshot_new (self->schema, snapshot_tables (tables), metadata);
}
