/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Compare two rows of a table: the row with the larger number comes first. Rows with equal numbers are ordered by name,
 * which may be NULL. */
static inline int
order_rows (double a, double b, const char *name_a, const char *name_b)
{
  int order = (b > a) - (b < a);

  return order != 0 ? order : g_strcmp0 (name_a, name_b);
}

/* Compares two doubles, or two structs whose first member is a double: the smaller number comes first. Serves as
 * GCompareFunc. */
static inline int
order_doubles (gconstpointer a, gconstpointer b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

G_END_DECLS
