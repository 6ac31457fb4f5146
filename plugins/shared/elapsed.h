/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

G_BEGIN_DECLS

/* Returns the seconds between the times in two columns of the current row, which are in µs. Returns NaN if a time is
 * missing, or if the time @to is before the time @from, so that the row is wrong. */
static inline double
elapsed_get (RoastTableReader *rows, guint from, guint to)
{
  double elapsed =
      (roast_table_reader_get_double (rows, to) - roast_table_reader_get_double (rows, from)) / G_USEC_PER_SEC;

  return elapsed < 0 ? NAN : elapsed;
}

G_END_DECLS
