/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The path that names the same also after the process has changed its directory. */
G_GNUC_INTERNAL
char *roast_output_file_dup_absolute (const char *path);
/* Where a file stands: symbolic links followed, also to where there is nothing yet. */
G_GNUC_INTERNAL
char *roast_output_file_follow (const char *path);
/* Whether a path is to be written to as it is: a device, a pipe, or what a process has open (/dev/stdout). */
G_GNUC_INTERNAL
gboolean roast_output_file_is_direct (const char *target);
/* Fails with ENXIO for a FIFO that has no reader yet. */
G_GNUC_INTERNAL
int roast_output_file_open_direct (const char *target);
/* A new file beside @target, for its content until it is complete; its name in @temporary. -1 with errno if it fails.
 */
G_GNUC_INTERNAL
int roast_output_file_open_temporary (const char *target, char **temporary);
/* What can be done about an error of the system; NULL if that is not known. */
G_GNUC_INTERNAL
const char *roast_output_file_cure (int code);
