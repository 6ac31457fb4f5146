/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* The element of the group that the current row of @reader is in. Groups are numbered as they appear: it is one of
 * @array or the next, which is made of zeros if the array was created with @clear. */
static inline gpointer
group_element (GArray *array, RoastTableReader *reader)
{
  guint group = roast_table_reader_get_group (reader);

  if (group >= array->len)
    g_array_set_size (array, group + 1);

  return array->data + (gsize) group * g_array_get_element_size (array);
}

G_END_DECLS
