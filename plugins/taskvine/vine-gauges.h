/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sheet.h"

G_BEGIN_DECLS

/* A manager's own statistics, which have nearly the same names in its performance log and in its status: rows of cluster_samples and of
 * budgets. */
typedef struct
{
  char *source;
  Sheet samples, budgets;
} VineGauges;

/* NaN if there is none of that name. */
typedef double (*VineGaugesFunction) (const char *name, gpointer user_data);

void vine_gauges_init  (VineGauges *self, RoastRecording *recording, const char *source);
void vine_gauges_clear (VineGauges *self);
void vine_gauges_write (VineGauges *self, gint64 time, VineGaugesFunction get, gpointer user_data);

G_END_DECLS
