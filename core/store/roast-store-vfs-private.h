/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <sqlite3.h>

/* A VFS, a layer for file access in SQLite, that adds a checksum to each page. Reading a page with a wrong checksum
 * fails. */

/* Return the name of a VFS for sqlite3_open_v2 (). @is_alone: whether no other process uses the file, so that SQLite
 * need not lock the file, as with SQLite's VFS “unix-none”. */
const char *roast_store_vfs_get_name (gboolean is_alone);

/* Operation of sqlite3_file_control () that gets a gint64: the number of the page whose check has failed since the last
 * such call; -1 if no check has failed. */
#define ROAST_STORE_VFS_FAILED_PAGE 0x526f6173
