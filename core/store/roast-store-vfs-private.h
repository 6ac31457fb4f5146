/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* SQLite's file access (VFS) with a checksum in each page. Reading a page with a wrong checksum fails. */

/* Return the name of a VFS for sqlite3_open_v2 (). @is_alone: no other process uses the file. SQLite then takes no
 * locks, as with its own VFS “unix-none”. */
const char *roast_store_vfs_get_name (gboolean is_alone);

/* Operation of sqlite3_file_control (). It gets the number of the page whose check has failed since the last call, as a
 * gint64; -1 if no check has failed. */
#define ROAST_STORE_VFS_FAILED_PAGE 0x526f6173 /* for sqlite3_file_control () */

G_END_DECLS
