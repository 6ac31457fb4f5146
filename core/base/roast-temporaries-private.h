/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast/roast-temporaries.h"

/* Temporary files and directories of a run. The process that owns a file or directory locks it. A later run therefore
 * removes only files and directories whose owner was killed, because they are not locked. */

/* Creates a file .BASE.roast-HOST-XXXXXX in a directory. Returns -1 with errno on failure. */
int roast_temporaries_open_file (const char *directory, const char *base, char **path);
/* Unregisters a file that was removed or renamed. */
void roast_temporaries_forget (const char *path);
/* Creates a directory roast-XXXXXX that only this user can access. The directory contains a lock file, which marks it
 * as roast's. The caller may add a socket named “socket”, but nothing else. Returns NULL with errno on failure. */
char *roast_temporaries_make_directory (const char *parent, int *lock);
/* Registers a file in a temporary directory of this process. */
void roast_temporaries_add (const char *path);
/* Removes a temporary directory of this process and closes its lock. A directory that contains other files is left
 * unchanged. */
void roast_temporaries_remove_directory (const char *path, int lock);
/* Removes the temporary files that killed processes of this user on this machine left in @directory. */
void roast_temporaries_remove_stale_files (const char *directory);
void roast_temporaries_remove_stale_directories (const char *parent);
