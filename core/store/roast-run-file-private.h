/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <fcntl.h>

#include "roast-store-writer-private.h"
#include "roast/roast-run-file.h"

G_BEGIN_DECLS

#define ROAST_RUN_FILE_LOCK_AT (G_GINT64_CONSTANT (1) << 62) /* where no database has its locks */

struct _RoastRunFile
{
  GObject parent_instance;

  char *path;    /* where it is opened */
  char *target;  /* where it is moved when it is closed, or NULL */
  gint is_moved; /* atomic */
  RoastStoreFile *store;
  RoastStoreWriter *writer; /* NULL if it is read */
  gboolean is_attached;
  gint64 created; /* µs since the epoch */

  GMutex mutex;     /* of what follows */
  GHashTable *meta; /* key to text */
  RoastRunFileState state;
};

RoastRunFile *roast_run_file_new (const char *path);
/* A writer holds this lock, so that readers know whether it is still there. It belongs to the open file, not to the
 * process, unlike the locks of SQLite. */
struct flock roast_run_file_make_lock (short type);
/* A time in the metadata, under the mutex; -1 if there is none. */
gint64 roast_run_file_lookup_time (RoastRunFile *self, const char *key);

/* ---- a run file that belongs on a network file system grows in a local directory, and is moved when it is closed ----
 */

/* Where the file grows, which does not exist yet: below a directory that everybody may write to, as /var/tmp. NULL if
 * @path is on a local file system, or there is no local directory. */
char *roast_run_file_move_find_local (const char *path, const char *local);
/* FALSE with an error if the file stays where it is. A file that exists is not overwritten. */
gboolean roast_run_file_move (const char *from, const char *to, GError **error);

G_END_DECLS
