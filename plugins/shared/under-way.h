/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* When the attempt of the current row of tasks started, µs, if it was under way when the recording ended; else NaN. Its
 * worker may have said so while it ran. */
double under_way_get_start (RoastTableReader *tasks);

G_END_DECLS
