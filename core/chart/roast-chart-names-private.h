/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast/roast-column.h"
#include "roast/roast-schema.h"
#include "roast/roast-table-reader.h"

/* The different names in one column of a table, numbered in the order in which they first appear. Memory depends on the
 * number of different names, not on the number of rows. */
typedef struct _RoastChartNames RoastChartNames;

typedef enum
{
  ROAST_CHART_NAMES_PLAIN,
  ROAST_CHART_NAMES_PAIR,      /* names made from two columns, such as “processing, execute” */
  ROAST_CHART_NAMES_OF_SOURCE, /* names made from a source and a name; the source is left out if there is only one
                                  source */
  ROAST_CHART_NAMES_WITHIN, /* names of the first column; if a name occurs with several values of the second column, the
                               value is added, as in “worker-1 (local-1)” */
} RoastChartNamesMode;

/* Make an empty set of names for @column. @missing is the name of empty cells. Words of a vocabulary are shown with
 * their labels from @schema, which must outlive the names. */
RoastChartNames *roast_chart_names_new (RoastColumn *column, RoastSchema *schema, const char *missing);
/* Return the number of the fixed colour of a word; -1 if the name is not a word of a vocabulary. */
int roast_chart_names_get_palette (RoastChartNames *self, guint name);
/* Make names that combine a name of @first with a name of @second. Take ownership of @first and @second. */
RoastChartNames *roast_chart_names_new_pair (RoastChartNames *first, RoastChartNames *second, RoastChartNamesMode mode);
RoastChartNames *roast_chart_names_get_part (RoastChartNames *self, guint part);
guint roast_chart_names_find_pair (RoastChartNames *self, guint first, guint second);
void roast_chart_names_free (RoastChartNames *self);
/* Return the number of the name in a category column, for the current row of @reader. */
guint roast_chart_names_find_code (RoastChartNames *self, RoastTableReader *reader, guint slot);
guint roast_chart_names_find_text (RoastChartNames *self, const char *text);
guint roast_chart_names_find_missing (RoastChartNames *self);
guint roast_chart_names_get_length (RoastChartNames *self);
const char *roast_chart_names_get (RoastChartNames *self, guint name);
int roast_chart_names_get_word (RoastChartNames *self, guint name);
gboolean roast_chart_names_is_missing (RoastChartNames *self, guint name);
gboolean roast_chart_names_is_pair (RoastChartNames *self);
/* Compare pairs by their first names, then by their second names. Words of a vocabulary are compared by their positions
 * in the vocabulary. */
int roast_chart_names_compare_pairs (RoastChartNames *self, guint a, guint b);

/* Compare names in natural order: "worker-9" comes before "worker-10". */
int roast_chart_names_compare (const char *a, const char *b);
