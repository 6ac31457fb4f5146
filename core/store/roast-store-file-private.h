/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roast-store-codec-private.h"
#include "roast-store-database-private.h"

G_BEGIN_DECLS

/* A run file that is open, for as long as anything needs its rows; in an atomic GRcBox. */
typedef struct
{
  char *path;
  int fd;                  /* which holds the lock of a writer; -1 if there is none yet */
  RoastDatabase *database; /* of the store's thread, */
  RoastDecoder *decoder;   /* and this */
  GMutex mutex;            /* of what follows */
  char *problem;
} RoastStoreFile;

/* NULL in a process that was forked while files were open. */
RoastStoreFile *roast_store_file_new (const char *path, GError **error);
void roast_store_file_unref (RoastStoreFile *self);
/* In the store's thread. */
void roast_store_file_take_database (RoastStoreFile *self, RoastDatabase *database);

/* Why the file does not grow, or cannot be read; NULL if nothing is wrong. Only the first problem is kept. */
void roast_store_file_set_problem (RoastStoreFile *self, const char *problem);
char *roast_store_file_dup_problem (RoastStoreFile *self);
/* Sets the error of a damaged file, unless there is one; FALSE. */
gboolean roast_store_file_fail (RoastStoreFile *self, GError **error, const char *what);

G_END_DECLS
