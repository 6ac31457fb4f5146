/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-recording-snapshot-private.h"

#include "base/roast-fail-private.h"
#include "base/roast-type-private.h"
#include "recording/roast-recording-cells-private.h"
#include "roast/roast-error.h"
#include "roast/roast-tables.h"
#include "table/roast-column-private.h"
#include "table/roast-schema-private.h"
#include "table/roast-table-private.h"
#include "table/roast-table-reader-private.h"

/**
 * RoastRecordingSnapshot:
 *
 * A consistent copy of a [class@Roast.Recording] at one time. Aggregators and exporters read snapshots.
 *
 * Since: 0.9
 */
struct _RoastRecordingSnapshot
{
  GObject parent_instance;

  RoastSchema *schema;
  GPtrArray *tables;
  GVariant *metadata;
  GVariantDict *values; /* the metadata by key */
  GVariant *gaps;       /* value of the metadata ROAST_GAPS, or NULL */
  GHashTable *coverage; /* maps a table, "" for any table, or TABLE.COLUMN to the reason for missing rows or cells */
  guint n_gaps, n_ends; /* number of row gaps in the table coverage, and number of row gaps up to the end of the run */
  gboolean has_columns; /* the table coverage lists columns that lack cells */
  GHashTable *unsaid;   /* maps TABLE.COLUMN to the reason for missing cells that @coverage does not have, or to NULL */
  const char *gap;      /* reason why a watched table lacks rows, or a watched column lacks cells */
  RoastCells cells;     /* whether watched columns lack cells */
};

ROAST_DEFINE_TYPE (RoastRecordingSnapshot, roast_recording_snapshot)

static void
roast_recording_snapshot_release (RoastRecordingSnapshot *self)
{
  g_clear_object (&self->schema);
  g_ptr_array_unref (self->tables);
  g_clear_pointer (&self->gaps, g_variant_unref);
  g_hash_table_unref (self->coverage);
  g_hash_table_unref (self->unsaid);
  g_variant_dict_unref (self->values);
  g_variant_unref (self->metadata);
}

static void
roast_recording_snapshot_init (RoastRecordingSnapshot *self)
{
  self->coverage = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->unsaid = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->schema = g_object_ref (roast_schema_get_core ());
  self->tables = g_ptr_array_new_with_free_func (g_object_unref);
  self->metadata = g_variant_ref_sink (g_variant_new ("a{sv}", NULL));
  self->values = g_variant_dict_new (NULL);
}

/* Return the key in @coverage for the rows of a table, or for the cells of one of its columns. The column “” stands for
 * all rows of one source. */
static char *
recording_snapshot_make_key (const char *table, const char *column)
{
  return g_strconcat (table != NULL ? table : "", column != NULL ? "." : NULL, column, NULL);
}

/* Return whether a row of the table coverage names a table, or a column of it, that no schema declares. Such a row may
 * mean anything. */
static gboolean
recording_snapshot_is_unknown (RoastRecordingSnapshot *self, const char *table, const char *column)
{
  RoastTableInfo *info = table != NULL ? roast_schema_lookup_table (self->schema, table) : NULL;
  guint i = 0;

  return info != NULL ? column != NULL && !roast_table_info_find_column (info, column, &i)
                      : table != NULL || column != NULL;
}

/* Read the table coverage into @coverage. If a source has no rows of a table at all, this is not a gap, because readers
 * can see that rows of this source are absent. Only formulas need to know the reason, because formulas ignore sources.
 * For formulas, the reason is stored under the column “”. */
static void
read_coverage (RoastRecordingSnapshot *self)
{
  g_autoptr (RoastTableReader) rows = roast_coverage_read (self);

  while (rows != NULL && roast_table_reader_next (rows))
    {
      const char *table = roast_table_reader_get_string (rows, ROAST_COVERAGE_TABLE);
      const char *reason = roast_table_reader_get_string (rows, ROAST_COVERAGE_REASON);
      int state = roast_table_reader_get_word (rows, ROAST_COVERAGE_STATE);
      const char *column = roast_table_reader_get_string (rows, ROAST_COVERAGE_COLUMN);
      gboolean is_of_source =
          state == ROAST_COVERAGE_STATE_NONE && roast_table_reader_has (rows, ROAST_COVERAGE_SOURCE);
      gboolean is_unknown = recording_snapshot_is_unknown (self, table, column);
      g_autofree char *key = is_unknown
                                 ? g_strdup ("")
                                 : recording_snapshot_make_key (table, column == NULL && is_of_source ? "" : column);

      if (state != ROAST_COVERAGE_STATE_PARTIAL && state != ROAST_COVERAGE_STATE_NONE)
        continue;
      if (column == NULL && !is_of_source)
        {
          self->n_gaps++;
          self->n_ends += state == ROAST_COVERAGE_STATE_PARTIAL && roast_table_reader_has (rows, ROAST_COVERAGE_FROM) &&
                          !roast_table_reader_has (rows, ROAST_COVERAGE_TO);
        }
      self->has_columns |= column != NULL;
      if (!g_hash_table_contains (self->coverage, key))
        g_hash_table_insert (self->coverage, g_steal_pointer (&key),
                             is_unknown ? g_strdup_printf ("rows or cells of “%s%s%s” are missing, which no schema "
                                                           "declares",
                                                           table != NULL ? table : "", column != NULL ? "." : "",
                                                           column != NULL ? column : "")
                                        : g_strdup (reason != NULL ? reason : "rows are missing"));
    }
}

