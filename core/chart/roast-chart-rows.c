/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-rows-private.h"

#include <math.h>
#include <string.h>

#include "base/roast-fail-private.h"
#include "roast-chart-names-private.h"
#include "roast/roast-error.h"
#include "roast/roast-tables.h"

#define ROWS_SOURCE "source"

/* ---- columns ---- */

typedef struct
{
  const RoastChartDeclaration *declared;
  RoastSchema *schema;
  RoastTableInfo *table;
  GPtrArray *names; /* names of columns, indexed by slot; of char * */
  RoastChartRows *rows;
} Binding;

static int
rows_bind_column (Binding *self, const char *name)
{
  for (guint i = 0; i < self->names->len; i++)
    if (g_str_equal (g_ptr_array_index (self->names, i), name))
      return (int) i;
  g_ptr_array_add (self->names, g_strdup (name));

  return (int) self->names->len - 1;
}

static const char *
find_format (RoastColumn *column, const char *unit)
{
  static const struct
  {
    const char *unit, *format;
  } formats[] = {
    { "s", "duration" },     { "us", "duration" },     { "B", "bytes" },
    { "B/s", "bytes-rate" }, { "bit/s", "bits-rate" }, { "1/s", "rate" },
  };

  for (guint i = 0; unit != NULL && i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (unit, formats[i].unit))
      return formats[i].format;

  return roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_INT64 ? "count" : "number";
}

static char *
rows_make_readable (const char *name)
{
  return g_strdelimit (g_strdup (name), "_", ' ');
}

/* Return whether users can see the unit without help, from the formatted numbers or from a word in the column's name.
 * For example, "power (W)" needs the unit, but "cores committed" does not. */
static gboolean
is_unit_shown (const char *name, const char *unit)
{
  static const char *const formatted[] = { "s", "us", "B", "B/s", "bit/s", "1/s", NULL };
  g_auto (GStrv) words = g_strsplit (name, " ", -1);

  return unit == NULL || *unit == '\0' || g_strv_contains (formatted, unit) ||
         g_strv_contains ((const char *const *) words, unit);
}

/* Make the label of a column, or of a difference: “ended-started” becomes "duration". Append the unit in parentheses if
 * neither the numbers nor the label show the unit. */
static char *
make_label (const RoastChartTerm *term)
{
  const char *unit = roast_column_get_unit (term->column);
  g_autofree char *name = rows_make_readable (roast_column_get_name (term->column));
  g_autofree char *minus = term->minus != NULL ? rows_make_readable (roast_column_get_name (term->minus)) : NULL;

  if (minus != NULL && g_strcmp0 (unit, "us") != 0)
    return is_unit_shown (name, unit) ? g_strconcat (name, " − ", minus, NULL)
                                      : g_strconcat (name, " − ", minus, " (", unit, ")", NULL);
  if (minus != NULL)
    return g_str_equal (name, "ended") && g_str_equal (minus, "started")
               ? g_strdup ("duration")
               : g_strconcat ("time from ", minus, " to ", name, NULL);
  if (g_str_equal (name, "seconds") && g_strcmp0 (unit, "s") == 0)
    return g_strdup ("time");
  /* Replace "seconds" by "time", because the axis already shows the unit. */
  if (g_str_has_suffix (name, " seconds") && g_strcmp0 (unit, "s") == 0)
    {
      name[strlen (name) - strlen ("seconds")] = '\0';
      return g_strconcat (name, "time", NULL);
    }
  if (g_strcmp0 (unit, "%") == 0 && g_str_has_suffix (name, " percent"))
    name[strlen (name) - strlen (" percent")] = '\0';
  if (!is_unit_shown (name, unit))
    return g_strconcat (name, " (", unit, ")", NULL);

  return g_steal_pointer (&name);
}

/* Return whether names in this column are unique only within a source. For example, two sources may each have a worker
 * of the same name. Such a column and the column source together are the key of an entity table. */
