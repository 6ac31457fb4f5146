/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CORE_OVER_TIME_N 60

/* A number over time: its mean in each of some intervals of equal length. */
typedef struct
{
  double inner[CORE_OVER_TIME_N + 1]; /* changes of what covers whole intervals */
  double edges[CORE_OVER_TIME_N];     /* what covers a part of one, µs */
} CoreLine;

/* Adds @amount from @from to @to, µs. What is outside of @started to @ended does not count. */
void core_line_add (CoreLine *self, double started, double ended, double from, double to, double amount);
/* The means, and the length of an interval in µs. */
double core_line_get_means (const CoreLine *self, double started, double ended, double means[CORE_OVER_TIME_N]);

G_END_DECLS
