/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-block-limits-private.h"

#include <math.h>

typedef struct
{
  guint column;
  double min;
  double max;
} Limit;

void
roast_block_limits_set (GArray **limits, guint column, double min, double max)
{
  Limit limit = { column, min, max };

  if (*limits == NULL)
    *limits = g_array_new (FALSE, FALSE, sizeof (Limit));
  for (guint i = 0; i < (*limits)->len; i++)
    if (g_array_index (*limits, Limit, i).column == column)
      {
        g_array_remove_index_fast (*limits, i);
        break;
      }
  if (min > -INFINITY || max < INFINITY)
    g_array_append_val (*limits, limit);
}

static gboolean
block_limits_is_outside (const Limit *limit, RoastTableSnapshot *blocks, guint block)
{
  double min;
  double max;

  return roast_table_snapshot_get_range (blocks, block, limit->column, &min, &max) &&
         (max < limit->min || min > limit->max);
}

guint
roast_block_limits_skip (GArray *limits, RoastTableSnapshot *blocks, guint block)
{
  guint n_blocks = roast_table_snapshot_get_n_blocks (blocks);

  for (; block < n_blocks; block++)
    {
      gboolean outside = FALSE;

      for (guint i = 0; limits != NULL && i < limits->len && !outside; i++)
        outside = block_limits_is_outside (&g_array_index (limits, Limit, i), blocks, block);
      if (!outside)
        break;
    }

  return block;
}