static gboolean
is_within_source (Binding *self, const char *name)
{
  g_autoptr (GPtrArray) tables = NULL;

  if (g_str_equal (name, ROWS_SOURCE) || !roast_table_info_find_column (self->table, ROWS_SOURCE, NULL))
    return FALSE;
  tables = roast_schema_list_tables (self->schema);
  for (guint i = 0; i < tables->len; i++)
    {
      RoastTableInfo *table = g_ptr_array_index (tables, i);
      guint source = 0;
      guint place = 0;

      if (roast_table_info_get_kind (table) == ROAST_TABLE_KIND_ENTITY &&
          roast_table_info_find_column (table, ROWS_SOURCE, &source) &&
          roast_table_info_find_column (table, name, &place) &&
          roast_column_is_key (roast_table_info_get_column (table, source)) &&
          roast_column_is_key (roast_table_info_get_column (table, place)))
        return TRUE;
    }

  return FALSE;
}

/* Return whether the names of bars combine two columns. */
static gboolean
has_two_names (const Binding *self, RoastChartCell cell)
{
  return cell == ROAST_CHART_CELL_X && self->declared->x[1] != NULL;
}

static void
bind_names (Binding *self, RoastChartCell which, RoastColumn *column)
{
  RoastChartCellInfo *cell = &self->rows->cells[which];
  const char *missing = which == ROAST_CHART_CELL_GROUP ? self->declared->values[ROAST_CHART_MISSING] : NULL;
  g_autofree char *none = missing != NULL ? g_strdup (missing) : g_strconcat ("no ", cell->label, NULL);
  RoastColumn *source = NULL;
  guint place = 0;

  cell->names = roast_chart_names_new (column, self->schema, none);
  /* If the names of bars already combine two columns, do not add the source as a third column. */
  if (has_two_names (self, which) || !is_within_source (self, roast_column_get_name (column)))
    return;
  roast_table_info_find_column (self->table, ROWS_SOURCE, &place);
  source = roast_table_info_get_column (self->table, place);
  cell->second = rows_bind_column (self, ROWS_SOURCE);
  cell->names = roast_chart_names_new_pair (cell->names, roast_chart_names_new (source, self->schema, "no source"),
                                            ROAST_CHART_NAMES_WITHIN);
}

static void
rows_bind_cell (Binding *self, RoastChartCell which, const char *text, gboolean is_name)
{
  RoastChartRows *rows = self->rows;
  RoastChartCellInfo *cell = &rows->cells[which];
  RoastChartTerm term;
  RoastColumnType type;

  if (text == NULL || !roast_chart_term_find (text, self->table, &term))
    return;
  rows->used[rows->n_used++] = which;
  type = roast_column_get_column_type (term.column);
  cell->is_used = TRUE;
  cell->is_time = !is_name && term.minus == NULL && g_strcmp0 (term.unit, "us") == 0;
  cell->has_numbers = type == ROAST_COLUMN_TYPE_INT64 || type == ROAST_COLUMN_TYPE_DOUBLE;
  cell->format = find_format (term.column, term.unit);
  cell->label = make_label (&term);
  cell->slot = rows_bind_column (self, roast_column_get_name (term.column));
  cell->minus = term.minus != NULL ? rows_bind_column (self, roast_column_get_name (term.minus)) : -1;
  cell->factor = cell->is_time ? 1e-6 : term.factor;
  if (is_name)
    bind_names (self, which, term.column);
}

static void
bind_bar_names (Binding *self)
{
  char **x = self->declared->x;
  RoastChartCellInfo *cell = &self->rows->cells[ROAST_CHART_CELL_X];
  RoastChartTerm term;
  g_autofree char *label = NULL;
  g_autofree char *missing = NULL;
  RoastChartNames *second = NULL;

  rows_bind_cell (self, ROAST_CHART_CELL_X, x[0], TRUE);
  if (!has_two_names (self, ROAST_CHART_CELL_X) || !roast_chart_term_find (x[1], self->table, &term))
    return;
  label = make_label (&term);
  missing = g_strconcat ("no ", label, NULL);
  second = roast_chart_names_new (term.column, self->schema, missing);
  cell->second = rows_bind_column (self, roast_column_get_name (term.column));
  cell->names = roast_chart_names_new_pair (cell->names, second,
                                            g_str_equal (x[0], ROWS_SOURCE) ? ROAST_CHART_NAMES_OF_SOURCE
                                                                            : ROAST_CHART_NAMES_PAIR);
}

