/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <roast/roast.h>

G_BEGIN_DECLS

/* Seconds from one column of the current row to another, which have times in µs. NaN if either is missing, or if the
 * second is before the first, which nothing is: then the row is wrong. */
static inline double
elapsed_get (RoastTableReader *rows, guint from, guint to)
{
  double elapsed =
      (roast_table_reader_get_double (rows, to) - roast_table_reader_get_double (rows, from)) / G_USEC_PER_SEC;

  return elapsed < 0 ? NAN : elapsed;
}

G_END_DECLS
