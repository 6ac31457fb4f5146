/* SPDX-License-Identifier: BSD-3-Clause */

#include "roast-chart-rows-private.h"

#include <math.h>
#include <string.h>

#include "roast-chart-filter-private.h"
#include "roast-chart-names-private.h"
#include "roast/roast-error.h"

/* A column, or one minus another: “ended-started”. */
typedef struct
{
  gboolean is_used, is_name, is_time;
  char *label;
  const char *format;
  int slot, minus; /* of the reader; -1: none */
  double factor;
  RoastChartNames *names;
  double *numbers; /* of the current block */
  guint *codes;
} Cell;

struct _RoastChartRows
{
  RoastTableReader *reader;
  RoastChartFilter *filter; /* or NULL */
  Cell cells[ROAST_CHART_N_CELLS];
  double started, ended; /* of the run, in µs since the epoch; NaN if unknown */
  const guint *kept;     /* rows of the block that pass the filter and are selected; NULL: all */
  guint n_kept, n_block;
  guint room;

  /* of roast_chart_rows_select () */
  Cell *selecting;     /* or NULL */
  const guint *places; /* by name */
  guint n_places;
  guint *selected; /* rows of the block */
};

/* ---- columns ---- */

typedef struct
{
  RoastChartInfo *chart;
  RoastTableInfo *table;
  GPtrArray *names; /* of const char *: by slot */
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

/* Of a difference of two times, and of what no format shows, such as percent. */
static char *
make_label (const RoastChartTerm *term)
{
  const char *unit = roast_column_get_unit (term->column);
  g_autofree char *name = make_readable (roast_column_get_name (term->column));
  g_autofree char *minus = term->minus != NULL ? make_readable (roast_column_get_name (term->minus)) : NULL;

  if (minus != NULL && g_strcmp0 (unit, "us") != 0)
    return g_strconcat (name, " − ", minus, NULL);
  if (minus != NULL)
    return g_str_equal (name, "ended") && g_str_equal (minus, "started")
               ? g_strdup ("duration")
               : g_strconcat ("time from ", minus, " to ", name, NULL);
  if (g_strcmp0 (unit, "%") == 0 && strstr (name, "percent") == NULL)
    return g_strconcat (name, " (%)", NULL);

  return g_steal_pointer (&name);
}

static void
bind_cell (Binding *self, Cell *cell, const char *text, gboolean is_name)
{
  RoastChartTerm term;

  if (text == NULL || !roast_chart_term_find (text, self->table, &term))
    return;
  cell->is_used = TRUE;
  cell->is_name = is_name;
  cell->slot = bind_column (self, roast_column_get_name (term.column));
  cell->minus = term.minus != NULL ? bind_column (self, roast_column_get_name (term.minus)) : -1;
  cell->is_time = !is_name && term.minus == NULL && g_strcmp0 (term.unit, "us") == 0;
  cell->factor = cell->is_time ? 1e-6 : term.factor;
  cell->format = find_format (term.column, term.unit);
  cell->label = make_label (&term);
  if (is_name)
    cell->names = roast_chart_names_new (term.column);
}

static void
bind_cells (RoastChartRows *self, Binding *binding)
{
  RoastChartInfo *chart = binding->chart;
  const char *const *y = roast_chart_info_get_y (chart);
  gboolean is_bars = roast_chart_info_get_kind (chart) == ROAST_CHART_KIND_BARS;
  guint n_guides = 0;
  const RoastChartGuide *guides = roast_chart_info_get_guides (chart, &n_guides);

  bind_cell (binding, &self->cells[ROAST_CHART_CELL_X], roast_chart_info_get_x (chart), is_bars);
  bind_cell (binding, &self->cells[ROAST_CHART_CELL_END], roast_chart_info_get_end (chart), FALSE);
  for (guint i = 0; y != NULL && y[i] != NULL && i < ROAST_CHART_MAX_Y; i++)
    bind_cell (binding, &self->cells[ROAST_CHART_CELL_Y + i], y[i], FALSE);
  bind_cell (binding, &self->cells[ROAST_CHART_CELL_Y2], roast_chart_info_get_y2 (chart), FALSE);
  bind_cell (binding, &self->cells[ROAST_CHART_CELL_PER], roast_chart_info_get_per (chart), FALSE);
  bind_cell (binding, &self->cells[ROAST_CHART_CELL_GROUP], roast_chart_info_get_group (chart), TRUE);
  bind_cell (binding, &self->cells[ROAST_CHART_CELL_LANE], roast_chart_info_get_lane (chart), TRUE);
  for (guint i = 0; i < n_guides && i < ROAST_CHART_MAX_GUIDES; i++)
    if (guides[i].kind == ROAST_CHART_GUIDE_COLUMN)
      bind_cell (binding, &self->cells[ROAST_CHART_CELL_GUIDE + i], guides[i].column, FALSE);
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
               "the table “%s” is part of a report, and there is none yet", name);

  return NULL;
}

