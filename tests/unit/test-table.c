/* SPDX-License-Identifier: BSD-3-Clause */

#include <roast/roast.h>

#include <math.h>
#include <string.h>

enum
{
  COUNT,
  REAL,
  FLAG,
  TEXT,
  NAME,
  N_COLUMNS,
};

/* A log with a column of each type. */
static RoastTable *
make_log (void)
{
  RoastTable *table = roast_table_new ("samples", ROAST_TABLE_KIND_LOG, "One of each");

  g_assert_cmpint (roast_table_add_column (table, "count", ROAST_COLUMN_TYPE_INT64, "B", "bytes", NULL), ==, COUNT);
  g_assert_cmpint (roast_table_add_column (table, "real", ROAST_COLUMN_TYPE_DOUBLE, "s", NULL, NULL), ==, REAL);
  g_assert_cmpint (roast_table_add_column (table, "flag", ROAST_COLUMN_TYPE_BOOLEAN, NULL, NULL, NULL), ==, FLAG);
  g_assert_cmpint (roast_table_add_column (table, "text", ROAST_COLUMN_TYPE_STRING, NULL, NULL, NULL), ==, TEXT);
  g_assert_cmpint (roast_table_add_column (table, "name", ROAST_COLUMN_TYPE_CATEGORY, NULL, NULL, NULL), ==, NAME);

  return table;
}

static void
append (RoastTable *table, RoastRow *row)
{
  g_autoptr (GError) error = NULL;

  roast_table_append (table, row, &error);
  g_assert_no_error (error);
}

static void
test_columns (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (GError) error = NULL;
  RoastColumn *column = roast_table_get_column (table, COUNT);

  g_assert_cmpstr (roast_table_get_name (table), ==, "samples");
  g_assert_cmpstr (roast_table_get_description (table), ==, "One of each");
  g_assert_cmpint (roast_table_get_kind (table), ==, ROAST_TABLE_KIND_LOG);
  g_assert_cmpuint (roast_table_get_n_columns (table), ==, N_COLUMNS);
  g_assert_cmpstr (roast_column_get_name (column), ==, "count");
  g_assert_cmpstr (roast_column_get_unit (column), ==, "B");
  g_assert_cmpstr (roast_column_get_description (column), ==, "bytes");
  g_assert_cmpint (roast_column_get_column_type (column), ==, ROAST_COLUMN_TYPE_INT64);
  g_assert_false (roast_column_is_key (column));
  g_assert_null (roast_column_get_unit (roast_table_get_column (table, FLAG)));
  g_assert_cmpint (roast_table_find_column (table, "name"), ==, NAME);
  g_assert_cmpint (roast_table_find_column (table, "nothing"), ==, -1);

  g_assert_cmpint (roast_table_add_column (table, "real", ROAST_COLUMN_TYPE_DOUBLE, "h", NULL, NULL), ==, REAL);
  g_assert_cmpstr (roast_column_get_unit (roast_table_get_column (table, REAL)), ==, "s");
  g_assert_cmpint (roast_table_add_column (table, "real", ROAST_COLUMN_TYPE_INT64, NULL, NULL, &error), ==, -1);
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN);
  g_assert_nonnull (strstr (error->message, "real"));
  g_clear_error (&error);
  g_assert_cmpint (roast_table_add_key_column (table, "key", ROAST_COLUMN_TYPE_INT64, NULL, NULL, &error), ==, -1);
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);
  g_assert_cmpuint (roast_table_get_n_columns (table), ==, N_COLUMNS);
}

static void
test_empty (void)
{
  g_autoptr (RoastTable) table = roast_table_new ("empty", ROAST_TABLE_KIND_LOG, NULL);
  g_autoptr (RoastTableSnapshot) bare = roast_table_snapshot (table);
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GBytes) column = NULL;

  g_assert_null (roast_table_get_description (table));
  g_assert_cmpuint (roast_table_snapshot_get_n_columns (bare), ==, 0);
  g_assert_cmpuint (roast_table_snapshot_get_n_chunks (bare), ==, 0);
  g_assert_false (roast_table_snapshot_is_valid (bare, 0, 0));

  roast_table_add_column (table, "real", ROAST_COLUMN_TYPE_DOUBLE, NULL, NULL, NULL);
  snapshot = roast_table_snapshot (table);
  column = roast_table_snapshot_dup_column (snapshot, 0);
  g_assert_cmpuint (g_bytes_get_size (column), ==, 0);
  g_assert_null (roast_table_snapshot_dup_column_validity (snapshot, 0));
  g_assert_cmpuint (roast_table_get_memory (table), ==, 0);
}

/* All cells set to something that follows from the number of the row. */
static void
fill (RoastRow *row, gint64 i)
{
  g_autofree char *text = g_strdup_printf ("row %" G_GINT64_FORMAT, i);
  static const char *const names[] = { "alpha", "beta", "gamma" };

  roast_row_clear (row);
  roast_row_set_int64 (row, COUNT, i * 1000);
  roast_row_set_double (row, REAL, (double) i / 2);
  roast_row_set_boolean (row, FLAG, i % 2 == 1);
  roast_row_set_string (row, TEXT, text);
  roast_row_set_string (row, NAME, names[i % 3]);
}

