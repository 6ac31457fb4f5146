/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "json-out.h"
#include "roastcoffea-words.h"

G_BEGIN_DECLS

/* Each function writes its members of metrics.json from rows. */
void roastcoffea_put_tracking (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_chunks (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_sections (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_files (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_spans (JsonOut *out, RoastRecording *recording);

/* Statistics of a quantity. */
typedef struct
{
  guint64 n;
  double sum, least, most, mean, squares; /* squares: sum of squared differences from the mean */
} RoastcoffeaStatistic;

/* Adds a value. Ignores NaN. */
void roastcoffea_statistic_add (RoastcoffeaStatistic *self, double value);

/* Sums over items with the same name: chunks of a dataset, or sections. */
typedef struct
{
  char *name;
  guint64 n;
  double duration, events;
  RoastcoffeaStatistic memory;
} RoastcoffeaSum;

/* Returns an array of sums, in the order in which roastcoffea_sums_get () first saw their names. */
GPtrArray *roastcoffea_sums_new (void);
RoastcoffeaSum *roastcoffea_sums_get (GPtrArray *sums, const char *name);
/* Appends a text as Python prints it inside a tuple. */
void roastcoffea_append_repr (GString *to, const char *text);

G_END_DECLS