static double
get_time (RoastRecordingSnapshot *recording, const char *key)
{
  g_autoptr (GVariant) value = roast_recording_snapshot_lookup_metadata (recording, key, G_VARIANT_TYPE_INT64);

  return value != NULL ? (double) g_variant_get_int64 (value) : NAN;
}

/* Without a start of the run, time begins with the first row. */
static void
find_start (RoastChartRows *self)
{
  const Cell *x = &self->cells[ROAST_CHART_CELL_X];

  if (!isnan (self->started) || !x->is_time)
    return;
  while (roast_table_reader_next (self->reader))
    self->started = fmin (self->started, roast_table_reader_get_double (self->reader, (guint) x->slot));
  roast_table_reader_rewind (self->reader);
}

static gboolean
open_rows (RoastChartRows *self, Binding *binding, RoastRecordingSnapshot *recording, RoastReport *report,
           GError **error)
{
  guint n_where = 0;
  const RoastChartWhere *where = roast_chart_info_get_where (binding->chart, &n_where);
  guint first = 0;

  bind_cells (self, binding);
  first = binding->names->len;
  /* A filter of its own slots: they have other types of cells. */
  for (guint i = 0; i < n_where; i++)
    g_ptr_array_add (binding->names, g_strdup (where[i].column));
  g_ptr_array_add (binding->names, NULL);
  self->reader = open_table (recording, report, binding->table, (const char *const *) binding->names->pdata, error);
  if (self->reader == NULL)
    return FALSE;
  if (n_where > 0)
    self->filter = roast_chart_filter_new (self->reader, where, n_where, first);
  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    {
      const Cell *cell = &self->cells[i];

      if (cell->is_name &&
          roast_column_get_column_type (roast_table_reader_get_column (self->reader, (guint) cell->slot)) ==
              ROAST_COLUMN_TYPE_CATEGORY)
        roast_chart_names_set_texts (cell->names, roast_table_reader_dup_dictionary (self->reader, (guint) cell->slot));
    }
  find_start (self);

  return TRUE;
}

static gboolean
not_available (GError **error, const char *reason)
{
  g_set_error_literal (error, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE, reason);

  return FALSE;
}

RoastChartRows *
roast_chart_rows_new (RoastChartInfo *chart, RoastRecordingSnapshot *recording, RoastReport *report, GError **error)
{
  RoastChartRows *self = g_new0 (RoastChartRows, 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) why = NULL;
  const char *table = roast_chart_info_get_table (chart);
  Binding binding = { chart, roast_schema_lookup_table (roast_recording_snapshot_get_schema (recording), table),
                      names };

  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    self->cells[i].slot = self->cells[i].minus = -1;
  self->started = get_time (recording, "started");
  self->ended = get_time (recording, "ended");
  if (binding.table == NULL)
    g_set_error (&why, ROAST_CHART_ERROR, ROAST_CHART_ERROR_NOT_AVAILABLE, "no schema declares the table “%s”", table);
  else if (roast_chart_info_check_table (chart, binding.table, &why))
    open_rows (self, &binding, recording, report, &why);
  if (why == NULL)
    return self;
  not_available (error, why->message);
  roast_chart_rows_free (self);

  return NULL;
}

void
roast_chart_rows_free (RoastChartRows *self)
{
  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    {
      g_free (self->cells[i].label);
      g_free (self->cells[i].numbers);
      g_free (self->cells[i].codes);
      g_clear_pointer (&self->cells[i].names, roast_chart_names_free);
    }
  g_free (self->selected);
  g_clear_pointer (&self->filter, roast_chart_filter_free);
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

  /* All rows are usual, and none missing. */
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

/* Cells of a column as numbers, of the rows that are kept. */
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
  double origin = cell->is_time ? self->started : 0;

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
load_codes (RoastChartRows *self, Cell *cell)
{
  g_autoptr (GBytes) bytes = roast_table_reader_dup_block_data (self->reader, (guint) cell->slot);
  const gint32 *codes = g_bytes_get_data (bytes, NULL);

  roast_chart_names_find_codes (cell->names, codes, self->kept, self->n_kept, cell->codes);
}

/* The text of a cell that is not a category; NULL if it is missing. */
static char *
dup_text (RoastChartRows *self, guint slot, RoastColumnType type)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (!roast_table_reader_has (self->reader, slot))
    return NULL;
  if (type == ROAST_COLUMN_TYPE_STRING)
    return g_strdup (roast_table_reader_get_string (self->reader, slot));
  if (type == ROAST_COLUMN_TYPE_BOOLEAN)
    return g_strdup (roast_table_reader_get_boolean (self->reader, slot) ? "yes" : "no");
  if (type == ROAST_COLUMN_TYPE_DOUBLE)
    return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%.6g",
                                      roast_table_reader_get_double (self->reader, slot)));

  return g_strdup_printf ("%" G_GINT64_FORMAT, roast_table_reader_get_int64 (self->reader, slot, 0));
}

