/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Closes the descriptors that processes of roast-run share with the program. This is necessary for two reasons. If the
 * program closed a pipe, but a process of roast-run kept it open, the other end would not see the end of file. If the
 * program closed a locked file, but a process of roast-run kept it open, other processes would wait for the lock
 * forever. Plain C. */

#include <stdbool.h>
#include <stddef.h>

/* Records which descriptors this process has inherited. Call this function before this process opens any file. */
void descriptors_note (void);
/* Closes the recorded descriptors, makes standard input empty, and redirects standard output to standard error, so that
 * output of plugin code is not lost. Keeps descriptors that were marked close-on-exec since then, because the program
 * does not inherit those. */
void descriptors_release_noted (void);
/* Closes all descriptors that have no close-on-exec flag, except standard error. Redirects standard input and output to
 * /dev/null. */
void descriptors_release_inherited (void);
/* Closes all descriptors except standard error and the descriptors in @kept. Redirects standard input and output to
 * /dev/null. */
void descriptors_release_all (const int *kept, size_t n);
