/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Closes the descriptors that the processes of roast-run share with the program. If a process of roast-run kept a pipe
 * open that the program has closed, the other end of the pipe would not see the end of file. If it kept a locked file
 * open, a process that waits for the lock would wait forever. Plain C. */

#include <stdbool.h>
#include <stddef.h>

/* Notes which descriptors this process has inherited. Call it before this process opens files. */
void descriptors_note (void);
/* Closes the noted descriptors, makes standard input empty, and redirects standard output to standard error, so that
 * output of plugin code is not lost. Keeps descriptors that were marked close-on-exec since, because the program does
 * not inherit them. */
void descriptors_release_noted (void);
/* Closes the descriptors that exec keeps open (no close-on-exec flag), except standard error. Redirects standard input
 * and output to /dev/null. */
void descriptors_release_inherited (void);
/* Closes all descriptors except standard error and those in @kept. Redirects standard input and output to /dev/null. */
void descriptors_release_all (const int *kept, size_t n);
