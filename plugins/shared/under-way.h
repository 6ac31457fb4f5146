/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Returns whether the attempt in the current row of @tasks was running when it was cancelled or lost, or when the
 * recording ended (at @end). Sets @from and @to to the time during which it ran. Its start may be known only from a
 * report of the worker that the attempt was running. All times are in µs. */
gboolean under_way_get (RoastTableReader *tasks, double end, double *from, double *to);
