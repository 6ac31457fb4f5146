/* SPDX-License-Identifier: BSD-3-Clause */
#include "dask-row.h"

#include <string.h>

gboolean
dask_row_refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (ROAST_BACKEND_ERROR, ROAST_BACKEND_ERROR_PROTOCOL, format, arguments);
  va_end (arguments);

  return FALSE;
}

/* Set an error about a cell. @what: end of the message, such as "must be text" */
static gboolean
refuse_cell (RoastWireReader *row, guint slot, const char *what, GError **error)
{
  return dask_row_refuse (error, "column “%s” of table “%s” %s", roast_wire_reader_get_columns (row)[slot],
                          roast_wire_reader_get_table_name (row), what);
}

gboolean
dask_row_get_name (RoastWireReader *row, guint slot, const char **name, GError **error)
{
  *name = roast_wire_reader_get_string (row, slot);
  if (*name == NULL)
    return refuse_cell (row, slot, "must be text", error);

  return strlen (*name) <= DASK_MAX_NAME || refuse_cell (row, slot, "is too long", error);
}

gboolean
dask_row_get_number (RoastWireReader *row, guint slot, gint64 end, gint64 *number, GError **error)
{
  *number = roast_wire_reader_get_count (row, slot);

  return (*number >= 0 && *number < end) || refuse_cell (row, slot, "is out of range", error);
}

static gboolean
check_time (RoastWireReader *row, guint slot, gint64 time, GError **error)
{
  return (time >= 0 && time < DASK_MAX_TIME) || refuse_cell (row, slot, "is out of range", error);
}

gboolean
dask_row_get_time (RoastWireReader *row, guint slot, gint64 offset, gint64 *time, GError **error)
{
  *time = -1;
  if (!roast_wire_reader_has (row, slot))
    return TRUE;
  *time = roast_wire_reader_get_count (row, slot) - offset;

  return check_time (row, slot, *time, error);
}

gboolean
dask_row_get_time_after (RoastWireReader *row, guint slot, gint64 now, gint64 *time, GError **error)
{
  *time = -1;
  if (!roast_wire_reader_has (row, slot))
    return TRUE;
  *time = now + roast_wire_reader_get_int64 (row, slot, 0);

  return check_time (row, slot, *time, error);
}

static void
copy_cell (RoastWireReader *row, RoastTableWriter *writer, guint slot)
{
  RoastColumn *column = roast_table_info_get_column (roast_table_writer_get_info (writer), slot);

  switch (roast_column_get_column_type (column))
    {
    case ROAST_COLUMN_TYPE_INT64:
      roast_table_writer_set_count (writer, slot, roast_wire_reader_get_count (row, slot));
      break;
    case ROAST_COLUMN_TYPE_DOUBLE:
      roast_table_writer_set_double (writer, slot, roast_wire_reader_get_double (row, slot));
      break;
    case ROAST_COLUMN_TYPE_BOOLEAN:
      roast_table_writer_set_boolean (writer, slot, roast_wire_reader_get_boolean (row, slot));
      break;
    case ROAST_COLUMN_TYPE_STRING:
    case ROAST_COLUMN_TYPE_CATEGORY:
    default:
      roast_table_writer_set_string (writer, slot, roast_wire_reader_get_string (row, slot));
    }
}

void
dask_row_copy (RoastWireReader *row, RoastTableWriter *writer, guint n_slots, guint64 except)
{
  for (guint slot = 0; slot < n_slots; slot++)
    if ((except >> slot & 1) == 0 && roast_wire_reader_has (row, slot))
      copy_cell (row, writer, slot);
}

static gboolean
check_row (RoastWireReader *row, RoastTableWriter *writer, GError **error)
{
  if (roast_wire_reader_check_row (row, error))
    return TRUE;
  roast_table_writer_clear (writer);

  return FALSE;
}

gboolean
dask_row_end (RoastWireReader *row, RoastTableWriter *writer, GError **error)
{
  return check_row (row, writer, error) && roast_table_writer_end (writer, error);
}

gboolean
dask_row_close (RoastWireReader *row, RoastTableWriter *writer, GError **error)
{
  return check_row (row, writer, error) && roast_table_writer_close (writer, error);
}
