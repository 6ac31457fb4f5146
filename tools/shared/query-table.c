/* SPDX-License-Identifier: BSD-3-Clause */

/* Provides a table of a recording or report as a virtual table of SQLite (https://sqlite.org/vtab.html). A scan reads
 * only the columns that the query uses, block by block. */

#include "query-table.h"

#include <math.h>

#include "core/base/roast-fail-private.h"

/* First column without its own bit in SQLite's mask: bit 63 stands for this column and all later columns. */
#define MAX_MASK 63
#define MAX_TERMS 8

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

/* The range of values in a column that may match the query. A scan must never skip a row that SQLite would find equal.
 * Therefore the range includes its bounds, and integers beyond 2^53 are rounded in the query in the same way as in the
 * file. */
typedef struct
{
  guint column;
  gboolean is_category;
  GHashTable *codes; /* Maps the text of a category to its code + 1. Created on first use. */
  double min;
  double max;
} Range;

/* A comparison of a column with a value. */
typedef struct
{
  guint range;
  char sign; /* sign of the comparison: “=”, “<” (also for <=) or “>” (also for >=) */
} Term;

typedef struct
{
  sqlite3_vtab_cursor base;
  RoastTableReader *reader;
  char *plan;   /* plan of the scan as text: the columns that it reads, and the comparisons by which it skips rows */
  guint64 mask; /* bits of the columns that the scan reads; the last bit stands for all columns that do not have their
                   own bit */
  Term terms[MAX_TERMS];
  guint n_terms;
  Range ranges[MAX_TERMS];
  guint n_ranges;
  guint *slots;  /* for each column that the scan reads, its slot in the reader */
  gboolean more; /* the cursor is at a row */
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

/* ---- plans ---- */

/* A plan may only skip rows that certainly do not match. A plan need not skip all of them, because SQLite checks all
 * rows again. */

/* Returns the sign for a comparison operator of SQLite; '\0' if a scan cannot use this operator. */
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

/* Returns whether the constraint is a list (IN). SQLite before 3.38 does not tell a list from a single value; with such
 * a version, a list costs one scan per value. */
static gboolean
is_list (sqlite3_index_info *info, int number)
{
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_vtab_in (info, number, -1);
#else
  return FALSE;
#endif
}

/* Returns whether a scan can use the constraint: a comparison of numbers, or the equality of categories, but not a list
 * (IN), because a list would cost one scan per value. */
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

/* Chooses a plan, which SQLite passes to the scan as text. */
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
  /* Estimate the cost of a skipped row as 1/16 of the cost of a row that is read. */
  info->estimatedCost = wanted + (double) self->n_rows / 16 + 1;

  return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

static void
parse_plan (Cursor *self, RoastTableInfo *info)
{
  char *next = NULL;

  self->mask = g_ascii_strtoull (self->plan, &next, 16);
  while (*next == ' ')
    {
      guint column = (guint) g_ascii_strtoull (next + 1, &next, 10);
      guint range = 0;

      while (range < self->n_ranges && self->ranges[range].column != column)
        range++;
      self->n_ranges = MAX (self->n_ranges, range + 1);
      self->ranges[range].column = column;
      self->ranges[range].is_category =
          roast_column_get_column_type (roast_table_info_get_column (info, column)) == ROAST_COLUMN_TYPE_CATEGORY;
      self->terms[self->n_terms++] = (Term) { range, *next++ };
    }
}

static gboolean
is_read (const Cursor *self, guint column)
{
  return (self->mask >> MIN (column, MAX_MASK)) & 1;
}

/* ---- scans ---- */

static int
table_open (sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = g_new0 (Cursor, 1);

  *cursor = &self->base;

  return SQLITE_OK;
}

static void
clear_plan (Cursor *self)
{
  for (guint i = 0; i < self->n_ranges; i++)
    g_clear_pointer (&self->ranges[i].codes, g_hash_table_unref);
  self->n_ranges = self->n_terms = 0;
  g_clear_object (&self->reader);
  g_clear_pointer (&self->plan, g_free);
}

static int
table_close (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  clear_plan (self);
  g_free (self->slots);
  g_free (self);

  return SQLITE_OK;
}

static RoastTableReader *
bind (const QueryTable *table, Cursor *self, GError **error)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  guint n = roast_table_info_get_n_columns (table->info);

  self->slots = g_renew (guint, self->slots, n);
  for (guint i = 0; i < n; i++)
    if (is_read (self, i))
      {
        self->slots[i] = columns->len;
        g_ptr_array_add (columns, (char *) roast_column_get_name (roast_table_info_get_column (table->info, i)));
      }
  g_ptr_array_add (columns, NULL);

  return table->open (roast_table_info_get_name (table->info), (const char *const *) columns->pdata, table->data,
                      error);
}