static void
test_types (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GVariant) value = NULL;

  for (gint64 i = 0; i < 300; i++)
    {
      fill (row, i);
      append (table, row);
    }
  snapshot = roast_table_snapshot (table);
  g_assert_cmpuint (roast_table_get_n_rows (table), ==, 300);
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (snapshot), ==, 300);
  g_assert_cmpuint (roast_table_snapshot_get_serial (snapshot), ==, roast_table_get_serial (table));
  g_assert_cmpstr (roast_table_snapshot_get_name (snapshot), ==, "samples");
  g_assert_cmpstr (roast_table_snapshot_get_description (snapshot), ==, "One of each");
  g_assert_cmpint (roast_table_snapshot_find_column (snapshot, "text"), ==, TEXT);

  g_assert_cmpint (roast_table_snapshot_get_int64 (snapshot, 299, COUNT), ==, 299000);
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 299, COUNT), ==, 299000.0);
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 299, REAL), ==, 149.5);
  g_assert_true (roast_table_snapshot_get_boolean (snapshot, 299, FLAG));
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 299, FLAG), ==, 1.0);
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 299, TEXT), ==, "row 299");
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 299, NAME), ==, "gamma");

  /* What a getter cannot say is not made up. */
  g_assert_cmpint (roast_table_snapshot_get_int64 (snapshot, 299, REAL), ==, 0);
  g_assert_true (isnan (roast_table_snapshot_get_double (snapshot, 299, TEXT)));
  g_assert_false (roast_table_snapshot_get_boolean (snapshot, 299, COUNT));
  g_assert_null (roast_table_snapshot_get_string (snapshot, 299, REAL));
  g_assert_false (roast_table_snapshot_is_valid (snapshot, 300, REAL));
  g_assert_false (roast_table_snapshot_is_valid (snapshot, 0, N_COLUMNS));

  value = roast_table_snapshot_dup_value (snapshot, 7, NAME);
  g_assert_cmpstr (g_variant_get_string (value, NULL), ==, "beta");
  g_assert_false (g_variant_is_floating (value));
}

static void
test_values (void)
{
  static const char *const types[] = { "x", "d", "b", "s", "s" };
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) snapshot = NULL;

  append (table, row);
  fill (row, 1);
  append (table, row);
  snapshot = roast_table_snapshot (table);
  for (guint c = 0; c < N_COLUMNS; c++)
    {
      g_autoptr (GVariant) missing = roast_table_snapshot_dup_value (snapshot, 0, c);
      g_autoptr (GVariant) value = roast_table_snapshot_dup_value (snapshot, 1, c);

      g_assert_null (missing);
      g_assert_cmpstr (g_variant_get_type_string (value), ==, types[c]);
    }
}

static void
test_missing (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) snapshot = NULL;

  append (table, row);
  roast_row_set_double (row, REAL, NAN);
  roast_row_set_string (row, TEXT, NULL);
  append (table, row);
  roast_row_set_double (row, REAL, -INFINITY);
  append (table, row);
  fill (row, 3);
  roast_row_set_double (row, REAL, INFINITY);
  roast_row_set_string (row, TEXT, NULL);
  roast_row_set_string (row, NAME, NULL);
  append (table, row);
  roast_row_set_double (row, REAL, 0);
  roast_row_set_string (row, TEXT, "");
  append (table, row);

  snapshot = roast_table_snapshot (table);
  for (guint i = 0; i < 3; i++)
    {
      for (guint c = 0; c < N_COLUMNS; c++)
        g_assert_false (roast_table_snapshot_is_valid (snapshot, i, c));
      g_assert_cmpint (roast_table_snapshot_get_int64 (snapshot, i, COUNT), ==, 0);
      g_assert_true (isnan (roast_table_snapshot_get_double (snapshot, i, REAL)));
      g_assert_true (isnan (roast_table_snapshot_get_double (snapshot, i, COUNT)));
      g_assert_false (roast_table_snapshot_get_boolean (snapshot, i, FLAG));
      g_assert_null (roast_table_snapshot_get_string (snapshot, i, TEXT));
      g_assert_null (roast_table_snapshot_get_string (snapshot, i, NAME));
    }
  /* Set, then taken back. */
  g_assert_true (roast_table_snapshot_is_valid (snapshot, 3, COUNT));
  g_assert_false (roast_table_snapshot_is_valid (snapshot, 3, REAL));
  g_assert_false (roast_table_snapshot_is_valid (snapshot, 3, TEXT));
  g_assert_false (roast_table_snapshot_is_valid (snapshot, 3, NAME));
  /* Nothing is not missing. */
  g_assert_true (roast_table_snapshot_is_valid (snapshot, 4, REAL));
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 4, REAL), ==, 0.0);
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 4, TEXT), ==, "");
}

static void
test_validity (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *valid = NULL;

  for (gint64 i = 0; i < 200; i++)
    {
      roast_row_clear (row);
      roast_row_set_int64 (row, COUNT, i);
      if (i % 3 == 0)
        roast_row_set_double (row, REAL, (double) i);
      append (table, row);
    }
  snapshot = roast_table_snapshot (table);

  g_assert_null (roast_table_snapshot_dup_column_validity (snapshot, COUNT));
  bytes = roast_table_snapshot_dup_column_validity (snapshot, REAL);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 200);
  valid = g_bytes_get_data (bytes, NULL);
  for (guint i = 0; i < 200; i++)
    g_assert_cmpuint (valid[i], ==, i % 3 == 0);

  for (guint chunk = 0, first = 0; chunk < roast_table_snapshot_get_n_chunks (snapshot); chunk++)
    {
      guint n_rows = roast_table_snapshot_get_chunk_n_rows (snapshot, chunk);
      g_autoptr (GBytes) bits = roast_table_snapshot_dup_chunk_validity (snapshot, chunk, REAL);
      g_autoptr (GBytes) none = roast_table_snapshot_dup_chunk_validity (snapshot, chunk, FLAG);
      const guint8 *bit = g_bytes_get_data (bits, NULL);
      const guint8 *zero = g_bytes_get_data (none, NULL);

      g_assert_null (roast_table_snapshot_dup_chunk_validity (snapshot, chunk, COUNT));
      g_assert_cmpuint (g_bytes_get_size (bits), ==, (n_rows + 7) / 8);
      g_assert_cmpuint (g_bytes_get_size (none), ==, (n_rows + 7) / 8);
      for (guint i = 0; i < n_rows; i++)
        {
          g_assert_cmpuint (bit[i / 8] >> (i % 8) & 1, ==, (first + i) % 3 == 0);
          g_assert_cmpuint (zero[i / 8] >> (i % 8) & 1, ==, 0);
        }
      first += n_rows;
    }
}

