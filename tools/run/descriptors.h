/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The program's descriptors that the processes of roast-run have inherited too. If a process of roast-run keeps a pipe
 * or a lock that the program closed, the other end of the pipe, or a process waiting for the lock, does not notice.
 * Plain C. */

#include <stdbool.h>
#include <stddef.h>

/* Notes which descriptors this process has inherited. Call it before the process opens files itself. */
void descriptors_note (void);
/* Closes the noted descriptors, makes standard input empty, and redirects standard output to standard error, so that
 * output of plugin code is not lost. Keeps descriptors that have been marked close-on-exec since, because they are not
 * inherited by the program. */
void descriptors_release_noted (void);
/* Closes the descriptors that an exec would not close, and makes standard input and output empty. */
void descriptors_release_inherited (void);
/* Closes all except standard error and @kept, and makes standard input and output empty. */
void descriptors_release_all (const int *kept, size_t n);
