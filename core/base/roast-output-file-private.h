/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Returns a path that stays valid after the process changes its working directory. */
char *roast_output_file_dup_absolute (const char *path);
/* Follows symbolic links, and returns the target even if it does not exist yet. */
char *roast_output_file_follow (const char *path);
/* Returns whether a path must be written directly, without a temporary file: a device, a pipe, or an open descriptor
 * (/dev/stdout). */
gboolean roast_output_file_is_direct (const char *target);
/* Opens a device, a pipe or an open descriptor by path for writing. Fails with ENXIO for a FIFO that has no reader
 * yet. */
int roast_output_file_open_direct (const char *target);
/* Creates a temporary file beside @target, for the content until it is complete. Stores the path of the file in
 * @temporary. Returns -1 with errno on failure. */
int roast_output_file_open_temporary (const char *target, char **temporary);
/* Returns advice for the user on how to fix the system error @code (an errno), or NULL if there is no advice for this
 * error. */
const char *roast_output_file_cure (int code);