/* Rows that came later share bytes with those that a snapshot has: it does not show them. */
static void
test_validity_at_end (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (GPtrArray) snapshots = g_ptr_array_new_with_free_func (g_object_unref);

  for (gint64 i = 0; i < 20; i++)
    {
      roast_row_clear (row);
      if (i > 0)
        roast_row_set_int64 (row, COUNT, i);
      g_ptr_array_add (snapshots, roast_table_snapshot (table));
      append (table, row);
    }
  for (guint n = 1; n < snapshots->len; n++)
    {
      g_autoptr (GBytes) bits = roast_table_snapshot_dup_chunk_validity (g_ptr_array_index (snapshots, n), 0, COUNT);
      g_autoptr (GBytes) bytes = roast_table_snapshot_dup_column_validity (g_ptr_array_index (snapshots, n), COUNT);
      const guint8 *bit = g_bytes_get_data (bits, NULL);
      const guint8 *byte = g_bytes_get_data (bytes, NULL);

      g_assert_cmpuint (g_bytes_get_size (bytes), ==, n);
      for (guint i = 0; i < 8 * g_bytes_get_size (bits); i++)
        g_assert_cmpuint (bit[i / 8] >> (i % 8) & 1, ==, i > 0 && i < n);
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (byte[i], ==, i > 0);
    }
}

static void
assert_refused (RoastTable *table, RoastRow *row, RoastTableError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  guint64 n_rows = roast_table_get_n_rows (table);
  guint64 serial = roast_table_get_serial (table);

  g_assert_false (roast_table_append (table, row, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_cmpuint (roast_table_get_n_rows (table), ==, n_rows);
  g_assert_cmpuint (roast_table_get_serial (table), ==, serial);
  roast_row_clear (row);
}

static void
test_refused (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) snapshot = NULL;

  roast_row_set_string (row, COUNT, "many");
  assert_refused (table, row, ROAST_TABLE_ERROR_TYPE, "count");
  roast_row_set_double (row, COUNT, 1.5);
  roast_row_set_int64 (row, COUNT, 1);
  assert_refused (table, row, ROAST_TABLE_ERROR_TYPE, "count");
  roast_row_set_boolean (row, REAL, TRUE);
  assert_refused (table, row, ROAST_TABLE_ERROR_TYPE, "real");
  roast_row_set_int64 (row, FLAG, 1);
  assert_refused (table, row, ROAST_TABLE_ERROR_TYPE, "flag");
  roast_row_set_int64 (row, NAME, 1);
  assert_refused (table, row, ROAST_TABLE_ERROR_TYPE, "name");
  roast_row_set_int64 (row, N_COLUMNS, 1);
  assert_refused (table, row, ROAST_TABLE_ERROR_COLUMN, "number 5");
  roast_row_set_double (row, (guint) roast_table_find_column (table, "nothing"), 1);
  assert_refused (table, row, ROAST_TABLE_ERROR_COLUMN, "samples");

  roast_row_set_int64 (row, REAL, 3);
  append (table, row);
  snapshot = roast_table_snapshot (table);
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 0, REAL), ==, 3.0);
}

static void
test_kinds (void)
{
  g_autoptr (RoastTable) log = make_log ();
  g_autoptr (RoastTable) entities = roast_table_new ("entities", ROAST_TABLE_KIND_ENTITY, NULL);
  g_autoptr (RoastRow) log_row = roast_row_new (log);
  g_autoptr (RoastRow) entity_row = roast_row_new (entities);
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  g_autoptr (GError) error = NULL;

  g_assert_false (roast_table_merge (log, log_row, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);
  g_clear_error (&error);
  g_assert_false (roast_table_append (entities, entity_row, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);
  g_clear_error (&error);
  g_assert_false (roast_table_merge (entities, entity_row, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);
  g_clear_error (&error);
  g_assert_false (roast_table_append_column (entities, "x", nothing, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);
}

static void
test_text (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GBytes) data = NULL;
  g_autoptr (GBytes) offsets = NULL;
  static const char expected[] = "sm\303\270rrebr\303\270d\0\0\0bad \357\277\275";
  static const gint64 starts[] = { 0, 13, 14, 15, 23 };

  roast_row_set_string (row, TEXT, "sm\303\270rrebr\303\270d");
  append (table, row);
  roast_row_set_string (row, TEXT, "");
  append (table, row);
  roast_row_clear (row);
  append (table, row);
  roast_row_set_string (row, TEXT, "bad \377");
  append (table, row);

  snapshot = roast_table_snapshot (table);
  data = roast_table_snapshot_dup_chunk_data (snapshot, 0, TEXT);
  offsets = roast_table_snapshot_dup_chunk_offsets (snapshot, 0, TEXT);
  g_assert_cmpmem (g_bytes_get_data (data, NULL), g_bytes_get_size (data), expected, sizeof expected);
  g_assert_cmpmem (g_bytes_get_data (offsets, NULL), g_bytes_get_size (offsets), starts, sizeof starts);
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 3, TEXT), ==, "bad \357\277\275");
  g_assert_null (roast_table_snapshot_dup_chunk_offsets (snapshot, 0, NAME));
  g_assert_null (roast_table_snapshot_dup_column (snapshot, TEXT));
}

static void
test_categories (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) before = NULL;
  g_autoptr (RoastTableSnapshot) after = NULL;
  g_autoptr (GBytes) codes = NULL;
  g_auto (GStrv) few = NULL;
  g_auto (GStrv) more = NULL;
  static const gint32 expected[] = { 0, -1, 1, 0 };

  roast_row_set_string (row, NAME, "one");
  append (table, row);
  roast_row_clear (row);
  append (table, row);
  before = roast_table_snapshot (table);
  roast_row_set_string (row, NAME, "two");
  append (table, row);
  roast_row_set_string (row, NAME, "one");
  append (table, row);
  after = roast_table_snapshot (table);

  few = roast_table_snapshot_dup_dictionary (before, NAME);
  more = roast_table_snapshot_dup_dictionary (after, NAME);
  g_assert_cmpuint (g_strv_length (few), ==, 1);
  g_assert_cmpuint (g_strv_length (more), ==, 2);
  g_assert_cmpstr (more[1], ==, "two");
  g_assert_null (roast_table_snapshot_dup_dictionary (after, TEXT));
  codes = roast_table_snapshot_dup_column (after, NAME);
  g_assert_cmpmem (g_bytes_get_data (codes, NULL), g_bytes_get_size (codes), expected, sizeof expected);
}

