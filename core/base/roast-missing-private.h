/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* Whether there is no such file, for files that need not be there: to make the GError of an attempt to open one, GLib
 * searches for message catalogues. */
static inline gboolean
roast_is_missing (const char *path)
{
  return g_access (path, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR);
}
