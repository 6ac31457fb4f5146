/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/* Reads the beginning of a file, which ends with a NUL in text then. Returns its length; 0 also if it cannot be read.
 */
size_t file_read (const char *path, char *text, size_t size);
