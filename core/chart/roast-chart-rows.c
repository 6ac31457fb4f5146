/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-rows-private.h"

#include <math.h>
#include <string.h>

#include "roast-chart-filter-private.h"
#include "roast-chart-holders-private.h"
#include "roast-chart-names-private.h"
#include "roast/roast-error.h"
#include "roast/roast-tables.h"

#define SOURCE "source"

/* A column, or the difference of two columns, such as “ended-started”. */
typedef struct
{
  RoastChartCellInfo info;
  gboolean is_name;
  int slot, minus; /* slots of the reader; -1 if there is none */
  double factor;
  int second; /* slot of the second column of names; -1 if there is none */
  RoastChartNames *names;
  double *numbers; /* of the current block */
  guint *codes, *second_codes;
} Cell;

struct _RoastChartRows
{
  RoastTableReader *reader;
  RoastChartFilter *filter;   /* or NULL */
  RoastChartHolders *holders; /* or NULL */
  guint *held_by;             /* of the current block */
  RoastChartBlock block;
  gboolean is_interval;
  Cell cells[ROAST_CHART_N_CELLS];
  const RoastChartDeclaration *declared;
  double interval;       /* between samples, in µs; NaN if unknown */
  double started, ended; /* of the run, in µs since the epoch; NaN if unknown */
  const guint *kept;     /* rows of the block that pass the filter and are selected; NULL for all rows */
  guint n_kept, n_block;
  GByteArray *undivided; /* by name of CELL_GROUP: whether a row has a Y, but no denominator */
  guint room;

  /* State of roast_chart_rows_select (): */
  Cell *selecting;     /* or NULL */
  const guint *places; /* by name */
  guint n_places;
  guint *selected; /* rows of the block */
};

/* ---- columns ---- */

typedef struct
{
  const RoastChartDeclaration *declared;
  RoastSchema *schema;
  RoastTableInfo *table;
  GPtrArray *names; /* of char *: by slot */
  RoastChartRows *rows;
} Binding;

static int
bind_column (Binding *self, const char *name)
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
make_readable (const char *name)
{
  return g_strdelimit (g_strdup (name), "_", ' ');
}

/* Return whether the format of a number or the words of its label already show the unit. "power (W)" needs the unit,
 * "cores committed" does not. */
static gboolean
is_unit_shown (const char *name, const char *unit)
{
  static const char *const formatted[] = { "s", "us", "B", "B/s", "bit/s", "1/s", NULL };
  g_auto (GStrv) words = g_strsplit (name, " ", -1);

  return unit == NULL || *unit == '\0' || g_strv_contains (formatted, unit) ||
         g_strv_contains ((const char *const *) words, unit);
}

/* Make a label. It describes a difference of two times, and includes units that the format does not show, such as
 * percent. */
