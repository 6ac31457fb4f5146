/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-descriptors-private.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  int fd;
  dev_t device;
  ino_t inode;
  gboolean is_used;
} Descriptor;

static GMutex store_descriptors_mutex; /* guards the descriptors */
static GArray *descriptors;

static Descriptor *
descriptors_find (dev_t device, ino_t inode, gboolean is_used)
{
  for (guint i = 0; descriptors != NULL && i < descriptors->len; i++)
    {
      Descriptor *each = &g_array_index (descriptors, Descriptor, i);

      if (each->device == device && each->inode == inode && each->is_used == is_used)
        return each;
    }

  return NULL;
}

static void
descriptors_append (int fd)
{
  struct stat status = { 0 };
  Descriptor new = { .fd = fd, .is_used = TRUE };

  if (fstat (fd, &status) == 0)
    {
      new.device = status.st_dev;
      new.inode = status.st_ino;
    }
  if (descriptors == NULL)
    descriptors = g_array_new (FALSE, FALSE, sizeof (Descriptor));
  g_array_append_val (descriptors, new);
}

int
roast_store_descriptors_open (const char *path)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&store_descriptors_mutex);
  struct stat status;
  Descriptor *unused = stat (path, &status) == 0 ? descriptors_find (status.st_dev, status.st_ino, FALSE) : NULL;
  int fd = -1;

  if (unused != NULL)
    {
      unused->is_used = TRUE;
      return unused->fd;
    }
  /* Use O_NONBLOCK, because otherwise opening a FIFO would wait for its writer. */
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0)
    descriptors_append (fd);

  return fd;
}

void
roast_store_descriptors_add (int fd)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&store_descriptors_mutex);

  descriptors_append (fd);
}

static void
descriptors_close_file (dev_t device, ino_t inode)
{
  for (guint i = descriptors->len; i-- > 0;)
    {
      Descriptor *each = &g_array_index (descriptors, Descriptor, i);

      if (each->device != device || each->inode != inode)
        continue;
      close (each->fd);
      g_array_remove_index_fast (descriptors, i);
    }
}

void
roast_store_descriptors_close (int fd)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&store_descriptors_mutex);

  for (guint i = 0; descriptors != NULL && i < descriptors->len; i++)
    {
      Descriptor *each = &g_array_index (descriptors, Descriptor, i);

      if (each->fd != fd)
        continue;
      each->is_used = FALSE;
      if (descriptors_find (each->device, each->inode, TRUE) == NULL)
        descriptors_close_file (each->device, each->inode);
      return;
    }
}
