/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <string.h>

#include "each.h"

G_BEGIN_DECLS

/* Groups the rows of @reader by the values of the columns that follow it. */
#define GROUP_BY(reader, ...)                                                                                          \
  roast_table_reader_group_by (reader, (const guint[]) { __VA_ARGS__ },                                                \
                               sizeof ((const guint[]) { __VA_ARGS__ }) / sizeof (guint))

/* Return the element of @array that belongs to @group. If @array is too short, append elements filled with zeros.
 * Groups are numbered in the order in which they appear. */
static inline gpointer
group_element_at (GArray *array, guint group)
{
  const gsize size = g_array_get_element_size (array);
  guint n = array->len;

  if (group >= n)
    {
      g_array_set_size (array, group + 1);
      memset (array->data + n * size, 0, (group + 1 - n) * size);
    }

  return array->data + group * size;
}

/* Return the element of the group of the current row of @reader. */
static inline gpointer
group_element (GArray *array, RoastTableReader *reader)
{
  return group_element_at (array, roast_table_reader_get_group (reader));
}

G_END_DECLS
