/* SPDX-License-Identifier: BSD-3-Clause */

/* Provides a table of a recording or report as a virtual table of SQLite (https://sqlite.org/vtab.html). A scan reads
 * only the columns that the query uses, block by block. */

#include "query-table.h"

#include <math.h>

#include "core/base/roast-fail-private.h"

#define MAX_TERMS 8 /* comparisons that a scan uses */
#define MAX_MASK 63 /* SQLite marks this column and all later columns with one bit */

typedef struct
{
  RoastTableInfo *info;
  QueryTableOpen open;
  gpointer data;
} QueryTable;

typedef struct
{
  sqlite3_vtab base;
  const QueryTable *table;
  guint64 n_rows;
} Vtab;

/* A comparison of a column. */
typedef struct
{
  guint slot;
  char sign; /* =, < (or equal) or > (or equal) */
} Term;

/* A column that a scan reads, and the range of cells that may match. Integers beyond 2^53 are rounded, in queries as in
 * the file. The range includes its bounds, so that it never excludes a row that SQLite would find equal. */
typedef struct
{
  gboolean is_category;
  GHashTable *codes; /* for a category: code + 1 by text; created on first use */
  double min, max;
} Range;

typedef struct
{
  sqlite3_vtab_cursor base;
  RoastTableReader *reader;
  char *plan; /* as text */
  Term terms[MAX_TERMS];
  guint n_terms;
  GArray *ranges; /* by slot */
  int *slots;     /* slots of the reader, by column; -1 for columns that are not read */
  gboolean more;  /* whether the cursor is at a row */
} Cursor;

static void
query_table_free (gpointer data)
{
  QueryTable *self = data;

  g_object_unref (self->info);
  g_free (self);
}

const char *
query_table_type_name (RoastColumn *column)
{
  static const char *const names[] = {
    [ROAST_COLUMN_TYPE_INT64] = "INTEGER",   [ROAST_COLUMN_TYPE_DOUBLE] = "REAL",
    [ROAST_COLUMN_TYPE_BOOLEAN] = "INTEGER", [ROAST_COLUMN_TYPE_STRING] = "TEXT",
    [ROAST_COLUMN_TYPE_CATEGORY] = "TEXT",
  };

  return names[roast_column_get_column_type (column)];
}

static char *
make_declaration (RoastTableInfo *info)
{
  GString *text = g_string_new ("CREATE TABLE " QUERY_TABLE_DECLARED " (");

  for (guint i = 0; i < roast_table_info_get_n_columns (info); i++)
    {
      RoastColumn *column = roast_table_info_get_column (info, i);

      g_string_append_printf (text, "%s\"%s\" %s", i > 0 ? ", " : "", roast_column_get_name (column),
                              query_table_type_name (column));
    }
  g_string_append_c (text, ')');

  return g_string_free (text, FALSE);
}

static int
table_connect (sqlite3 *database, void *data, int argc, const char *const *argv, sqlite3_vtab **vtab, char **message)
{
  const QueryTable *table = data;
  const char *none[] = { NULL };
  g_autofree char *declaration = make_declaration (table->info);
  g_autoptr (GError) error = NULL;
  g_autoptr (RoastTableReader) reader =
      table->open (roast_table_info_get_name (table->info), none, table->data, &error);
  Vtab *self = NULL;

  if (reader == NULL)
    {
      *message = sqlite3_mprintf ("%s", error->message);
      return SQLITE_ERROR;
    }
  self = g_new0 (Vtab, 1);
  self->table = table;
  self->n_rows = roast_table_reader_get_n_rows (reader);
  *vtab = &self->base;

  return sqlite3_declare_vtab (database, declaration);
}

static int
table_disconnect (sqlite3_vtab *vtab)
{
  g_free (vtab);

  return SQLITE_OK;
}

/* Returns the comparison that SQLite offers as a sign; '\0' if a scan cannot use it. */
static char
sign_of (guint8 operation)
{
  switch (operation)
    {
    case SQLITE_INDEX_CONSTRAINT_EQ:
      return '=';
    case SQLITE_INDEX_CONSTRAINT_LT:
    case SQLITE_INDEX_CONSTRAINT_LE:
      return '<';
    case SQLITE_INDEX_CONSTRAINT_GT:
    case SQLITE_INDEX_CONSTRAINT_GE:
      return '>';
    default:
      return '\0';
    }
}

/* SQLite before 3.38 cannot tell: there, a list costs one scan per value. */
static gboolean
is_list (sqlite3_index_info *info, int number)
{
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_in (info, number, -1);
#else
  return FALSE;
#endif
}

/* Returns whether a scan can use the constraint: any comparison of numbers, and equality of categories. Refuse lists
 * (IN): they would cost one scan per value. */