RoastRecordingSnapshot *
roast_recording_snapshot_new (RoastSchema *schema, GPtrArray *tables, GVariant *metadata)
{
  RoastRecordingSnapshot *self = g_object_new (ROAST_TYPE_RECORDING_SNAPSHOT, NULL);

  g_set_object (&self->schema, schema);
  g_ptr_array_unref (self->tables);
  self->tables = tables;
  g_variant_unref (self->metadata);
  self->metadata = g_variant_ref_sink (metadata);
  g_variant_dict_unref (self->values);
  self->values = g_variant_dict_new (self->metadata);
  self->gaps = g_variant_dict_lookup_value (self->values, ROAST_GAPS, G_VARIANT_TYPE_VARDICT);
  read_coverage (self);

  return self;
}

void
roast_recording_snapshot_set_gap (RoastRecordingSnapshot *self, const char *gap, RoastCells cells)
{
  self->gap = gap;
  self->cells = cells;
}

ROAST_DEFINE_GETTER (RecordingSnapshot, RECORDING_SNAPSHOT, const char *, roast_recording_snapshot_get_gap, NULL,
                     self->gap)

gboolean
roast_recording_snapshot_lacks_end (RoastRecordingSnapshot *self)
{
  gboolean is_end = FALSE;

  if (self->gaps == NULL)
    return self->n_gaps > 0 && self->n_ends == self->n_gaps;

  return g_variant_dict_lookup (self->values, ROAST_GAPS_END, "b", &is_end) && is_end;
}

const char *
roast_recording_snapshot_find_gap (RoastRecordingSnapshot *self, const char *table)
{
  const char *reason = NULL;

  if (self->gaps != NULL && !g_variant_lookup (self->gaps, table, "&s", &reason))
    g_variant_lookup (self->gaps, "", "&s", &reason);
  if (reason == NULL)
    reason = g_hash_table_lookup (self->coverage, table);

  return reason != NULL ? reason : g_hash_table_lookup (self->coverage, "");
}

const char *
roast_recording_snapshot_find_column_gap (RoastRecordingSnapshot *self, const char *table, const char *column)
{
  g_autofree char *key = recording_snapshot_make_key (table, column);
  const char *gap = g_hash_table_lookup (self->coverage, key);

  return gap != NULL ? gap : g_hash_table_lookup (self->unsaid, key);
}

void
roast_recording_snapshot_notice_gap (RoastRecordingSnapshot *self, const char *table)
{
  const char *gap =
      self->gap == NULL || self->cells == ROAST_CELLS_UNSAID ? roast_recording_snapshot_find_gap (self, table) : NULL;

  if (gap == NULL)
    return;
  self->gap = gap;
  if (self->cells == ROAST_CELLS_UNSAID)
    self->cells = ROAST_CELLS_LACKING;
}

static RoastTableSnapshot *
recording_snapshot_find_table (RoastRecordingSnapshot *self, const char *name)
{
  for (guint i = 0; i < self->tables->len; i++)
    {
      RoastTableSnapshot *table = g_ptr_array_index (self->tables, i);

      if (g_str_equal (roast_table_info_get_name (roast_table_snapshot_get_info (table)), name))
        return table;
    }

  return NULL;
}

/* Look for missing cells of which the table coverage says nothing. */
static char *
recording_snapshot_dup_unsaid (RoastRecordingSnapshot *self, const char *table, const char *column)
{
  RoastTableSnapshot *rows = recording_snapshot_find_table (self, table);
  RoastTableInfo *info = rows != NULL ? roast_table_snapshot_get_info (rows) : NULL;
  RoastColumn *found = NULL;
  guint i = 0;

  if (info != NULL && roast_table_info_find_column (info, column, &i))
    found = roast_table_info_get_column (info, i);

  return found != NULL && roast_column_get_expected (found) != NULL ? roast_recording_cells_dup_gap (rows, found)
                                                                    : NULL;
}

