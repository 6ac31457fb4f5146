/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast/roast-column.h"

G_BEGIN_DECLS

/* The names that occur in one column of a chart, numbered in the order in which they first appear. Their number is
 * bounded by the column's content: what a row has is not kept. */
typedef struct _RoastChartNames RoastChartNames;

RoastChartNames *roast_chart_names_new (RoastColumn *column);
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

/* As a person sorts: "worker-9" before "worker-10". */
int roast_chart_names_compare (const char *a, const char *b);

G_END_DECLS
