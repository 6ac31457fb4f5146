/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

#include "json-out.h"
#include "roastcoffea-words.h"

G_BEGIN_DECLS

/* The parts of metrics.json that have rows. Each writes its members. */
void roastcoffea_put_tracking (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_chunks (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_sections (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_files (JsonOut *out, RoastRecording *recording);
void roastcoffea_put_spans (JsonOut *out, RoastRecording *recording);

/* A number of which roastcoffea has the extremes. */
typedef struct
{
  guint64 n;
  double sum, least, most, mean, squares; /* squares: of differences from the mean */
} RoastcoffeaStatistic;

/* NaN does not count. */
void roastcoffea_statistic_add (RoastcoffeaStatistic *self, double value);

/* Sums over what has a name: chunks of a dataset, or sections. */
typedef struct
{
  char *name;
  guint64 n;
  double duration, events;
  RoastcoffeaStatistic memory;
} RoastcoffeaSum;

/* An array of sums in the order in which get () saw their names first. */
GPtrArray *roastcoffea_sums_new (void);
RoastcoffeaSum *roastcoffea_sums_get (GPtrArray *sums, const char *name);
/* Appends a text as Python prints it within a tuple. */
void roastcoffea_append_repr (GString *to, const char *text);

G_END_DECLS
