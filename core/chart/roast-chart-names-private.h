/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast/roast-column.h"
#include "roast/roast-schema.h"

G_BEGIN_DECLS

/* The names that occur in one column of a chart, numbered in the order in which they first appear. Their number is
 * bounded by the column's content: what a row has is not kept. */
typedef struct _RoastChartNames RoastChartNames;

typedef enum
{
  ROAST_CHART_NAMES_PLAIN,
  ROAST_CHART_NAMES_PAIR,      /* names of two columns: “processing, execute” */
  ROAST_CHART_NAMES_OF_SOURCE, /* the same without the first where all have the same, such as the only source */
  ROAST_CHART_NAMES_WITHIN, /* names that are unique within a second column only: “worker-1 (local-1)” where there are
                               two */
} RoastChartNamesMode;

/* @missing is what a missing cell is called. Words are called what the schema's labels of their vocabulary say; it is
 * borrowed. */
RoastChartNames *roast_chart_names_new (RoastColumn *column, RoastSchema *schema, const char *missing);
/* The number of a colour that a word always has; -1 if it is not one. */
int roast_chart_names_get_palette (RoastChartNames *self, guint name);
/* Of names of two others, which are taken over. */
RoastChartNames *roast_chart_names_new_pair (RoastChartNames *first, RoastChartNames *second, RoastChartNamesMode mode);
RoastChartNames *roast_chart_names_get_part (RoastChartNames *self, guint part);
guint roast_chart_names_find_pair (RoastChartNames *self, guint first, guint second);
void roast_chart_names_free (RoastChartNames *self);
/* Of a category: its texts by code, taken over. */
void roast_chart_names_set_texts (RoastChartNames *self, char **texts);
/* Of a block of codes, of the rows @kept, or of all if that is NULL. */
void roast_chart_names_find_codes (RoastChartNames *self, const gint32 *codes, const guint *kept, guint n,
                                   guint *names);
guint roast_chart_names_find_text (RoastChartNames *self, const char *text);
guint roast_chart_names_find_missing (RoastChartNames *self);
guint roast_chart_names_get_length (RoastChartNames *self);
const char *roast_chart_names_get (RoastChartNames *self, guint name);
int roast_chart_names_get_word (RoastChartNames *self, guint name);
gboolean roast_chart_names_is_missing (RoastChartNames *self, guint name);
gboolean roast_chart_names_is_pair (RoastChartNames *self);
/* Of pairs: by their first names, then by the second. Words stand in the order of their vocabulary. */
int roast_chart_names_compare_pairs (RoastChartNames *self, guint a, guint b);

/* Two numbers as a key of a hash table. */
typedef struct
{
  guint first, second;
} RoastChartPair;

guint roast_chart_pair_hash (gconstpointer pair);
gboolean roast_chart_pair_equal (gconstpointer a, gconstpointer b);

/* As a person sorts: "worker-9" before "worker-10". */
int roast_chart_names_compare (const char *a, const char *b);

G_END_DECLS
