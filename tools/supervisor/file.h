/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/* Reads the beginning of a file into @text and appends a NUL. Returns the length of the text, or 0 if the file cannot
 * be read. */
size_t file_read (const char *path, char *text, size_t size);