/* Returns the code of a category's text. If no cell has this text, returns -2, which is not a code. */
static double
find_code (Cursor *self, Range *range, const char *text)
{
  if (range->codes == NULL)
    {
      g_auto (GStrv) texts = roast_table_reader_dup_dictionary (self->reader, self->slots[range->column]);

      range->codes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      for (guint i = 0; texts[i] != NULL; i++)
        g_hash_table_insert (range->codes, g_strdup (texts[i]), GUINT_TO_POINTER (i + 1));
    }

  return text != NULL && g_hash_table_contains (range->codes, text)
             ? GPOINTER_TO_UINT (g_hash_table_lookup (range->codes, text)) - 1.0
             : -2;
}

/* Narrows the range to the values that fulfill the comparison. Leaves the range unchanged if the value has another type
 * than the column, because SQLite compares such values by its own rules. */
static void
narrow (Cursor *self, Range *range, char sign, sqlite3_value *value)
{
  int type = sqlite3_value_type (value);
  double bound;

  if (range->is_category ? type != SQLITE_TEXT : type != SQLITE_INTEGER && type != SQLITE_FLOAT)
    return;
  bound = range->is_category ? find_code (self, range, (const char *) sqlite3_value_text (value))
                             : sqlite3_value_double (value);
  if (sign != '<')
    range->min = MAX (range->min, bound);
  if (sign != '>')
    range->max = MIN (range->max, bound);
}

/* Starts a scan. @values holds one value for each comparison of the plan. The reader skips blocks in which no row can
 * match. */
static void
start_scan (Cursor *self, sqlite3_value **values)
{
  for (guint i = 0; i < self->n_ranges; i++)
    {
      self->ranges[i].min = -INFINITY;
      self->ranges[i].max = INFINITY;
    }
  for (guint i = 0; i < self->n_terms; i++)
    narrow (self, &self->ranges[self->terms[i].range], self->terms[i].sign, values[i]);
  roast_table_reader_rewind (self->reader);
  for (guint i = 0; i < self->n_ranges; i++)
    roast_table_reader_skip_outside (self->reader, self->slots[self->ranges[i].column], self->ranges[i].min,
                                     self->ranges[i].max);
}

static inline gboolean
may_match (Cursor *self)
{
  for (guint i = 0; i < self->n_ranges; i++)
    {
      const Range *range = &self->ranges[i];
      guint slot = self->slots[range->column];
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
  while (self->more && !may_match (self));

  return SQLITE_OK;
}

/* Begins a scan for SQLite. If the plan is unchanged, reuses the reader, because a join scans its inner table once per
 * row of the outer table. */
static int
table_filter (sqlite3_vtab_cursor *cursor, int number, const char *text, int argc, sqlite3_value **argv)
{
  Cursor *self = (Cursor *) cursor;
  const Vtab *vtab = (const Vtab *) cursor->pVtab;
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (self->plan, text) != 0)
    {
      clear_plan (self);
      self->plan = g_strdup (text);
      parse_plan (self, vtab->table->info);
      self->reader = bind (vtab->table, self, &error);
    }
  if (self->reader == NULL)
    {
      g_clear_pointer (&self->plan, g_free);
      sqlite3_free (cursor->pVtab->zErrMsg);
      cursor->pVtab->zErrMsg = sqlite3_mprintf ("%s", error->message);
      return SQLITE_ERROR;
    }
  start_scan (self, argv);

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
  guint slot = self->slots[column];

  if (!is_read (self, (guint) column) || !roast_table_reader_has (self->reader, slot))
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

/* The module has no xCreate, so no CREATE VIRTUAL TABLE is needed: SQLite connects the table when a query uses the name
 * of the module as a table name. */
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
