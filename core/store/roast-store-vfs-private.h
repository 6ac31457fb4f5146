/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* SQLite's access to files, with a checksum in each page: the page is refused if it is wrong. */

typedef enum
{
  ROAST_STORE_VFS_SHARED, /* other processes may use the file, too */
  /* Nobody else uses the file, and there may be a WAL file: SQLite needs no shared memory, which it could not create in
   * a directory that is read-only. With “PRAGMA locking_mode = EXCLUSIVE”. */
  ROAST_STORE_VFS_ALONE,
  ROAST_STORE_VFS_IMMUTABLE, /* nobody changes the file, and there is no WAL file */
} RoastStoreVfs;

/* The name of a VFS, for sqlite3_open_v2 (). */
const char *roast_store_vfs_get_name (RoastStoreVfs kind);

/* The number of the page that failed since the last such call, as gint64; -1 if none did. */
#define ROAST_STORE_VFS_FAILED_PAGE 0x526f6173 /* for sqlite3_file_control () */

G_END_DECLS