static char *
make_label (const RoastChartTerm *term)
{
  const char *unit = roast_column_get_unit (term->column);
  g_autofree char *name = make_readable (roast_column_get_name (term->column));
  g_autofree char *minus = term->minus != NULL ? make_readable (roast_column_get_name (term->minus)) : NULL;

  if (minus != NULL && g_strcmp0 (unit, "us") != 0)
    return is_unit_shown (name, unit) ? g_strconcat (name, " − ", minus, NULL)
                                      : g_strconcat (name, " − ", minus, " (", unit, ")", NULL);
  if (minus != NULL)
    return g_str_equal (name, "ended") && g_str_equal (minus, "started")
               ? g_strdup ("duration")
               : g_strconcat ("time from ", minus, " to ", name, NULL);
  if (g_str_equal (name, "seconds") && g_strcmp0 (unit, "s") == 0)
    return g_strdup ("time");
  /* Leave out "seconds", since the axis shows the unit. */
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

/* Return whether the same word in two sources names two things, such as workers. This is true if an entity table has
 * one row per source and word. */
static gboolean
is_within_source (Binding *self, const char *name)
{
  g_autoptr (GPtrArray) tables = NULL;

  if (g_str_equal (name, SOURCE) || !roast_table_info_find_column (self->table, SOURCE, NULL))
    return FALSE;
  tables = roast_schema_list_tables (self->schema);
  for (guint i = 0; i < tables->len; i++)
    {
      RoastTableInfo *table = g_ptr_array_index (tables, i);
      guint source = 0;
      guint place = 0;

      if (roast_table_info_get_kind (table) == ROAST_TABLE_KIND_ENTITY &&
          roast_table_info_find_column (table, SOURCE, &source) && roast_table_info_find_column (table, name, &place) &&
          roast_column_is_key (roast_table_info_get_column (table, source)) &&
          roast_column_is_key (roast_table_info_get_column (table, place)))
        return TRUE;
    }

  return FALSE;
}

/* Return whether two columns name the bars. */
static gboolean
has_two_names (const Binding *self, const Cell *cell)
{
  return cell == &self->rows->cells[ROAST_CHART_CELL_X] && self->declared->x[1] != NULL;
}

static void
bind_names (Binding *self, Cell *cell, RoastColumn *column)
{
  gboolean is_group = cell == &self->rows->cells[ROAST_CHART_CELL_GROUP];
  const char *missing = is_group ? self->declared->values[ROAST_CHART_MISSING] : NULL;
  g_autofree char *none = missing != NULL ? g_strdup (missing) : g_strconcat ("no ", cell->info.label, NULL);
  RoastColumn *source = NULL;
  guint place = 0;

  cell->names = roast_chart_names_new (column, self->schema, none);
  /* Do not qualify pairs by their source. A pair that includes the source is unique by itself. */
  if (has_two_names (self, cell) || !is_within_source (self, roast_column_get_name (column)))
    return;
  roast_table_info_find_column (self->table, SOURCE, &place);
  source = roast_table_info_get_column (self->table, place);
  cell->second = bind_column (self, SOURCE);
  cell->names = roast_chart_names_new_pair (cell->names, roast_chart_names_new (source, self->schema, "no source"),
                                            ROAST_CHART_NAMES_WITHIN);
}

static void
bind_cell (Binding *self, Cell *cell, const char *text, gboolean is_name)
{
  RoastChartTerm term;

  if (text == NULL || !roast_chart_term_find (text, self->table, &term))
    return;
  cell->info.is_used = TRUE;
  cell->is_name = is_name;
  cell->slot = bind_column (self, roast_column_get_name (term.column));
  cell->minus = term.minus != NULL ? bind_column (self, roast_column_get_name (term.minus)) : -1;
  cell->info.is_time = !is_name && term.minus == NULL && g_strcmp0 (term.unit, "us") == 0;
  cell->factor = cell->info.is_time ? 1e-6 : term.factor;
  cell->info.format = find_format (term.column, term.unit);
  cell->info.label = make_label (&term);
  if (is_name)
    bind_names (self, cell, term.column);
}

static void
bind_bar_names (Binding *self, Cell *cell)
{
  char **x = self->declared->x;
  RoastChartTerm term;
  g_autofree char *label = NULL;
  g_autofree char *missing = NULL;
  RoastChartNames *second = NULL;

  bind_cell (self, cell, x[0], TRUE);
  if (!has_two_names (self, cell) || !roast_chart_term_find (x[1], self->table, &term))
    return;
  label = make_label (&term);
  missing = g_strconcat ("no ", label, NULL);
  second = roast_chart_names_new (term.column, self->schema, missing);
  cell->second = bind_column (self, roast_column_get_name (term.column));
  cell->names =
      roast_chart_names_new_pair (cell->names, second,
                                  g_str_equal (x[0], SOURCE) ? ROAST_CHART_NAMES_OF_SOURCE : ROAST_CHART_NAMES_PAIR);
}

/* Return whether the rows divide time, each covering the time from “started” to “ended”. */
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

/* Return whether the rows are samples, whose values hold until the next sample. */
static gboolean
is_held (Binding *self)
{
  return self->declared->combine == ROAST_CHART_COMBINE_SUM && self->declared->kind <= ROAST_CHART_KIND_AREA &&
         g_str_equal (self->declared->values[ROAST_CHART_X], "time") &&
         roast_table_info_get_kind (self->table) == ROAST_TABLE_KIND_LOG &&
         roast_table_info_get_origin (self->table) == ROAST_TABLE_ORIGIN_MEASURED;
}

static void
bind_cells (RoastChartRows *self, Binding *binding)
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
  const RoastChartDeclaration *declared = binding->declared;

  if (declared->kind == ROAST_CHART_KIND_BARS)
    bind_bar_names (binding, &self->cells[ROAST_CHART_CELL_X]);
  else
    bind_cell (binding, &self->cells[ROAST_CHART_CELL_X], declared->values[ROAST_CHART_X], FALSE);
  self->is_interval = is_interval (binding);
  bind_cell (binding, &self->cells[ROAST_CHART_CELL_END],
             self->is_interval ? "ended" : declared->values[ROAST_CHART_END], FALSE);
  for (guint i = 0; declared->y[i] != NULL; i++)
    bind_cell (binding, &self->cells[ROAST_CHART_CELL_Y + i], declared->y[i], FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    bind_cell (binding, &self->cells[cells[i].cell], declared->values[cells[i].key], cells[i].is_name);
  bind_cell (binding, &self->cells[ROAST_CHART_CELL_LATE], declared->late.column, TRUE);
  for (guint i = 0; i < declared->n_guides; i++)
    bind_cell (binding, &self->cells[ROAST_CHART_CELL_GUIDE + i], declared->guides[i].column, FALSE);
}

/* ---- opening ---- */

static RoastTableReader *
open_table (RoastRecordingSnapshot *recording, RoastReport *report, RoastTableInfo *info, const char *const *columns,
            GError **error)
{
  const char *name = roast_table_info_get_name (info);

  if (roast_table_info_get_origin (info) == ROAST_TABLE_ORIGIN_MEASURED)
    return roast_recording_snapshot_read_table (recording, name, columns, error);
  if (report != NULL)
    return roast_report_read_table (report, name, columns, error);
  g_set_error (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE,
               "the table “%s” is part of a report, and there is no report yet", name);

  return NULL;
}

static double
get_time (RoastRecordingSnapshot *recording, const char *key)
{
  g_autoptr (GVariant) value = roast_recording_snapshot_lookup_metadata (recording, key, G_VARIANT_TYPE_INT64);

  return value != NULL ? (double) g_variant_get_int64 (value) : NAN;
}

/* If the start of the run is unknown, let time begin with the first row. */
static void
find_start (RoastChartRows *self)
{
  const Cell *x = &self->cells[ROAST_CHART_CELL_X];

  if (!isnan (self->started) || !x->info.is_time)
    return;
  while (roast_table_reader_next (self->reader))
    self->started = fmin (self->started, roast_table_reader_get_double (self->reader, (guint) x->slot));
  roast_table_reader_rewind (self->reader);
}

/* Slots of a reader of sources. */
enum
{
  OF_SOURCE_NAME,
  OF_SOURCE_WORD,
};

/* Return the names of the sources with one of the words in a column of their table. */
static char **
find_sources (RoastRecordingSnapshot *recording, const char *column, char **words, GError **error)
{
  const char *const columns[] = { SOURCE, column, NULL };
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

/* Convert the conditions to conditions on columns of this table: a condition on a property of the source becomes one
 * on the name of the source. @words owns the names of sources. */
static gboolean
find_conditions (const RoastChartDeclaration *declared, RoastRecordingSnapshot *recording, RoastChartWhere *conditions,
                 GPtrArray *words, GError **error)
{
  for (guint i = 0; i < declared->n_where; i++)
    {
      const char *column = declared->where[i].column;
      char **sources = NULL;

      conditions[i] = declared->where[i];
      if (!g_str_has_prefix (column, ROAST_CHART_OF_SOURCE))
        continue;
      sources = find_sources (recording, column + strlen (ROAST_CHART_OF_SOURCE), conditions[i].words, error);
      if (sources == NULL)
        return FALSE;
      g_ptr_array_add (words, sources);
      conditions[i] = (RoastChartWhere) { (char *) SOURCE, sources };
    }

  return TRUE;
}

static void
set_texts (RoastChartRows *self, int slot, RoastChartNames *names)
{
  RoastColumn *column = roast_table_reader_get_column (self->reader, (guint) slot);

  if (roast_column_get_column_type (column) == ROAST_COLUMN_TYPE_CATEGORY)
    roast_chart_names_set_texts (names, roast_table_reader_dup_dictionary (self->reader, (guint) slot));
}

static gboolean
open_rows (RoastChartRows *self, Binding *binding, RoastRecordingSnapshot *recording, RoastReport *report,
           GError **error)
{
  RoastChartWhere where[ROAST_CHART_MAX_WHERE];
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  guint n_where = binding->declared->n_where;
  guint first = 0;
  guint holders = 0;

  bind_cells (self, binding);
  if (!find_conditions (binding->declared, recording, where, words, error))
    return FALSE;
  first = binding->names->len;
  /* Give the filter its own slots, since it reads other types of cells. */
  for (guint i = 0; i < n_where; i++)
    g_ptr_array_add (binding->names, g_strdup (where[i].column));
  holders = binding->names->len;
  if (is_held (binding))
    roast_chart_holders_add_columns (binding->table, binding->names);
  g_ptr_array_add (binding->names, NULL);
  self->reader = open_table (recording, report, binding->table, (const char *const *) binding->names->pdata, error);
  if (self->reader == NULL)
    return FALSE;
  if (n_where > 0)
    self->filter = roast_chart_filter_new (self->reader, where, n_where, first);
  if (is_held (binding))
    self->holders = roast_chart_holders_new (self->reader, recording, holders, binding->names->len - 1 - holders);
  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    {
      const Cell *cell = &self->cells[i];

      if (cell->is_name)
        set_texts (self, cell->slot, roast_chart_names_get_part (cell->names, 0));
      if (cell->second >= 0)
        set_texts (self, cell->second, roast_chart_names_get_part (cell->names, 1));
    }
  find_start (self);

  return TRUE;
}

/* Return the schema of the recording, or that of the report if only a plugin installed later declares the table. */
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
    self->cells[i].slot = self->cells[i].minus = self->cells[i].second = -1;
  self->declared = binding.declared;
  self->undivided = g_byte_array_new ();
  self->interval = get_time (recording, "interval");
  self->started = get_time (recording, "started");
  self->ended = get_time (recording, "ended");
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
      g_free (self->cells[i].info.label);
      g_free (self->cells[i].numbers);
      g_free (self->cells[i].codes);
      g_free (self->cells[i].second_codes);
      g_clear_pointer (&self->cells[i].names, roast_chart_names_free);
    }
  g_byte_array_unref (self->undivided);
  g_free (self->selected);
  g_clear_pointer (&self->filter, roast_chart_filter_free);
  g_clear_pointer (&self->holders, roast_chart_holders_free);
  g_free (self->held_by);
  g_clear_object (&self->reader);
  g_free (self);
}

