/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Seconds from one column of the current row to another, which have times in µs. NaN if either is missing. */
static inline double
elapsed_get (RoastTableReader *rows, guint from, guint to)
{
  return (roast_table_reader_get_double (rows, to) - roast_table_reader_get_double (rows, from)) / G_USEC_PER_SEC;
}

G_END_DECLS
