/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-vfs-private.h"

#include <string.h>

#include "roast-store-checksum-private.h"

/* SQLite's own page checksums are an extension, which distributions do not build. Therefore the VFSes in this file
 * replace the functions that read and write a database file by functions that check and write checksums. All other
 * functions are taken from the system's VFS. */

/* State of an open database, stored after the system's sqlite3_file in the same memory. */
typedef struct
{
  sqlite3_io_methods methods;
  const sqlite3_io_methods *system;
  gint64 failed_page;
  gboolean has_read_flag;
  gboolean has_sums; /* the pages of the file have checksums */
} Pages;

static int system_size; /* size of the system's sqlite3_file */

static Pages *
pages_of (sqlite3_file *file)
{
  return (gpointer) ((guint8 *) file + system_size);
}

/* Read from the first page whether the pages of the file have checksums. */
static int
find_sums (sqlite3_file *file, Pages *self)
{
  guint8 page[ROAST_STORE_PAGE];
  int result;

  if (self->has_read_flag)
    return SQLITE_OK;
  result = self->system->xRead (file, page, sizeof page, 0);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ)
    return result;
  self->has_read_flag = result == SQLITE_OK;
  self->has_sums = self->has_read_flag && roast_page_starts_file (page);

  return SQLITE_OK;
}

/* Note the failed page. Report corruption, and not an I/O error, after which SQLite would end the reader's whole
 * transaction. */
static int
store_vfs_fail (Pages *self, sqlite3_int64 offset)
{
  self->failed_page = offset / ROAST_STORE_PAGE;

  return SQLITE_CORRUPT;
}

/* Read from the file and check each page that is read. SQLite reads parts of the header first, and pages later. Since
 * version 3.45, SQLite reads only the used part of a page that continues a long value. If the header is damaged, SQLite
 * may use another page size. A truncated page is regarded as damaged. */
static int
store_vfs_read_file (sqlite3_file *file, void *to, int size, sqlite3_int64 offset)
{
  Pages *self = pages_of (file);
  guint8 whole[ROAST_STORE_PAGE];
  guint8 *page = size == ROAST_STORE_PAGE ? to : whole;
  int result = find_sums (file, self);

  if (result != SQLITE_OK)
    return result;
  if (!self->has_sums || (offset == 0 && size < 512))
    return self->system->xRead (file, to, size, offset);
  if (offset % ROAST_STORE_PAGE != 0 || size > ROAST_STORE_PAGE)
    return size < 512 ? self->system->xRead (file, to, size, offset) : store_vfs_fail (self, offset);
  result = self->system->xRead (file, page, ROAST_STORE_PAGE, offset);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ)
    return result;
  if (result != SQLITE_OK || roast_page_check (page, (guint64) offset / ROAST_STORE_PAGE) == ROAST_PAGE_DAMAGED)
    return store_vfs_fail (self, offset);
  /* Clear the checksum before SQLite sees the page. If SQLite changes the page, it copies all bytes of the page into
   * its log. A program without this VFS could copy the page from the log into the file, and would leave an outdated
   * checksum. */
  memset (page + ROAST_STORE_USED, 0, ROAST_STORE_RESERVED);
  if (page == whole)
    memcpy (to, page, (gsize) size);

  return SQLITE_OK;
}

static int
write_file (sqlite3_file *file, const void *from, int size, sqlite3_int64 offset)
{
  Pages *self = pages_of (file);
  guint8 page[ROAST_STORE_PAGE];

  if (size != ROAST_STORE_PAGE || offset % ROAST_STORE_PAGE != 0)
    return self->system->xWrite (file, from, size, offset);
  memcpy (page, from, sizeof page);
  if (offset == 0)
    {
      self->has_read_flag = TRUE;
      self->has_sums = roast_page_starts_file (page);
    }
  if (self->has_sums)
    roast_page_sum (page, (guint64) offset / ROAST_STORE_PAGE);

  return self->system->xWrite (file, page, size, offset);
}

static int
control (sqlite3_file *file, int operation, void *argument)
{
  Pages *self = pages_of (file);

  if (operation != ROAST_STORE_VFS_FAILED_PAGE)
    return self->system->xFileControl (file, operation, argument);
  *(gint64 *) argument = self->failed_page;
  self->failed_page = -1;

  return SQLITE_OK;
}

static int
store_vfs_open_file (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_then)
{
  sqlite3_vfs *system = vfs->pAppData;
  Pages *self = pages_of (file);
  int result = system->xOpen (system, name, file, flags, flags_then);

  if ((flags & SQLITE_OPEN_MAIN_DB) == 0 || file->pMethods == NULL)
    return result;
  *self = (Pages) { .methods = *file->pMethods, .system = file->pMethods, .failed_page = -1 };
  self->methods.iVersion = MIN (self->methods.iVersion, 2); /* so that SQLite cannot map the file */
  self->methods.xRead = store_vfs_read_file;
  self->methods.xWrite = write_file;
  self->methods.xFileControl = control;
  file->pMethods = &self->methods;

  return result;
}

const char *
roast_store_vfs_get_name (gboolean is_alone)
{
  static sqlite3_vfs ours[2];
  static gsize registered;

  if (g_once_init_enter (&registered))
    {
      for (guint i = 0; i < G_N_ELEMENTS (ours); i++)
        {
          sqlite3_vfs *system = sqlite3_vfs_find (i == 0 ? NULL : "unix-none");

          system_size = system->szOsFile;
          ours[i] = *system;
          ours[i].szOsFile += (int) sizeof (Pages);
          ours[i].zName = i == 0 ? "roast" : "roast-alone";
          ours[i].pAppData = system;
          ours[i].pNext = NULL;
          ours[i].xOpen = store_vfs_open_file;
          sqlite3_vfs_register (&ours[i], FALSE);
        }
      g_once_init_leave (&registered, TRUE);
    }

  return ours[is_alone ? 1 : 0].zName;
}
