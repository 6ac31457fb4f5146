/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads prmon's text: tab-separated cells, with a line of column names and one line per sample. The order of columns
 * differs between runs. */

#include <stdio.h>
#include <string.h>

#include "formats.h"
#include "prmon.h"

#define MAX_LINE 65536
#define MAX_COLUMNS 256
#define TIME "Time"
#define IS_TIME (-2)
#define IS_UNKNOWN (-1)

typedef struct
{
  PrmonRows *rows;
  GArray *columns; /* of int: a field, IS_TIME or IS_UNKNOWN */
  GPtrArray *left_out;
  gint64 time;
} PrmonText;

static gboolean
has_column (PrmonText *self, int column)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (g_array_index (self->columns, int, i) == column)
      return TRUE;

  return FALSE;
}

static gboolean
take_name (PrmonText *self, const char *name, gsize length, GError **error)
{
  int column = length == strlen (TIME) && memcmp (name, TIME, length) == 0 ? IS_TIME : prmon_find (name, length);

  if (self->columns->len == MAX_COLUMNS)
    return exchange_fail (error, "more than %d columns: this is not prmon's text", MAX_COLUMNS);
  if (column != IS_UNKNOWN && has_column (self, column))
    return exchange_fail (error, "the column %.*s occurs twice", (int) length, name);
  g_array_append_val (self->columns, column);
  if (column == IS_UNKNOWN)
    g_ptr_array_add (self->left_out, g_utf8_make_valid (name, (gssize) length));

  return TRUE;
}

/* Reads a whole number. Refuses numbers too large for any of prmon's units. */
static gboolean
read_number (const char *cell, gsize length, gint64 *value)
{
  *value = 0;
  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isdigit (cell[i]) || *value > (PRMON_MAX - 9) / 10)
        return FALSE;
      *value = *value * 10 + (cell[i] - '0');
    }

  return length > 0;
}

static gboolean
take_cell (PrmonText *self, guint i, const char *cell, gsize length, gint64 *values, GError **error)
{
  int column = i < self->columns->len ? g_array_index (self->columns, int, i) : IS_UNKNOWN;
  gint64 value;

  if (column == IS_UNKNOWN)
    return TRUE;
  if (!read_number (cell, length, &value))
    return exchange_fail (error, "the cell of column %s is not a whole number as prmon writes it",
                          column == IS_TIME ? TIME : prmon_fields[column].name);
  if (column == IS_TIME)
    self->time = value;
  else
    values[column] = value;

  return TRUE;
}

static gboolean
take_sample (PrmonText *self, guint n, const gint64 *values, GError **error)
{
  if (n == self->columns->len)
    return prmon_rows_add (self->rows, self->time, values, error);

  return exchange_fail (error,
                        "%u cells for %u columns: the file was cut or damaged; copy it again, or remove the line", n,
                        self->columns->len);
}

static gboolean
take_line (PrmonText *self, const char *line, gsize length, GError **error)
{
  gint64 values[PRMON_N_FIELDS];
  gboolean is_header = self->columns->len == 0;
  const char *end = line + length;
  guint n = 0;

  memset (values, 0xff, sizeof values); /* -1 in each */
  for (const char *cell = line; cell <= end; n++)
    {
      const char *tab = memchr (cell, '\t', (gsize) (end - cell));
      gsize cell_length = (gsize) ((tab != NULL ? tab : end) - cell);

      if (is_header ? !take_name (self, cell, cell_length, error)
                    : !take_cell (self, n, cell, cell_length, values, error))
        return FALSE;
      if (tab == NULL)
        break;
      cell = tab + 1;
    }
  if (!is_header)
    return take_sample (self, n + 1, values, error);

  return has_column (self, IS_TIME) || exchange_fail (error, "no column Time: this is not prmon's text");
}

/* ---- the format ---- */

gboolean
prmon_text_begins_like (const char *start, gsize length)
{
  return g_str_has_prefix (start, TIME "\t");
}

static gboolean
take_lines (PrmonText *self, FILE *file, GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  gboolean is_too_long = FALSE;

  for (guint64 n = 1; exchange_read_line (file, line, MAX_LINE, &is_too_long); n++)
    if (is_too_long ? !exchange_fail (error, "the line is too long: this is not prmon's text")
                    : !take_line (self, line->str, line->len, error))
      {
        g_prefix_error (error, "line %" G_GUINT64_FORMAT ": ", n);
        return FALSE;
      }
  if (ferror (file))
    return exchange_fail (error, "cannot read the file to its end");

  return prmon_rows_finish (self->rows, error);
}

gboolean
prmon_text_take (RoastRecording *recording, FILE *file, GPtrArray *left_out, GError **error)
{
  g_autoptr (PrmonRows) rows = prmon_rows_new (recording);
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (int));
  PrmonText self = { rows, columns, left_out, 0 };

  return take_lines (&self, file, error);
}

gboolean
prmon_text_import (ExchangeImport *import, GError **error)
{
  g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (FILE) file = exchange_open (import->path, error);

  if (file == NULL)
    return FALSE;
  if (!prmon_text_take (import->recording, file, left_out, error))
    {
      g_prefix_error (error, "cannot import %s: ", import->name);
      return FALSE;
    }
  exchange_say_left_out (import->name, left_out, "roast has no columns for them");

  return TRUE;
}