static void
test_late_columns (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) before = NULL;
  g_autoptr (RoastTableSnapshot) after = NULL;
  g_autoptr (GBytes) column = NULL;
  const double *late = NULL;

  for (gint64 i = 0; i < 100; i++)
    {
      if (i >= 10)
        {
          g_autofree char *name = g_strdup_printf ("late %" G_GINT64_FORMAT, i);
          int index = roast_table_add_column (table, name, ROAST_COLUMN_TYPE_DOUBLE, NULL, NULL, NULL);

          g_assert_cmpint (index, ==, N_COLUMNS + (int) i - 10);
          fill (row, i);
          roast_row_set_double (row, (guint) index, (double) i);
        }
      else
        {
          fill (row, i);
        }
      append (table, row);
      if (i == 50)
        before = roast_table_snapshot (table);
    }
  after = roast_table_snapshot (table);

  g_assert_cmpuint (roast_table_snapshot_get_n_columns (before), ==, N_COLUMNS + 41);
  g_assert_cmpuint (roast_table_snapshot_get_n_columns (after), ==, N_COLUMNS + 90);
  /* Chunks are filled before another is begun, whatever columns come. */
  g_assert_cmpuint (roast_table_snapshot_get_n_chunks (after), ==, 2);
  column = roast_table_snapshot_dup_column (after, N_COLUMNS + 2);
  late = g_bytes_get_data (column, NULL);
  for (guint i = 0; i < 100; i++)
    {
      if (i == 12)
        g_assert_cmpfloat (late[i], ==, 12.0);
      else
        g_assert_true (isnan (late[i]));
      g_assert_cmpint (roast_table_snapshot_get_int64 (after, i, COUNT), ==, i * 1000);
    }
  g_assert_cmpstr (roast_table_snapshot_get_string (before, 50, TEXT), ==, "row 50");
  g_assert_false (roast_table_snapshot_is_valid (before, 0, N_COLUMNS));
}

static void
test_big (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GBytes) column = NULL;
  const double *whole = NULL;
  const gint64 n_rows = 1000000;
  guint64 first = 0;

  for (gint64 i = 0; i < n_rows; i++)
    {
      roast_row_clear (row);
      roast_row_set_double (row, REAL, (double) i);
      append (table, row);
    }
  snapshot = roast_table_snapshot (table);
  column = roast_table_snapshot_dup_column (snapshot, REAL);
  whole = g_bytes_get_data (column, NULL);
  g_assert_cmpuint (g_bytes_get_size (column), ==, (gsize) n_rows * sizeof (double));
  for (guint chunk = 0; chunk < roast_table_snapshot_get_n_chunks (snapshot); chunk++)
    {
      g_autoptr (GBytes) data = roast_table_snapshot_dup_chunk_data (snapshot, chunk, REAL);
      guint in_chunk = roast_table_snapshot_get_chunk_n_rows (snapshot, chunk);

      g_assert_cmpuint (in_chunk, <=, 4096);
      g_assert_cmpmem (g_bytes_get_data (data, NULL), g_bytes_get_size (data), whole + first,
                       in_chunk * sizeof (double));
      first += in_chunk;
    }
  g_assert_cmpuint (first, ==, n_rows);
  for (gint64 i = 0; i < n_rows; i++)
    g_assert_cmpfloat (whole[i], ==, (double) i);
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 654321, REAL), ==, 654321.0);
  g_assert_cmpuint (roast_table_get_memory (table), <, n_rows * 9);
}

static void
test_small (void)
{
  g_autoptr (RoastTable) table = roast_table_new ("small", ROAST_TABLE_KIND_LOG, NULL);
  g_autoptr (RoastRow) row = roast_row_new (table);

  for (int i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf ("column %d", i);

      roast_table_add_column (table, name, ROAST_COLUMN_TYPE_DOUBLE, NULL, NULL, NULL);
    }
  roast_row_set_double (row, 0, 1);
  append (table, row);
  /* Only what is used costs. */
  g_assert_cmpuint (roast_table_get_memory (table), <, 2048);
}

static void
test_no_copy (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) one = NULL;
  g_autoptr (RoastTableSnapshot) other = NULL;
  g_autoptr (GBytes) kept = NULL;
  const double *cells = NULL;

  for (gint64 i = 0; i < 10; i++)
    {
      fill (row, i);
      append (table, row);
    }
  one = roast_table_snapshot (table);
  fill (row, 10);
  append (table, row);
  other = roast_table_snapshot (table);
  kept = roast_table_snapshot_dup_chunk_data (one, 0, REAL);
  {
    g_autoptr (GBytes) same = roast_table_snapshot_dup_chunk_data (other, 0, REAL);

    g_assert_true (g_bytes_get_data (kept, NULL) == g_bytes_get_data (same, NULL));
    g_assert_cmpuint (g_bytes_get_size (kept), ==, 10 * sizeof (double));
    g_assert_cmpuint (g_bytes_get_size (same), ==, 11 * sizeof (double));
  }

  /* The bytes outlive all else. */
  g_clear_object (&one);
  g_clear_object (&other);
  g_clear_pointer (&row, roast_row_unref);
  g_clear_object (&table);
  cells = g_bytes_get_data (kept, NULL);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpfloat (cells[i], ==, i / 2.0);
}

