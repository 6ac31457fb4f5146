/* SPDX-License-Identifier: BSD-3-Clause */
#include "sheet.h"

#include <math.h>

void
sheet_open (Sheet *self, RoastRecording *recording, const char *name, const char *const *columns)
{
  self->table = roast_recording_get_table (recording, name);
  self->row = roast_row_new (self->table);
  for (guint i = 0; columns[i] != NULL; i++)
    {
      g_assert (i < SHEET_MAX);
      self->columns[i] = (guint) roast_table_find_column (self->table, columns[i]);
    }
}

void
sheet_clear (Sheet *self)
{
  g_clear_pointer (&self->row, roast_row_unref);
}

void
sheet_begin (Sheet *self, const char *source)
{
  roast_row_clear (self->row);
  roast_row_set_string (self->row, self->columns[0], source);
}

void
sheet_set_count (Sheet *self, guint column, gint64 value)
{
  if (value >= 0)
    roast_row_set_int64 (self->row, self->columns[column], value);
}

void
sheet_set_number (Sheet *self, guint column, double value)
{
  if (isfinite (value))
    roast_row_set_double (self->row, self->columns[column], value);
}

void
sheet_set_text (Sheet *self, guint column, const char *value)
{
  if (value != NULL)
    roast_row_set_string (self->row, self->columns[column], value);
}

gboolean
sheet_end (Sheet *self)
{
  if (roast_table_get_kind (self->table) == ROAST_TABLE_KIND_ENTITY)
    return roast_table_merge (self->table, self->row, NULL);

  return roast_table_append (self->table, self->row, NULL);
}