static gboolean
can_use (sqlite3_index_info *info, int number, RoastTableInfo *table)
{
  const struct sqlite3_index_constraint *constraint = &info->aConstraint[number];
  char sign = sign_of (constraint->op);

  if (!constraint->usable || sign == '\0' || constraint->iColumn < 0 || is_list (info, number))
    return FALSE;
  switch (roast_column_get_column_type (roast_table_info_get_column (table, (guint) constraint->iColumn)))
    {
    case ROAST_COLUMN_TYPE_INT64:
    case ROAST_COLUMN_TYPE_DOUBLE:
      return TRUE;
    case ROAST_COLUMN_TYPE_CATEGORY:
      return sign == '=' && sqlite3_stricmp (sqlite3_vtab_collation (info, number), "BINARY") == 0;
    case ROAST_COLUMN_TYPE_BOOLEAN:
    case ROAST_COLUMN_TYPE_STRING:
    default:
      return FALSE;
    }
}

/* Chooses which columns a scan reads and which comparisons it uses to skip rows. SQLite passes the text to the scan,
 * and checks all rows again. */
static int
table_best_index (sqlite3_vtab *vtab, sqlite3_index_info *info)
{
  const Vtab *self = (const Vtab *) vtab;
  g_autoptr (GString) text = g_string_new (NULL);
  double wanted = (double) self->n_rows;
  int n_terms = 0;

  g_string_printf (text, "%" G_GINT64_MODIFIER "x", (guint64) info->colUsed);
  for (int i = 0; i < info->nConstraint && n_terms < MAX_TERMS; i++)
    {
      char sign = sign_of (info->aConstraint[i].op);

      if (!can_use (info, i, self->table->info))
        continue;
      info->aConstraintUsage[i].argvIndex = ++n_terms;
      g_string_append_printf (text, " %d%c", info->aConstraint[i].iColumn, sign);
      wanted /= sign == '=' ? 8 : 2;
    }
  info->idxStr = sqlite3_mprintf ("%s", text->str);
  info->needToFreeIdxStr = 1;
  info->estimatedRows = (sqlite3_int64) wanted;
  /* Skipped rows are cheap, but not free. */
  info->estimatedCost = wanted + (double) self->n_rows / 16 + 1;

  return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

static void
range_clear (gpointer range)
{
  g_clear_pointer (&((Range *) range)->codes, g_hash_table_unref);
}

static int
table_open (sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = g_new0 (Cursor, 1);

  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  g_array_set_clear_func (self->ranges, range_clear);
  *cursor = &self->base;

  return SQLITE_OK;
}

static int
table_close (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  g_array_unref (self->ranges);
  g_clear_object (&self->reader);
  g_free (self->plan);
  g_free (self->slots);
  g_free (self);

  return SQLITE_OK;
}

/* ---- scans ---- */

/* Reads the plan that table_best_index () wrote, and makes a reader for it. */
static gboolean
query_table_prepare (Cursor *self, const QueryTable *table, const char *plan, GError **error)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  guint n = roast_table_info_get_n_columns (table->info);
  char *next = NULL;
  guint64 mask = g_ascii_strtoull (plan, &next, 16);

  g_clear_object (&self->reader);
  g_array_set_size (self->ranges, 0);
  self->slots = g_renew (int, self->slots, n);
  for (guint i = 0; i < n; i++)
    {
      RoastColumn *column = roast_table_info_get_column (table->info, i);
      Range range = { roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_CATEGORY };

      self->slots[i] = (mask >> MIN (i, MAX_MASK)) & 1 ? (int) columns->len : -1;
      if (self->slots[i] < 0)
        continue;
      g_ptr_array_add (columns, (char *) roast_column_get_name (column));
      g_array_append_val (self->ranges, range);
    }
  g_ptr_array_add (columns, NULL);
  for (self->n_terms = 0; *next == ' '; self->n_terms++)
    {
      self->terms[self->n_terms].slot = (guint) self->slots[g_ascii_strtoull (next + 1, &next, 10)];
      self->terms[self->n_terms].sign = *next++;
    }
  self->reader =
      table->open (roast_table_info_get_name (table->info), (const char *const *) columns->pdata, table->data, error);
  g_free (self->plan);
  self->plan = self->reader != NULL ? g_strdup (plan) : NULL;

  return self->reader != NULL;
}

/* Returns the code of a text. If the column lacks the text, returns -2, which no cell has. */
static double
find_code (Cursor *self, guint slot, const char *text)
{
  Range *range = &g_array_index (self->ranges, Range, slot);

  if (range->codes == NULL)
    {
      g_auto (GStrv) texts = roast_table_reader_dup_dictionary (self->reader, slot);

      range->codes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      for (guint i = 0; texts[i] != NULL; i++)
        g_hash_table_insert (range->codes, g_strdup (texts[i]), GUINT_TO_POINTER (i + 1));
    }

  return text != NULL && g_hash_table_contains (range->codes, text)
             ? GPOINTER_TO_UINT (g_hash_table_lookup (range->codes, text)) - 1.0
             : -2;
}

/* Narrows the range by a comparison. Leaves it unchanged if the value has another type than the column, because SQLite
 * compares such values by its own rules. */
