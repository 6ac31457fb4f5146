/* SPDX-License-Identifier: BSD-3-Clause */
#include "roast-store-checksum-private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define HEADER_RESERVED 20 /* offset in the header of an SQLite file of the number of reserved bytes per page */
#define FACTOR G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)
#define MARK G_GUINT64_CONSTANT (0x01c5) /* last two bytes of each checksum; not 0, so no checksum is 0 */
#define MARK_BITS 0xffff

/* Return the checksum of a page. Each step is reversible, so the effect of a single wrong 8-byte word cannot get
 * lost. */
static guint64
sum (const guint8 *page, guint64 number)
{
  guint64 state = (number + 1) * FACTOR;

  for (gsize at = 0; at < ROAST_STORE_USED; at += sizeof state)
    {
      guint64 word;

      memcpy (&word, page + at, sizeof word);
      state = (state ^ GUINT64_FROM_LE (word)) * FACTOR;
      state ^= state >> 29;
    }

  return (state & ~(guint64) MARK_BITS) | MARK;
}

static guint64
get (const guint8 *page)
{
  guint64 stored;

  memcpy (&stored, page + ROAST_STORE_USED, sizeof stored);

  return GUINT64_FROM_BE (stored);
}

gboolean
roast_page_starts_file (const guint8 *page)
{
  /* The second condition recognizes a file whose byte HEADER_RESERVED is damaged. */
  return page[HEADER_RESERVED] == ROAST_STORE_RESERVED || (get (page) & MARK_BITS) == MARK;
}

void
roast_page_sum (guint8 *page, guint64 number)
{
  guint64 stored = GUINT64_TO_BE (sum (page, number));

  memcpy (page + ROAST_STORE_USED, &stored, sizeof stored);
}

RoastPageState
roast_page_check (const guint8 *page, guint64 number)
{
  guint64 stored = get (page);

  if (stored == 0)
    return ROAST_PAGE_UNKNOWN;

  return stored == sum (page, number) ? ROAST_PAGE_SOUND : ROAST_PAGE_DAMAGED;
}

/* ---- all pages of a file ---- */

#define STORE_CHECKSUM_AT_ONCE 64 /* number of pages read at once */

static gboolean
store_checksum_is_empty (const guint8 *page)
{
  return page[0] == 0 && memcmp (page, page + 1, ROAST_STORE_PAGE - 1) == 0;
}

static void
look (RoastStoreScan *self, const guint8 *page)
{
  guint64 number = self->n_pages++;
  RoastPageState state = roast_page_check (page, number);

  if (state == ROAST_PAGE_DAMAGED)
    {
      if (self->n_damaged++ == 0)
        self->first_damaged = number;
    }
  /* Ignore an empty page, because SQLite locks bytes of the page at offset 1 GB and never writes this page. */
  else if (state == ROAST_PAGE_UNKNOWN && !store_checksum_is_empty (page))
    self->n_unknown++;
}

RoastStoreScan
roast_store_scan (int fd)
{
  RoastStoreScan self = { 0 };
  g_autofree guint8 *pages = g_malloc (STORE_CHECKSUM_AT_ONCE * ROAST_STORE_PAGE);
  gboolean has_sums = FALSE;

  for (;;)
    {
      gssize n =
          pread (fd, pages, STORE_CHECKSUM_AT_ONCE * ROAST_STORE_PAGE, (off_t) (self.n_pages * ROAST_STORE_PAGE));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      /* Fill up a truncated page with bytes that make its checksum wrong, so that the page counts as damaged. */
      if (n % ROAST_STORE_PAGE != 0)
        memset (pages + n, 0xff, ROAST_STORE_PAGE - (gsize) n % ROAST_STORE_PAGE);
      if (self.n_pages == 0)
        has_sums = roast_page_starts_file (pages);
      for (gssize at = 0; at < n; at += ROAST_STORE_PAGE)
        if (has_sums)
          look (&self, pages + at);
        else
          self.n_unknown = ++self.n_pages;
    }

  return self;
}

char *
roast_store_scan_describe_damage (const RoastStoreScan *self)
{
  if (self->n_damaged == 0)
    return NULL;

  return g_strdup_printf ("the run file is damaged: %" G_GUINT64_FORMAT " of its %" G_GUINT64_FORMAT
                          " pages of %d bytes have a wrong checksum, the first at byte %" G_GUINT64_FORMAT
                          ". The cells in these pages are missing",
                          self->n_damaged, self->n_pages, ROAST_STORE_PAGE, self->first_damaged * ROAST_STORE_PAGE);
}

char *
roast_store_scan_describe_unknown (const RoastStoreScan *self)
{
  if (self->n_unknown == 0)
    return NULL;

  return g_strdup_printf ("%" G_GUINT64_FORMAT " of the %" G_GUINT64_FORMAT
                          " pages of the run file have no checksum, because another program wrote these pages. Damage "
                          "to these pages may go unnoticed",
                          self->n_unknown, self->n_pages);
}
