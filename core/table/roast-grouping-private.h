/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Numbers the groups of rows that have equal cells, in the order in which they first appear. */
typedef struct _RoastGrouping RoastGrouping;

RoastGrouping *roast_grouping_new (guint n_cells);
void roast_grouping_free (RoastGrouping *self);
/* The group of a row, by one number for each cell. */
guint roast_grouping_find (RoastGrouping *self, const guint64 *cells);

#define ROAST_GROUPING_MAX_RANGE (1 << 20)

/* For groups that have one number, less than @range: a table of them, which is faster. */
RoastGrouping *roast_grouping_new_for_range (guint range);
guint roast_grouping_find_number (RoastGrouping *self, guint number);
/* The same number for the same text. */
guint64 roast_grouping_intern (RoastGrouping *self, const char *text);
guint roast_grouping_get_length (RoastGrouping *self);
