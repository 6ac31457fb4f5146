/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <fcntl.h>

#include "roast-store-writer-private.h"
#include "roast/roast-run-file.h"

#define ROAST_RUN_FILE_LOCK_AT (G_GINT64_CONSTANT (1) << 62) /* byte that the writer locks and SQLite never locks */

struct _RoastRunFile
{
  GObject parent_instance;

  char *path;    /* current path of the open file */
  char *target;  /* path to which roast_run_file_close () moves the file; NULL if the file is not moved */
  gint is_moved; /* whether the file has been moved to the target; accessed atomically */
  RoastStoreFile *store;
  RoastStoreWriter *writer; /* writer of the file; NULL if the file is open for reading */
  gboolean is_attached;

  GMutex mutex;     /* guards the members below */
  GHashTable *meta; /* maps a key to its text */
  RoastRunFileState state;
};

RoastRunFile *roast_run_file_new (const char *path);
/* Return the parameters of the writer's lock, for fcntl (). Readers test this lock to find out whether the writer still
 * runs. The lock is an open file description lock, which belongs to the open file. SQLite's locks, in contrast, belong
 * to the process. */
struct flock roast_run_file_make_lock (short type);
/* Return the time that the metadata have for a key, or -1 if the key is missing. The caller holds the mutex. */
gint64 roast_run_file_lookup_time (RoastRunFile *self, const char *key);

/* ---- run files for a network file system, which grow in a local directory and are moved when they are closed ---- */

/* Return a path that does not exist yet, in a private directory below @local, a world-writable directory such as
 * /var/tmp. Return NULL if @path is on a local file system, or if @local is on a network file system. */
char *roast_run_file_move_find_local (const char *path, const char *local);
/* Move a file, but never overwrite an existing file. Return FALSE with an error if the file was not moved. */
gboolean roast_run_file_move (const char *from, const char *to, GError **error);
