/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* Whether the attempt of the current row of tasks was under way when it was cancelled, or lost after it was said to
 * run, or when the recording ended, at @end; and from when until when it was, all in µs. Its worker may have told its
 * start while it ran. */
gboolean under_way_get (RoastTableReader *tasks, double end, double *from, double *to);

G_END_DECLS