static void
test_snapshot_outlives (void)
{
  g_autoptr (RoastTableSnapshot) snapshot = NULL;

  {
    g_autoptr (RoastTable) table = make_log ();
    g_autoptr (RoastRow) row = roast_row_new (table);

    fill (row, 4);
    append (table, row);
    snapshot = roast_table_snapshot (table);
  }
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 0, TEXT), ==, "row 4");
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 0, NAME), ==, "beta");
  g_assert_cmpstr (roast_column_get_unit (roast_table_snapshot_get_column (snapshot, REAL)), ==, "s");
}

/* Against the plainest way to keep the same. */
static void
test_random (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastRow) row = roast_row_new (table);
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GPtrArray) expected = g_ptr_array_new_with_free_func (g_free);
  const guint n_rows = 9000;

  for (guint i = 0; i < n_rows; i++)
    {
      GString *text = g_string_new (NULL);

      roast_row_clear (row);
      for (guint n = 0, c = 0; n < N_COLUMNS; n++, c = (c + 3) % N_COLUMNS)
        {
          g_autofree char *word = g_strdup_printf ("%d", g_test_rand_int_range (0, 50));
          gboolean set = g_test_rand_bit ();

          g_string_append_printf (text, "%s ", set ? word : "-");
          if (!set)
            continue;
          if (c == COUNT || c == REAL)
            roast_row_set_int64 (row, c, g_ascii_strtoll (word, NULL, 10));
          else if (c == FLAG)
            roast_row_set_boolean (row, c, g_ascii_strtoll (word, NULL, 10) % 2);
          else
            roast_row_set_string (row, c, word);
        }
      append (table, row);
      g_ptr_array_add (expected, g_string_free (text, FALSE));
    }

  snapshot = roast_table_snapshot (table);
  for (guint i = 0; i < n_rows; i++)
    {
      g_auto (GStrv) words = g_strsplit (g_ptr_array_index (expected, i), " ", -1);

      for (guint n = 0, c = 0; n < N_COLUMNS; n++, c = (c + 3) % N_COLUMNS)
        {
          gint64 number = g_ascii_strtoll (words[n], NULL, 10);

          if (g_str_equal (words[n], "-"))
            g_assert_false (roast_table_snapshot_is_valid (snapshot, i, c));
          else if (c == COUNT || c == REAL)
            g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, i, c), ==, (double) number);
          else if (c == FLAG)
            g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, i, c), ==, (double) (number % 2));
          else
            g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, i, c), ==, words[n]);
        }
    }
}

static void
test_variant (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  static const char *const good[] = {
    "{'count': <byte 1>, 'real': <byte 1>, 'flag': <true>, 'text': <'t'>, 'name': <'n'>}",
    "{'count': <int16 1>, 'real': <int16 1>}",
    "{'count': <uint16 1>, 'real': <uint16 1>}",
    "{'count': <1>, 'real': <1>}",
    "{'count': <uint32 1>, 'real': <uint32 1>}",
    "{'count': <int64 1>, 'real': <int64 1>}",
    "{'count': <uint64 1>, 'real': <1.0>}",
  };
  static const struct
  {
    const char *text;
    RoastTableError code;
    const char *word;
  } bad[] = {
    { "{'coumt': <1>}", ROAST_TABLE_ERROR_COLUMN, "Did you mean count?" },
    { "{'real': <1>, 'nothing': <1>}", ROAST_TABLE_ERROR_COLUMN, "nothing" },
    { "{'count': <1.5>}", ROAST_TABLE_ERROR_TYPE, "count" },
    { "{'count': <'1'>}", ROAST_TABLE_ERROR_TYPE, "count" },
    { "{'count': <uint64 9223372036854775808>}", ROAST_TABLE_ERROR_TYPE, "63 bits" },
    { "{'flag': <1>}", ROAST_TABLE_ERROR_TYPE, "flag" },
    { "{'text': <[1, 2]>}", ROAST_TABLE_ERROR_TYPE, "ai" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      roast_table_add_variant (table, g_variant_new_parsed (good[i]), &error);
      g_assert_no_error (error);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (roast_table_add_variant (table, g_variant_new_parsed (bad[i].text), &error));
      g_assert_error (error, ROAST_TABLE_ERROR, (int) bad[i].code);
      g_assert_nonnull (strstr (error->message, bad[i].word));
      g_clear_error (&error);
    }
  roast_table_add_variant (table, g_variant_new_parsed ("{'real': <uint64 18446744073709551615>}"), &error);
  g_assert_no_error (error);

  snapshot = roast_table_snapshot (table);
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (snapshot), ==, G_N_ELEMENTS (good) + 1);
  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_assert_cmpint (roast_table_snapshot_get_int64 (snapshot, i, COUNT), ==, 1);
      g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, i, REAL), ==, 1.0);
    }
  g_assert_true (roast_table_snapshot_get_boolean (snapshot, 0, FLAG));
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 0, TEXT), ==, "t");
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 0, NAME), ==, "n");
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, G_N_ELEMENTS (good), REAL), ==, 18446744073709551615.0);
}

