/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The descriptors of run files beside those of SQLite. POSIX takes all locks of a process on a file when one descriptor
 * of that file is closed, those of SQLite, too. So a descriptor stays open while another one of its file is in use. */

/* Opens a run file to read it; -1 with errno. */
int roast_store_descriptors_open (const char *path);
/* Takes a descriptor that the caller opened. */
void roast_store_descriptors_add (int fd);
/* Ends the use of a descriptor, after SQLite has closed the file. */
void roast_store_descriptors_close (int fd);

G_END_DECLS
