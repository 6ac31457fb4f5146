/* SPDX-License-Identifier: BSD-3-Clause */

/* Reads prmon's text: a line with the names of columns, and one for each sample, with tabs between the cells. The order
 * of columns differs from run to run. */

#include <stdio.h>
#include <string.h>

#include "formats.h"
#include "prmon.h"

#define MAX_LINE 65536
#define MAX_COLUMNS 256
#define TIME "Time"
#define IS_TIME (-2)
#define IS_UNKNOWN (-1)

struct _PrmonText
{
  PrmonRows *rows;
  GArray *columns; /* of int: a field, IS_TIME or IS_UNKNOWN */
  GPtrArray *left_out;
  gint64 time;
};

PrmonText *
prmon_text_new (RoastRecording *recording)
{
  PrmonText *self = g_new0 (PrmonText, 1);

  self->rows = prmon_rows_new (recording);
  self->columns = g_array_new (FALSE, FALSE, sizeof (int));
  self->left_out = g_ptr_array_new_with_free_func (g_free);

  return self;
}

void
prmon_text_free (PrmonText *self)
{
  prmon_rows_free (self->rows);
  g_array_unref (self->columns);
  g_ptr_array_unref (self->left_out);
  g_free (self);
}

const GPtrArray *
prmon_text_get_left_out (PrmonText *self)
{
  return self->left_out;
}

G_GNUC_PRINTF (2, 3)
static gboolean
fail (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (ROAST_STORE_ERROR, ROAST_STORE_ERROR_DAMAGED, format, arguments);
  va_end (arguments);

  return FALSE;
}

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
    return fail (error, "it has more than %d columns: this is not prmon's text", MAX_COLUMNS);
  if (column != IS_UNKNOWN && has_column (self, column))
    return fail (error, "the column %.*s is there twice", (int) length, name);
  g_array_append_val (self->columns, column);
  if (column == IS_UNKNOWN)
    g_ptr_array_add (self->left_out, g_utf8_make_valid (name, (gssize) length));

  return TRUE;
}

/* A whole number; one that is too great for any of prmon's units is refused. */
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
    return fail (error, "the cell of column %s is not a whole number that prmon writes",
                 column == IS_TIME ? TIME : prmon_names[column]);
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

  return fail (error, "it has %u cells for %u columns: the file was cut or damaged; copy it again, or remove the line",
               n, self->columns->len);
}

gboolean
prmon_text_take_line (PrmonText *self, const char *line, gsize length, GError **error)
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

  return has_column (self, IS_TIME) || fail (error, "there is no column Time: this is not prmon's text");
}

gboolean
prmon_text_finish (PrmonText *self, GError **error)
{
  return prmon_rows_finish (self->rows, error);
}

/* ---- the format ---- */

gboolean
prmon_text_begins_like (const char *start, gsize length)
{
  return g_str_has_prefix (start, TIME "\t");
}

/* -1 at the end of the file, and @is_cut if the line is longer than the room. */
static gssize
read_line (FILE *file, char *line, gboolean *is_cut)
{
  gsize length = 0;
  int c;

  while ((c = getc_unlocked (file)) != EOF && c != '\n' && length < MAX_LINE)
    line[length++] = (char) c;
  *is_cut = length == MAX_LINE;

  return c == EOF && length == 0 ? -1 : (gssize) length;
}

static gboolean
take_lines (PrmonText *text, FILE *file, const char *name, GError **error)
{
  g_autofree char *line = g_malloc (MAX_LINE);
  g_autoptr (GError) local = NULL;
  gboolean is_cut = FALSE;
  gssize length;

  for (guint64 n = 1; (length = read_line (file, line, &is_cut)) >= 0; n++)
    if (is_cut || !prmon_text_take_line (text, line, (gsize) length, &local))
      {
        exchange_set_error (error, name, "line %" G_GUINT64_FORMAT ": %s", n,
                            is_cut ? "it is too long: this is not prmon's text" : local->message);
        return FALSE;
      }
  if (ferror (file) || !prmon_text_finish (text, &local))
    {
      exchange_set_error (error, name, "%s", local != NULL ? local->message : "it could not be read to its end");
      return FALSE;
    }

  return TRUE;
}

gboolean
prmon_text_import (ExchangeImport *import, GError **error)
{
  g_autoptr (PrmonText) text = prmon_text_new (import->recording);
  g_autoptr (FILE) file = exchange_open (import->path, error);

  if (file == NULL || !take_lines (text, file, import->name, error))
    return FALSE;
  exchange_say_left_out (import->name, text->left_out, "roast has no columns for them");

  return TRUE;
}
