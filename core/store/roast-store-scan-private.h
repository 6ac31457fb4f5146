/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The checksums of all pages of a run file that nobody writes. */

typedef struct
{
  guint64 n_pages;
  guint64 n_damaged;
  guint64 n_unknown;     /* without a checksum */
  guint64 first_damaged; /* page, from 0 */
} RoastStoreScan;

RoastStoreScan roast_store_scan (int fd);
/* Texts for the user; NULL if nothing is wrong, */
char *roast_store_scan_describe_damage (const RoastStoreScan *self);
/* or all pages have checksums. */
char *roast_store_scan_describe_unknown (const RoastStoreScan *self);

G_END_DECLS
