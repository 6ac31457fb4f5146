/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* SQLite's access to files, with a checksum in each page: the page is refused if it is wrong. */

/* Returns the name of a VFS for sqlite3_open_v2 (). @is_alone: no other process uses the file, so SQLite locks nothing,
 * as with its VFS “unix-none”. */
const char *roast_store_vfs_get_name (gboolean is_alone);

/* The number of the page that failed since the last such call, as gint64; -1 if none did. */
#define ROAST_STORE_VFS_FAILED_PAGE 0x526f6173 /* for sqlite3_file_control () */

G_END_DECLS
