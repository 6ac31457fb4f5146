/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast/roast-column.h"
#include "roast/roast-schema.h"
#include "roast/roast-table-reader.h"

G_BEGIN_DECLS

/* The names in one column of a chart, numbered in order of first appearance. Memory depends on the number of
 * different names, since nothing is stored per row. */
typedef struct _RoastChartNames RoastChartNames;

typedef enum
{
  ROAST_CHART_NAMES_PLAIN,
  ROAST_CHART_NAMES_PAIR,      /* names of two columns: “processing, execute” */
  ROAST_CHART_NAMES_OF_SOURCE, /* like PAIR, but without the first part if it is always the same, such as the only
                                * source */
  ROAST_CHART_NAMES_WITHIN,    /* names that are unique only within a second column; “worker-1 (local-1)” if the name is
                                * ambiguous */
} RoastChartNamesMode;

/* Make names. @missing is shown for a missing cell. Words are shown with the labels that the schema has for their
 * vocabulary. The schema is borrowed. */
RoastChartNames *roast_chart_names_new (RoastColumn *column, RoastSchema *schema, const char *missing);
/* Return the number of the fixed colour of a word; -1 if the name is not a word. */
int roast_chart_names_get_palette (RoastChartNames *self, guint name);
/* Make names from pairs of names. Take ownership of both parts. */
RoastChartNames *roast_chart_names_new_pair (RoastChartNames *first, RoastChartNames *second, RoastChartNamesMode mode);
RoastChartNames *roast_chart_names_get_part (RoastChartNames *self, guint part);
guint roast_chart_names_find_pair (RoastChartNames *self, guint first, guint second);
void roast_chart_names_free (RoastChartNames *self);
/* Find the name of a cell of a category, in the current row of a reader. */
guint roast_chart_names_find_code (RoastChartNames *self, RoastTableReader *reader, guint slot);
guint roast_chart_names_find_text (RoastChartNames *self, const char *text);
guint roast_chart_names_find_missing (RoastChartNames *self);
guint roast_chart_names_get_length (RoastChartNames *self);
const char *roast_chart_names_get (RoastChartNames *self, guint name);
int roast_chart_names_get_word (RoastChartNames *self, guint name);
gboolean roast_chart_names_is_missing (RoastChartNames *self, guint name);
gboolean roast_chart_names_is_pair (RoastChartNames *self);
/* Compare pairs by their first names, then by their second. Words compare in the order of their vocabulary. */
int roast_chart_names_compare_pairs (RoastChartNames *self, guint a, guint b);

/* Compare in natural order: "worker-9" before "worker-10". */
int roast_chart_names_compare (const char *a, const char *b);

G_END_DECLS
