/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#define CORE_OVER_TIME_N 60

/* A number over time, from which its mean in each of CORE_OVER_TIME_N intervals is computed. */
typedef struct
{
  double inner[CORE_OVER_TIME_N + 1]; /* change of amounts that cover whole intervals, between intervals */
  double edges[CORE_OVER_TIME_N];     /* sum of amount times µs, for amounts that cover only part of an interval */
} CoreLine;

/* Add @amount for the time from @from to @to (µs). Ignore the time before @started and after @ended. */
void core_line_add (CoreLine *self, double started, double ended, double from, double to, double amount);
/* Store the mean of each interval in @means, and return the length of an interval in µs. */
double core_line_get_means (const CoreLine *self, double started, double ended, double means[CORE_OVER_TIME_N]);
