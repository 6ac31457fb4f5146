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
      const char *text; /* ends with NUL if the cell is a string */
      gsize length;
    };
  };
} RoastWireValue;

/* The cells of the row that was read last, one per slot. */
const RoastWireValue *roast_wire_reader_peek_values (RoastWireReader *self);
/* NaN if it is not a number. */
double roast_wire_value_get_number (const RoastWireValue *self);
/* FALSE if it is not a whole number: some languages write integers with a point, and beyond 2^53 a double may stand for
 * another integer. */
gboolean roast_wire_value_get_integer (const RoastWireValue *self, gint64 *integer);
