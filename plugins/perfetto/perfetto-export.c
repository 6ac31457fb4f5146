/* SPDX-License-Identifier: BSD-3-Clause */
#include "perfetto-export.h"

void
export_leave_out (Export *self, const char *table)
{
  gpointer pair[2] = { (gpointer) table, GSIZE_TO_POINTER (1) };

  for (guint i = 0; i + 1 < self->left_out->len; i += 2)
    if (g_str_equal (g_array_index (self->left_out, gpointer, i), table))
      {
        gpointer *count = &g_array_index (self->left_out, gpointer, i + 1);

        *count = GSIZE_TO_POINTER (GPOINTER_TO_SIZE (*count) + 1);
        return;
      }
  g_array_append_vals (self->left_out, pair, G_N_ELEMENTS (pair));
}

static void
put_cell (Export *self, RoastTableReader *table, guint slot)
{
  RoastColumn *column = roast_table_reader_get_column (table, slot);
  guint name = trace_get_text (self->trace, TRACE_ANNOTATION, roast_column_get_name (column));
  const char *text = NULL;

  switch (roast_column_get_column_type (column))
    {
    case ROAST_COLUMN_TYPE_INT64:
      trace_put_int (self->trace, name, roast_table_reader_get_int64 (table, slot, 0));
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      trace_put_double (self->trace, name, roast_table_reader_get_double (table, slot));
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      trace_put_boolean (self->trace, name, roast_table_reader_get_boolean (table, slot));
      break;
    case ROAST_COLUMN_TYPE_CATEGORY:
      text = roast_table_reader_get_string (table, slot);
      if (text != NULL)
        trace_put_number_of_text (self->trace, name, trace_get_text (self->trace, TRACE_STRING, text));
      break;
    case ROAST_COLUMN_TYPE_STRING:
    default:
      trace_put_text (self->trace, name, roast_table_reader_get_string (table, slot));
      break;
    }
}

void
export_put_cells (Export *self, RoastTableReader *table, const guint *slots)
{
  for (; *slots != ARGUMENTS_END; slots++)
    if (roast_table_reader_has (table, *slots))
      put_cell (self, table, *slots);
}
