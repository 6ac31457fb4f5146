/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Gives a number to each group of rows that have equal cells. Groups are numbered from 0, in the order in which their
 * first rows were found. */
typedef struct _RoastGrouping RoastGrouping;

RoastGrouping *roast_grouping_new (guint n_cells);
void roast_grouping_free (RoastGrouping *self);
/* Return the number of the group of a row. @cells: a number for each cell, equal for equal cells. */
guint roast_grouping_find (RoastGrouping *self, const guint64 *cells);

#define ROAST_GROUPING_MAX_RANGE (1 << 20)

/* Make a grouping of rows that are each described by a single number below @range. The grouping uses an array, which is
 * faster than a hash table. */
RoastGrouping *roast_grouping_new_for_range (guint range);
guint roast_grouping_find_number (RoastGrouping *self, guint number);
/* Return a number for a text. Equal texts have the same number. */
guint64 roast_grouping_intern (RoastGrouping *self, const char *text);