static void
narrow (Cursor *self, const Term *term, sqlite3_value *value)
{
  Range *range = &g_array_index (self->ranges, Range, term->slot);
  int type = sqlite3_value_type (value);
  double bound;

  if (range->is_category ? type != SQLITE_TEXT : type != SQLITE_INTEGER && type != SQLITE_FLOAT)
    return;
  bound = range->is_category ? find_code (self, term->slot, (const char *) sqlite3_value_text (value))
                             : sqlite3_value_double (value);
  if (term->sign != '<')
    range->min = MAX (range->min, bound);
  if (term->sign != '>')
    range->max = MIN (range->max, bound);
}

static gboolean
is_in_ranges (Cursor *self)
{
  for (guint slot = 0; slot < self->ranges->len; slot++)
    {
      const Range *range = &g_array_index (self->ranges, Range, slot);
      double cell;

      if (range->min == -INFINITY && range->max == INFINITY)
        continue;
      cell = range->is_category ? roast_table_reader_get_code (self->reader, slot)
                                : roast_table_reader_get_double (self->reader, slot);
      /* Missing cells are NaN or -1 and never match. */
      if (!(cell >= range->min && cell <= range->max))
        return FALSE;
    }

  return TRUE;
}

static int
table_next (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  do
    self->more = roast_table_reader_next (self->reader);
  while (self->more && !is_in_ranges (self));

  return SQLITE_OK;
}

/* Reuse the reader if the plan is unchanged: a join scans its inner table once per row of the outer table. */
static int
table_filter (sqlite3_vtab_cursor *cursor, int number, const char *plan, int argc, sqlite3_value **argv)
{
  Cursor *self = (Cursor *) cursor;
  const Vtab *vtab = (const Vtab *) cursor->pVtab;
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (self->plan, plan) != 0 && !query_table_prepare (self, vtab->table, plan, &error))
    {
      sqlite3_free (cursor->pVtab->zErrMsg);
      cursor->pVtab->zErrMsg = sqlite3_mprintf ("%s", error->message);
      return SQLITE_ERROR;
    }
  for (guint slot = 0; slot < self->ranges->len; slot++)
    {
      g_array_index (self->ranges, Range, slot).min = -INFINITY;
      g_array_index (self->ranges, Range, slot).max = INFINITY;
    }
  for (guint i = 0; i < self->n_terms; i++)
    narrow (self, &self->terms[i], argv[i]);
  roast_table_reader_rewind (self->reader);
  for (guint i = 0; i < self->n_terms; i++)
    {
      const Range *range = &g_array_index (self->ranges, Range, self->terms[i].slot);

      roast_table_reader_skip_outside (self->reader, self->terms[i].slot, range->min, range->max);
    }

  return table_next (cursor);
}

static int
table_eof (sqlite3_vtab_cursor *cursor)
{
  return !((Cursor *) cursor)->more;
}

static int
table_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  Cursor *self = (Cursor *) cursor;
  RoastTableInfo *info = ((const Vtab *) cursor->pVtab)->table->info;
  guint slot = (guint) self->slots[column];

  if (self->slots[column] < 0 || !roast_table_reader_has (self->reader, slot))
    return SQLITE_OK;
  switch (roast_column_get_column_type (roast_table_info_get_column (info, (guint) column)))
    {
    case ROAST_COLUMN_TYPE_INT64:
      sqlite3_result_int64 (context, roast_table_reader_get_int64 (self->reader, slot, 0));
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      sqlite3_result_double (context, roast_table_reader_get_double (self->reader, slot));
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      sqlite3_result_int (context, roast_table_reader_get_boolean (self->reader, slot));
      break;
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      sqlite3_result_text (context, roast_table_reader_get_string (self->reader, slot), -1, SQLITE_TRANSIENT);
    }

  return SQLITE_OK;
}

static int
table_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
  *rowid = (sqlite3_int64) roast_table_reader_get_row (((Cursor *) cursor)->reader);

  return SQLITE_OK;
}

/* Leave out xCreate: this makes the table available under the name of its module, and SQLite connects it when a query
 * names it. */
static const sqlite3_module module = {
  .xConnect = table_connect,
  .xBestIndex = table_best_index,
  .xDisconnect = table_disconnect,
  .xOpen = table_open,
  .xClose = table_close,
  .xFilter = table_filter,
  .xNext = table_next,
  .xEof = table_eof,
  .xColumn = table_column,
  .xRowid = table_rowid,
};

gboolean
query_table_add (sqlite3 *database, RoastTableInfo *info, QueryTableOpen open, gpointer data, GError **error)
{
  QueryTable *self = g_new0 (QueryTable, 1);

  self->info = g_object_ref (info);
  self->open = open;
  self->data = data;
  if (sqlite3_create_module_v2 (database, roast_table_info_get_name (info), &module, self, query_table_free) ==
      SQLITE_OK)
    return TRUE;

  return roast_fail (error, ROAST_STORE_ERROR, ROAST_STORE_ERROR_OPEN, "cannot create the SQL table %s: %s",
                     roast_table_info_get_name (info), sqlite3_errmsg (database));
}
