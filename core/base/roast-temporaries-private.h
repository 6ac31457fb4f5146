/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

#include "roast/roast-temporaries.h"

G_BEGIN_DECLS

/* Files and directories that live as long as a run. Each is locked by its process, so that a later run can remove those
 * whose process was killed, and no others. */

/* A new file .BASE.roast-HOST-XXXXXX in a directory. -1 with errno if it fails. */
G_GNUC_INTERNAL
int roast_temporaries_open_file (const char *directory, const char *base, char **path);
/* It has been removed, or has become something else. */
G_GNUC_INTERNAL
void roast_temporaries_forget (const char *path);
/* Makes a directory roast-XXXXXX, for this user alone. It has a lock that names it, and may get a socket “socket”, but
 * nothing else. NULL with errno if it fails. */
G_GNUC_INTERNAL
char *roast_temporaries_make_directory (const char *parent, int *lock);
/* A file in a directory of this process. */
G_GNUC_INTERNAL
void roast_temporaries_add (const char *path);
/* Removes a directory of this process and closes its lock. A directory with entries of others stays as it is. */
G_GNUC_INTERNAL
void roast_temporaries_remove_directory (const char *path, int lock);
/* Removes what killed processes left in a directory: of this user, and of this machine. */
G_GNUC_INTERNAL
void roast_temporaries_remove_stale_files (const char *directory);
G_GNUC_INTERNAL
void roast_temporaries_remove_stale_directories (const char *parent);

G_END_DECLS