/* Return whether each row describes an interval of time, from its “started” to its “ended”. */
static gboolean
is_interval (Binding *self)
{
  guint place = 0;

  return self->declared->kind <= ROAST_CHART_KIND_AREA &&
         g_str_equal (self->declared->values[ROAST_CHART_X], "started") &&
         roast_table_info_get_origin (self->table) == ROAST_TABLE_ORIGIN_DERIVED &&
         roast_table_info_find_column (self->table, "ended", &place) &&
         g_strcmp0 (roast_column_get_unit (roast_table_info_get_column (self->table, place)), "us") == 0;
}

/* Return whether the rows are samples, each valid until the next sample, that the chart adds up over holders. */
static gboolean
is_held (Binding *self)
{
  return self->declared->combine == ROAST_CHART_COMBINE_SUM && self->declared->kind <= ROAST_CHART_KIND_AREA &&
         g_str_equal (self->declared->values[ROAST_CHART_X], "time") &&
         roast_table_info_get_kind (self->table) == ROAST_TABLE_KIND_LOG &&
         roast_table_info_get_origin (self->table) == ROAST_TABLE_ORIGIN_MEASURED;
}

static void
bind_cells (Binding *self)
{
  static const struct
  {
    RoastChartCell cell;
    guint key;
    gboolean is_name;
  } cells[] = {
    { ROAST_CHART_CELL_Y2, ROAST_CHART_Y2, FALSE },       { ROAST_CHART_CELL_PER, ROAST_CHART_PER, FALSE },
    { ROAST_CHART_CELL_GROUP, ROAST_CHART_GROUP, TRUE },  { ROAST_CHART_CELL_LANE, ROAST_CHART_LANE, TRUE },
    { ROAST_CHART_CELL_COUNT, ROAST_CHART_COUNT, FALSE },
  };
  const RoastChartDeclaration *declared = self->declared;

  if (declared->kind == ROAST_CHART_KIND_BARS)
    bind_bar_names (self);
  else
    rows_bind_cell (self, ROAST_CHART_CELL_X, declared->values[ROAST_CHART_X], FALSE);
  self->rows->is_interval = is_interval (self);
  rows_bind_cell (self, ROAST_CHART_CELL_END, self->rows->is_interval ? "ended" : declared->values[ROAST_CHART_END],
                  FALSE);
  for (guint i = 0; declared->y[i] != NULL; i++)
    rows_bind_cell (self, ROAST_CHART_CELL_Y + i, declared->y[i], FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    rows_bind_cell (self, cells[i].cell, declared->values[cells[i].key], cells[i].is_name);
  for (guint i = 0; i < declared->n_guides; i++)
    rows_bind_cell (self, ROAST_CHART_CELL_GUIDE + i, declared->guides[i].column, FALSE);
}

/* ---- holders ---- */

static char *
holders_make_key (const char *source, const char *worker)
{
  return g_strconcat (source != NULL ? source : "", "\n", worker != NULL ? worker : "", NULL);
}

/* Read the times when workers left. */
static GHashTable *
read_leaves (RoastRecordingSnapshot *recording)
{
  g_autoptr (RoastTableReader) reader = roast_workers_read (recording);
  GHashTable *leaves = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  while (reader != NULL && roast_table_reader_next (reader))
    if (roast_table_reader_has (reader, ROAST_WORKERS_LEFT))
      {
        double left = (double) roast_table_reader_get_int64 (reader, ROAST_WORKERS_LEFT, 0);

        g_hash_table_insert (leaves,
                             holders_make_key (roast_table_reader_get_string (reader, ROAST_WORKERS_SOURCE),
                                               roast_table_reader_get_string (reader, ROAST_WORKERS_WORKER)),
                             g_memdup2 (&left, sizeof left));
      }

  return leaves;
}

/* Group the rows of the reader by holder. @slots has the slots, of guint, of the columns that identify a holder. */
static void
group_by_holders (RoastChartRows *self, RoastRecordingSnapshot *recording, const GArray *slots)
{
  self->source_slot = self->worker_slot = -1;
  for (guint i = 0; i < slots->len; i++)
    {
      guint slot = g_array_index (slots, guint, i);
      const char *name = roast_column_get_name (roast_table_reader_get_column (self->reader, slot));

      if (g_str_equal (name, ROWS_SOURCE))
        self->source_slot = (int) slot;
      if (g_str_equal (name, "worker"))
        self->worker_slot = (int) slot;
    }
  roast_table_reader_group_by (self->reader, (const guint *) (gconstpointer) slots->data, slots->len);
  self->ends = g_array_new (FALSE, FALSE, sizeof (double));
  if (self->source_slot >= 0 && self->worker_slot >= 0)
    self->leaves = read_leaves (recording);
}

static guint
find_holder (RoastChartRows *self)
{
  guint holder = roast_table_reader_get_group (self->reader);
  g_autofree char *key = NULL;
  const double *left = NULL;
  double end = NAN;

  if (holder < self->ends->len)
    return holder;
  if (self->leaves != NULL)
    {
      key = holders_make_key (roast_table_reader_get_string (self->reader, (guint) self->source_slot),
                              roast_table_reader_get_string (self->reader, (guint) self->worker_slot));
      left = g_hash_table_lookup (self->leaves, key);
      end = left != NULL ? (*left - self->started) * 1e-6 : NAN;
    }
  g_array_append_val (self->ends, end);

  return holder;
}

/* ---- opening ---- */

static RoastTableReader *
rows_open_table (RoastRecordingSnapshot *recording, RoastReport *report, RoastTableInfo *info,
                 const char *const *columns, GError **error)
{
  const char *name = roast_table_info_get_name (info);

  if (roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED)
    return roast_recording_snapshot_read_table (recording, name, columns, error);
  if (report != NULL)
    return roast_report_read_table (report, name, columns, error);
  return roast_fail_null (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE,
                          "the table “%s” is part of a report, and there is no report yet", name);
}

static double
rows_get_time (RoastRecordingSnapshot *recording, const char *key)
{
  g_autoptr (GVariant) value = roast_recording_snapshot_lookup_metadata (recording, key, G_VARIANT_TYPE_INT64);

  return value != NULL ? (double) g_variant_get_int64 (value) : NAN;
}

/* If the start of the run is unknown, use the earliest time in the rows instead. */
static void
rows_find_start (RoastChartRows *self)
{
  guint slot = (guint) self->cells[ROAST_CHART_CELL_X].slot;

  if (!isnan (self->started) || !self->cells[ROAST_CHART_CELL_X].is_time)
    return;
  while (roast_table_reader_next (self->reader))
    self->started = fmin (self->started, roast_table_reader_get_double (self->reader, slot));
  roast_table_reader_rewind (self->reader);
}

/* Slots of the reader in find_sources (). */
enum
{
  OF_SOURCE_NAME,
  OF_SOURCE_WORD,
};

/* Return the names of the sources that have one of @words in @column of the table of sources. */
static char **
find_sources (RoastRecordingSnapshot *recording, const char *column, char **words, GError **error)
{
  const char *const columns[] = { ROWS_SOURCE, column, NULL };
  g_autoptr (RoastTableReader) reader =
      roast_recording_snapshot_read_table (recording, ROAST_TABLE_SOURCES, columns, error);
  GPtrArray *found = NULL;

  if (reader == NULL)
    return NULL;
  found = g_ptr_array_new ();
  while (roast_table_reader_next (reader))
    {
      const char *word = roast_table_reader_get_string (reader, OF_SOURCE_WORD);

      if (g_strv_contains ((const char *const *) words, word != NULL ? word : ""))
        g_ptr_array_add (found, g_strdup (roast_table_reader_get_string (reader, OF_SOURCE_NAME)));
    }
  g_ptr_array_add (found, NULL);

  return (char **) g_ptr_array_free (found, FALSE);
}

/* Bind the conditions to columns of the table. Replace a condition on a property of the source by a condition on the
 * source's name, because the table has only the name of the source. */
static gboolean
bind_conditions (Binding *self, RoastRecordingSnapshot *recording, GError **error)
{
  RoastChartRows *rows = self->rows;
  const RoastChartWhere *late = &self->declared->late;

  for (guint i = 0; i < self->declared->n_where; i++)
    {
      const RoastChartWhere *where = &self->declared->where[i];
      char **sources = NULL;

      if (!g_str_has_prefix (where->column, ROAST_CHART_OF_SOURCE))
        {
          rows->where[rows->n_where++] = (RoastChartCondition) { rows_bind_column (self, where->column), where->words };
          continue;
        }
      sources = find_sources (recording, where->column + strlen (ROAST_CHART_OF_SOURCE), where->words, error);
      if (sources == NULL)
        return FALSE;
      g_ptr_array_add (rows->sources, sources);
      rows->where[rows->n_where++] = (RoastChartCondition) { rows_bind_column (self, ROWS_SOURCE), sources };
    }
  if (late->column != NULL)
    rows->late = (RoastChartCondition) { rows_bind_column (self, late->column), late->words };

  return TRUE;
}

/* Bind the columns that identify the holder of a value: all category columns, and the column in Group. */
static GArray *
bind_holders (Binding *self)
{
  const RoastChartCellInfo *group = &self->rows->cells[ROAST_CHART_CELL_GROUP];
  GArray *slots = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < roast_table_info_get_n_columns (self->table); i++)
    {
      RoastColumn *column = roast_table_info_get_column (self->table, i);
      guint slot = 0;

      if (roast_column_get_column_type (column) != ROAST_COLUMN_TYPE_CATEGORY)
        continue;
      slot = (guint) rows_bind_column (self, roast_column_get_name (column));
      g_array_append_val (slots, slot);
    }
  if (group->names != NULL)
    g_array_append_val (slots, group->slot);
  g_array_set_size (slots, MIN (slots->len, ROAST_TABLE_READER_MAX_KEY));

  return slots;
}

