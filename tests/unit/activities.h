/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

G_BEGIN_DECLS

/* A row of activities. @worker or @category may be NULL; a category has a span. */
void activities_add (RoastRecording *recording, const char *source, const char *worker, const char *context,
                     const char *category, const char *activity, const char *unit, double value);

G_END_DECLS
