/* SPDX-License-Identifier: BSD-3-Clause */
#include "perfetto-export.h"

void
export_leave_out (Export *self, const char *table)
{
  LeftOut new = { table, 0 };

  if (self->left_out->len == 0 ||
      !g_str_equal (g_array_index (self->left_out, LeftOut, self->left_out->len - 1).table, table))
    g_array_append_val (self->left_out, new);
  g_array_index (self->left_out, LeftOut, self->left_out->len - 1).n++;
}

void
export_put_cell (Export *self, RoastTableReader *table, guint slot)
{
  RoastColumn *column = roast_table_reader_get_column (table, slot);
  guint name = trace_get_text (self->trace, TRACE_ANNOTATION, roast_column_get_name (column));

  if (!roast_table_reader_has (table, slot))
    return;
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
      trace_put_number_of_text (self->trace, name,
                                trace_get_text (self->trace, TRACE_STRING,
                                                roast_table_reader_get_string (table, slot)));
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
    export_put_cell (self, table, *slots);
}
