/* SPDX-License-Identifier: BSD-3-Clause */

/* Any bytes as the resources at the start of the rest of a line: they are read or refused, within the line; numbers are
 * missing or in range. */

#include <math.h>
#include <stdint.h>

#include "vine-resources.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *start = (const char *) data;
  VineToken rest = { start, size };
  VineResources resources;

  while (vine_resources_read (&resources, &rest))
    {
      g_assert_true (rest.start > start);
      g_assert_true (rest.start + rest.length == (const char *) data + size);
      start = rest.start;
      for (guint i = 0; i < VINE_N_RESOURCES; i++)
        {
          double seconds = vine_resources_seconds (&resources, i);

          g_assert_false (isinf (resources.value[i]));
          g_assert_cmpint (vine_resources_time (&resources, i), >=, -1);
          g_assert_cmpint (vine_resources_bytes (&resources, i), >=, -1);
          g_assert_true (isnan (seconds) || (seconds >= 0 && seconds <= 1e9));
        }
    }
  g_assert_true (rest.start + rest.length == (const char *) data + size);

  return 0;
}
