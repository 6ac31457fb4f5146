/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Numbers the groups of rows with equal cells, in the order of their first appearance. */
typedef struct _RoastGrouping RoastGrouping;

RoastGrouping *roast_grouping_new (guint n_cells);
void roast_grouping_free (RoastGrouping *self);
/* Return the group of a row, given one number per cell. */
guint roast_grouping_find (RoastGrouping *self, const guint64 *cells);

#define ROAST_GROUPING_MAX_RANGE (1 << 20)

/* Make a grouping for single numbers below @range. It uses an array, which is faster. */
RoastGrouping *roast_grouping_new_for_range (guint range);
guint roast_grouping_find_number (RoastGrouping *self, guint number);
/* Return a number for a text, always the same for equal texts. */
guint64 roast_grouping_intern (RoastGrouping *self, const char *text);
