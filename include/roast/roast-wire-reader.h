/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib-object.h>

#include <roast/roast-version-macros.h>

G_BEGIN_DECLS

/**
 * RoastWireLine:
 * @ROAST_WIRE_LINE_MESSAGE: a JSON value that is neither a declaration nor a row; the caller must read this value with
 *   a JSON parser
 * @ROAST_WIRE_LINE_DECLARATION: a table and its columns
 * @ROAST_WIRE_LINE_ROW: a row of a declared table
 *
 * The type of a line.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_WIRE_LINE_MESSAGE,
  ROAST_WIRE_LINE_DECLARATION,
  ROAST_WIRE_LINE_ROW,
} RoastWireLine;

/**
 * RoastWireCell:
 * @ROAST_WIRE_CELL_MISSING: `null`, a cell beyond the end of the row, or an undeclared column
 * @ROAST_WIRE_CELL_BOOLEAN: `true` or `false`
 * @ROAST_WIRE_CELL_INT64: a number without a decimal point or an exponent
 * @ROAST_WIRE_CELL_DOUBLE: any other number
 * @ROAST_WIRE_CELL_STRING: a text
 *
 * The type of a cell.
 *
 * Since: 0.9
 */
typedef enum
{
  ROAST_WIRE_CELL_MISSING,
  ROAST_WIRE_CELL_BOOLEAN,
  ROAST_WIRE_CELL_INT64,
  ROAST_WIRE_CELL_DOUBLE,
  ROAST_WIRE_CELL_STRING,
} RoastWireCell;

#define ROAST_TYPE_WIRE_READER (roast_wire_reader_get_type ())

ROAST_AVAILABLE_IN_0_9
G_DECLARE_FINAL_TYPE (RoastWireReader, roast_wire_reader, ROAST, WIRE_READER, GObject)

ROAST_AVAILABLE_IN_0_9
RoastWireReader *roast_wire_reader_new (gsize max_line, guint max_depth);
ROAST_AVAILABLE_IN_0_9
guint roast_wire_reader_add_table (RoastWireReader *self, const char *name, const char *const *columns);
ROAST_AVAILABLE_IN_0_9
gboolean roast_wire_reader_read (RoastWireReader *self, char *line, gsize length, GError **error);
ROAST_AVAILABLE_IN_0_9
RoastWireLine roast_wire_reader_get_line_type (RoastWireReader *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_wire_reader_get_line (RoastWireReader *self, gsize *length);
ROAST_AVAILABLE_IN_0_9
guint roast_wire_reader_get_table (RoastWireReader *self);
ROAST_AVAILABLE_IN_0_9
const char *roast_wire_reader_get_table_name (RoastWireReader *self);
ROAST_AVAILABLE_IN_0_9
const char *const *roast_wire_reader_get_columns (RoastWireReader *self);
ROAST_AVAILABLE_IN_0_9
RoastWireCell roast_wire_reader_get_cell_type (RoastWireReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
gboolean roast_wire_reader_has (RoastWireReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
gint64 roast_wire_reader_get_int64 (RoastWireReader *self, guint slot, gint64 missing);
ROAST_AVAILABLE_IN_0_9
gint64 roast_wire_reader_get_count (RoastWireReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
double roast_wire_reader_get_double (RoastWireReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
gboolean roast_wire_reader_get_boolean (RoastWireReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
const char *roast_wire_reader_get_string (RoastWireReader *self, guint slot);
ROAST_AVAILABLE_IN_0_9
gboolean roast_wire_reader_check_row (RoastWireReader *self, GError **error);

G_END_DECLS