void
roast_recording_snapshot_notice_column (RoastRecordingSnapshot *self, const char *table, const char *column)
{
  g_autofree char *key = recording_snapshot_make_key (table, column);
  const char *gap = g_hash_table_lookup (self->coverage, key);
  gboolean is_said = gap != NULL;
  gboolean is_first =
      self->gap == NULL || self->cells == ROAST_CELLS_UNSAID; /* so far, the table coverage said nothing */

  if (!is_said && !g_hash_table_contains (self->unsaid, key))
    g_hash_table_insert (self->unsaid, g_strdup (key), recording_snapshot_dup_unsaid (self, table, column));
  if (!is_said)
    gap = g_hash_table_lookup (self->unsaid, key);
  if (gap == NULL)
    return;
  self->cells = is_said || !is_first ? ROAST_CELLS_LACKING : ROAST_CELLS_UNSAID;
  if (self->gap == NULL || (is_said && is_first))
    self->gap = gap;
}

ROAST_DEFINE_GETTER (RecordingSnapshot, RECORDING_SNAPSHOT, RoastCells, roast_recording_snapshot_get_cells,
                     ROAST_CELLS_WHOLE, self->cells)

static void
recording_snapshot_watch (GObject *self, const char *table, const char *column)
{
  roast_recording_snapshot_notice_column (ROAST_RECORDING_SNAPSHOT (self), table, column);
}

/**
 * roast_recording_snapshot_read_table:
 * @self: a snapshot
 * @table: name of a measured table
 * @columns: (nullable) (array zero-terminated=1): names of the columns to read, in the order of their slots; %NULL for
 *   all columns, in the order of the table
 * @error: return location for an error
 *
 * Creates a reader of a table. A table that has not been written has no rows.
 *
 * Returns: (transfer full): a reader; %NULL with %ROAST_TABLE_ERROR_TABLE or %ROAST_TABLE_ERROR_COLUMN
 *
 * Since: 0.9
 */
RoastTableReader *
roast_recording_snapshot_read_table (RoastRecordingSnapshot *self, const char *table, const char *const *columns,
                                     GError **error)
{
  g_autoptr (RoastTableSnapshot) empty = NULL;
  RoastTableSnapshot *found = NULL;
  RoastTableInfo *info = NULL;
  RoastTableReader *reader = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (self), NULL);
  g_return_val_if_fail (table != NULL, NULL);

  roast_recording_snapshot_notice_gap (self, table);
  found = recording_snapshot_find_table (self, table);
  info = found == NULL ? roast_schema_lookup_table (self->schema, table) : NULL;
  if (found == NULL && info == NULL)
    return roast_fail_null (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TABLE, "no schema declares a table “%s”",
                            table);
  if (found == NULL)
    found = empty = roast_table_snapshot_new_empty (info);
  reader = roast_table_reader_new (found, columns, error);
  if (reader != NULL)
    roast_table_reader_set_watch (reader, recording_snapshot_watch, G_OBJECT (self), self->has_columns);

  return reader;
}

/**
 * roast_recording_snapshot_dup_table_names:
 * @self: a snapshot
 *
 * Lists the tables that had been written or read when the snapshot was taken.
 *
 * Returns: (transfer full): names of the tables, in the order of the schema
 *
 * Since: 0.9
 */
char **
roast_recording_snapshot_dup_table_names (RoastRecordingSnapshot *self)
{
  char **names = NULL;

  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (self), NULL);

  names = g_new0 (char *, self->tables->len + 1);
  for (guint i = 0; i < self->tables->len; i++)
    names[i] =
        g_strdup (roast_table_info_get_name (roast_table_snapshot_get_info (g_ptr_array_index (self->tables, i))));

  return names;
}

/**
 * roast_recording_snapshot_get_schema:
 * @self: a snapshot
 *
 * Gets the schema that declares the tables of the recording.
 *
 * Returns: (transfer none): the schema
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (RecordingSnapshot, RECORDING_SNAPSHOT, RoastSchema *, roast_recording_snapshot_get_schema, NULL,
                     self->schema)

/**
 * roast_recording_snapshot_get_metadata:
 * @self: a snapshot
 *
 * Gets the metadata at the time of the snapshot.
 *
 * Returns: (transfer none): the metadata of the run as a whole, as `a{sv}`
 *
 * Since: 0.9
 */
ROAST_DEFINE_GETTER (RecordingSnapshot, RECORDING_SNAPSHOT, GVariant *, roast_recording_snapshot_get_metadata, NULL,
                     self->metadata)

/**
 * roast_recording_snapshot_lookup_metadata:
 * @self: a snapshot
 * @key: key of the value
 * @type: (nullable): the required type; %NULL for any type
 *
 * Gets one value of the metadata.
 *
 * Returns: (transfer full) (nullable): the value; %NULL if the key has no value, or a value of another type
 *
 * Since: 0.9
 */
GVariant *
roast_recording_snapshot_lookup_metadata (RoastRecordingSnapshot *self, const char *key, const GVariantType *type)
{
  g_return_val_if_fail (ROAST_IS_RECORDING_SNAPSHOT (self), NULL);
  g_return_val_if_fail (key != NULL, NULL);

  return g_variant_dict_lookup_value (self->values, key, type);
}
