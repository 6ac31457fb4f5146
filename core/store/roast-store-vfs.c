/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-vfs-private.h"

#include <string.h>

#include "roast-store-checksum-private.h"

/* A database; the file of the system's VFS is behind it. Other files are those of the system's VFS. */
typedef struct
{
  sqlite3_file base;
  sqlite3_file *file;
  RoastStoreVfs kind;
  gint64 failed_page;
  gboolean is_known; /* whether */
  gboolean has_sums; /* its pages have checksums */
} File;

static sqlite3_vfs *system_vfs;

static sqlite3_file *
file_of (sqlite3_file *file)
{
  return ((File *) file)->file;
}

/* ---- pages ---- */

static gboolean
is_page (int size, sqlite3_int64 offset)
{
  return size == ROAST_STORE_PAGE && offset % ROAST_STORE_PAGE == 0;
}

/* By the first page as it is in the file. */
static int
find_sums (File *self)
{
  guint8 page[ROAST_STORE_PAGE];
  int result;

  if (self->is_known)
    return SQLITE_OK;
  result = self->file->pMethods->xRead (self->file, page, sizeof page, 0);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ)
    return result;
  self->is_known = result == SQLITE_OK;
  self->has_sums = self->is_known && roast_page_starts_file (page);

  return SQLITE_OK;
}

static int
check_page (File *self, const guint8 *page, gint64 number)
{
  if (roast_page_check (page, (guint64) number) != ROAST_PAGE_DAMAGED)
    return SQLITE_OK;
  self->failed_page = number;

  /* Not an I/O error, after which SQLite would end the transaction of the whole reader. */
  return SQLITE_CORRUPT;
}

/* Since 3.45 SQLite reads the used part of a page alone if it continues a long value: the checksum is of the whole
 * page. */
static gboolean
is_part (int size, sqlite3_int64 offset)
{
  return offset > 0 && offset % ROAST_STORE_PAGE == 0 && size <= ROAST_STORE_USED;
}

static int
read_part (File *self, void *to, int size, sqlite3_int64 offset)
{
  guint8 page[ROAST_STORE_PAGE];
  int result = self->file->pMethods->xRead (self->file, page, sizeof page, offset);

  if (result == SQLITE_OK)
    result = check_page (self, page, offset / ROAST_STORE_PAGE);
  if (result == SQLITE_OK)
    memcpy (to, page, (gsize) size);
  if (result != SQLITE_IOERR_SHORT_READ)
    return result;
  self->failed_page = offset / ROAST_STORE_PAGE;

  return SQLITE_CORRUPT;
}

/* SQLite reads parts of the header, and then pages. With a damaged header it may take another size for that of a page;
 * a page that is cut short is damaged, too. */
static int
read_file (sqlite3_file *file, void *to, int size, sqlite3_int64 offset)
{
  File *self = (File *) file;
  int result = find_sums (self);

  if (result == SQLITE_OK && self->has_sums && is_part (size, offset))
    return read_part (self, to, size, offset);
  if (result == SQLITE_OK)
    result = self->file->pMethods->xRead (self->file, to, size, offset);
  if ((result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ) || !self->has_sums || size < 512)
    return result;
  if (result == SQLITE_OK && is_page (size, offset))
    return check_page (self, to, offset / ROAST_STORE_PAGE);
  self->failed_page = offset / ROAST_STORE_PAGE;

  return SQLITE_CORRUPT;
}

static int
write_file (sqlite3_file *file, const void *from, int size, sqlite3_int64 offset)
{
  File *self = (File *) file;
  guint8 page[ROAST_STORE_PAGE];

  if (!is_page (size, offset))
    return self->file->pMethods->xWrite (self->file, from, size, offset);
  memcpy (page, from, sizeof page);
  if (offset == 0)
    {
      self->is_known = TRUE;
      self->has_sums = roast_page_starts_file (page);
    }
  if (self->has_sums)
    roast_page_sum (page, (guint64) offset / ROAST_STORE_PAGE);

  return self->file->pMethods->xWrite (self->file, page, size, offset);
}

/* ---- locks ---- */

static int
lock (sqlite3_file *file, int level)
{
  File *self = (File *) file;

  return self->kind == ROAST_STORE_VFS_SHARED ? self->file->pMethods->xLock (self->file, level) : SQLITE_OK;
}

static int
unlock (sqlite3_file *file, int level)
{
  File *self = (File *) file;

  return self->kind == ROAST_STORE_VFS_SHARED ? self->file->pMethods->xUnlock (self->file, level) : SQLITE_OK;
}