static void
test_append_column (void)
{
  g_autoptr (RoastTable) table = make_log ();
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *values = g_new (double, 10000);
  g_autoptr (GBytes) reals = NULL;
  g_autoptr (GBytes) odd = NULL;
  static const gint64 integers[] = { 1, -2, G_MAXINT64 };
  g_autoptr (GBytes) counts = g_bytes_new_static (integers, sizeof integers);

  for (guint i = 0; i < 10000; i++)
    values[i] = i % 7 == 0 ? (i % 2 ? NAN : INFINITY) : i;
  reals = g_bytes_new (values, 10000 * sizeof (double));
  odd = g_bytes_new_from_bytes (reals, 0, 12);

  roast_table_append_column (table, "count", counts, &error);
  g_assert_no_error (error);
  roast_table_append_column (table, "real", reals, &error);
  g_assert_no_error (error);
  g_assert_false (roast_table_append_column (table, "real", odd, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_false (roast_table_append_column (table, "flag", reals, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_TYPE);
  g_clear_error (&error);
  g_assert_false (roast_table_append_column (table, "reel", reals, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_COLUMN);
  g_assert_nonnull (strstr (error->message, "real"));

  snapshot = roast_table_snapshot (table);
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (snapshot), ==, 10003);
  g_assert_cmpint (roast_table_snapshot_get_int64 (snapshot, 1, COUNT), ==, -2);
  g_assert_cmpint (roast_table_snapshot_get_int64 (snapshot, 2, COUNT), ==, G_MAXINT64);
  for (guint i = 0; i < 10000; i++)
    {
      g_assert_false (roast_table_snapshot_is_valid (snapshot, 3 + i, COUNT));
      g_assert_cmpint (roast_table_snapshot_is_valid (snapshot, 3 + i, REAL), ==, i % 7 != 0);
      if (i % 7 != 0)
        g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 3 + i, REAL), ==, i);
      else
        g_assert_true (isnan (roast_table_snapshot_get_double (snapshot, 3 + i, REAL)));
    }
}

/* Entities. */

enum
{
  SOURCE,
  NUMBER,
  ENDED,
  STATUS,
  NOTE,
};

static RoastTable *
make_entities (void)
{
  RoastTable *table = roast_table_new ("tasks", ROAST_TABLE_KIND_ENTITY, NULL);

  g_assert_cmpint (roast_table_add_key_column (table, "source", ROAST_COLUMN_TYPE_CATEGORY, NULL, NULL, NULL), ==, SOURCE);
  g_assert_cmpint (roast_table_add_key_column (table, "number", ROAST_COLUMN_TYPE_INT64, NULL, NULL, NULL), ==, NUMBER);
  g_assert_cmpint (roast_table_add_column (table, "ended", ROAST_COLUMN_TYPE_DOUBLE, "s", NULL, NULL), ==, ENDED);
  g_assert_cmpint (roast_table_add_column (table, "status", ROAST_COLUMN_TYPE_CATEGORY, NULL, NULL, NULL), ==, STATUS);
  g_assert_cmpint (roast_table_add_column (table, "note", ROAST_COLUMN_TYPE_STRING, NULL, NULL, NULL), ==, NOTE);
  g_assert_true (roast_column_is_key (roast_table_get_column (table, NUMBER)));
  g_assert_false (roast_column_is_key (roast_table_get_column (table, NOTE)));

  return table;
}

static RoastRow *
make_entity (RoastTable *table, const char *source, gint64 number)
{
  RoastRow *row = roast_row_new (table);

  roast_row_set_string (row, SOURCE, source);
  roast_row_set_int64 (row, NUMBER, number);

  return row;
}

static void
merge (RoastTable *table, RoastRow *row)
{
  g_autoptr (GError) error = NULL;

  roast_table_merge (table, row, &error);
  g_assert_no_error (error);
}

static void
test_merge (void)
{
  g_autoptr (RoastTable) table = make_entities ();
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (RoastRow) one = make_entity (table, "a", 1);
  g_autoptr (RoastRow) two = make_entity (table, "a", 2);
  g_autoptr (RoastRow) other = make_entity (table, "b", 1);
  guint64 serial = 0;

  merge (table, one);
  merge (table, two);
  merge (table, other);
  g_assert_cmpuint (roast_table_get_n_rows (table), ==, 3);
  serial = roast_table_get_serial (table);
  merge (table, two);
  g_assert_cmpuint (roast_table_get_serial (table), ==, serial);

  roast_row_set_double (two, ENDED, 2.5);
  merge (table, two);
  g_assert_cmpuint (roast_table_get_serial (table), >, serial);
  roast_row_set_string (two, STATUS, "done");
  roast_row_set_string (two, NOTE, "fine");
  merge (table, two);
  g_assert_cmpuint (roast_table_get_n_rows (table), ==, 3);

  snapshot = roast_table_snapshot (table);
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 1, ENDED), ==, 2.5);
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 1, STATUS), ==, "done");
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 1, NOTE), ==, "fine");
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 2, SOURCE), ==, "b");
  g_assert_false (roast_table_snapshot_is_valid (snapshot, 0, ENDED));
}

static void
test_conflict (void)
{
  g_autoptr (RoastTable) table = make_entities ();
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRow) row = make_entity (table, "a", 1);

  roast_row_set_double (row, ENDED, 1);
  roast_row_set_string (row, NOTE, "first");
  merge (table, row);
  merge (table, row);
  roast_row_set_double (row, ENDED, 2);
  roast_row_set_string (row, STATUS, "done");
  g_assert_false (roast_table_merge (table, row, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, "ended"));
  g_clear_error (&error);
  roast_row_set_double (row, ENDED, 1);
  roast_row_set_string (row, NOTE, "second");
  g_assert_false (roast_table_merge (table, row, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_CONFLICT);

  snapshot = roast_table_snapshot (table);
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 0, ENDED), ==, 1.0);
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 0, STATUS), ==, "done");
  g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, 0, NOTE), ==, "first");
}

