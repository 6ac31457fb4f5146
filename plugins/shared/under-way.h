/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Returns whether the attempt of the current row of tasks was running when it was cancelled, lost, or cut off by the
 * end of the recording (@end). Sets @from and @to to the time it ran. All times are in µs. The start may be known
 * from a report that the worker sent meanwhile. */
gboolean under_way_get (RoastTableReader *tasks, double end, double *from, double *to);

G_END_DECLS
