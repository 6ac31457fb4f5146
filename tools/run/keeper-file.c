/* SPDX-License-Identifier: BSD-3-Clause */

#include "keeper-file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void
keeper_file_set (KeeperFile *self, const char *path, const char *note, bool is_scratch)
{
  self->path[0] = '\0';
  if (path == NULL || strlen (path) >= sizeof self->path)
    return;
  snprintf (self->note, sizeof self->note, "%s", note);
  self->is_scratch = is_scratch;
  memcpy (self->path, path, strlen (path) + 1);
}

void
keeper_file_remove (const char *path)
{
  static const char *const suffixes[] = { "", "-wal", "-shm" };

  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    {
      char name[sizeof (((KeeperFile *) NULL)->path) + 8];

      snprintf (name, sizeof name, "%s%s", path, suffixes[i]);
      unlink (name);
    }
}

/* Removes the lock file of the run, which a killed session leaves behind. */
static void
remove_lock (const char *path)
{
  char name[sizeof (((KeeperFile *) NULL)->path) + 16];
  const char *base = strrchr (path, '/');

  base = base != NULL ? base + 1 : path;
  snprintf (name, sizeof name, "%.*s.%s.lock", (int) (base - path), path, base);
  unlink (name);
}

void
keeper_file_end (KeeperFile *self, bool measured)
{
  if (self->path[0] == '\0')
    return;
  if (self->is_scratch || !measured)
    {
      keeper_file_remove (self->path);
      remove_lock (self->path);
    }
  else
    dprintf (STDERR_FILENO, "roast-run: %s\n", self->note);
}
