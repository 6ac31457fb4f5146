/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>
#include <string.h>

G_BEGIN_DECLS

/* The element of a group. Groups are numbered as they appear: it is one of @array or the next, which is made of zeros.
 */
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

/* The element of the group that the current row of @reader is in. */
static inline gpointer
group_element (GArray *array, RoastTableReader *reader)
{
  return group_element_at (array, roast_table_reader_get_group (reader));
}

G_END_DECLS
