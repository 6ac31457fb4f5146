/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Adds to a PNG how many pixels an inch has (chunk pHYs), unless it says so. Without it, programs that lay out pages
 * take an inch to have 72 or 96. */
void png_size_add (GByteArray *png, double dpi);
