/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Adds the resolution (chunk pHYs) to a PNG file that cairo wrote, because cairo does not write it. Without this chunk,
 * layout programs assume 72 or 96 dpi. */
void png_size_add (GByteArray *png, double dpi);