static void
test_keys (void)
{
  g_autoptr (RoastTable) table = roast_table_new ("pairs", ROAST_TABLE_KIND_ENTITY, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastRow) row = roast_row_new (table);
  static const char *const pairs[][2] = { { "a", "bc" }, { "ab", "c" },         { "", "abc" },        { "1:a", "" },
                                          { "", "1:a" }, { "1", "abcdefghi0" }, { "10abcdefghi", "" } };

  roast_table_add_key_column (table, "x", ROAST_COLUMN_TYPE_STRING, NULL, NULL, NULL);
  roast_table_add_key_column (table, "y", ROAST_COLUMN_TYPE_STRING, NULL, NULL, NULL);
  roast_table_add_key_column (table, "z", ROAST_COLUMN_TYPE_BOOLEAN, NULL, NULL, NULL);
  roast_table_add_column (table, "plain", ROAST_COLUMN_TYPE_DOUBLE, NULL, NULL, NULL);
  g_assert_cmpint (roast_table_add_column (table, "x", ROAST_COLUMN_TYPE_STRING, NULL, NULL, &error), ==, 0);
  g_assert_no_error (error);
  g_assert_cmpint (roast_table_add_key_column (table, "plain", ROAST_COLUMN_TYPE_DOUBLE, NULL, NULL, &error), ==, -1);
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);
  g_clear_error (&error);

  for (int round = 0; round < 2; round++)
    for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
      for (int z = 0; z < 2; z++)
        {
          roast_row_clear (row);
          roast_row_set_string (row, 0, pairs[i][0]);
          roast_row_set_string (row, 1, pairs[i][1]);
          roast_row_set_boolean (row, 2, z);
          merge (table, row);
        }
  g_assert_cmpuint (roast_table_get_n_rows (table), ==, 2 * G_N_ELEMENTS (pairs));

  roast_row_clear (row);
  roast_row_set_string (row, 0, "x");
  g_assert_false (roast_table_merge (table, row, &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);
  g_assert_nonnull (strstr (error->message, "“y”"));
  g_clear_error (&error);
  g_assert_cmpint (roast_table_add_key_column (table, "late", ROAST_COLUMN_TYPE_STRING, NULL, NULL, &error), ==, -1);
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);
}

/* A snapshot does not see what is set in its rows later. */
static void
test_copy_on_write (void)
{
  g_autoptr (RoastTable) table = make_entities ();
  g_autoptr (RoastTableSnapshot) before = NULL;
  g_autoptr (RoastTableSnapshot) after = NULL;
  g_autoptr (GBytes) kept = NULL;
  const double *cells = NULL;
  guint late = 0;

  for (gint64 i = 0; i < 1000; i++)
    {
      g_autoptr (RoastRow) row = make_entity (table, "a", i);

      if (i % 2 == 0)
        roast_row_set_string (row, NOTE, "early");
      merge (table, row);
    }
  before = roast_table_snapshot (table);
  kept = roast_table_snapshot_dup_chunk_data (before, 0, ENDED);
  late = (guint) roast_table_add_column (table, "late", ROAST_COLUMN_TYPE_STRING, NULL, NULL, NULL);
  for (gint64 i = 0; i < 1000; i++)
    {
      g_autoptr (RoastRow) row = make_entity (table, "a", i);

      roast_row_set_double (row, ENDED, (double) i);
      roast_row_set_string (row, STATUS, "done");
      if (i % 2 == 1)
        roast_row_set_string (row, NOTE, "late");
      roast_row_set_string (row, late, "later");
      merge (table, row);
    }
  after = roast_table_snapshot (table);

  cells = g_bytes_get_data (kept, NULL);
  g_assert_true (isnan (cells[1]));
  for (guint i = 0; i < 1000; i++)
    {
      g_assert_false (roast_table_snapshot_is_valid (before, i, ENDED));
      g_assert_null (roast_table_snapshot_get_string (before, i, STATUS));
      g_assert_cmpstr (roast_table_snapshot_get_string (before, i, NOTE), ==, i % 2 == 0 ? "early" : NULL);
      g_assert_cmpfloat (roast_table_snapshot_get_double (after, i, ENDED), ==, i);
      g_assert_cmpstr (roast_table_snapshot_get_string (after, i, STATUS), ==, "done");
      g_assert_cmpstr (roast_table_snapshot_get_string (after, i, NOTE), ==, i % 2 == 0 ? "early" : "late");
      g_assert_cmpstr (roast_table_snapshot_get_string (after, i, late), ==, "later");
    }
}

static void
test_merge_variant (void)
{
  g_autoptr (RoastTable) table = make_entities ();
  g_autoptr (RoastTableSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  roast_table_add_variant (table, g_variant_new_parsed ("{'source': <'a'>, 'number': <1>}"), &error);
  g_assert_no_error (error);
  roast_table_add_variant (table, g_variant_new_parsed ("{'source': <'a'>, 'number': <1>, 'ended': <3>}"), &error);
  g_assert_no_error (error);
  g_assert_false (roast_table_add_variant (table, g_variant_new_parsed ("{'source': <'a'>}"), &error));
  g_assert_error (error, ROAST_TABLE_ERROR, ROAST_TABLE_ERROR_KEY);

  snapshot = roast_table_snapshot (table);
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (snapshot), ==, 1);
  g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, 0, ENDED), ==, 3.0);
}

/* Threads. */

#define WRITERS 3

typedef struct
{
  RoastTable *table;
  gint64 number;
  gint64 n_rows;
  int *running;
} Writer;

static gpointer
append_many (gpointer data)
{
  Writer *writer = data;
  g_autoptr (RoastRow) row = roast_row_new (writer->table);

  for (gint64 i = 0; i < writer->n_rows; i++)
    {
      g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, writer->number, i);

      roast_row_clear (row);
      roast_row_set_int64 (row, COUNT, writer->number);
      roast_row_set_double (row, REAL, (double) i);
      roast_row_set_string (row, TEXT, text);
      roast_row_set_string (row, NAME, text);
      if (i == writer->n_rows / 2)
        roast_table_add_column (writer->table, text, ROAST_COLUMN_TYPE_DOUBLE, NULL, NULL, NULL);
      append (writer->table, row);
    }
  g_atomic_int_add (writer->running, -1);

  return NULL;
}

