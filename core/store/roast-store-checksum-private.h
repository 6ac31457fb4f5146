/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* The checksum of a page of a run file is in the last 8 bytes of the page, which SQLite leaves free. docs/store.md
 * describes the checksum. */

#define ROAST_STORE_PAGE 4096
#define ROAST_STORE_RESERVED 8 /* bytes at the end of each page that SQLite leaves free */
#define ROAST_STORE_USED (ROAST_STORE_PAGE - ROAST_STORE_RESERVED)

typedef enum
{
  ROAST_PAGE_SOUND,
  ROAST_PAGE_DAMAGED,
  ROAST_PAGE_UNKNOWN, /* the page has no checksum: another program wrote it */
} RoastPageState;

/* Return whether the pages of a file have checksums, according to its first page. */
gboolean roast_page_starts_file (const guint8 *page);
/* Write the checksum of a page. @number counts from 0. */
void roast_page_sum (guint8 *page, guint64 number);
RoastPageState roast_page_check (const guint8 *page, guint64 number);

/* The result of checking all pages of a run file that no process writes. */

typedef struct
{
  guint64 n_pages;
  guint64 n_damaged;
  guint64 n_unknown;     /* pages without a checksum */
  guint64 first_damaged; /* number of the first damaged page, from 0 */
} RoastStoreScan;

RoastStoreScan roast_store_scan (int fd);
/* Return a message for the user, or NULL if no page is damaged. */
char *roast_store_scan_describe_damage (const RoastStoreScan *self);
/* Return a message for the user, or NULL if all pages have checksums. */
char *roast_store_scan_describe_unknown (const RoastStoreScan *self);
