/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast/roast-temporaries.h"

G_BEGIN_DECLS

/* Files and directories that live as long as a run. The owning process locks each of them, so that a later run removes
 * only the leftovers of killed processes. */

/* Creates a file .BASE.roast-HOST-XXXXXX in a directory. Returns -1 with errno on failure. */
G_GNUC_INTERNAL
int roast_temporaries_open_file (const char *directory, const char *base, char **path);
/* Forgets a file that was removed or renamed. */
G_GNUC_INTERNAL
void roast_temporaries_forget (const char *path);
/* Creates a directory roast-XXXXXX that only this user can access. It contains a lock file that identifies the
 * directory, and may contain a socket “socket”, but nothing else. Returns NULL with errno on failure. */
G_GNUC_INTERNAL
char *roast_temporaries_make_directory (const char *parent, int *lock);
/* Registers a file in a directory of this process. */
G_GNUC_INTERNAL
void roast_temporaries_add (const char *path);
/* Removes a directory of this process and closes its lock. A directory with foreign entries is left unchanged. */
G_GNUC_INTERNAL
void roast_temporaries_remove_directory (const char *path, int lock);
/* Removes files that killed processes of this user on this machine left in a directory. */
G_GNUC_INTERNAL
void roast_temporaries_remove_stale_files (const char *directory);
G_GNUC_INTERNAL
void roast_temporaries_remove_stale_directories (const char *parent);

G_END_DECLS
