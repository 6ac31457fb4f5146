/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Times in a log are µs since the epoch, after 2001. An unknown time is -1. */
static inline gboolean
vine_is_known (gint64 time)
{
  return time >= 0;
}

G_END_DECLS