static int
check_reserved_lock (sqlite3_file *file, int *result)
{
  File *self = (File *) file;

  *result = 0;

  return self->kind == ROAST_STORE_VFS_SHARED ? self->file->pMethods->xCheckReservedLock (self->file, result)
                                              : SQLITE_OK;
}

static int
get_device_characteristics (sqlite3_file *file)
{
  File *self = (File *) file;
  int flags = self->file->pMethods->xDeviceCharacteristics (self->file);

  return self->kind == ROAST_STORE_VFS_IMMUTABLE ? flags | SQLITE_IOCAP_IMMUTABLE : flags;
}

/* ---- what is as the system has it ---- */

static int
close_file (sqlite3_file *file)
{
  return file_of (file)->pMethods->xClose (file_of (file));
}

static int
truncate_file (sqlite3_file *file, sqlite3_int64 size)
{
  return file_of (file)->pMethods->xTruncate (file_of (file), size);
}

static int
sync_file (sqlite3_file *file, int flags)
{
  return file_of (file)->pMethods->xSync (file_of (file), flags);
}

static int
get_size (sqlite3_file *file, sqlite3_int64 *size)
{
  return file_of (file)->pMethods->xFileSize (file_of (file), size);
}

static int
control (sqlite3_file *file, int operation, void *argument)
{
  if (operation == ROAST_STORE_VFS_FAILED_PAGE)
    {
      *(gint64 *) argument = ((File *) file)->failed_page;
      ((File *) file)->failed_page = -1;
      return SQLITE_OK;
    }

  return file_of (file)->pMethods->xFileControl (file_of (file), operation, argument);
}

static int
get_sector_size (sqlite3_file *file)
{
  return file_of (file)->pMethods->xSectorSize (file_of (file));
}

static int
map_shared (sqlite3_file *file, int region, int size, int extend, void volatile **to)
{
  return file_of (file)->pMethods->xShmMap (file_of (file), region, size, extend, to);
}

static int
lock_shared (sqlite3_file *file, int offset, int n, int flags)
{
  return file_of (file)->pMethods->xShmLock (file_of (file), offset, n, flags);
}

static void
order_shared (sqlite3_file *file)
{
  file_of (file)->pMethods->xShmBarrier (file_of (file));
}

static int
unmap_shared (sqlite3_file *file, int remove)
{
  return file_of (file)->pMethods->xShmUnmap (file_of (file), remove);
}

/* Without the functions of version 3, which map a file into memory. */
static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = close_file,
  .xRead = read_file,
  .xWrite = write_file,
  .xTruncate = truncate_file,
  .xSync = sync_file,
  .xFileSize = get_size,
  .xLock = lock,
  .xUnlock = unlock,
  .xCheckReservedLock = check_reserved_lock,
  .xFileControl = control,
  .xSectorSize = get_sector_size,
  .xDeviceCharacteristics = get_device_characteristics,
  .xShmMap = map_shared,
  .xShmLock = lock_shared,
  .xShmBarrier = order_shared,
  .xShmUnmap = unmap_shared,
};

/* ---- the VFS ---- */

static int
open_file (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_then)
{
  File *self = (File *) file;
  int result;

  if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
    return system_vfs->xOpen (system_vfs, name, file, flags, flags_then);
  *self = (File) { .file = (sqlite3_file *) (self + 1), .failed_page = -1 };
  self->kind = (RoastStoreVfs) GPOINTER_TO_INT (vfs->pAppData);
  self->file->pMethods = NULL;
  result = system_vfs->xOpen (system_vfs, name, self->file, flags, flags_then);
  /* SQLite closes what has methods. */
  if (self->file->pMethods != NULL)
    self->base.pMethods = &methods;

  return result;
}

const char *
roast_store_vfs_get_name (RoastStoreVfs kind)
{
  static const char *const names[] = { "roast", "roast-alone", "roast-immutable" };
  static sqlite3_vfs ours[G_N_ELEMENTS (names)];
  static gsize registered;

  if (g_once_init_enter (&registered))
    {
      system_vfs = sqlite3_vfs_find (NULL);
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        {
          ours[i] = *system_vfs;
          ours[i].szOsFile += (int) sizeof (File);
          ours[i].zName = names[i];
          ours[i].pAppData = GINT_TO_POINTER (i);
          ours[i].pNext = NULL;
          ours[i].xOpen = open_file;
          sqlite3_vfs_register (&ours[i], FALSE);
        }
      g_once_init_leave (&registered, TRUE);
    }

  return names[kind];
}
