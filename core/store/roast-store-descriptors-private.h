/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The descriptors of run files that roast opens in addition to SQLite's descriptors. When a process closes any
 * descriptor of a file, POSIX releases all locks of the process on that file, including SQLite's locks. Therefore a
 * descriptor stays open while another descriptor of the same file is in use. */

/* Open a run file for reading. On failure, set errno and return -1. */
int roast_store_descriptors_open (const char *path);
/* Take ownership of a descriptor that the caller opened. */
void roast_store_descriptors_add (int fd);
/* End the use of a descriptor. Call this function after SQLite has closed the file. */
void roast_store_descriptors_close (int fd);
