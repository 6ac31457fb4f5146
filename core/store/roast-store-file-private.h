/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-codec-private.h"
#include "roast-store-database-private.h"

/* An open run file, in memory with an atomic reference count. Each object that needs rows of the file holds a
 * reference. */
typedef struct
{
  char *path;
  int fd;                  /* descriptor that holds the writer's lock; -1 if the file is not open yet */
  RoastDatabase *database; /* used only in the store's thread */
  RoastDecoder *decoder;   /* used only in the store's thread */
  GMutex mutex;            /* guards the member below */
  char *problem;
} RoastStoreFile;

/* Make the object of a run file. Return NULL in a process that was forked while files were open. */
RoastStoreFile *roast_store_file_new (const char *path, GError **error);
void roast_store_file_unref (RoastStoreFile *self);
/* Set the connection to the file. Call this function in the store's thread. */
void roast_store_file_take_database (RoastStoreFile *self, RoastDatabase *database);

/* Set the problem of the file: a message why the file cannot grow or cannot be read, or NULL if the problem no longer
 * exists. If a problem is already set, it is kept. */
void roast_store_file_set_problem (RoastStoreFile *self, const char *problem);
char *roast_store_file_dup_problem (RoastStoreFile *self);
/* Set an error that says what is damaged in the file, unless an error is already set. Return FALSE. */
gboolean roast_store_file_fail (RoastStoreFile *self, GError **error, const char *what);