void
roast_chart_rows_rewind (RoastChartRows *self)
{
  roast_table_reader_rewind (self->reader);
}

/* ---- cells of a block ---- */

static gboolean
is_valid (const guint8 *validity, guint row)
{
  return validity == NULL || (validity[row / 8] >> (row % 8) & 1) != 0;
}

static void
load_integers (RoastChartRows *self, guint slot, const gint64 *integers, double *to)
{
  g_autoptr (GBytes) bits = roast_table_reader_dup_block_validity (self->reader, slot);
  const guint8 *validity = bits != NULL ? g_bytes_get_data (bits, NULL) : NULL;

  /* Fast path for the usual case: all rows are kept, and no cell is missing. */
  if (self->kept == NULL && validity == NULL)
    for (guint i = 0; i < self->n_kept; i++)
      to[i] = (double) integers[i];
  else
    for (guint i = 0; i < self->n_kept; i++)
      {
        guint row = self->kept != NULL ? self->kept[i] : i;

        to[i] = is_valid (validity, row) ? (double) integers[row] : NAN;
      }
}

/* Load the cells of a column as numbers, for the kept rows. */
static void
load_column (RoastChartRows *self, guint slot, double *to)
{
  const gint64 *integers = NULL;
  const double *doubles = NULL;

  if (roast_column_get_column_type (roast_table_reader_get_column (self->reader, slot)) == ROAST_COLUMN_TYPE_DOUBLE)
    doubles = roast_table_reader_get_block_doubles (self->reader, slot, NULL);
  else
    integers = roast_table_reader_get_block_int64s (self->reader, slot, NULL);
  if (integers != NULL)
    load_integers (self, slot, integers, to);
  else if (doubles != NULL && self->kept == NULL)
    memcpy (to, doubles, self->n_kept * sizeof *to);
  else
    for (guint i = 0; i < self->n_kept; i++)
      to[i] = doubles != NULL ? doubles[self->kept[i]] : NAN;
}

