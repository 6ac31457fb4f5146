/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast/roast-wire-reader.h"

typedef struct
{
  RoastWireCell type;
  union
  {
    gboolean boolean;
    gint64 integer;
    double real;
    struct
    {
      const char *text; /* text of the cell; ends with NUL if the cell is a string */
      gsize length;
    };
  };
} RoastWireValue;

/* Gets the cells of the last row, one for each slot. */
const RoastWireValue *roast_wire_reader_peek_values (RoastWireReader *self);
/* Gets a value as a number, or NaN if the value is not a number. */
double roast_wire_value_get_number (const RoastWireValue *self);
/* Gets a value as an integer. Accepts a double, because some languages write integers with a decimal point. Returns
 * FALSE for a fraction, and for a double beyond 2^53, which may be a rounded integer. */
gboolean roast_wire_value_get_integer (const RoastWireValue *self, gint64 *integer);
