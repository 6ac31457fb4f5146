/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* The descriptors of the program that the processes of roast-run have inherited, too. As long as one of them holds a
 * pipe or a lock that the program closed, who is at the other end does not see that. Plain C. */

#include <stdbool.h>
#include <stddef.h>

/* Notes which descriptors this process has inherited, before it opens some itself. */
void descriptors_note (void);
/* Closes those that were noted, and makes standard input empty and standard output standard error: what code of plugins
 * prints is not lost. Those that were marked close-on-exec since are not for the program, and stay. */
void descriptors_release_noted (void);
/* Closes those that an exec would not close, and makes standard input and output empty. */
void descriptors_release_inherited (void);
/* Closes all except standard error and @kept, and makes standard input and output empty. */
void descriptors_release_all (const int *kept, size_t n);
