/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* Where a field of a public structure is, and how large it is; the structure itself is at 0. */
typedef struct {
  const char *name;
  gsize offset;
  gsize size;
} Layout;

extern const Layout layout_frozen[];
extern const Layout layout_present[];
extern const Layout layout_next[];