static void
load_numbers (RoastChartRows *self, Cell *cell)
{
  double *numbers = cell->numbers;
  double origin = cell->info.is_time ? self->started : 0;

  load_column (self, (guint) cell->slot, numbers);
  if (cell->minus >= 0)
    {
      g_autofree double *second = g_new (double, self->n_kept);

      load_column (self, (guint) cell->minus, second);
      for (guint i = 0; i < self->n_kept; i++)
        numbers[i] -= second[i];
    }
  if (cell->factor != 1 || origin != 0)
    for (guint i = 0; i < self->n_kept; i++)
      numbers[i] = (numbers[i] - origin) * cell->factor;
}

static void
load_codes (RoastChartRows *self, guint slot, RoastChartNames *names, guint *to)
{
  g_autoptr (GBytes) bytes = roast_table_reader_dup_block_data (self->reader, slot);
  const gint32 *codes = g_bytes_get_data (bytes, NULL);

  roast_chart_names_find_codes (names, codes, self->kept, self->n_kept, to);
}

/* Replace underscores in names of numbers and booleans, which begin with the name of their column. */
static const char *
make_name_readable (char *text, RoastColumnType type)
{
  return type != ROAST_COLUMN_TYPE_STRING ? g_strdelimit (text, "_", ' ') : text;
}