static gboolean
open_rows (RoastChartRows *self, Binding *binding, RoastRecordingSnapshot *recording, RoastReport *report,
           GError **error)
{
  g_autoptr (GArray) holders = NULL;

  bind_cells (binding);
  if (!bind_conditions (binding, recording, error))
    return FALSE;
  if (is_held (binding))
    holders = bind_holders (binding);
  g_ptr_array_add (binding->names, NULL);
  self->reader =
      rows_open_table (recording, report, binding->table, (const char *const *) binding->names->pdata, error);
  if (self->reader == NULL)
    return FALSE;
  self->types = g_new (RoastColumnType, roast_table_reader_get_n_columns (self->reader));
  for (guint i = 0; i < roast_table_reader_get_n_columns (self->reader); i++)
    self->types[i] = roast_column_get_column_type (roast_table_reader_get_column (self->reader, i));
  if (holders != NULL)
    group_by_holders (self, recording, holders);
  rows_find_start (self);
  self->end = (rows_get_time (recording, "ended") - self->started) * 1e-6;
  for (guint i = 0; i < self->n_used; i++)
    if (self->cells[self->used[i]].is_time)
      self->cells[self->used[i]].origin = self->started;

  return TRUE;
}

/* Return the schema that declares the table: the schema of the recording, or else the schema of the report, which also
 * has the tables of plugins that were installed after the recording. */
