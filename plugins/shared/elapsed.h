/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

/* Returns the seconds between two times of the current row. The times are in the columns @from and @to, in µs. Returns
 * NaN if a time is missing, or if @to is before @from, because the row must be wrong then. */
static inline double
elapsed_get (RoastTableReader *rows, guint from, guint to)
{
  double elapsed =
      (roast_table_reader_get_double (rows, to) - roast_table_reader_get_double (rows, from)) / G_USEC_PER_SEC;

  return elapsed < 0 ? NAN : elapsed;
}
