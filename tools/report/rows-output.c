/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows-output.h"

#include <stdio.h>
#include <string.h>

#include "csv-text.h"
#include "exchange.h"
#include "json-writer.h"
#include "text-width.h"

#define MAX_CELLS 100000 /* number of first cells that determine the column widths; later rows are written at once */

struct _RowsOutput
{
  ReportFormat format;
  char **columns;
  guint n_columns;
  guint slot;          /* number of the column of the next cell */
  guint64 n_rows;      /* number of rows that are complete */
  GString *line;       /* text of the current row, in formats that write each row at once */
  GPtrArray *cells;    /* cells of a table that are kept until the column widths are known */
  GByteArray *numbers; /* one byte for each element of @cells: whether the cell is a number */
  gsize *widths;       /* width of each column; NULL until they are known */
  gboolean *right;     /* for each column: whether it contains numbers, which are aligned to the right */
};

RowsOutput *
rows_output_new (ReportFormat format, const char *const *columns)
{
  RowsOutput *self = g_new0 (RowsOutput, 1);

  self->format = format;
  self->columns = g_strdupv ((char **) columns);
  self->n_columns = g_strv_length (self->columns);
  self->line = g_string_new (NULL);
  self->cells = g_ptr_array_new_with_free_func (g_free);
  self->numbers = g_byte_array_new ();

  return self;
}

void
rows_output_free (RowsOutput *self)
{
  g_strfreev (self->columns);
  g_string_free (self->line, TRUE);
  g_ptr_array_unref (self->cells);
  g_byte_array_unref (self->numbers);
  g_free (self->widths);
  g_free (self->right);
  g_free (self);
}

/* Replaces control characters by spaces, because control characters could move the cursor of the terminal. */
static char *
make_plain (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *plain = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar character = g_utf8_get_char (c);

      if (g_unichar_iscntrl (character))
        g_string_append_c (plain, ' ');
      else
        g_string_append_unichar (plain, character);
    }

  return g_string_free (plain, FALSE);
}

void
rows_output_add_cell (RowsOutput *self, RowsCell type, const char *text)
{
  guint8 number = type == ROWS_CELL_NUMBER;
  JsonWriter json = { .text = self->line };

  switch (self->format)
    {
    case REPORT_FORMAT_JSON:
      g_string_append (self->line, self->slot > 0 ? ", " : "{");
      json_writer_put_string (&json, self->columns[self->slot]);
      g_string_append (self->line, ": ");
      if (type == ROWS_CELL_TEXT)
        json_writer_put_string (&json, text);
      else
        g_string_append (self->line, number ? text : "null");
      break;
    case REPORT_FORMAT_CSV:
      if (self->slot > 0)
        g_string_append_c (self->line, ',');
      if (type == ROWS_CELL_TEXT)
        csv_append_text (self->line, text, ',');
      else
        g_string_append (self->line, number ? text : "");
      break;
    case REPORT_FORMAT_TABLE:
    default:
      g_ptr_array_add (self->cells, type == ROWS_CELL_MISSING ? g_strdup ("-") : make_plain (text));
      g_byte_array_append (self->numbers, &number, 1);
    }
  self->slot++;
}

void
rows_output_add_text (RowsOutput *self, const char *text)
{
  rows_output_add_cell (self, text != NULL ? ROWS_CELL_TEXT : ROWS_CELL_MISSING, text);
}

static gboolean
rows_output_put (const char *text, GError **error)
{
  return fputs (text, stdout) != EOF || exchange_set_output_error (error, NULL);
}

static gboolean
put_csv_head (RowsOutput *self, GError **error)
{
  g_autoptr (GString) head = g_string_new (NULL);

  for (guint i = 0; i < self->n_columns; i++)
    {
      if (i > 0)
        g_string_append_c (head, ',');
      csv_append_text (head, self->columns[i], ',');
    }
  g_string_append_c (head, '\n');

  return rows_output_put (head->str, error);
}

/* Aligns numbers to the right and texts to the left. Writes no trailing blanks. */
static void
append_aligned (GString *line, const char *text, gsize width, gboolean right, gboolean last)
{
  gsize own = text_width (text);
  gsize blanks = width > own ? width - own : 0;

  if (right)
    g_string_append_printf (line, "%*s", (int) blanks, "");
  g_string_append (line, text);
  if (!right && !last)
    g_string_append_printf (line, "%*s", (int) blanks, "");
  g_string_append (line, last ? "\n" : "  ");
}

static gboolean
put_line (GString *line, GError **error)
{
  gboolean ok = rows_output_put (line->str, error);

  g_string_truncate (line, 0);

  return ok;
}

/* Computes the column widths from the first rows. If a later row has a wider cell, the rest of its line is shifted to
 * the right. */
static gboolean
put_head (RowsOutput *self, GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);

  self->widths = g_new0 (gsize, self->n_columns + 1);
  self->right = g_new0 (gboolean, self->n_columns + 1);
  for (guint i = 0; i < self->n_columns; i++)
    self->widths[i] = text_width (self->columns[i]);
  for (guint i = 0; i < self->cells->len; i++)
    {
      guint column = i % self->n_columns;

      self->widths[column] = MAX (self->widths[column], text_width (g_ptr_array_index (self->cells, i)));
      self->right[column] |= self->numbers->data[i];
    }
  for (guint i = 0; i < self->n_columns; i++)
    append_aligned (line, self->columns[i], self->widths[i], self->right[i], i + 1 == self->n_columns);

  return put_line (line, error);
}

static gboolean
rows_output_put_table (RowsOutput *self, GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);

  if (self->widths == NULL && !put_head (self, error))
    return FALSE;
  for (guint i = 0; i < self->cells->len; i++)
    {
      guint column = i % self->n_columns;

      append_aligned (line, g_ptr_array_index (self->cells, i), self->widths[column], self->right[column],
                      column + 1 == self->n_columns);
      if (column + 1 == self->n_columns && !put_line (line, error))
        return FALSE;
    }
  g_ptr_array_set_size (self->cells, 0);
  g_byte_array_set_size (self->numbers, 0);

  return TRUE;
}

gboolean
rows_output_end_row (RowsOutput *self, GError **error)
{
  gboolean ok = TRUE;

  if (self->format == REPORT_FORMAT_JSON)
    {
      g_string_append (self->line, self->n_columns > 0 ? "}" : "{}");
      ok = rows_output_put (self->n_rows == 0 ? "[\n  " : ",\n  ", error) && rows_output_put (self->line->str, error);
    }
  else if (self->format == REPORT_FORMAT_CSV)
    {
      g_string_append_c (self->line, '\n');
      ok = (self->n_rows > 0 || put_csv_head (self, error)) && rows_output_put (self->line->str, error);
    }
  else if (self->cells->len >= MAX_CELLS || self->widths != NULL)
    ok = rows_output_put_table (self, error);
  g_string_truncate (self->line, 0);
  self->slot = 0;
  self->n_rows++;

  return ok;
}

gboolean
rows_output_end (RowsOutput *self, GError **error)
{
  gboolean ok = TRUE;

  if (self->format == REPORT_FORMAT_JSON)
    ok = rows_output_put (self->n_rows == 0 ? "[]\n" : "\n]\n", error);
  else if (self->format == REPORT_FORMAT_CSV && self->n_rows == 0)
    ok = put_csv_head (self, error);
  else if (self->format == REPORT_FORMAT_TABLE && self->n_columns > 0)
    ok = rows_output_put_table (self, error);

  return ok && (fflush (stdout) == 0 || exchange_set_output_error (error, NULL));
}