static RoastSchema *
find_schema (const char *table, RoastRecordingSnapshot *recording, RoastReport *report)
{
  RoastSchema *recorded = roast_recording_snapshot_get_schema (recording);

  return report == NULL || roast_schema_lookup_table (recorded, table) != NULL ? recorded
                                                                               : roast_report_get_schema (report);
}

RoastChartRows *
roast_chart_rows_new (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  RoastChartRows *self = g_new0 (RoastChartRows, 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) why = NULL;
  const char *table = roast_chart_info_get_table (chart);
  RoastSchema *schema = find_schema (table, recording, report);
  Binding binding = { roast_chart_info_get_declaration (chart), schema, roast_schema_lookup_table (schema, table),
                      names, self };

  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    {
      self->cells[i].slot = self->cells[i].minus = self->cells[i].second = -1;
      self->row.numbers[i] = NAN;
    }
  self->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  self->undivided = g_hash_table_new (NULL, NULL);
  self->interval = rows_get_time (recording, "interval") * 1e-6;
  self->started = rows_get_time (recording, "started");
  if (binding.table == NULL)
    g_set_error (&why, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE, "no schema declares the table “%s”", table);
  else if (roast_chart_info_check_table (chart, binding.table, &why))
    open_rows (self, &binding, recording, report, &why);
  if (why == NULL)
    return self;
  g_set_error_literal (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE, why->message);
  roast_chart_rows_free (self);

  return NULL;
}