/* Show shares, which are parts of 1, as percentages. */
static char *
dup_text_of_double (const char *label, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (g_str_equal (label, "share") || g_str_has_suffix (label, "_share"))
    return g_strconcat (g_ascii_formatd (buffer, sizeof buffer, "%.6g", value * 100), " %", NULL);

  return g_strconcat (label, " ", g_ascii_formatd (buffer, sizeof buffer, "%.6g", value), NULL);
}

/* Return the text of a cell that is not a category; NULL if it is missing. */
static char *
dup_text (RoastChartRows *self, guint slot, RoastColumnType type)
{
  const char *label = roast_column_get_name (roast_table_reader_get_column (self->reader, slot));

  if (!roast_table_reader_has (self->reader, slot))
    return NULL;
  if (type == ROAST_COLUMN_TYPE_STRING)
    return g_strdup (roast_table_reader_get_string (self->reader, slot));
  if (type == ROAST_COLUMN_TYPE_BOOLEAN)
    return g_strconcat (label, roast_table_reader_get_boolean (self->reader, slot) ? ": yes" : ": no", NULL);
  if (type == ROAST_COLUMN_TYPE_DOUBLE)
    return dup_text_of_double (label, roast_table_reader_get_double (self->reader, slot));

  return g_strdup_printf ("%s %" G_GINT64_FORMAT, label, roast_table_reader_get_int64 (self->reader, slot, 0));
}

static void
load_part (RoastChartRows *self, guint slot, RoastChartNames *names, guint *to)
{
  RoastColumnType type = roast_column_get_column_type (roast_table_reader_get_column (self->reader, slot));
  guint64 first = 0;

  if (type == ROAST_COLUMN_TYPE_CATEGORY)
    {
      load_codes (self, slot, names, to);
      return;
    }
  first = roast_table_reader_get_row (self->reader);
  for (guint i = 0; i < self->n_kept; i++)
    {
      g_autofree char *text = NULL;

      roast_table_reader_seek (self->reader, first + (self->kept != NULL ? self->kept[i] : i));
      text = dup_text (self, slot, type);
      if (text != NULL)
        to[i] = roast_chart_names_find_text (names, make_name_readable (text, type));
      else
        to[i] = roast_chart_names_find_missing (names);
    }
  /* Go back to the first row of the block, for the next column. */
  roast_table_reader_seek (self->reader, first);
}

static void
load_names (RoastChartRows *self, Cell *cell)
{
  load_part (self, (guint) cell->slot, roast_chart_names_get_part (cell->names, 0), cell->codes);
  if (cell->second < 0)
    return;
  load_part (self, (guint) cell->second, roast_chart_names_get_part (cell->names, 1), cell->second_codes);
  for (guint i = 0; i < self->n_kept; i++)
    cell->codes[i] = roast_chart_names_find_pair (cell->names, cell->codes[i], cell->second_codes[i]);
}