/* Each writer's rows are there from its first to some row, none torn. */
static void
check_appended (RoastTable *table)
{
  g_autoptr (RoastTableSnapshot) snapshot = roast_table_snapshot (table);
  guint64 n_rows = roast_table_snapshot_get_n_rows (snapshot);
  gint64 next[WRITERS] = { 0 };

  g_assert_null (roast_table_snapshot_dup_column_validity (snapshot, TEXT));
  for (guint64 i = 0; i < n_rows; i++)
    {
      gint64 writer = roast_table_snapshot_get_int64 (snapshot, i, COUNT);
      g_autofree char *text = NULL;

      g_assert_cmpint (writer, >=, 0);
      g_assert_cmpint (writer, <, WRITERS);
      text = g_strdup_printf ("%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, writer, next[writer]);
      g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, i, REAL), ==, (double) next[writer]);
      g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, i, TEXT), ==, text);
      g_assert_cmpstr (roast_table_snapshot_get_string (snapshot, i, NAME), ==, text);
      next[writer]++;
    }
}

static void
run_writers (RoastTable *table, GThreadFunc run, gint64 n_rows, void (*check) (RoastTable *table))
{
  GThread *threads[WRITERS];
  Writer writers[WRITERS];
  int running = WRITERS;

  for (int i = 0; i < WRITERS; i++)
    {
      writers[i] = (Writer) { table, i, n_rows, &running };
      threads[i] = g_thread_new ("writer", run, &writers[i]);
    }
  while (g_atomic_int_get (&running) > 0)
    check (table);
  for (int i = 0; i < WRITERS; i++)
    g_thread_join (threads[i]);
  check (table);
}

static void
test_threads_append (void)
{
  g_autoptr (RoastTable) table = make_log ();

  run_writers (table, append_many, 3000, check_appended);
  g_assert_cmpuint (roast_table_get_n_rows (table), ==, WRITERS * 3000);
}

/* Writers make the same rows, each sets a column of its own in them. */
static gpointer
merge_many (gpointer data)
{
  Writer *writer = data;

  for (gint64 i = 0; i < writer->n_rows; i++)
    {
      g_autoptr (RoastRow) row = make_entity (writer->table, "a", i);

      if (writer->number == 0)
        roast_row_set_double (row, ENDED, (double) i);
      else
        roast_row_set_string (row, writer->number == 1 ? STATUS : NOTE, "done");
      merge (writer->table, row);
    }
  g_atomic_int_add (writer->running, -1);

  return NULL;
}

static guint
count_valid (RoastTableSnapshot *snapshot, guint column)
{
  guint valid = 0;

  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (snapshot); i++)
    valid += (guint) roast_table_snapshot_is_valid (snapshot, i, column);

  return valid;
}

/* What a snapshot says stays so: each writer has set its column from the first to some row. */
static void
check_merged (RoastTable *table)
{
  g_autoptr (RoastTableSnapshot) snapshot = roast_table_snapshot (table);

  for (guint column = ENDED; column <= NOTE; column++)
    {
      guint valid = count_valid (snapshot, column);

      g_thread_yield ();
      g_assert_cmpuint (count_valid (snapshot, column), ==, valid);
      g_assert_cmpuint (valid, <=, roast_table_snapshot_get_n_rows (snapshot));
    }
  for (guint64 i = 0; i < roast_table_snapshot_get_n_rows (snapshot); i++)
    {
      g_assert_cmpint (roast_table_snapshot_get_int64 (snapshot, i, NUMBER), ==, (gint64) i);
      if (roast_table_snapshot_is_valid (snapshot, i, ENDED))
        g_assert_cmpfloat (roast_table_snapshot_get_double (snapshot, i, ENDED), ==, (double) i);
    }
}

static void
test_threads_merge (void)
{
  g_autoptr (RoastTable) table = make_entities ();
  g_autoptr (RoastTableSnapshot) snapshot = NULL;

  run_writers (table, merge_many, 2000, check_merged);
  snapshot = roast_table_snapshot (table);
  g_assert_cmpuint (roast_table_snapshot_get_n_rows (snapshot), ==, 2000);
  for (guint column = SOURCE; column <= NOTE; column++)
    g_assert_cmpuint (count_valid (snapshot, column), ==, 2000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/table/columns", test_columns);
  g_test_add_func ("/table/empty", test_empty);
  g_test_add_func ("/table/types", test_types);
  g_test_add_func ("/table/values", test_values);
  g_test_add_func ("/table/missing", test_missing);
  g_test_add_func ("/table/validity", test_validity);
  g_test_add_func ("/table/validity-at-end", test_validity_at_end);
  g_test_add_func ("/table/refused", test_refused);
  g_test_add_func ("/table/kinds", test_kinds);
  g_test_add_func ("/table/text", test_text);
  g_test_add_func ("/table/categories", test_categories);
  g_test_add_func ("/table/late-columns", test_late_columns);
  g_test_add_func ("/table/big", test_big);
  g_test_add_func ("/table/small", test_small);
  g_test_add_func ("/table/no-copy", test_no_copy);
  g_test_add_func ("/table/snapshot-outlives", test_snapshot_outlives);
  g_test_add_func ("/table/random", test_random);
  g_test_add_func ("/table/variant", test_variant);
  g_test_add_func ("/table/append-column", test_append_column);
  g_test_add_func ("/table/entity/merge", test_merge);
  g_test_add_func ("/table/entity/conflict", test_conflict);
  g_test_add_func ("/table/entity/keys", test_keys);
  g_test_add_func ("/table/entity/copy-on-write", test_copy_on_write);
  g_test_add_func ("/table/entity/variant", test_merge_variant);
  g_test_add_func ("/table/threads/append", test_threads_append);
  g_test_add_func ("/table/threads/merge", test_threads_merge);

  return g_test_run ();
}
