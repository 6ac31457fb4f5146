/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* Returns whether an optional file is missing. This is faster than an attempt to open the file, because GLib searches
 * for message catalogues to build a GError. */
static inline gboolean
roast_is_missing (const char *path)
{
  return g_access (path, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR);
}
