/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Return the index of the first element with a time at or after @time. The time of an element is a double at @offset
 * bytes in the element. The elements must be sorted by time. */
static inline guint
time_search (const GArray *elements, gsize offset, double time)
{
  const gsize size = g_array_get_element_size ((GArray *) elements);
  guint low = 0, high = elements->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (G_STRUCT_MEMBER (double, elements->data + middle * size, offset) < time)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}