static void
note_undivided (RoastChartRows *self, guint name)
{
  guint n = self->undivided->len;

  if (name >= n)
    {
      g_byte_array_set_size (self->undivided, name + 1);
      memset (self->undivided->data + n, 0, name + 1 - n);
    }
  self->undivided->data[name] = 1;
}

/* Remove the values of rows without a denominator. */
static void
drop_undivided (RoastChartRows *self)
{
  const double *per = self->cells[ROAST_CHART_CELL_PER].numbers;
  const guint *group = self->cells[ROAST_CHART_CELL_GROUP].codes;

  for (guint k = 0; k < ROAST_CHART_MAX_Y; k++)
    {
      double *y = self->cells[ROAST_CHART_CELL_Y + k].numbers;

      for (guint i = 0; self->cells[ROAST_CHART_CELL_Y + k].info.is_used && i < self->n_kept; i++)
        if (!isfinite (per[i]) || per[i] == 0)
          {
            if (isfinite (y[i]))
              note_undivided (self, group != NULL ? group[i] : 0);
            y[i] = NAN;
          }
    }
}

static void
load_holders (RoastChartRows *self)
{
  const Cell *group = &self->cells[ROAST_CHART_CELL_GROUP];

  roast_chart_holders_load (self->holders, self->kept, self->n_kept, group->codes, self->held_by);
}

static void
make_room (RoastChartRows *self)
{
  if (self->n_block <= self->room)
    return;
  self->room = self->n_block;
  self->selected = g_renew (guint, self->selected, self->room);
  self->held_by = g_renew (guint, self->held_by, self->room);
  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    if (self->cells[i].info.is_used && self->cells[i].is_name)
      {
        self->cells[i].codes = g_renew (guint, self->cells[i].codes, self->room);
        self->cells[i].second_codes = g_renew (guint, self->cells[i].second_codes, self->room);
      }
    else if (self->cells[i].info.is_used)
      self->cells[i].numbers = g_renew (double, self->cells[i].numbers, self->room);
}

void
roast_chart_rows_select (RoastChartRows *self, RoastChartCell cell, const guint *places)
{
  g_return_if_fail (self->cells[cell].names != NULL);

  /* Select nothing here, since values held under other names count in the sums. */
  if (self->holders != NULL)
    return;
  self->selecting = &self->cells[cell];
  self->places = places;
  self->n_places = roast_chart_names_get_length (self->cells[cell].names);
}

/* Keep only rows whose name has a place. */
static void
keep_selected (RoastChartRows *self)
{
  guint *codes = self->selecting->codes;
  guint n = 0;

  for (guint i = 0; i < self->n_kept; i++)
    if (codes[i] < self->n_places && self->places[codes[i]] != G_MAXUINT)
      {
        self->selected[n] = self->kept != NULL ? self->kept[i] : i;
        codes[n++] = codes[i];
      }
  self->kept = self->selected;
  self->n_kept = n;
}

/* Go to the next block and find the rows that the chart shows. Return FALSE after the last block. */
static gboolean
keep_rows (RoastChartRows *self)
{
  if (!roast_table_reader_next_block (self->reader))
    return FALSE;
  self->n_block = roast_table_reader_get_block_n_rows (self->reader);
  self->kept = NULL;
  self->n_kept = self->n_block;
  make_room (self);
  if (self->filter != NULL)
    self->kept = roast_chart_filter_keep (self->filter, self->reader, &self->n_kept);
  if (self->selecting != NULL)
    {
      load_names (self, self->selecting);
      keep_selected (self);
    }

  return TRUE;
}