void
roast_chart_rows_free (RoastChartRows *self)
{
  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    {
      g_free (self->cells[i].label);
      g_clear_pointer (&self->cells[i].names, roast_chart_names_free);
    }
  g_free (self->types);
  g_hash_table_unref (self->undivided);
  g_ptr_array_unref (self->sources);
  g_clear_pointer (&self->leaves, g_hash_table_unref);
  g_clear_pointer (&self->ends, g_array_unref);
  g_clear_object (&self->reader);
  g_free (self);
}

void
roast_chart_rows_rewind (RoastChartRows *self)
{
  roast_table_reader_rewind (self->reader);
}

/* ---- cells of a row ---- */

static gboolean
meets (RoastChartRows *self, const RoastChartCondition *condition)
{
  guint slot = (guint) condition->slot;
  const char *text = NULL;

  if (self->types[slot] != ROAST_COLUMN_TYPE_BOOLEAN)
    text = roast_table_reader_get_string (self->reader, slot);
  else if (roast_table_reader_has (self->reader, slot))
    text = roast_table_reader_get_boolean (self->reader, slot) ? "true" : "false";

  return g_strv_contains ((const char *const *) condition->words, text != NULL ? text : "");
}

static gboolean
is_shown (RoastChartRows *self)
{
  for (guint i = 0; i < self->n_where; i++)
    if (!meets (self, &self->where[i]))
      return FALSE;

  return TRUE;
}

static double
rows_read_number (RoastChartRows *self, const RoastChartCellInfo *cell)
{
  double number = roast_table_reader_get_double (self->reader, (guint) cell->slot);

  if (cell->minus >= 0)
    number -= roast_table_reader_get_double (self->reader, (guint) cell->minus);

  return (number - cell->origin) * cell->factor;
}

/* Return the name of the column followed by a number, such as "cores 4". For a column “share” or “…_share”, return only
 * a percentage, such as "50 %". */
static char *
dup_text_of_double (const char *label, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (g_str_equal (label, "share") || g_str_has_suffix (label, "_share"))
    return g_strconcat (g_ascii_formatd (buffer, sizeof buffer, "%.6g", value * 100), " %", NULL);

  return g_strconcat (label, " ", g_ascii_formatd (buffer, sizeof buffer, "%.6g", value), NULL);
}

/* Return the number or boolean of a cell as a text to use as a name, such as "cores 4", "retried: yes" or "50 %". */
static char *
rows_dup_text (RoastChartRows *self, guint slot, RoastColumnType type)
{
  const char *label = roast_column_get_name (roast_table_reader_get_column (self->reader, slot));

  if (type == ROAST_COLUMN_TYPE_BOOLEAN)
    return g_strconcat (label, roast_table_reader_get_boolean (self->reader, slot) ? ": yes" : ": no", NULL);
  if (type == ROAST_COLUMN_TYPE_DOUBLE)
    return dup_text_of_double (label, roast_table_reader_get_double (self->reader, slot));

  return g_strdup_printf ("%s %" G_GINT64_FORMAT, label, roast_table_reader_get_int64 (self->reader, slot, 0));
}

