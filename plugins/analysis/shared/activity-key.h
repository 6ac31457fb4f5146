/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <roast/roast.h>

/* Key columns of the table activities. Read only the last row of each key, because the values are cumulative. */
static const guint activity_key[] = { ROAST_ACTIVITIES_SOURCE, ROAST_ACTIVITIES_WORKER,   ROAST_ACTIVITIES_CONTEXT,
                                      ROAST_ACTIVITIES_SPAN,   ROAST_ACTIVITIES_CATEGORY, ROAST_ACTIVITIES_ACTIVITY,
                                      ROAST_ACTIVITIES_UNIT };