static void
set_block (RoastChartRows *self)
{
  const Cell *cells = self->cells;

  self->block = (RoastChartBlock) {
    .n = self->n_kept,
    .x = cells[ROAST_CHART_CELL_X].numbers,
    .end = cells[ROAST_CHART_CELL_END].numbers,
    .y2 = cells[ROAST_CHART_CELL_Y2].numbers,
    .per = cells[ROAST_CHART_CELL_PER].numbers,
    .count = cells[ROAST_CHART_CELL_COUNT].numbers,
    .bars = cells[ROAST_CHART_CELL_X].codes,
    .group = cells[ROAST_CHART_CELL_GROUP].codes,
    .lane = cells[ROAST_CHART_CELL_LANE].codes,
    .late = cells[ROAST_CHART_CELL_LATE].codes,
    .holders = self->holders != NULL ? self->held_by : NULL,
  };
  for (guint i = 0; i < ROAST_CHART_MAX_Y; i++)
    self->block.y[i] = cells[ROAST_CHART_CELL_Y + i].numbers;
  for (guint i = 0; i < ROAST_CHART_MAX_GUIDES; i++)
    self->block.guides[i] = cells[ROAST_CHART_CELL_GUIDE + i].numbers;
}

const RoastChartBlock *
roast_chart_rows_next (RoastChartRows *self)
{
  do
    if (!keep_rows (self))
      return NULL;
  while (self->n_kept == 0);
  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    if (self->cells[i].info.is_used && &self->cells[i] != self->selecting)
      (self->cells[i].is_name ? load_names : load_numbers) (self, &self->cells[i]);
  if (self->cells[ROAST_CHART_CELL_PER].info.is_used)
    drop_undivided (self);
  if (self->holders != NULL)
    load_holders (self);
  set_block (self);

  return &self->block;
}

const double *
roast_chart_rows_get_numbers (RoastChartRows *self, RoastChartCell cell)
{
  return self->cells[cell].numbers;
}

guint
roast_chart_rows_count_names (RoastChartRows *self, RoastChartCell cell)
{
  return self->cells[cell].names != NULL ? roast_chart_names_get_length (self->cells[cell].names) : 1;
}

RoastChartNames *
roast_chart_rows_get_dictionary (RoastChartRows *self, RoastChartCell cell)
{
  return self->cells[cell].names;
}

const char *
roast_chart_rows_get_name (RoastChartRows *self, RoastChartCell cell, guint name)
{
  return roast_chart_names_get (self->cells[cell].names, name);
}

gboolean
roast_chart_rows_is_interval (RoastChartRows *self)
{
  return self->is_interval;
}

gboolean
roast_chart_rows_has_holders (RoastChartRows *self)
{
  return self->holders != NULL;
}

guint
roast_chart_rows_count_holders (RoastChartRows *self)
{
  return self->holders != NULL ? roast_chart_holders_count (self->holders) : 0;
}

double
roast_chart_rows_get_end_of_holder (RoastChartRows *self, guint holder)
{
  return (roast_chart_holders_get_end (self->holders, holder) - self->started) * 1e-6;
}

gboolean
roast_chart_rows_has_numbers (RoastChartRows *self, RoastChartCell cell)
{
  RoastColumnType type = ROAST_COLUMN_TYPE_CATEGORY;

  if (self->cells[cell].info.is_used)
    type = roast_column_get_column_type (roast_table_reader_get_column (self->reader, (guint) self->cells[cell].slot));

  return type == ROAST_COLUMN_TYPE_INT64 || type == ROAST_COLUMN_TYPE_DOUBLE;
}

gboolean
roast_chart_rows_is_undivided (RoastChartRows *self, guint name)
{
  return name < self->undivided->len && self->undivided->data[name] != 0;
}

const RoastChartCellInfo *
roast_chart_rows_get_cell (RoastChartRows *self, RoastChartCell cell)
{
  return &self->cells[cell].info;
}

gboolean
roast_chart_rows_is_late (RoastChartRows *self, guint name)
{
  RoastChartNames *names = roast_chart_names_get_part (self->cells[ROAST_CHART_CELL_LATE].names, 0);
  const char *text = roast_chart_names_is_missing (names, name) ? "" : roast_chart_names_get (names, name);

  for (char **word = self->declared->late.words; *word != NULL; word++)
    {
      g_autofree char *readable = make_readable (*word);

      if (g_str_equal (text, *word) || g_str_equal (text, readable))
        return TRUE;
    }

  return FALSE;
}

double
roast_chart_rows_get_interval (RoastChartRows *self)
{
  return self->interval * 1e-6;
}

double
roast_chart_rows_get_end (RoastChartRows *self)
{
  return (self->ended - self->started) * 1e-6;
}