static void
load_names (RoastChartRows *self, Cell *cell)
{
  guint slot = (guint) cell->slot;
  RoastColumnType type = roast_column_get_column_type (roast_table_reader_get_column (self->reader, slot));
  guint64 first = 0;

  if (type == ROAST_COLUMN_TYPE_CATEGORY)
    {
      load_codes (self, cell);
      return;
    }
  first = roast_table_reader_get_row (self->reader);
  for (guint i = 0; i < self->n_kept; i++)
    {
      g_autofree char *text = NULL;

      roast_table_reader_seek (self->reader, first + (self->kept != NULL ? self->kept[i] : i));
      text = dup_text (self, slot, type);
      cell->codes[i] =
          text != NULL ? roast_chart_names_find_text (cell->names, text) : roast_chart_names_find_missing (cell->names);
    }
  /* For the next column: row 0 of the block is what next_block () stood before. */
  roast_table_reader_seek (self->reader, first);
}

static void
make_room (RoastChartRows *self)
{
  if (self->n_block <= self->room)
    return;
  self->room = self->n_block;
  self->selected = g_renew (guint, self->selected, self->room);
  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    if (self->cells[i].is_used && self->cells[i].is_name)
      self->cells[i].codes = g_renew (guint, self->cells[i].codes, self->room);
    else if (self->cells[i].is_used)
      self->cells[i].numbers = g_renew (double, self->cells[i].numbers, self->room);
}

/* What is to be divided by something that is missing is no value. */
static void
drop_without_per (RoastChartRows *self)
{
  const double *per = self->cells[ROAST_CHART_CELL_PER].numbers;

  for (guint k = 0; k < ROAST_CHART_MAX_Y && self->cells[ROAST_CHART_CELL_Y + k].is_used; k++)
    for (guint i = 0; i < self->n_kept; i++)
      if (!isfinite (per[i]))
        self->cells[ROAST_CHART_CELL_Y + k].numbers[i] = NAN;
}

void
roast_chart_rows_select (RoastChartRows *self, RoastChartCell cell, const guint *places)
{
  g_return_if_fail (self->cells[cell].names != NULL);

  self->selecting = &self->cells[cell];
  self->places = places;
  self->n_places = roast_chart_names_get_length (self->cells[cell].names);
}

/* Of the rows that are kept, those whose name has a place. */
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

/* The rows of the next block that the chart shows. */
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

gboolean
roast_chart_rows_next (RoastChartRows *self, guint *n_rows)
{
  *n_rows = 0;
  while (*n_rows == 0)
    {
      if (!keep_rows (self))
        return FALSE;
      *n_rows = self->n_kept;
    }
  for (guint i = 0; i < ROAST_CHART_N_CELLS; i++)
    if (self->cells[i].is_used && &self->cells[i] != self->selecting)
      (self->cells[i].is_name ? load_names : load_numbers) (self, &self->cells[i]);
  if (self->cells[ROAST_CHART_CELL_PER].is_used)
    drop_without_per (self);

  return TRUE;
}

const double *
roast_chart_rows_get_numbers (RoastChartRows *self, RoastChartCell cell)
{
  return self->cells[cell].numbers;
}

const guint *
roast_chart_rows_get_names (RoastChartRows *self, RoastChartCell cell)
{
  return self->cells[cell].codes;
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

int
roast_chart_rows_get_word (RoastChartRows *self, RoastChartCell cell, guint name)
{
  return roast_chart_names_get_word (self->cells[cell].names, name);
}

gboolean
roast_chart_rows_has_numbers (RoastChartRows *self, RoastChartCell cell)
{
  RoastColumnType type = ROAST_COLUMN_TYPE_CATEGORY;

  if (self->cells[cell].is_used)
    type = roast_column_get_column_type (roast_table_reader_get_column (self->reader, (guint) self->cells[cell].slot));

  return type == ROAST_COLUMN_TYPE_INT64 || type == ROAST_COLUMN_TYPE_DOUBLE;
}

gboolean
roast_chart_rows_is_used (RoastChartRows *self, RoastChartCell cell)
{
  return self->cells[cell].is_used;
}

gboolean
roast_chart_rows_is_time (RoastChartRows *self, RoastChartCell cell)
{
  return self->cells[cell].is_time;
}

const char *
roast_chart_rows_get_format (RoastChartRows *self, RoastChartCell cell)
{
  return self->cells[cell].format;
}

char *
roast_chart_rows_dup_label (RoastChartRows *self, RoastChartCell cell)
{
  return g_strdup (self->cells[cell].label);
}

double
roast_chart_rows_get_end (RoastChartRows *self)
{
  return (self->ended - self->started) * 1e-6;
}