static guint
find_name (RoastChartRows *self, int column, RoastChartNames *names)
{
  guint slot = (guint) column;
  RoastColumnType type = self->types[slot];
  g_autofree char *text = NULL;

  if (type == ROAST_COLUMN_TYPE_CATEGORY)
    return roast_chart_names_find_code (names, self->reader, slot);
  if (!roast_table_reader_has (self->reader, slot))
    return roast_chart_names_find_missing (names);
  if (type == ROAST_COLUMN_TYPE_STRING)
    return roast_chart_names_find_text (names, roast_table_reader_get_string (self->reader, slot));
  text = rows_dup_text (self, slot, type);

  return roast_chart_names_find_text (names, g_strdelimit (text, "_", ' '));
}

static guint
read_name (RoastChartRows *self, const RoastChartCellInfo *cell)
{
  guint first = find_name (self, cell->slot, roast_chart_names_get_part (cell->names, 0));

  if (cell->second < 0)
    return first;

  return roast_chart_names_find_pair (cell->names, first,
                                      find_name (self, cell->second, roast_chart_names_get_part (cell->names, 1)));
}

/* If the current row has no denominator, set its values in Y to NaN, and remember its group in @undivided. */
static void
drop_undivided (RoastChartRows *self)
{
  double per = self->row.numbers[ROAST_CHART_CELL_PER];

  for (guint k = 0; k < ROAST_CHART_MAX_Y && (!isfinite (per) || per == 0); k++)
    {
      if (isfinite (self->row.numbers[ROAST_CHART_CELL_Y + k]))
        g_hash_table_add (self->undivided, GUINT_TO_POINTER (self->row.names[ROAST_CHART_CELL_GROUP]));
      self->row.numbers[ROAST_CHART_CELL_Y + k] = NAN;
    }
}

const RoastChartRow *
roast_chart_rows_next (RoastChartRows *self)
{
  do
    if (!roast_table_reader_next (self->reader))
      return NULL;
  while (!is_shown (self));
  for (guint i = 0; i < self->n_used; i++)
    {
      guint which = self->used[i];

      if (self->cells[which].names != NULL)
        self->row.names[which] = read_name (self, &self->cells[which]);
      else
        self->row.numbers[which] = rows_read_number (self, &self->cells[which]);
    }
  if (self->cells[ROAST_CHART_CELL_PER].is_used)
    drop_undivided (self);
  self->row.is_late = self->late.words != NULL && meets (self, &self->late);
  if (self->ends != NULL)
    self->row.holder = find_holder (self);

  return &self->row;
}

guint
roast_chart_rows_count_names (RoastChartRows *self, RoastChartCell cell)
{
  return self->cells[cell].names != NULL ? roast_chart_names_get_length (self->cells[cell].names) : 1;
}

const char *
roast_chart_rows_get_name (RoastChartRows *self, RoastChartCell cell, guint name)
{
  return roast_chart_names_get (self->cells[cell].names, name);
}

static int
compare_numbers (const double *a, const double *b)
{
  return (*a > *b) - (*a < *b);
}

double
roast_chart_rows_find_median (RoastChartRows *self, RoastChartCell cell)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  const RoastChartRow *row = NULL;
  double low, high;

  roast_chart_rows_rewind (self);
  while ((row = roast_chart_rows_next (self)) != NULL)
    if (isfinite (row->numbers[cell]))
      g_array_append_val (all, row->numbers[cell]);
  if (all->len == 0)
    return NAN;
  g_array_sort (all, (GCompareFunc) compare_numbers);
  low = g_array_index (all, double, (all->len - 1) / 2);
  high = g_array_index (all, double, all->len / 2);

  return low + (high - low) / 2;
}
