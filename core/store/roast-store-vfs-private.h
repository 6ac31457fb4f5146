/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* SQLite's file access, with a checksum in each page. A page with a wrong checksum is refused. */

/* Return the name of a VFS for sqlite3_open_v2 (). @is_alone: no other process uses the file, so SQLite takes no
 * locks, as with its VFS “unix-none”. */
const char *roast_store_vfs_get_name (gboolean is_alone);

/* File control that gets the number of the page that failed since the last call, as gint64; -1 if no page failed. */
#define ROAST_STORE_VFS_FAILED_PAGE 0x526f6173 /* for sqlite3_file_control () */

G_END_DECLS
